"""Sums and entries of the record of calls as people, spreadsheets and programs read them."""

import csv
import io
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from math import isinf
from textwrap import fill
from typing import Any, Final

from webseam.core.ledger import NANO, By, Entry, Span, Sum, Sums
from webseam.surfaces.cli.output import to_json

_KEY: Final = 18
_CURRENCY: Final = 8
_WIDTH: Final = 80
_WHOLE_DIGITS: Final = 4  # after the point of an amount of one and more: the table is for people
_HEAD: Final = f"{{:<{_KEY}}} {{:>7}} {{:>6}} {{:>6}} {{:>6}} {{:>7}}  {{}}"
_COST_AT: Final = len(_HEAD.format(*[""] * 7))
_NOTHING: Final[dict[By, str]] = {
    "tool": "(library)",
    "code": "(no error)",
    "tenant": "(no tenant)",
    "provider": "(no provider)",
    "capability": "(no such tool)",
}
_CSV: Final = (
    *("at", "id", "tenant", "run", "tool", "capability", "provider", "outcome", "code", "dispatched", "cache"),
    *("elapsed_ms", "bytes", "calls", "input_tokens", "output_tokens", "cost", "currency", "cost_known"),
    *("permission", "rule", "parts", "attempts", "target"),
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def table(sums: Sums, by: By) -> str:
    """Rows of at most 80 columns and their whole; every further currency has a line of its own."""
    head = _HEAD.format(by, "calls", "failed", "denied", "cached", "mean", "cost")
    lines = [head, *(line for one in sums.rows for line in _lines(one, _shown(one.key, by)))]
    if len(sums.rows) > 1:
        lines += [*_lines(sums.whole, "all")]
    return "\n".join([*lines, "", _besides(sums.whole)])


def _lines(one: Sum, name: str) -> Iterator[str]:
    mean = _duration(one.elapsed / one.calls) if one.calls else ""
    costs = [f"{amount(cost)} {currency[:_CURRENCY]}" for currency, cost in sorted(one.costs.items())]
    if one.unpriced:
        costs.append(f"{one.unpriced:,} not told")
    first, *further = costs or ["-"]
    numbers = (f"{number:,}" for number in (one.calls, one.failed, one.denied, one.cached))
    yield _HEAD.format(name, *numbers, mean, first)
    yield from (" " * _COST_AT + cost for cost in further)


def _shown(key: str | None, by: By) -> str:
    name = _NOTHING.get(by, "(none)") if key is None else key
    return name if len(name) <= _KEY else name[: _KEY - 1] + "\u2026"


def _duration(microseconds: float) -> str:
    milliseconds = microseconds / 1_000
    return f"{milliseconds:.0f} ms" if milliseconds < 999.5 else f"{milliseconds / 1_000:.1f} s"  # noqa: PLR2004 - then it is a second


def _besides(whole: Sum) -> str:
    """What has no column, in words."""
    told = (
        (whole.requests, "requests as vendors count"),
        (whole.input_tokens, "tokens in"),
        (whole.output_tokens, "tokens out"),
        (whole.bytes, "bytes of pages"),
    )
    parts = [f"{number:,} {what}" for number, what in told if number]
    slowest = f"slowest {_duration(whole.slowest)}"
    return fill("; ".join([*parts, slowest]), _WIDTH)


def amount(cost: int) -> str:
    """Billionths as a number of at least two digits after its point: all that count below one, four from there on."""
    exact = Decimal(cost) / NANO
    whole, _, rest = f"{round(exact, _WHOLE_DIGITS) if cost >= NANO else exact:f}".partition(".")
    return f"{int(whole):,}.{rest.rstrip('0').ljust(2, '0')}"


# For programs ------------------------------------------------------------------------------------------


def plain_sums(sums: Sums, by: By, span: Span, whole_since: float) -> dict[str, Any]:
    """The sums as plain data; times in UTC, costs in whole units of their currency.

    `whole_since` is there where the record had no room for all of the time.
    """
    cut = {"whole_since": _time(whole_since)} if span.since < whole_since else {}
    return {
        "by": by,
        "since": _time(span.since),
        "until": None if isinf(span.until) else _time(span.until),
        "tenant": span.tenant,
        "rows": [{"key": one.key, **_plain(one)} for one in sums.rows],
        "whole": _plain(sums.whole),
        "lost": sums.lost,
        **cut,
    }


def _plain(one: Sum) -> dict[str, Any]:
    names = ("calls", "failed", "denied", "dispatched", "cached")
    usage = ("bytes", "requests", "input_tokens", "output_tokens", "unpriced")
    times = {"elapsed_ms": one.elapsed / 1_000, "slowest_ms": one.slowest / 1_000}
    costs = {currency: cost / NANO for currency, cost in one.costs.items()}
    return (
        {name: getattr(one, name) for name in names}
        | times
        | {name: getattr(one, name) for name in usage}
        | {"costs": costs}
    )


def json_line(entry: Entry) -> str:
    """The entry as a line of JSON."""
    told = _told(entry) | {"costs": {currency: cost / NANO for currency, cost in entry.costs.items()}}
    return to_json(told | {"attempts": [one.to_dict() for one in entry.attempts]}) + "\n"


def csv_line(entry: Entry) -> str:
    """The entry as a line of CSV (RFC 4180); several currencies stand behind one another in their order."""
    told = _told(entry) | {
        "cost": "; ".join(f"{Decimal(cost) / NANO:f}" for cost in entry.costs.values()),
        "currency": "; ".join(entry.costs),
        "attempts": len(entry.attempts),
    }
    return _csv([_cell(told[name]) for name in _CSV])


def _told(entry: Entry) -> dict[str, Any]:
    names = [name for name in _CSV if name not in ("at", "elapsed_ms", "cost", "currency", "attempts")]
    facts = {name: getattr(entry, name) for name in names}
    return {"at": _time(entry.at), **facts, "elapsed_ms": entry.elapsed / 1_000}


def _cell(value: Any) -> Any:
    """A text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV injection)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _csv(cells: list[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\r\n").writerow(cells)  # what stands in here is what it puts in quotes
    return line.getvalue().removesuffix("\r\n") + "\n"


CSV_HEAD: Final = _csv([*_CSV])


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
