"""Execution control of one call: time, abort, permission, progress, events. Not business input."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import AccessDecided, Emit, silent
from webseam.core.gate import AccessRequest, Gate, denied

Progress: TypeAlias = Callable[[str], None]
"""Gets the answer text accumulated so far, each time it grows."""

NEVER = Deadline(float("inf"))


@dataclass(slots=True)
class Dispatch:
    """Whether a request byte of this attempt may have left; set by the transport, read by the seam.

    A mark reaches `above` too, so that whoever made the call knows it even when the call was cancelled.
    """

    sent: bool = False
    above: "Dispatch | None" = None

    def mark(self) -> None:
        """A request byte may leave from here on."""
        self.sent = True
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

    async def permit(self, kind: Literal["search", "fetch", "redirect", "extract"], target: str) -> None:
        """Ask the gate about a query or a canonical URL; without a gate everything is allowed.

        Raises:
            WebError: `WEB_DENIED` with the gate's reason; also when the gate itself fails.
        """
        if self.gate is None:
            return
        try:
            verdict = await self.gate(AccessRequest(kind=kind, target=target, autonomous=self.autonomous))
        except WebError:
            raise
        except Exception as exc:
            raise WebError(
                Code.DENIED, f"The permission check failed ({type(exc).__name__}), so this was not allowed."
            ) from exc
        self.emit(AccessDecided(kind=kind, target=target, allowed=verdict.allowed, reason=verdict.reason))
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
