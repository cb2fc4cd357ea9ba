"""A vendor's own SDK beside our provider: what is asked, what is read, how the two may differ."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, Final, get_type_hints

import pytest

from support.fields import Difference, Fields
from support.vendor import KEY, good
from webseam.core.types import SearchRequest
from webseam.testing import Reply

MISSING_SDK: Final = "install the dependency group oracles"

SDK_SECONDS: Final = 10.0
"""Bound of every wait inside an SDK; loopback answers at once, so that only a hanging SDK meets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question in our words (`request`, provider `options`) and in the SDK's (`arguments`)."""

    name: str
    request: SearchRequest
    arguments: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = KEY
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reply that both read, the vendor's fixture by default; `fails` says that both must take it for an error.

    `asked` are the SDK's arguments where it reads by what was asked; otherwise those of the first question.
    """

    name: str = "fixture"
    reply: Reply | None = None
    fails: bool = False
    key: str | None = KEY
    options: Mapping[str, Any] = field(default_factory=dict)
    asked: Mapping[str, Any] | None = None
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Streamed:
    """One transcript that both read as it streams: `reply`, or the one of the fixture whose name begins so.

    `fails` says that both must end it with an error.
    """

    name: str
    reply: Reply | None = None
    fails: bool = False
    differences: tuple[Difference, ...] = ()


def listed(found: Iterable[Any], **names: str) -> list[Any]:
    """The SDK's rows under our names, where `names` says ours = theirs; what is no row stands for itself."""
    return [one if isinstance(one, str | int | list) else _named(one, names) for one in found]


def _named(row: Any, names: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return {ours: row.get(theirs) for ours, theirs in names.items()}
    return {ours: getattr(row, theirs, None) for ours, theirs in names.items()}


def hinted(place: str, name: str) -> Callable[[Any], Any]:
    """The SDK's type of one field or argument; `place` is who has it below the SDK (`types.params:Params`)."""
    module, _, owner = place.partition(":")

    def find(sdk: Any) -> Any:
        found = attrgetter(owner)(import_module(f"{sdk.__name__}.{module}".rstrip(".")))
        alone = SimpleNamespace(__annotations__={name: found.__annotations__[name]})
        return get_type_hints(alone, vars(sys.modules[found.__module__]))[name]

    return find


def _failure(error: Exception) -> Fields:
    """What most SDKs tell of a failed request."""
    return {"kind": type(error).__name__, "status": getattr(error, "status_code", None)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Oracle:
    """A vendor's SDK, and how it differs from our provider.

    Args:
        kind: the provider that is compared, and the name of its fixture.
        sdk: the module to import.
        ask: calls the SDK: module, root URL of the loopback vendor, key, arguments of the question.
        read: what the SDK made of the reply, under our names: `content`, `sources` (a list of rows), `usage`.
        failure: what the SDK's exception tells, under our names: `kind`, `status`, `retry_after`.
        questions: the first one is plain; together they ask for every native control of the provider.
        readings: the replies that both read, each after the first question.
        sending: differences in every request.
        reply: for SDKs whose types refuse the fixture's malformed rows: a reply without such rows, in its place.
        stream: as `ask`, but over the SDK's streaming; gives the answer, and the text as told on the way.
        streams: the transcripts that both read, each after the first question.
        streaming: differences in every request for a stream.
        refusing: differences over the replies of the fixture that are no success.
        home: the SDK's own base URL, where it has one for this vendor.
        choices: per option of ours that is an enumeration, the SDK's type of it.
        values: per control whose values are a list, the field of our body, and the SDK's list.
        unequal: values that stand in one of the two lists only, as `option.value`.
        warns: patterns of warnings that this SDK is known to give.
    """

    kind: str
    sdk: str
    ask: Callable[[Any, str, str | None, Mapping[str, Any]], Any]
    read: Callable[[Any], Mapping[str, Any]]
    questions: tuple[Question, ...]
    readings: tuple[Reading, ...] = (Reading(),)
    sending: tuple[Difference, ...] = ()
    reply: Reply | None = None
    failure: Callable[[Any], Mapping[str, Any]] = _failure
    stream: Callable[[Any, str, str | None, Mapping[str, Any]], tuple[Any, str]] | None = None
    streams: tuple[Streamed, ...] = ()
    streaming: tuple[Difference, ...] = ()
    refusing: tuple[Difference, ...] = ()
    home: Callable[[Any], object] | None = None
    choices: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    values: Mapping[str, tuple[str, Callable[[Any], Iterable[str]]]] = field(default_factory=dict)
    unequal: tuple[Difference, ...] = ()
    warns: tuple[str, ...] = ()

    def module(self) -> Any:
        """The SDK; where it is not installed the test skips and says so."""
        return pytest.importorskip(self.sdk, reason=MISSING_SDK)

    def good(self) -> Reply:
        """The reply to a question whose answer is not what is compared."""
        return self.reply or good(self.kind)


def events(*sent_in_order: Mapping[str, Any]) -> Reply:
    """A stream of these events."""
    body = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in sent_in_order)
    return Reply(headers={"content-type": "text/event-stream"}, body=body.encode())
