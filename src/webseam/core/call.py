"""Execution control of one call: time, abort, permission, progress, events. Not business input."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import AccessDecided, Emit, silent
from webseam.core.gate import AccessRequest, Gate, denied
from webseam.core.types import Attempt

Progress: TypeAlias = Callable[[str], None]
"""Gets the answer text accumulated so far, each time it grows. The next member of a route begins its own text anew.

What it raises to a provider that told it by `Call.tell` ends the call as `WEB_ABORTED`, its cause chained."""

NEVER = Deadline(float("inf"))


@dataclass(slots=True)
class Dispatch:
    """Whether a request byte of this attempt may have left; set by the transport, read by the seam.

    A mark reaches `above` too, so that whoever made the call knows it even when the call was cancelled. `tries` are
    the failed tries inside this attempt (a key pool rotated): known even when its last one ends by a signal. `last` is
    what `sent` is, for the try after those alone. One that `keeps` collects every try of the calls below it as each
    ends, for whoever may have to cancel them. `fault` is what the caller's `progress` raised. `told` hears of the first
    mark.
    """

    sent: bool = False
    above: "Dispatch | None" = None
    tries: list[Attempt] = field(default_factory=list)
    last: bool = False
    keeps: bool = False
    fault: Exception | None = None
    told: Callable[[], None] | None = None

    def ended(self, tries: Iterable[Attempt]) -> None:
        """These tries are over: the nearest keeper above is told."""
        keeper = self.above
        while keeper is not None and not keeper.keeps:
            keeper = keeper.above
        if keeper is not None:
            keeper.tries.extend(tries)

    def failed(self, fault: Exception) -> None:
        """The caller's own callback failed: no provider is to blame, and none is to be tried after it."""
        self.fault = fault
        if self.above is not None:
            self.above.failed(fault)

    def tell(self, tries: Iterable[Attempt]) -> None:
        """These tries failed, and another one follows."""
        self.tries[:] = tries
        self.last = False

    def mark(self) -> None:
        """A request byte may leave from here on."""
        first, self.sent, self.last = not self.sent, True, True
        if first and self.told is not None:
            self.told()
        if self.above is not None:
            self.above.mark()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRef:
    """The host's current model, for hosts whose model searches natively (enso-13)."""

    provider: str
    api: str
    id: str
    base_url: str | None = None
    auth: Callable[[], Awaitable[str]] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """How one call runs. Everything has a default.

    `deadline` bounds everything under the call. `abort` is for callers with an event instead of a task.
    `raw` asks that the vendor's payload is kept in the result. `autonomous` says that no person asked.
    """

    deadline: Deadline = NEVER
    abort: asyncio.Event | None = None
    gate: Gate | None = None
    progress: Progress | None = None
    emit: Emit = silent
    model: ModelRef | None = None
    autonomous: bool = False
    raw: bool = False
    tags: Mapping[str, str] = field(default_factory=dict)
    dispatch: Dispatch = field(default_factory=Dispatch)

    def attempt(self) -> "Call":
        """The same call with a dispatch mark of its own, for one try at one provider."""
        return replace(self, dispatch=Dispatch(above=self.dispatch))

    def tell(self, text: str) -> None:
        """Tell `progress` the answer's text so far, where somebody listens.

        Raises:
            Exception: what `progress` raised; the call ends in `WEB_ABORTED`, whatever a provider makes of it.
        """
        if self.progress is None:
            return
        try:
            self.progress(text)
        except Exception as exc:
            self.dispatch.failed(exc)
            raise

    @property
    def aborted(self) -> bool:
        """Whether the caller's abort signal is set."""
        return self.abort is not None and self.abort.is_set()

    def check(self, capability: str = "search") -> None:
        """Stop here when the caller has aborted or no time is left.

        Raises:
            WebError: `WEB_ABORTED`, or the capability's timeout code.
        """
        if self.aborted:
            raise aborted(dispatched=self.dispatch.sent)
        if self.deadline.expired:
            raise timed_out(capability, dispatched=self.dispatch.sent)

    async def permit(
        self, kind: Literal["search", "fetch", "redirect", "extract"], target: str, *, kept: bool = False
    ) -> None:
        """Ask the gate about a query or a canonical URL; without a gate everything is allowed.

        Args:
            kind: what is about to happen.
            target: the query, or the URL.
            kept: the page is here already, and nothing leaves.

        Raises:
            WebError: the verdict's code, `WEB_DENIED` mostly, with the gate's reason; `WEB_DENIED` also when the gate
                itself fails.
        """
        if self.gate is None:
            return
        try:
            request = AccessRequest(kind=kind, target=target, autonomous=self.autonomous, kept=kept)
            verdict = await self.gate(request)
        except WebError:
            raise
        except (Exception, asyncio.CancelledError) as exc:
            task = asyncio.current_task()
            if isinstance(exc, asyncio.CancelledError) and task is not None and task.cancelling():
                raise  # this call was cancelled, not what the gate waits for, such as a dialog that was closed
            raise WebError(
                Code.DENIED, f"The permission check failed ({type(exc).__name__}), so this was not allowed."
            ) from exc
        self.emit(
            AccessDecided(
                kind=kind,
                target=target,
                allowed=verdict.allowed,
                reason=verdict.reason,
                rule=verdict.rule,
                flags=verdict.flags,
            )
        )
        if not verdict.allowed:
            raise denied(verdict)


def aborted(*, dispatched: bool, provider: str | None = None) -> WebError:
    """The caller cancelled."""
    return WebError(Code.ABORTED, "The caller cancelled this call.", dispatched=dispatched, provider=provider)


_TIMEOUTS: dict[str, tuple[Code, str]] = {
    "search": (Code.SEARCH_TIMEOUT, "search.timeout"),
    "fetch": (Code.FETCH_TIMEOUT, "fetch.timeout"),
    "extract": (Code.EXTRACT_TIMEOUT, "extract.timeout"),
}


def timed_out(capability: str, *, dispatched: bool, provider: str | None = None, **extra: Any) -> WebError:
    """The call's time is over."""
    code, setting = _TIMEOUTS[capability]
    return WebError(
        code,
        f"The {capability} did not end in the time it had. Try again, or raise {setting}.",
        dispatched=dispatched,
        provider=provider,
        **extra,
    )
