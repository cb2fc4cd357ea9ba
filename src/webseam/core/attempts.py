"""One try at one provider: bounded, told apart by signal, and recorded whatever happens."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Literal, TypeVar

from webseam.core.call import Call, aborted, timed_out
from webseam.core.checks import check_url
from webseam.core.deadline import Bounded
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptDispatched, AttemptEnded, silent, stop_if_failed
from webseam.core.tracing import outcome_of
from webseam.core.types import Attempt, Capability, ExtractResult, FetchResult, SearchResult
from webseam.core.url import Url, web_url

R = TypeVar("R")


_RESULTS: Final[dict[Capability, type]] = {"search": SearchResult, "fetch": FetchResult, "extract": ExtractResult}


@dataclass(slots=True)
class Tried(Generic[R]):
    """The outcome of one try: a result or an error, and its records (several when a key pool rotated inside).

    Changed by nobody; not frozen, for its price: each call makes one.
    """

    attempts: tuple[Attempt, ...]
    result: R | None
    error: WebError | None

    @property
    def good(self) -> bool:
        """Whether this is an answer that ends a route."""
        return self.result is not None and not _is_bare(self.result)


async def attempt(
    capability: Capability, provider: str, run: Callable[[Call], Coroutine[Any, Any, R]], call: Call
) -> Tried[R]:
    """Run one try under the call's deadline and abort signal; `call.dispatch` must be this try's own.

    Which signal ended it is told from the signals (dsh-30). An exception that is no `WebError` becomes
    `WEB_PROVIDER_ERROR` with its cause chained. Cancellation of the task and what an observer raised pass through.
    """
    if call.trace is None:
        return await _attempt(capability, provider, run, call)
    with (span := call.trace.provider(capability, provider, call.tags)):
        tried = await _attempt(capability, provider, run, call)
        span.end(outcome_of(tried.result, tried.error))
    return tried


async def _attempt(
    capability: Capability, provider: str, run: Callable[[Call], Coroutine[Any, Any, R]], call: Call
) -> Tried[R]:
    started = call.deadline.clock()
    result: R | None = None
    error: WebError | None = None
    scope = Bounded(call.deadline, call.abort)
    if call.emit is not silent:
        call.dispatch.told = lambda: call.emit(AttemptDispatched(capability=capability, provider=provider))
    try:
        call.check(capability)
        result = await scope.of(run(call))
        error = _misfit(capability, provider, call, result)
    except WebError as exc:
        error = _own(exc)
    except asyncio.CancelledError:
        call.dispatch.ended(_records(provider, call, None, _cut_off(capability, call), started))
        raise
    except Exception as exc:  # noqa: BLE001 - the seam's promise: nothing but WebError leaves a provider
        error = _signalled(capability, provider, call, exc) if scope.fired else _fault(provider, call, exc)
    stop_if_failed(call.emit)
    error = _completed(_stopped(call) or error, provider, call)
    records = _records(provider, call, result, error, started)
    call.dispatch.ended(records)
    if call.emit is not silent:
        for one in records:
            call.emit(AttemptEnded(capability=capability, attempt=one))
    return Tried(records, None if error is not None else result, error)


async def permitted(
    kind: Literal["search", "fetch", "redirect", "extract"], target: str, call: Call, *, kept: bool = False
) -> None:
    """Ask the call's gate within the call's time: who waits for a person waits no longer than the call.

    Raises:
        WebError: `WEB_DENIED`, `WEB_ABORTED`, or the capability's timeout code.
    """
    if call.gate is None:
        return
    scope = Bounded(call.deadline, call.abort)
    try:
        async with scope:
            await call.permit(kind, target, kept=kept)
    except TimeoutError as exc:
        if not scope.fired:
            raise
        raise _signalled("fetch" if kind == "redirect" else kind, None, call, exc) from exc


async def permit_kept(kind: Literal["fetch", "extract"], url: str, final: str | None, call: Call) -> None:
    """Hold a page that is already here to the rules it would come under, before it is shown.

    Raises:
        WebError: `WEB_INVALID_URL`, `WEB_BLOCKED_URL`, `WEB_DENIED`, or the call is over.
    """
    call.check(kind)
    check_url(url)
    target = web_url(url)
    await permitted(kind, target.href, call, kept=True)
    if final is not None:
        await permit_elsewhere(final, target, call, kept=True)


async def permit_elsewhere(
    final: str, asked: Url, call: Call, *, kept: bool = False, attempts: tuple[Attempt, ...] = ()
) -> None:
    """Ask about the page that another one led to; a denial tells the tries that have been made by then."""
    if web_url(final).document == asked.document:
        return
    try:
        await permitted("redirect", web_url(final).href, call, kept=kept)
    except WebError as error:
        error.attempts = error.attempts or attempts
        error.dispatched = error.dispatched or any(one.dispatched for one in attempts)
        raise


def _signalled(capability: Capability, provider: str | None, call: Call, exc: Exception) -> WebError:
    """The error of the signal that fired; what a provider made of its cancellation stays in the chain of causes."""
    sent = call.dispatch.sent or bool(getattr(exc.__cause__, "dispatched", False))
    if call.aborted:
        error = aborted(dispatched=sent, provider=provider)
    else:
        error = timed_out(capability, dispatched=sent, provider=provider)
    error.__cause__ = exc
    return error


def _fault(provider: str, call: Call, exc: Exception) -> WebError:
    error = WebError(
        Code.PROVIDER_ERROR,
        f"{provider} failed unexpectedly ({type(exc).__name__}). This is a fault in the provider; report it.",
        provider=provider,
        dispatched=call.dispatch.sent,
    )
    error.__cause__ = exc
    return error


def _misfit(capability: Capability, provider: str, call: Call, result: object) -> WebError | None:
    """The error of a provider that returned something else than its capability's result."""
    if isinstance(result, _RESULTS[capability]):
        return None
    return WebError(
        Code.PROVIDER_ERROR,
        f"{provider} returned {type(result).__name__} instead of a result. This is a fault in the provider; report it.",
        provider=provider,
        dispatched=call.dispatch.sent,
    )


def _own(error: WebError) -> WebError:
    """A copy for this call alone: callers that share one request get one exception object, and each is told its own."""
    own = type(error).__new__(type(error), *error.args)  # no copy(): a subclass may construct differently
    own.__dict__.update(error.__dict__)
    own.__cause__ = error.__cause__
    return own.with_traceback(error.__traceback__)


def _completed(error: WebError | None, provider: str, call: Call) -> WebError | None:
    """Fill in what the provider did not say of its own error."""
    if error is not None:
        error.provider = error.provider or provider
        error.dispatched = error.dispatched or call.dispatch.sent
    return error


def _stopped(call: Call) -> WebError | None:
    """The error of a call whose own `progress` failed: no provider is to blame, and none is tried after it."""
    fault = call.dispatch.fault
    if fault is None:
        return None
    error = WebError(
        Code.ABORTED, f"The caller's progress callback failed ({type(fault).__name__}), which stopped this call."
    )
    error.__cause__ = fault
    return error


def _cut_off(capability: Capability, call: Call) -> WebError:
    """What ended a try that was cancelled from outside: the host's own time may run out with the call's."""
    if call.deadline.expired and not call.aborted:
        return timed_out(capability, dispatched=call.dispatch.sent)
    return aborted(dispatched=call.dispatch.sent)


def _records(provider: str, call: Call, result: object, error: WebError | None, started: float) -> tuple[Attempt, ...]:
    """The records of one try: those that the provider made itself, else those of its earlier tries and this one."""
    inner: tuple[Attempt, ...] = getattr(result if error is None else error, "attempts", ())
    if inner:
        return inner
    before = tuple(call.dispatch.tries)
    elapsed = call.deadline.clock() - started - sum(one.elapsed for one in before)
    record = record_of(provider, call, result, error, elapsed)
    return (*before, replace(record, dispatched=call.dispatch.last)) if before else (record,)


def record_of(provider: str, call: Call, result: object, error: WebError | None, elapsed: float) -> Attempt:
    """The record of a try that ended in `result`, or in `error`."""
    if error is not None:
        return Attempt(
            provider=provider,
            outcome="failed",
            code=error.code,
            dispatched=error.dispatched,
            elapsed=elapsed,
            free=True if error.dispatched and call.dispatch.free else None,
        )
    return Attempt(
        provider=provider,
        outcome="ungrounded" if _is_bare(result) else "ok",
        dispatched=call.dispatch.sent,
        elapsed=elapsed,
    )


def _is_bare(result: object) -> bool:
    return isinstance(result, SearchResult) and result.grounding == "ungrounded"


def skipped(provider: str, error: WebError) -> Attempt:
    """The record of a route member that could not be tried."""
    return Attempt(provider=provider, outcome="skipped", code=error.code)
