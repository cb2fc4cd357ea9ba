"""One try at one provider: bounded, told apart by signal, and recorded whatever happens."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from webseam.core.call import Call, aborted, timed_out
from webseam.core.deadline import Bounded
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptEnded
from webseam.core.types import Attempt, Capability, SearchResult

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Tried(Generic[R]):
    """The outcome of one try: a result or an error, and its records (several when a key pool rotated inside)."""

    attempts: tuple[Attempt, ...]
    result: R | None
    error: WebError | None

    @property
    def good(self) -> bool:
        """Whether this is an answer that ends a route."""
        return self.result is not None and self.attempts[-1].outcome == "ok"


async def attempt(capability: Capability, provider: str, run: Callable[[Call], Awaitable[R]], call: Call) -> Tried[R]:
    """Run one try under the call's deadline and abort signal; `call.dispatch` must be this try's own.

    Which signal ended it is told from the signals (dsh-30). An exception that is no `WebError` becomes
    `WEB_PROVIDER_ERROR` with its cause chained. Cancellation of the task passes through.
    """
    started = call.deadline.clock()
    result: R | None = None
    error: WebError | None = None
    try:
        call.check(capability)
        async with Bounded(call.deadline, call.abort):
            result = await run(call)
    except TimeoutError as exc:
        error = _ended(capability, provider, call, exc)
    except WebError as exc:
        error = exc
    except Exception as exc:  # noqa: BLE001 - the seam's promise: nothing but WebError leaves a provider
        error = _fault(provider, call, exc)
    record = _record(provider, call, result, error, call.deadline.clock() - started)
    inner: tuple[Attempt, ...] = getattr(result if error is None else error, "attempts", ())
    records = inner or (record,)
    for one in records:
        call.emit(AttemptEnded(capability=capability, attempt=one))
    return Tried(records, None if error is not None else result, _completed(error, provider, call))


def _ended(capability: Capability, provider: str, call: Call, exc: TimeoutError) -> WebError:
    sent = call.dispatch.sent
    if call.aborted:
        error = aborted(dispatched=sent, provider=provider)
    elif call.deadline.expired:
        error = timed_out(capability, dispatched=sent, provider=provider)
    else:
        return _fault(provider, call, exc)
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


def _completed(error: WebError | None, provider: str, call: Call) -> WebError | None:
    """Fill in what the provider did not say of its own error."""
    if error is not None:
        error.provider = error.provider or provider
        error.dispatched = error.dispatched or call.dispatch.sent
    return error


def _record(provider: str, call: Call, result: object, error: WebError | None, elapsed: float) -> Attempt:
    if error is not None:
        return Attempt(
            provider=provider,
            outcome="failed",
            code=error.code,
            dispatched=error.dispatched or call.dispatch.sent,
            elapsed=elapsed,
        )
    bare = isinstance(result, SearchResult) and result.grounding == "ungrounded"
    return Attempt(
        provider=provider,
        outcome="ungrounded" if bare else "ok",
        dispatched=call.dispatch.sent,
        elapsed=elapsed,
    )


def skipped(provider: str, error: WebError) -> Attempt:
    """The record of a route member that could not be tried."""
    return Attempt(provider=provider, outcome="skipped", code=error.code)
