"""Looking through Markdown for what its readers would not see: short texts here, long ones in a worker."""

from collections.abc import Awaitable
from typing import Protocol, TypeVar, runtime_checkable

from webseam.content.hidden_html import Seen, may_hide, without_hidden
from webseam.core.call import Call, aborted, timed_out
from webseam.core.deadline import Bounded, Deadline
from webseam.core.limits import HIDDEN_INLINE_CHARS
from webseam.core.types import Attempt, Note

_T = TypeVar("_T")


@runtime_checkable
class Looker(Protocol):
    """Looks through long Markdown; `webseam.content.convert.Converter` by default."""

    async def seen(self, text: str, *, deadline: Deadline) -> Seen:
        """What readers see of `text`, by `deadline`; `Seen.fallback` where that could not be told."""
        ...


def seen_at_once(text: str) -> Seen | None:
    """What readers see of a text that can be looked through where it stands; None for one that takes a worker."""
    if len(text) <= HIDDEN_INLINE_CHARS:
        return without_hidden(text)
    return None if may_hide(text) else Seen(text=text)


def seen_notes(seen: Seen) -> tuple[Note, ...]:
    """That something was never closed and hid the rest of a text; that a text could not be looked through, and why."""
    if seen.fallback is not None:
        return (Note(code="unchecked_html", detail=seen.fallback),)
    return (Note(code="unclosed_html"),) if seen.is_open else ()


async def within(call: Call, work: Awaitable[_T], *, of: str, provider: str, attempts: tuple[Attempt, ...] = ()) -> _T:
    """What `work` on the answer of a provider comes to, ended with the call.

    Raises:
        WebError: the deadline of the call passed, or it was aborted.
    """
    scope = Bounded(call.deadline, call.abort)
    try:
        async with scope:
            return await work
    except TimeoutError as exc:
        if not scope.fired:
            raise
        if call.aborted:
            raise aborted(dispatched=True, provider=provider) from exc
        raise timed_out(of, dispatched=True, provider=provider, attempts=attempts) from exc
