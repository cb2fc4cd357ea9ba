"""Limits of feeds, sitemaps, office documents and pictures."""

from typing import Final

FEED_ENTRIES: Final = 200
"""Entries of a feed that are shown, the first ones: feeds put the newest first, and most have 10 to 50."""

FEED_CHARS: Final = 1_000_000
"""Characters of Markdown made of a feed; entries beyond are counted, not shown."""

FEED_ENTRY_CHARS: Final = 100_000
"""Characters of one entry: whole books are posts of some feeds, and one of them must not hide the others."""

FEED_LINKS: Final = 8
"""Sound, film and other files named of one entry."""

FEED_SECONDS: Final = 10.0
"""Wall clock of reading a feed in a worker: the parser reads 1.5 MB/s, and 100,000 nested tags take 3 s (measured)."""

SITEMAP_LINKS: Final = 50_000
"""Links of one sitemap that are shown: as many as the protocol allows in a file (sitemaps.org 0.9)."""

OFFICE_BYTES: Final = 100_000_000
"""What the parts of a document that are read may unpack to, together; the largest honest ones have a tenth of it."""

OFFICE_PARTS: Final = 10_000
"""Files in the package of a document: a book has hundreds."""

OFFICE_CHARS: Final = 5_000_000
"""Characters given of a document, as of a PDF."""

OFFICE_SLIDES: Final = 500
"""Slides of a presentation that are read."""

OFFICE_SHEETS: Final = 100
"""Sheets of a workbook that are read."""

OFFICE_CELLS: Final = 200_000
"""Cells of a workbook that are read: what fills the characters given, and a second of work."""

OFFICE_CHAPTERS: Final = 1_000
"""Documents of a book's spine that are read."""

IMAGE_BYTES: Final = 5_000_000
"""Bytes of a picture: what models' own interfaces take."""

IMAGE_PIXELS: Final = 50_000_000
"""Width times height of a picture: 8,000 x 6,250; more is refused, for whoever unpacks it needs 4 bytes a pixel."""
