"""The seam's events as lines for a person, on stderr."""

from collections.abc import Callable
from typing import assert_never

from webseam.core.events import (
    AccessDecided,
    AttemptDispatched,
    AttemptEnded,
    CacheAnswered,
    CacheFailed,
    Emit,
    Event,
    Redirected,
    Refused,
    RequestRecorded,
    Selected,
)


def teller(tell: Callable[[str], None]) -> Emit:
    """Tells each event in a line of its own."""
    return lambda event: tell(f"webseam: {line_of(event)}")


def line_of(event: Event) -> str:
    """One event in words."""
    match event:
        case Selected():
            why = "as configured" if event.configured else "the only one available"
            return f"{event.capability} by {event.provider}, {why}"
        case AttemptDispatched():
            return f"{event.capability} by {event.provider}: the request may leave now"
        case Refused():
            return f"{event.capability} is refused, {event.code}: {event.reason}"
        case RequestRecorded():
            return f"{event.provider} is asked at {event.endpoint}"
        case AttemptEnded():
            one = event.attempt
            outcome = one.outcome if one.code is None else f"{one.outcome}, {one.code}"
            return f"{event.capability} by {one.provider}: {outcome}, {one.elapsed:.2f} s"
        case Redirected():
            return f"HTTP {event.status_code} leads to {event.url}"
        case AccessDecided():
            reason = "" if event.reason is None else f": {event.reason}"
            return f"{event.kind} {event.target} was {'allowed' if event.allowed else 'denied'}{reason}"
        case CacheFailed():
            return f"the cache is not used: {event.reason}"
        case CacheAnswered():
            return f"{event.capability} is answered from the cache, {event.age:.0f} s old"
    assert_never(event)
