"""Limits of making text of bodies: sniffing, charset, conversion, workers."""

from typing import Final

PDF_BYTES: Final = 20_000_000
"""The same cap for PDF and documents, whose bytes are mostly fonts and pictures."""

PDF_PAGES: Final = 100
"""Pages of a PDF that are read, the first ones: over a million characters of a dense one, and a second of work."""

PDF_CHARS: Final = 5_000_000
"""Characters given of a PDF; its text may unpack to a thousand times the file."""

PDF_INFO_CHARS: Final = 300
"""Of a title or an author that a PDF names of itself."""

PDF_SECONDS: Final = 15.0
"""Wall clock of reading a PDF or document: 100 dense pages take under a second; one that draws itself never ends."""

PDF_UNMAPPED_SHARE: Final = 0.1
"""Share of characters without a meaning from which a PDF's text is said to be doubtful; symbol fonts stay below."""

INLINE_CONVERSION_BYTES: Final = 256_000
"""A page up to this size converts in about 2 ms where it stands; the parser holds the GIL in a thread too."""

WORKER_SECONDS: Final = 5.0
"""Wall clock of one conversion in a worker process; the slowest hostile page measured took 0.6 s."""

WORKER_MEMORY_BYTES: Final = 1_073_741_824
"""Address space of a worker; a million attributes need 139 MB, and the interpreter maps about 300."""

CONVERSION_MEMORY_BYTES: Final = 220_000_000
"""Address space that converting one page may add to a worker, of which it touches under 200 MB: 5 MB of documentation
touch 66, of table rows 180, of tags nested wrongly on purpose 500 (measured)."""

CONVERSION_MEMORY_GROWTH: Final = 44
"""The same for each character of a page over 5 MB."""

WORKER_COUNT: Final = 2
"""Conversion workers kept; each is one core's worth of parsing."""

WORKER_JOBS: Final = 200
"""Jobs after which a worker is replaced: a start costs 0.13 s, under 1 ms a job, and ends what a library leaked."""

WORKER_QUEUE: Final = 256
"""Jobs that may wait for a worker, each with its bytes in hand; more could not be done within a call's 30 s anyway."""

SETTLING_BYTES: Final = 8_000_000
"""One block of this size is allocated and freed before the first page: the allocator then keeps up to twice as much
instead of handing it back and faulting it in anew at each page (mallopt(3)). Never touched, it costs nothing itself."""

TEXT_FIRST_CHARS: Final = 256_000
"""A page from this size on that begins with text gets its `<body>` spelled out: 20 bytes of memory a character less."""

TEXT_FIRST_REACH: Final = 4_096
"""Characters of a page in which its text must begin for that: a doctype and a comment or two are shorter."""

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

BREAKS_UNCOUNTED: Final = 1_000
"""Line breaks that a page may have before they are looked at: a run of 1,000 costs the renderer 2 ms, of 8,000 140."""

BREAKS_IN_A_ROW: Final = 8
"""Line breaks kept in a row on a page with more: an empty line is two."""

TABLE_BLOCKS: Final = 5_000
"""Lists, definitions, code and inner tables of one page that are joined inside cells: 10 to 30 us each."""

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

METADATA_ELEMENTS: Final = 500
"""`<meta>` and as many `<link>` elements of a page that are read; the fullest honest heads have a tenth of them."""

JSON_LD_CHARS: Final = 200_000
"""JSON-LD of one page that is parsed, all blocks together: 2 ms; a shop's listing has a few ten thousand."""

JSON_LD_NODES: Final = 500
"""Nodes looked at in it."""

DESCRIPTION_CHARS: Final = 500
"""Characters of a page's own description; search engines show a third of it."""

ALTERNATES: Final = 8
"""Feeds of one page that are named."""

UNSEEN_WORDS: Final = 4
"""Words in attributes that HTML does not know, from which they may be a sentence; `<T extends Comparable>` is none."""

MARKDOWN_DEPTH: Final = 32
"""Quotes and lists nested deeper in Markdown are read as the text of the innermost; real texts stay under ten."""

HIDDEN_INLINE_CHARS: Final = 15_000
"""Markdown up to this size is looked through for hidden text where it stands: hostile text takes 2 to 6.4 ms a kB
(measured), and others on the loop can wait for 100. What is longer goes to a worker process, which can be killed."""

HIDDEN_TIMES: Final = 2
"""Times the wall clock of a conversion that looking through Markdown may take: a megabyte with a tag and a comment in
each line takes 2 s, of which a busy machine makes more."""

HIDDEN_MEMORY_GROWTH: Final = 150
"""Address space that looking through Markdown may add to a worker for each character, from 220 MB up: 1 MB with a tag
and a comment in each line touches 170, 4 MB of prose with few of them less (measured)."""

HIDDEN_INDEX_CHARS: Final = 1_000_000
"""Longer Markdown is indexed as it is written: nothing stops the look there, and so much hostile text takes 2 to 6 s;
texts that people write are shorter."""

FORMATS_OPEN: Final = 3
"""Emphasis of raw HTML in Markdown that is left open or nested so deep; what comes on top ends with its block. Parsers
open each anew in every block that follows: 100 kB of `1. <b>` took 1.4 GB (measured)."""

MAIN_DEPTH: Final = 200
"""Blocks nested deeper are taken for plain text when main content is looked for: real pages stay under 60."""

MAIN_ELEMENTS: Final = 100_000
"""A page of more elements stays whole: real ones have a sixth, and looking through so many takes 0.4 s."""

MAIN_HTML_CHARS: Final = 500_000
"""A page with more HTML, scripts left out, stays whole for a second engine: trafilatura takes 0.3 to 4 s for it."""

MAIN_LEAST_CHARS: Final = 200
"""Main content of less than this many letters is no finding: the whole page is shown instead."""

COPY_CHARS: Final = 40
"""Text from which a block that stands twice in a row is one written for two widths of screen; refrains are shorter."""

COPY_NODES_READ: Final = 200_000
"""Nodes of a page read in search of such copies: 50 ms, and far more than a page holds that people wrote."""
