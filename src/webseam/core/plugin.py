"""The plugin contract: one `ProviderSpec` per provider kind, found through an entry point.

Group `webseam.search`, `webseam.fetch` or `webseam.extract`; the entry's name is the kind; its object is a
`ProviderSpec`. The built-in providers are registered by the same road.
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from webseam.core.call import Call
from webseam.core.deadline import Clock
from webseam.core.providers import AnyProvider
from webseam.core.settings import FetchSettings
from webseam.core.shared import Shared, TurnTaker
from webseam.core.transport import Transport
from webseam.core.types import Capability, FetchResult


class Secret(Protocol):
    """A credential that is asked for at each call, so that a rotated key reaches the next one."""

    def configured(self) -> bool:
        """Whether a source is set and, for local sources, yields something; no network."""
        ...

    async def resolve(self) -> str:
        """The key.

        Raises:
            WebError: `WEB_PROVIDER_CREDENTIAL_MISSING`, naming the remedies, when nothing yields a key.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Seams:
    """What touches the outside, injectable: tests hand in their own. None means the real thing.

    `clock` is monotonic seconds, `now` the wall clock in seconds since 1970.
    """

    clock: Clock = time.monotonic
    now: Callable[[], float] = time.time
    resolver: Any = None
    socket_factory: Any = None


class PageReader(Protocol):
    """Fetches a page for a provider that reads pages itself: see `Web.page_for`."""

    async def __call__(self, url: str, *, call: Call) -> FetchResult:
        """The page; raises as `Web.fetch`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """What a provider is built from.

    `options` is an instance of the spec's `options` struct, filled from `[providers.<id>]`. `on_close` takes
    coroutine functions to run when the `Web` closes. `data_dir` is where local state may live. `read` fetches through
    the seam's own guarded fetch, permission included; None where there is no seam. `shared` is the state that gateways
    have in common; None where there is but this one. `host_turns` gives the turns of a host, where requests to each are
    held to a rate.
    """

    id: str
    options: Any = field(repr=False)
    secret: Secret
    transport: Transport
    fetch: FetchSettings
    data_dir: Path
    seams: Seams
    on_close: Callable[[Callable[[], Awaitable[None]]], None]
    read: PageReader | None = None
    shared: Shared | None = None
    host_turns: Callable[[str], TurnTaker] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec:
    """One kind of provider.

    Args:
        kind: the vendor's stable name; the default id of its providers.
        capability: which registry it belongs to.
        build: makes a provider from a `Kit`; no I/O.
        options: a `msgspec.Struct` class with `forbid_unknown_fields=True`; every field has a default. None: none.
        key_env: the vendor's usual environment variables for its key, first one wins. Empty: takes no key.
        keyless: works without a key; registered only when the configuration names it, or a key of its own is set.
        summary: one line for people.
        key_optional: takes a key but also works without one.
        named_only: registered only when the configuration names it, whatever keys are set: for a second product behind
            a key that another kind takes, which would make every choice between the two ambiguous.
        answer: whether the vendor writes an answer besides the hits: never, when its option `answer` is on, or always.
        controls: `SearchControls` fields that the vendor itself honours under default options.
        rests_on: what the mapping was checked against: the vendor's own SDK (`sdk`), its documentation (`documented`),
            or memory of it (`recalled`).
    """

    kind: str
    capability: Capability
    build: Callable[[Kit], AnyProvider]
    options: type | None = None
    key_env: tuple[str, ...] = ()
    keyless: bool = False
    key_optional: bool = False
    named_only: bool = False
    summary: str = ""
    answer: Literal["never", "option", "always"] = "never"
    controls: frozenset[str] = frozenset()
    rests_on: Literal["sdk", "documented", "recalled"] = "documented"


__all__ = ["Kit", "PageReader", "ProviderSpec", "Seams", "Secret"]
