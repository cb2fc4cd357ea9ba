"""What came of one search, fetch or extraction, in numbers and names that can be written down."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.ledger import NANO, CacheState, End
from webseam.core.limits import (
    LEDGER_COST_MOST,
    LEDGER_NAME_CHARS,
    LEDGER_TEXT_CHARS,
    LEDGER_TRIES,
    LEDGER_UNITS_MOST,
)
from webseam.core.text import one_line, redacted
from webseam.core.tracing import error_type
from webseam.core.types import Attempt, CacheFacts, FetchResult, SearchResult, Usage

_USERINFO: Final = re.compile(r"(?<=//)[^/?#\s]*@")
_OUTCOMES: Final = ("ok", "ungrounded", "failed", "skipped")
_CANCELLED: Final = ("cancelled", str(Code.ABORTED))


@dataclass(slots=True, kw_only=True)
class Part:
    """One search, fetch or extraction that is over, or what several amount to; `costs` are billionths by currency.

    Changed by nobody; not frozen, as each call makes one and that would take three times as long.
    """

    provider: str | None
    outcome: End
    code: str | None
    dispatched: bool
    cache: CacheState | None
    bytes: int | None
    usage: Usage | None
    costs: Mapping[str, int]
    cost_known: bool
    attempts: tuple[Attempt, ...]


def part_of(result: object, error: BaseException | None, dispatch: Dispatch) -> Part:
    """What came of one search, fetch or extraction."""
    source = result if error is None else error
    told = getattr(source, "attempts", ()) or dispatch.tries
    attempts = tuple(one for one in told if isinstance(one, Attempt)) if isinstance(told, tuple | list) else ()
    usage = getattr(result, "usage", None) if error is None else None
    cost = None if usage is None else _cost(usage)
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
        costs=_reported(dispatch.reports) if dispatch.reports else {} if cost is None else dict((cost,)),
        cost_known=not unsaid,
        attempts=attempts,
    )


def _reported(usages: Sequence[Usage]) -> Mapping[str, int]:
    """What the members of a route or fan-out told: as one answer they tell nothing where one of them does not."""
    return _added(dict((cost,)) for one in usages if (cost := _cost(one)) is not None)


def _outcome(result: object, error: BaseException | None) -> End:
    if error is not None:
        return "cancelled" if error_type(error) in _CANCELLED else "failed"
    return "ungrounded" if isinstance(result, SearchResult) and result.grounding == "ungrounded" else "ok"


def end_of(code: str | None, parts: Sequence[Part]) -> End:
    """How a whole call ended, by its code and by its parts."""
    if code is not None:
        return "cancelled" if code in _CANCELLED else "failed"
    good = [one.outcome for one in parts if one.outcome in ("ok", "ungrounded")]
    return "ungrounded" if good and "ok" not in good else "ok"


def _state(cache: CacheFacts) -> CacheState:
    if cache.stale:
        return "stale"
    return "revalidated" if cache.revalidated else "fresh"


def together(parts: Sequence[Part]) -> Part:
    """What the parts of a call amount to; nearly always there is one."""
    if len(parts) == 1:
        return parts[0]
    usages = [one.usage for one in parts if one.usage is not None]
    states = {one.cache for one in parts}
    return Part(
        provider="+".join(once(one.provider for one in parts)) or None,
        outcome=end_of(None, parts),
        code=None,
        dispatched=any(one.dispatched for one in parts),
        cache="partly" if len(states) > 1 else next(iter(states), None),
        bytes=total(one.bytes for one in parts),
        usage=Usage(
            calls=total(one.calls for one in usages),
            input_tokens=total(one.input_tokens for one in usages),
            output_tokens=total(one.output_tokens for one in usages),
        ),
        costs=_added(one.costs for one in parts),
        cost_known=all(one.cost_known for one in parts),
        attempts=tuple(tried for one in parts for tried in one.attempts[:LEDGER_TRIES]),
    )


def received_bytes(result: object) -> int | None:
    """Bytes that came over the wire for this call; a kept page's came for another one."""
    if not isinstance(result, FetchResult):
        return None
    return _units(result.received_bytes) if result.cache is None else 0


# Numbers and names as plugins and vendors give them ----------------------------------------------------


def _units(number: object) -> int | None:
    if number is None or isinstance(number, bool) or not isinstance(number, int | float):
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


def _added(costs: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    """The sum for each currency."""
    found: dict[str, int] = {}
    for one in costs:
        for currency, cost in one.items():
            found[currency] = found.get(currency, 0) + cost
    return found


def tried_of(attempt: Attempt) -> Attempt:
    """A try as it can be written down, whatever a plugin put into it."""
    elapsed: object = attempt.elapsed
    provider, code = name_of(attempt.provider) or "", name_of(attempt.code)
    if (provider, code) == (attempt.provider, attempt.code) and _is_fit(attempt):
        return attempt
    return Attempt(
        provider=provider,
        outcome=attempt.outcome if attempt.outcome in _OUTCOMES else "failed",
        code=code,
        dispatched=bool(attempt.dispatched),
        elapsed=elapsed if isinstance(elapsed, int | float) and 0 <= elapsed <= LEDGER_UNITS_MOST else 0.0,
        free=None if attempt.free is None else bool(attempt.free),
    )


def _is_fit(attempt: Attempt) -> bool:
    """Whether outcome and numbers are what they must be, as nearly always."""
    dispatched: object = attempt.dispatched
    elapsed: object = attempt.elapsed
    free: object = attempt.free
    return (
        attempt.outcome in _OUTCOMES
        and type(dispatched) is bool
        and type(elapsed) is float
        and 0 <= elapsed <= LEDGER_UNITS_MOST
        and (free is None or type(free) is bool)
    )


def name_of(text: object) -> str | None:
    """A name as it can be written down; None for what is none."""
    if not isinstance(text, str):
        return None
    return _name(text) if len(text) <= LEDGER_NAME_CHARS else one_line(text, limit=LEDGER_NAME_CHARS) or None


@lru_cache(maxsize=256)
def _name(text: str) -> str | None:
    """The same few stand in each entry; a long text, which is no name, would only take their place."""
    return one_line(text, limit=LEDGER_NAME_CHARS) or None


def once(names: Iterable[object]) -> list[str]:
    """Each name once, in their order."""
    return [*dict.fromkeys(one for one in names if isinstance(one, str))]


def target_of(targets: Mapping[str, None]) -> str | None:
    """The queries and URLs, without credentials: also those of a URL that was refused because it holds some."""
    if not targets:
        return None
    lines = (redacted(_USERINFO.sub("[redacted]@", one_line(one, limit=LEDGER_TEXT_CHARS))) for one in targets)
    return "\n".join(lines)[:LEDGER_TEXT_CHARS]
