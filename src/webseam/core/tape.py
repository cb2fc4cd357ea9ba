"""The seam's edge as a recorder sees it: what was asked, what came of it, and what was drawn at random."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from webseam.core.attempts import permitted
from webseam.core.call import Call, ModelRef
from webseam.core.errors import WebError
from webseam.core.events import Observer
from webseam.core.types import (
    Capability,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    Redirect,
    SearchRequest,
    SearchResult,
)

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call as it passes the edge: checked, with the defaults filled in, its URL canonical.

    Of the execution control it holds what may change the answer: `raw`, `autonomous`, and `model` as
    `provider/api/id`. Time, abort signal, tags and callbacks are not part of the question.
    """

    capability: Capability
    request: SearchRequest | FetchRequest | ExtractRequest
    raw: bool = False
    autonomous: bool = False
    model: str | None = None


def _asked(capability: Capability, request: SearchRequest | FetchRequest | ExtractRequest, call: Call) -> Asked:
    """The call at the edge."""
    model = None if call.model is None else _name(call.model)
    return Asked(capability=capability, request=request, raw=call.raw, autonomous=call.autonomous, model=model)


def _name(model: ModelRef) -> str:
    return f"{model.provider}/{model.api}/{model.id}"


class Tape(Protocol):
    """Records calls, or plays recorded ones."""

    @property
    def replays(self) -> bool:
        """Whether answers come from the tape and nothing is asked of any provider."""
        ...

    @property
    def keeps(self) -> bool:
        """Whether it holds anything, so that what is drawn is told apart by its name; caches alone are no recording."""
        ...

    async def play(self, asked: Asked, live: Callable[[Call], Awaitable[R]], call: Call) -> R:
        """The answer to `asked`: that of `live(call)`, written down, or the one that was written down.

        `live` gets `call`, perhaps with a dispatch mark of its own below it.

        Raises:
            WebError: what `live` raises or raised; `WEB_REPLAY_MISS` for what was never asked.
        """
        ...

    def draw(self, name: str, live: Callable[[], str]) -> str:
        """A text that no call decides, such as a random one: that of `live`, or the recorded one under `name`.

        Draws under one name are told apart by their order. A replay that knows no more of them asks `live`.
        """
        ...


async def taped(
    tape: Tape | None,
    capability: Capability,
    request: SearchRequest | FetchRequest | ExtractRequest,
    live: Callable[[Call], Awaitable[R]],
    call: Call,
) -> R:
    """The answer through `tape`. A replayed page passes the gate as a fetched one does: its URL, then every hop."""
    if tape is None:
        return await (_told(live, call) if isinstance(call.emit, Observer) else live(call))
    asked = _asked(capability, request, call)
    if not (tape.replays and isinstance(request, FetchRequest)):
        return await tape.play(asked, partial(_told, live), call)
    await permitted("fetch", request.url, call)
    result = await tape.play(asked, live, call)
    hops: tuple[Redirect, ...] = getattr(result, "redirects", ())
    for hop in hops:
        await permitted("redirect", hop.url, call)
    return result


async def _told(live: Callable[[Call], Awaitable[R]], call: Call) -> R:
    """The answer of `live`; an observer that stops it does not know what has left the process by then."""
    try:
        return await live(call)
    except WebError as error:
        if isinstance(call.emit, Observer) and error is call.emit.fault:
            error.dispatched = error.dispatched or call.dispatch.sent
        raise
