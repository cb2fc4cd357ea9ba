"""Execution control of one call: time, abort, permission, progress, events. Not business input."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from webseam.core.copying import changed
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.events import AccessDecided, Emit, silent
from webseam.core.gate import AccessRequest, Gate, denied
from webseam.core.tracing import Trace
from webseam.core.types import Attempt, Usage

if TYPE_CHECKING:
    from webseam.core.tally import Tally

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
    mark. `bills` is whether the provider of this try charges anybody for a request, `billable` whether one has left
    to such a provider, be it this one's or one that it asked. `reports` are what members of a route or fan-out said
    that they used: their answer as one tells no cost where one of them has none.
    """

    sent: bool = False
    above: "Dispatch | None" = None
    tries: list[Attempt] = field(default_factory=list)
    last: bool = False
    keeps: bool = False
    fault: Exception | None = None
    told: Callable[[], None] | None = None
    bills: bool = True
    billable: bool = False
    reports: list[Usage] = field(default_factory=list)

    @property
    def free(self) -> bool:
        """Whether nobody is charged for this try, whatever has left."""
        return not (self.bills or self.billable)

    def ended(self, tries: Iterable[Attempt]) -> None:
        """These tries are over: the nearest keeper above is told."""
        keeper = _keeper(self.above)
        if keeper is not None:
            keeper.tries.extend(tries)

    def used(self, usage: Usage) -> None:
        """A member of a route or fan-out has answered: the nearest keeper is told what it used."""
        keeper = _keeper(self)
        if keeper is not None:
            keeper.reports.append(usage)

    def failed(self, fault: Exception) -> None:
        """The caller's own callback failed: no provider is to blame, and none is to be tried after it."""
        self.fault = fault
        if self.above is not None:
            self.above.failed(fault)

    def tell(self, tries: Iterable[Attempt]) -> None:
        """These tries failed, and another one follows."""
        self.tries[:] = tries
        self.last = False

    def mark(self, *, billable: bool | None = None) -> None:
        """A request byte may leave from here on; `billable` by default as the provider of this try `bills`."""
        charged = self.bills if billable is None else billable
        first, self.sent, self.last = not self.sent, True, True
        self.billable = self.billable or charged
        if first and self.told is not None:
            self.told()
        if self.above is not None:
            self.above.mark(billable=charged)


def _keeper(dispatch: Dispatch | None) -> Dispatch | None:
    """The nearest one that keeps, from this one upwards."""
    while dispatch is not None and not dispatch.keeps:
        dispatch = dispatch.above
    return dispatch


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
    `tags` name the tenant and the run, and the caller's own span (`traceparent`, `tracestate`, as W3C Trace Context
    has them). The seam sets `trace` and `tally`.
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
    trace: Trace | None = None
    tally: "Tally | None" = field(default=None, repr=False)

    def attempt(self) -> "Call":
        """The same call with a dispatch mark of its own, for one try at one provider."""
        return changed(self, dispatch=Dispatch(above=self.dispatch, bills=self.dispatch.bills))

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
            self._refused(str(Code.DENIED), kind)
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
            error = denied(verdict)
            self._refused(error.code, kind)
            raise error

    def _refused(self, code: str, kind: str) -> None:
        if self.trace is not None:
            self.trace.tracer.refused(code, kind)


def overheard(call: Call, hear: Callable[[str], object]) -> Call:
    """The call, and `hear` gets each token that its model's resolver yields: it is as secret as a key of ours."""
    if call.model is None or call.model.auth is None:
        return call
    resolve = call.model.auth

    async def auth() -> str:
        token = await resolve()
        hear(token)
        return token

    return replace(call, model=replace(call.model, auth=auth))


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
