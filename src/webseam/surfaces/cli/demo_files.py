"""Files of the demo's web that are made, not written: a feed and a PDF, each longer than one answer."""

from typing import Final

_NEWS: Final = (
    ("Seeding begins at the north skerry", "The first lines hang in the water; the spores settle within a day."),
    ("A quiet week on the lines", "No storm, no ships, two seals. Growth is as it should be for the season."),
    ("Harvest boats may pass the narrows again", "The buoys were moved; the passage is marked on both sides."),
)
_POSTS: Final = 60
_PAGES: Final = 12
_LINES: Final = 40


def news_feed(base: str) -> bytes:
    """An RSS feed of the farm's news, the newest first."""
    items = []
    for at in range(_POSTS, 0, -1):
        title, text = _NEWS[at % len(_NEWS)]
        day = f"{1 + at % 28:02} {('Jan', 'Feb', 'Mar')[(at - 1) // 28]} 2026 06:00:00 GMT"
        items.append(
            f"<item><title>{title} ({at})</title><link>{base}/news/{at}.html</link><pubDate>{day}</pubDate>"
            f"<description>&lt;p&gt;{text} &lt;a href='/log/tides.html'&gt;Tide log&lt;/a&gt;&lt;/p&gt;</description>"
            "</item>"
        )
    head = f"<title>Kelp farm news</title><link>{base}/</link><description>What happens on the lines</description>"
    return f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{"".join(items)}</channel></rss>'.encode()


def handbook() -> bytes:
    """A PDF of a few pages of text (PDF 1.4: one font, no compression)."""
    kids = " ".join(f"{4 + 2 * page} 0 R" for page in range(_PAGES))
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {_PAGES} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page in range(_PAGES):
        shown = "\n".join(f"({line}) Tj T*" for line in _handbook_lines(page + 1))
        drawn = f"BT /F1 11 Tf 14 TL 60 740 Td\n{shown}\nET"
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * page} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        bodies.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    return _pdf(bodies)


def _handbook_lines(page: int) -> list[str]:
    head = f"Handbook of the kelp farm, chapter {page}"
    rules = (
        f"Rule {page}.{at}: check line {page * at % 19 + 1} at {'low' if at % 2 else 'high'} water, and write it down."
        for at in range(1, _LINES)
    )
    return [head, *rules]


def _pdf(bodies: list[str]) -> bytes:
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    start, end = len(out), len(places) + 1
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    table = f"xref\n0 {end}\n0000000000 65535 f \n{rows}trailer << /Size {end} /Root 1 0 R >>\n"
    return bytes(out) + f"{table}startxref\n{start}\n%%EOF\n".encode("ascii")
