"""What came of one search, fetch or extraction, in numbers and names that can be written down."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.ledger import NANO, CacheState, End
from webseam.core.limits import (
    LEDGER_COST_MOST,
    LEDGER_NAME_CHARS,
    LEDGER_TEXT_CHARS,
    LEDGER_UNITS_MOST,
)
from webseam.core.text import one_line, redacted
from webseam.core.tracing import error_type
from webseam.core.types import Attempt, CacheFacts, FetchResult, SearchResult, Usage

_USERINFO: Final = re.compile(r"(?<=//)[^/?#\s]*@")
_OUTCOMES: Final = ("ok", "ungrounded", "failed", "skipped")
_CANCELLED: Final = ("cancelled", str(Code.ABORTED))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One search, fetch or extraction that is over."""

    provider: str | None
    outcome: End
    code: str | None
    dispatched: bool
    cache: CacheState | None
    bytes: int | None
    usage: Usage | None
    cost: tuple[str, int] | None
    cost_known: bool
    attempts: tuple[Attempt, ...]


def part_of(result: object, error: BaseException | None, dispatch: Dispatch) -> Part:
    """What came of one search, fetch or extraction."""
    source = result if error is None else error
    told = getattr(source, "attempts", ()) or dispatch.tries
    attempts = tuple(one for one in told if isinstance(one, Attempt)) if isinstance(told, tuple | list) else ()
    usage = getattr(result, "usage", None) if error is None else None
    cost = _cost(usage)
    cache: CacheFacts | None = getattr(result, "cache", None)
    unsaid = dispatch.billable and (cost is None or any(one.may_be_billed for one in attempts))
    return Part(
        provider=getattr(source, "provider", None) or (attempts[-1].provider if attempts else None),
        outcome=_outcome(result, error),
        code=None if error is None else error_type(error),
        dispatched=dispatch.sent or (isinstance(error, WebError) and error.dispatched),
        cache=None if cache is None else _state(cache),
        bytes=received_bytes(result),
        usage=usage,
        cost=cost,
        cost_known=not unsaid,
        attempts=attempts,
    )


def _outcome(result: object, error: BaseException | None) -> End:
    if error is not None:
        return "cancelled" if error_type(error) in _CANCELLED else "failed"
    return "ungrounded" if isinstance(result, SearchResult) and result.grounding == "ungrounded" else "ok"


def end_of(code: str | None, parts: list[Part]) -> End:
    """How a whole call ended, by its code and by its parts."""
    if code is not None:
        return "cancelled" if code in _CANCELLED else "failed"
    good = [one.outcome for one in parts if one.outcome in ("ok", "ungrounded")]
    return "ungrounded" if good and "ok" not in good else "ok"


def _state(cache: CacheFacts) -> CacheState:
    if cache.stale:
        return "stale"
    return "revalidated" if cache.revalidated else "fresh"


def shared_state(parts: list[Part], *, kept: bool) -> CacheState | None:
    """Where the parts came from, as one word; a tool that answered without any part had the page already."""
    if not parts:
        return "kept" if kept else None
    states = {one.cache for one in parts}
    return next(iter(states)) if len(states) == 1 else "partly"


def received_bytes(result: object) -> int | None:
    """Bytes that came over the wire for this call; a kept page's came for another one."""
    if not isinstance(result, FetchResult):
        return None
    return _units(result.received_bytes) if result.cache is None else 0


# Numbers and names as plugins and vendors give them ----------------------------------------------------


def _units(number: object) -> int | None:
    if isinstance(number, bool) or not isinstance(number, int | float):
        return None
    return int(number) if 0 <= number <= LEDGER_UNITS_MOST else None  # NaN fails it too


def total(numbers: Iterable[object]) -> int | None:
    """The sum of what is known, None where nothing is."""
    known = [units for one in numbers if (units := _units(one)) is not None]
    return sum(known) if known else None


def _cost(usage: Usage | None) -> tuple[str, int] | None:
    """A reported cost in billionths of its currency; one without a currency, or beyond belief, is not known."""
    if usage is None or not isinstance(usage.currency, str) or isinstance(usage.cost, bool):
        return None
    currency = one_line(usage.currency, limit=LEDGER_NAME_CHARS)
    if not currency or not isinstance(usage.cost, int | float) or not 0 <= usage.cost <= LEDGER_COST_MOST:
        return None
    return currency, round(usage.cost * NANO)


def costs_of(costs: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    """The sum for each currency."""
    found: dict[str, int] = {}
    for currency, cost in costs:
        found[currency] = found.get(currency, 0) + cost
    return found


def tried_of(attempt: Attempt) -> Attempt:
    """A try as it can be written down, whatever a plugin put into it."""
    elapsed: object = attempt.elapsed
    return Attempt(
        provider=name_of(attempt.provider) or "",
        outcome=attempt.outcome if attempt.outcome in _OUTCOMES else "failed",
        code=name_of(attempt.code),
        dispatched=bool(attempt.dispatched),
        elapsed=elapsed if isinstance(elapsed, int | float) and 0 <= elapsed <= LEDGER_UNITS_MOST else 0.0,
        free=None if attempt.free is None else bool(attempt.free),
    )


def name_of(text: object) -> str | None:
    """A name as it can be written down; None for what is none."""
    return one_line(text, limit=LEDGER_NAME_CHARS) or None if isinstance(text, str) else None


def once(names: Iterable[object]) -> list[str]:
    """Each name once, in their order."""
    return [*dict.fromkeys(one for one in names if isinstance(one, str))]


def target_of(targets: Mapping[str, None]) -> str | None:
    """The queries and URLs, without credentials: also those of a URL that was refused because it holds some."""
    if not targets:
        return None
    lines = (redacted(_USERINFO.sub("[redacted]@", one_line(one, limit=LEDGER_TEXT_CHARS))) for one in targets)
    return "\n".join(lines)[:LEDGER_TEXT_CHARS]
