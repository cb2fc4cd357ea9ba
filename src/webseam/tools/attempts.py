"""One line for the model about what was tried: fallback is never silent, and neither is a bill (design 4)."""

from collections.abc import Sequence

from webseam.content.hygiene import clean_line
from webseam.core.errors import WebError
from webseam.core.limits import SHOWN_LINE_CHARS
from webseam.core.types import Attempt


def attempts_line(attempts: Sequence[Attempt], provider: str) -> str | None:
    """What failed, was skipped or did not search, then who answered; None when the first try was good."""
    good = {one.provider for one in attempts if one.outcome == "ok"}
    told = list(dict.fromkeys(_told(one) for one in attempts if not _told_elsewhere(one, good)))
    if not told or all(one.outcome == "ungrounded" for one in attempts):
        return None  # an ungrounded answer has a label of its own
    return f"{'; '.join(told)}; answered by {_name(provider)}."


def tries_line(attempts: Sequence[Attempt]) -> str | None:
    """Every step of a call that failed in the end; None when there was but one."""
    told = list(dict.fromkeys(_told(one) for one in attempts))
    return f"Tried: {'; '.join(told)}." if len(attempts) > 1 else None


def may_be_billed(error: WebError, *, otherwise: bool) -> bool:
    """Whether what left may be charged for, as the tries tell; `otherwise` where none is recorded."""
    sent = [one for one in error.attempts if one.dispatched]
    return any(not one.free for one in sent) if sent else otherwise


def _told_elsewhere(one: Attempt, good: set[str]) -> bool:
    """A good try needs no word; one of several queries that was not searched is counted among what was left out."""
    return one.outcome == "ok" or (one.outcome == "ungrounded" and one.provider in good)


def _told(one: Attempt) -> str:
    name = _name(one.provider)
    if one.outcome == "ok":
        return f"{name} answered"
    if one.outcome == "skipped":
        return f"{name} was not tried ({_name(one.code or 'no reason given')})"
    if one.outcome == "ungrounded":
        return f"{name} answered without searching"
    billed = ", may have been billed" if one.may_be_billed else ""
    return f"{name} failed ({_name(one.code or 'no code')}{billed})"


def _name(text: str) -> str:
    return clean_line(text, limit=SHOWN_LINE_CHARS)
