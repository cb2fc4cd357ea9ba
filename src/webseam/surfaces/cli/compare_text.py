"""A comparison for people: vendors, then pages; rich for a terminal that is wide enough, else aligned columns."""

from collections.abc import Sequence
from typing import Final

from webseam.core.text import one_line
from webseam.surfaces.cli.output import Output, cleaned
from webseam.tools.compare import Comparison, Place, Standing

VENDORS: Final = ("provider", "answer", "shared", "seconds", "cost")
NOT_REPORTED: Final = "not reported"
NOT_FOUND: Final = "-"
_TITLE_CHARS: Final = 80
_GAP: Final = "  "
_LAST_CHARS: Final = 20
"""Room for the folded last column; in a terminal without it a table would lose columns, so lines wrap there."""


def print_comparison(out: Output, comparison: Comparison) -> None:
    """Both tables; no page, no second table."""
    names = [one.provider for one in comparison.standings]
    _print(out, VENDORS, [vendor_row(one) for one in comparison.standings])
    if comparison.places:
        out.data("\n")
        _print(out, (*names, "url"), [page_row(one, names) for one in comparison.places])


def vendor_row(one: Standing) -> tuple[str, ...]:
    """One vendor's line."""
    seconds = NOT_FOUND if one.elapsed is None else f"{one.elapsed:.2f}"
    if one.code is not None:
        return one.provider, _line(one.code), NOT_FOUND, seconds, NOT_REPORTED
    return one.provider, _answer(one), f"{one.shared} of {one.documents}", seconds, _cost(one)


def _answer(one: Standing) -> str:
    hits = f"{one.hits} hit{'' if one.hits == 1 else 's'}"
    if one.grounding == "ungrounded":
        return "ungrounded"
    return f"{hits}, more left out" if one.truncated else hits


def _cost(one: Standing) -> str:
    if one.usage is None or one.usage.cost is None:
        return NOT_REPORTED
    return _line(f"{one.usage.cost:g} {one.usage.currency or '(unit not reported)'}")


def page_row(one: Place, names: Sequence[str]) -> tuple[str, ...]:
    """One page's line: the rank that each vendor gave it, its address, its title."""
    ranks = (str(one.ranks.get(name, NOT_FOUND)) for name in names)
    title = "" if one.title is None else f"{_GAP}{_line(one.title, limit=_TITLE_CHARS)}"
    return *ranks, _line(one.url, limit=len(one.url)) + title


def _line(text: str, *, limit: int = 300) -> str:
    return one_line(cleaned(text), limit=limit)


def _print(out: Output, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    if out.styled and sum(widths[:-1]) + len(_GAP) * len(widths) + min(widths[-1], _LAST_CHARS) <= out.console().width:
        _print_styled(out, head, rows)
        return
    for row in (head, *rows):
        out.data(_GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_styled(out: Output, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The last column is never cut: an address that ends early leads elsewhere."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415 - only a terminal pays for it
    from rich.table import Table  # noqa: PLC0415 - the same
    from rich.text import Text  # noqa: PLC0415 - the same

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in head[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(head[-1], overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    out.console().print(table)
