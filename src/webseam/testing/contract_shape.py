"""The contract's first check: that there is a provider to test. What is found here is told alone: the rest follows."""

import inspect
from collections.abc import Iterator
from dataclasses import fields
from typing import Final

from msgspec import Struct, ValidationError

from webseam.core.errors import WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchControls
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.testing.stage import HeldKey, LoopbackTransport, Subject, built, staged
from webseam.testing.vendor_server import VendorServer

CONTROLS: Final = frozenset(field.name for field in fields(SearchControls))


async def fits(subject: Subject) -> list[str]:
    """The spec is of search or extraction, its options are strict, and what it builds has the shape of a provider."""
    spec: object = subject.spec
    if not isinstance(spec, ProviderSpec):
        return [f"it is no ProviderSpec but {type(spec).__name__}"]
    return list(_spec_breaches(spec)) or await _built_breaches(subject) or await _stumbles(subject)


def _spec_breaches(spec: ProviderSpec) -> Iterator[str]:
    if spec.capability not in ("search", "extract"):
        yield f"its capability is {spec.capability}, and this contract is of search and extract"
    yield from _control_breaches("spec.controls", spec.controls)
    if spec.options is not None:
        yield from _option_breaches(spec.options)


def _control_breaches(where: str, names: object) -> Iterator[str]:
    if not isinstance(names, frozenset):
        yield f"{where} is a {type(names).__name__}, and must be a frozenset"
    elif unknown := sorted(map(str, names - CONTROLS)):
        yield f"{where} names {', '.join(unknown)}; the search controls are {', '.join(sorted(CONTROLS))}"


def _option_breaches(options: object) -> Iterator[str]:
    if not (isinstance(options, type) and issubclass(options, Struct)):
        yield "spec.options is no msgspec.Struct class"
        return
    if not options.__struct_config__.forbid_unknown_fields:
        yield "its options ignore a misspelt name; declare them with forbid_unknown_fields=True"
    try:
        options()
    except TypeError as exc:
        yield f"its options need a default for every field: {exc}"


async def _built_breaches(subject: Subject) -> list[str]:
    transport, web = VendorTransport(), Web()
    web.at_close(transport.aclose)
    async with VendorServer() as server, web:
        held = LoopbackTransport(server.url, transport)
        try:
            provider: object = built(subject, held, web, HeldKey(subject.key), subject.point(server.url))
        except ValidationError as exc:
            return [f"its options do not take those of this test ({exc}); `point` and `options` say which to set"]
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is a breach
            return [f"it cannot be built: {type(exc).__name__}: {exc}"]
        return list(_provider_breaches(provider, subject.spec.capability))


async def _stumbles(subject: Subject) -> list[str]:
    """A search that fails before anything leaves, and not by a `WebError`, would fail every other check alike."""
    async with staged(subject, subject.reply) as stage:
        try:
            await stage.directly()
        except WebError:
            return []
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is a breach
            asked = stage.server.connections or stage.transport.strayed
            return [] if asked else [f"the good reply ended in {type(exc).__name__}: {exc}"]
        return []


def _provider_breaches(provider: object, does: str) -> Iterator[str]:
    if not isinstance(getattr(provider, "id", None), str):
        yield f"spec.build made a {type(provider).__name__} without an id; a provider has id, available() and {does}()"
        return
    yield from _control_breaches("native_controls", getattr(provider, "native_controls", frozenset()))
    yield from _available_breaches(getattr(provider, "available", None))
    if not _takes_a_call(getattr(provider, does, None)):
        yield f"it has no {does}() that takes a request and, by name, a call"


def _available_breaches(available: object) -> Iterator[str]:
    if not callable(available) or inspect.iscoroutinefunction(available):
        yield "it has no available() that answers at once (def, not async def)"
        return
    try:
        available()
    except Exception as exc:  # noqa: BLE001 - whatever it is, it is a breach
        yield f"available() raises {type(exc).__name__}: {exc}"


def _takes_a_call(does: object) -> bool:
    if not callable(does):
        return False
    try:
        inspect.signature(does).bind(None, call=None)
    except TypeError:
        return False
    return True
