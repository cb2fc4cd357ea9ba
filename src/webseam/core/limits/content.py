"""Limits of making text of bodies: sniffing, charset, conversion, workers."""

from typing import Final

PDF_BYTES: Final = 20_000_000
"""The same cap for PDF, whose bytes are mostly fonts and pictures."""

INLINE_CONVERSION_BYTES: Final = 256_000
"""A page up to this size converts in about 2 ms where it stands; the parser holds the GIL in a thread too."""

WORKER_SECONDS: Final = 5.0
"""Wall clock of one conversion in a worker process; the slowest hostile page measured took 0.6 s."""

WORKER_MEMORY_BYTES: Final = 1_073_741_824
"""Address space of a worker; a million attributes need 139 MB, and the interpreter maps about 300."""

WORKER_COUNT: Final = 2
"""Conversion workers kept; each is one core's worth of parsing."""

SETTLING_BYTES: Final = 8_000_000
"""One block of this size is allocated and freed before the first page: the allocator then keeps up to twice as much
instead of handing it back and faulting it in anew at each page (mallopt(3)). Never touched, it costs nothing itself."""

MARKDOWN_GROWTH: Final = 12
"""Markdown longer than this many times its HTML is cut: the worst honest growth measured is 11."""

BASE_HREF_CHARS: Final = 2_048
"""A longer `<base href>` is ignored: 160 kB of it made 100 MB of Markdown (measured)."""

SNIFF_BYTES: Final = 1_445
"""Bytes looked at to tell what a body is (WHATWG MIME Sniffing section 5, the resource header)."""

PRESCAN_BYTES: Final = 1_024
"""Bytes searched for a `<meta>` charset (WHATWG HTML section 13.2.3.2)."""

LATE_META_BYTES: Final = 65_536
"""How far a `<meta charset>` is looked for in a page that is no UTF-8: heads full of scripts are this long."""

DETECT_BYTES: Final = 16_384
"""Bytes given to the charset detector, from the first that is not ASCII: 3 ms, and more does not change its mind."""

SIGNAL_CHARS: Final = 65_536
"""Characters of markup read for page notes; challenge pages and empty shells are far smaller."""

TABLE_CELLS_READ: Final = 50_000
"""Cells of one page that may be looked at to mend its tables; past it tables become plain lines."""

TABLE_CELLS_ADDED: Final = 10_000
"""Cells of one page added for spans: about 6 ms; 256 kB of `rowspan=999` would add 86 MB (measured)."""

HIDDEN_PAGE_CHARS: Final = 200
"""Less hidden text than this beside visible text is never taken for the page itself: it may be meant for machines."""

FALLBACK_CHARS: Final = 256_000
"""Characters of HTML reduced to plain text after a conversion was killed: a few ms, where it stands."""

ALT_CHARS: Final = 120
"""Characters of an image's text: it is prose that nobody sees on the page."""

COMBINING_MARKS: Final = 4
"""Combining marks kept on one base; no orthography stacks more."""

PICKED_CHARS: Final = 1_000_000
"""Of a vendor's result page in HTML; the known ones have a tenth of it."""

PICKED_ROWS: Final = 100
"""Rows taken from such a page: more than any page of results has, and a bound for rows that stand in rows."""
