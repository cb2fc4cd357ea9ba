"""Workbooks (XLSX, XLSB, XLS, ODS) as HTML tables through calamine, a sheet under its name."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from html import escape
from typing import IO, TYPE_CHECKING, Final, TypeAlias

from webseam.content.office_package import OfficeUnreadable
from webseam.core.limits import OFFICE_CELLS, OFFICE_SHEETS

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

_Value: TypeAlias = "int | float | str | bool | time | date | datetime | timedelta"

_DIGITS: Final = ".15g"  # as many as Excel keeps and shows
_WHOLE: Final = 1e15


def sheets(file: IO[bytes]) -> tuple[tuple[str, ...], bool]:
    """Each sheet as HTML, and whether cells or sheets were left out for their number; hidden sheets are not shown.

    Raises:
        OfficeUnreadable: calamine is not installed, or the file is damaged or needs a password.
    """
    try:
        from python_calamine import CalamineError, PasswordError, load_workbook  # noqa: PLC0415 - an extra
    except ImportError as exc:
        raise OfficeUnreadable("missing") from exc
    try:
        return _sheets(load_workbook(file))
    except PasswordError as exc:
        raise OfficeUnreadable("encrypted") from exc
    except (CalamineError, ValueError, OverflowError) as exc:
        raise OfficeUnreadable("broken") from exc


def _sheets(book: "CalamineWorkbook") -> tuple[tuple[str, ...], bool]:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum  # noqa: PLC0415 - loaded by now

    grids = [one for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
    shown = [one.name for one in grids if one.visible == SheetVisibleEnum.Visible]
    parts, left, cut = [], OFFICE_CELLS, len(shown) > OFFICE_SHEETS
    for name in shown[:OFFICE_SHEETS]:
        rows = _trimmed([list(row) for row in book.get_sheet_by_name(name).iter_rows()])
        width = len(rows[0]) if rows else 0
        fit = rows[: max(0, left // width)] if width else []
        left -= len(fit) * width
        parts.append(_sheet(name, fit, more=len(rows) - len(fit)))
        cut = cut or len(fit) < len(rows)
    hidden = len(grids) - len(shown)
    if hidden:
        parts.append(f"<p><em>Hidden sheets left out: {hidden:,}.</em></p>")
    if len(shown) > OFFICE_SHEETS:
        parts.append(f"<p><em>Further sheets left out: {len(shown) - OFFICE_SHEETS:,}.</em></p>")
    return tuple(parts), cut


def _trimmed(rows: "list[list[_Value]]") -> "list[list[_Value]]":
    """Without rows that are empty, and without the empty columns around the cells."""
    kept = [row for row in rows if any(value != "" for value in row)]
    if not kept:
        return []
    filled = [[at for at, value in enumerate(row) if value != ""] for row in kept]
    first, last = min(at[0] for at in filled), max(at[-1] for at in filled)
    return [row[first : last + 1] for row in kept]


def _sheet(name: str, rows: "list[list[_Value]]", *, more: int) -> str:
    table = "".join(_rows(rows)) if rows else ""
    told = f"<p><em>Further rows of this sheet left out: {more:,}.</em></p>" if more else ""
    return f"<h2>{escape(name)}</h2>" + (f"<table>{table}</table>" if table else "") + told


def _rows(rows: "list[list[_Value]]") -> Iterator[str]:
    for at, row in enumerate(rows):
        tag = "td" if at else "th"
        yield "<tr>" + "".join(f"<{tag}>{escape(shown(value))}</{tag}>" for value in row) + "</tr>"


def shown(value: "_Value") -> str:
    """A cell's value as text: numbers as Excel shows them without a format, dates in ISO 8601."""
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case float():
            return str(int(value)) if value.is_integer() and abs(value) < _WHOLE else format(value, _DIGITS)
        case datetime(hour=0, minute=0, second=0):
            return value.date().isoformat()
        case timedelta():
            minutes, seconds = divmod(round(abs(value.total_seconds())), 60)
            return f"{'-' * (value < timedelta(0))}{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)
