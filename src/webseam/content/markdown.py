"""HTML to Markdown, and any body to text: one parse, few edits of the tree, no raw HTML, bounded output."""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, assert_never

from webseam.content.blank_edges import without_blank_edges
from webseam.content.breaks import thin_breaks
from webseam.content.copies import copies, may_repeat, twins
from webseam.content.emphasis import without_raw_emphasis
from webseam.content.links import base_of, clean_rare_links, resolve
from webseam.content.listings import form_of, listing
from webseam.content.main import keep_main
from webseam.content.metadata import metadata_of
from webseam.content.pdf_layout import marked_pages
from webseam.content.phrases import call_by_target
from webseam.content.pictures import choose_sources, replace_by_texts, with_texts, with_unescaped_texts
from webseam.content.rare import rare_elements
from webseam.content.second_engine import picked
from webseam.content.shadows import SHADOWS, show_shadows
from webseam.content.spacing import set_apart
from webseam.content.table_sides import with_sides
from webseam.content.table_spans import mend_all, mend_spanned
from webseam.content.tables import are_plain, make_readable
from webseam.content.text_first import with_body
from webseam.content.underscores import without_accidental_emphasis, without_linked_tags
from webseam.content.unseen import (
    Hidden,
    hold_most,
    is_mostly_seen,
    is_seen_at_once,
    marked_elements,
    remove_unseen,
    worth_showing,
)
from webseam.content.white_space import show_lines
from webseam.core.limits import MARKDOWN_GROWTH, SETTLING_BYTES
from webseam.core.snapshots import Engine, HiddenText, View
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, ImageBody, PageMetadata, PdfBody, TextBody

if TYPE_CHECKING:
    from turbohtml import Document
    from turbohtml import Markdown as Options

_SPARE_CHARS: Final = 4_096  # a page of a few bytes may still name a long URL
_LONG_BASE: Final = 256  # characters of a base worth counting the links for
_RAW: Final = re.compile(r"<(?:table\b|/?(?:strong|em|del|s|code|br)>)")  # all that the renderer falls back to
_RAW_TABLE: Final = re.compile(r"<table\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """Markdown of a page; `hidden` counts elements left out as invisible, `cut` says that the output was capped.

    Of a block written once for wide screens and again for narrow ones, the second counts as invisible.
    `mostly_hidden` says that most of the page's text was hidden, and what was done with it. `metadata` is what the page
    says about itself. `view` is what the text is of: the whole page, or its main content, beside which `left_out`
    characters of the page, white space not counted, are left out; `engine` told that apart.
    """

    text: str
    hidden: int = 0
    cut: bool = False
    mostly_hidden: HiddenText | None = None
    metadata: PageMetadata | None = None
    view: View = "page"
    left_out: int = 0
    engine: Engine | None = None


def html_to_markdown(
    html: str,
    *,
    url: str,
    pictures: bool = True,
    view: View = "page",
    about: bool = True,
    engine: Engine = "own",
) -> Markdown:
    """Convert a page.

    Scripts, styles, comments and invisible elements are left out; elements that only a script reveals stay when they
    are most of the page, and `mostly_hidden` says so. Film, sound and embedded documents are links to their source,
    drawings at most their name, formulas their TeX where the page holds it. Links and pictures are absolute against
    `url` or the page's `<base>`, tables are GFM. Nothing in the output is raw HTML. The output is at most 12 times as
    long as the input, cut at a block. Time is linear in the input.

    Args:
        html: the page as decoded.
        url: its final URL.
        pictures: whether pictures stay pictures; if not, each becomes `[image: alt]`, so that showing the text to
            anybody loads nothing.
        view: `main` asks for the main content alone; the page stays whole when none is found.
        about: whether `metadata` is wanted; reading it takes a thirtieth of the time.
        engine: what tells main content apart; `trafilatura` takes ten times as long, and some form is lost.

    Raises:
        ImportError: `engine` is not installed.
    """
    limit = MARKDOWN_GROWTH * len(html) + _SPARE_CHARS
    made = _made(html, url, pictures=pictures, about=about, lazily=view == "main")
    mostly: HiddenText | None = None
    if made.text is not None and not is_mostly_seen(made.hidden, shown=len(made.text), size=len(html)):
        kept = worth_showing(made.doc, made.hidden)
        revealed = _made(html, url, keep=kept, pictures=pictures, about=about) if kept else None
        if revealed is not None and len(revealed.text or "") > len(made.text):
            made, mostly = revealed, "shown"
        elif hold_most(made.doc, made.hidden):
            mostly = "left_out"
    main = _main(made, url, engine, pictures=pictures) if view == "main" else None
    text = main[0] if main is not None else made.render() if made.text is None else made.text
    end = len(text) if len(text) <= limit else _last_break(text, limit)
    return Markdown(
        text=text[:end].rstrip() if end < len(text) else text,
        hidden=len(made.hidden.elements) + len(made.hidden.copies),
        cut=end < len(text),
        mostly_hidden=mostly,
        metadata=made.metadata,
        view="page" if main is None else "main",
        left_out=0 if main is None else main[1],
        engine=None if main is None else engine,
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """The edited tree, what was hidden in it, its Markdown where that was needed, and what it said about itself."""

    doc: "Document"
    hidden: Hidden
    metadata: PageMetadata | None
    render: Callable[[], str]
    text: str | None


def _made(
    html: str, url: str, *, pictures: bool, about: bool, keep: AbstractSet[int] = frozenset(), lazily: bool = False
) -> _Made:
    """One conversion; the hidden elements in `keep` are left in. `lazily` leaves out a text that nobody judges by.

    All that edits need is looked up before the first of them takes elements out: the parser answers from an index
    that it builds anew after that (measured: 17 us on a 105 kB page).
    """
    doc = _parsed(html, shadows=False)
    if doc.select(SHADOWS):
        doc = _parsed(html, shadows=True)
        show_shadows(doc)
    base = base_of(doc, url)
    metadata = metadata_of(doc, base) if about else None
    thin_breaks(doc)
    rare = rare_elements(doc)
    nameless = set_apart(doc, rare)
    images = choose_sources(doc)
    links = _settle_links(doc, base, len(html))
    call_by_target(nameless)
    marked = marked_elements(doc)
    plain = are_plain(doc, rare, marked)
    pairs = twins(doc)
    hidden = remove_unseen(doc, rare, marked, keep=keep)
    show_lines(hidden.lined)
    sided = not plain and make_readable(doc)
    pictured = replace_by_texts(images, base, every=not pictures)

    def render() -> str:
        text = _rendered(doc, base, links=links)
        if may_repeat(pairs, text) and hidden.leave_out(copies(pairs)):
            text = _rendered(doc, base, links=links)
        text = with_sides(text) if sided else text
        return with_texts(text) if pictured else text

    return _Made(doc, hidden, metadata, render, None if lazily and is_seen_at_once(doc, hidden) else render())


def _main(made: _Made, url: str, engine: Engine, *, pictures: bool) -> tuple[str, int] | None:
    """The main content, and how many characters of the page it leaves out; None where none is found."""
    if engine == "own":
        left_out = keep_main(made.doc)
        return None if left_out is None else (made.render(), left_out)
    found = picked(with_texts(made.doc.serialize()))
    if found is None:
        return None
    text = _made(found.html, url, pictures=pictures, about=False).render()
    body = made.doc.select_one("body")
    whole = 0 if body is None else len("".join(body.text.split()))
    return with_unescaped_texts(text), max(0, whole - found.characters)


def _parsed(html: str, *, shadows: bool) -> "Document":
    return _parser()(
        with_body(html.removeprefix("\ufeff")), positions=False, scripting=True, allow_declarative_shadow_roots=shadows
    )


@cache
def _parser() -> "Callable[..., Document]":
    """The parser, on the first page: 90 ms to import.

    glibc raises the size from which it maps memory anew, and the size from which it hands memory back, to what the
    largest block freed so far had (mallopt(3), M_MMAP_THRESHOLD). A page's tree lies between the defaults, so that each
    page would be mapped and faulted in anew: a third of its whole cost (measured). One block freed ends that.
    """
    from turbohtml import parse  # noqa: PLC0415 - see above

    bytes(SETTLING_BYTES)
    return parse


def to_markdown(page: FetchResult, *, view: View = "page") -> str:
    """The text of a fetched page, converted in the calling thread: what `webseam.to_markdown` is.

    `view="main"` asks for the main content of an HTML page alone; see `html_to_markdown`.
    """
    match page.body:
        case HtmlBody(content=content):
            return html_to_markdown(content, url=page.url, view=view, about=False).text
        case TextBody(content=content):
            form = form_of(page)
            made = None if form is None else listing(content, form, url=page.url)
            return content if made is None else made.text
        case DocumentBody() | PdfBody() | ImageBody():
            return plain_body(page)
        case _:
            assert_never(page.body)


def plain_body(page: FetchResult) -> str:
    """The text of a body that needs no conversion; HTML as it is."""
    match page.body:
        case HtmlBody(content=content) | TextBody(content=content) | DocumentBody(content=content):
            return content
        case PdfBody(pages=pages, page_count=count):
            return marked_pages(pages, count)
        case ImageBody(data=data, width=width, height=height):
            size = f"{width}x{height} " if width and height else ""
            return f"[image: {size}{page.media_type or 'image'}, {len(data)} bytes]"
        case _:
            assert_never(page.body)


def _settle_links(doc: "Document", base: str, size: int) -> bool:
    """Make links and pictures absolute; False when a long base would make the page explode, then they go."""
    if len(base) > _LONG_BASE and len(base) * len(doc.select("a[href],img")) > MARKDOWN_GROWTH * size:
        doc.remove("img")
        return False
    resolve(doc, base)
    return True


def _rendered(doc: "Document", base: str, *, links: bool) -> str:
    """Markdown of the edited tree; what only the output shows to be there is mended and rendered anew.

    The renderer puts out raw HTML for a table with spans or ragged rows, and for emphasis that it cannot express:
    looking for that costs a page without any less than looking for spans.
    """
    tables = True
    text = doc.to_markdown(_options(links=links, tables=tables))
    for mend in (mend_spanned, mend_all):
        if not (tables and _holds_raw_table(text)):
            break
        tables = mend(doc)
        text = doc.to_markdown(_options(links=links, tables=tables))
    if clean_rare_links(doc, base, text):
        text = doc.to_markdown(_options(links=links, tables=tables))
    text = without_blank_edges(text)
    if "<" in text:
        text = without_linked_tags(without_raw_emphasis(text) if _RAW.search(text) else text)
    return without_accidental_emphasis(text)


def _holds_raw_table(text: str) -> bool:
    return "<" in text and _RAW_TABLE.search(text) is not None


@cache
def _options(*, links: bool, tables: bool) -> "Options":
    from turbohtml import Markdown as Options  # noqa: PLC0415 - already loaded by the parse

    return Options(
        escaping=Options.Escaping(underscores=False),
        links=Options.Links(ignore=not links),
        tables=Options.Tables(mode="markdown" if tables else "strip", cell_blocks="text"),
    )


def _last_break(text: str, limit: int) -> int:
    end = max(text.rfind("\n\n", limit // 2, limit), text.rfind("\n", limit // 2, limit))
    return end if end > 0 else limit
