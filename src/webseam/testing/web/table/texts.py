"""Pages made to break a parser or a converter: each must end within its deadline and within memory."""

from typing import Final

from webseam.testing.web.answers import HTML, page
from webseam.testing.web.plays import Play, sends
from webseam.testing.web.scenario import FAILED, PAGE, row

JSON: Final = "application/json"
_OR_NOT: Final = f"{PAGE}|{FAILED}"


def _grown(piece: bytes, times: int, *, before: bytes = b"<!doctype html><p>", kind: str = HTML) -> Play:
    return sends(lambda: page(before + piece * times, kind=kind))


# fmt: off
TEXTS: Final = (
    row("E16", "500,000 attributes on one tag", _grown(b" a=b", 500_000, before=b"<p"), _OR_NOT, seconds=25),
    row("E16", "10 MB of <", _grown(b"<", 4_900_000), PAGE, "<", seconds=25),
    row("E16", "1 MB of comments that never end", _grown(b"<!--", 250_000), PAGE, seconds=25),
    row("E16", "a million paragraphs", _grown(b"<p>", 1_000_000), PAGE, seconds=25),
    row("E17", "2 MB of spaces on one line", _grown(b" ", 2_000_000), PAGE, seconds=25),
    *(row("E17", f"a million of {mark.decode()}", _grown(mark, 1_000_000), PAGE, mark.decode(), seconds=25) for mark in (b"&", b"[", b"*")),
    row("E18", "a cell over a million columns", _grown(b"<td colspan=1000000>x", 50, before=b"<table><tr>"), PAGE, "x", seconds=25),
    row("E18", "a list that starts at 10^18", _grown(b"<li>x", 50, before=b"<ol start=1000000000000000000>"), PAGE, "x", seconds=25),
    row("E18", "4.9 MB of pre", _grown(b"x y\n", 1_200_000, before=b"<pre>"), PAGE, "x y", seconds=25),
    row("E19", "JSON nested 100,000 deep", _grown(b"[", 100_000, before=b"", kind=JSON), PAGE, "[[["),
    row("E19", "a JSON number of a million digits", _grown(b"9", 1_000_000, before=b"", kind=JSON), PAGE, "999"),
)
