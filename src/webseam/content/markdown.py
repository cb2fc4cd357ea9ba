"""HTML to Markdown, and any body to text: one parse, few edits of the tree, no raw HTML, bounded output."""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, assert_never

from webseam.content.emphasis import without_raw_emphasis
from webseam.content.links import base_of, clean_rare_links, resolve
from webseam.content.pictures import choose_sources, replace_by_texts, with_texts
from webseam.content.spacing import set_apart
from webseam.content.tables import mend_all, mend_spanned
from webseam.content.unseen import Hidden, hold_most, is_mostly_seen, remove_unseen, worth_showing
from webseam.core.limits import MARKDOWN_GROWTH, SETTLING_BYTES
from webseam.core.snapshots import HiddenText
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, ImageBody, PdfBody, TextBody

if TYPE_CHECKING:
    from turbohtml import Document, Element, Node
    from turbohtml import Markdown as Options

_LINKED_HEADINGS: Final = tuple(f"a[href]>h{level}" for level in range(1, 7))
_SPARE_CHARS: Final = 4_096  # a page of a few bytes may still name a long URL
_LONG_BASE: Final = 256  # characters of a base worth counting the links for
_RAW: Final = re.compile(r"<(?:table\b|/?(?:strong|em|del|s|code|br)>)")  # all that the renderer falls back to
_RAW_TABLE: Final = re.compile(r"<table\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """Markdown of a page; `hidden` counts elements left out as invisible, `cut` says that the output was capped.

    `mostly_hidden` says that most of the page's text was hidden, and what was done with it.
    """

    text: str
    hidden: int = 0
    cut: bool = False
    mostly_hidden: HiddenText | None = None


def html_to_markdown(html: str, *, url: str, pictures: bool = True) -> Markdown:
    """Convert a page.

    Scripts, styles, comments, embedded documents and invisible elements are left out; elements that only a script
    reveals stay when they are most of the page, and `mostly_hidden` says so. Links and pictures are
    absolute against `url` or the page's `<base>`, tables are GFM. Nothing in the output is raw HTML. The output
    is at most 12 times as long as the input, cut at a block. Time is linear in the input.

    Args:
        html: the page as decoded.
        url: its final URL.
        pictures: whether pictures stay pictures; if not, each becomes `[image: alt]`, so that showing the text to
            anybody loads nothing.
    """
    limit = MARKDOWN_GROWTH * len(html) + _SPARE_CHARS
    doc, hidden, text = _made(html, url, pictures=pictures)
    mostly: HiddenText | None = None
    if not is_mostly_seen(hidden, shown=len(text), size=len(html)):
        kept = worth_showing(doc, hidden)
        revealed = _made(html, url, keep=kept, pictures=pictures) if kept else None
        if revealed is not None and len(revealed[2]) > len(text):
            (_, hidden, text), mostly = revealed, "shown"
        elif hold_most(doc, hidden):
            mostly = "left_out"
    end = len(text) if len(text) <= limit else _last_break(text, limit)
    return Markdown(
        text=text[:end].rstrip() if end < len(text) else text,
        hidden=len(hidden.elements),
        cut=end < len(text),
        mostly_hidden=mostly,
    )


def _made(
    html: str, url: str, *, pictures: bool, keep: AbstractSet[int] = frozenset()
) -> "tuple[Document, Hidden, str]":
    """The edited tree, what was hidden in it, and its Markdown; the hidden elements in `keep` are left in.

    All that edits need is looked up before the first of them takes elements out: the parser answers from an index
    that it builds anew after that (measured: 17 us on a 105 kB page).
    """
    doc = _parser()(html.removeprefix("\ufeff"), positions=False, scripting=True)
    set_apart(doc)
    base = base_of(doc, url)
    images = choose_sources(doc)
    links = _settle_links(doc, base, len(html))
    headings = [heading for selector in _LINKED_HEADINGS for heading in doc.select(selector)]
    hidden = remove_unseen(doc, keep=keep)
    pictured = replace_by_texts(images, base, every=not pictures)
    _keep_linked(headings)
    text = _rendered(doc, base, links=links)
    return doc, hidden, with_texts(text) if pictured else text


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


def to_markdown(page: FetchResult) -> str:
    """The text of a fetched page, converted in the calling thread: what `webseam.to_markdown` is."""
    match page.body:
        case HtmlBody(content=content):
            return html_to_markdown(content, url=page.url).text
        case TextBody() | DocumentBody() | PdfBody() | ImageBody():
            return plain_body(page)
        case _:
            assert_never(page.body)


def plain_body(page: FetchResult) -> str:
    """The text of a body that needs no conversion; HTML as it is."""
    match page.body:
        case HtmlBody(content=content) | TextBody(content=content) | DocumentBody(content=content):
            return content
        case PdfBody(pages=pages):
            return "\n\n".join(pages)
        case ImageBody(data=data, width=width, height=height):
            return f"[image: {width}x{height} {page.media_type or 'image'}, {len(data)} bytes]"
        case _:
            assert_never(page.body)


def _settle_links(doc: "Document", base: str, size: int) -> bool:
    """Make links and pictures absolute; False when a long base would make the page explode, then they go."""
    if len(base) > _LONG_BASE and len(base) * len(doc.select("a[href],img")) > MARKDOWN_GROWTH * size:
        doc.remove("img")
        return False
    resolve(doc, base)
    return True


def _keep_linked(headings: "list[Element]") -> None:
    """`<a><h3>` as `<h3><a>`: the renderer would drop the heading."""
    from turbohtml import Element  # noqa: PLC0415 - already loaded by the parse

    for heading in headings:
        link = heading.parent
        if isinstance(link, Element) and all(part == heading or _is_blank(part) for part in link.children):
            href = link.attr("href")
            link.unwrap()
            heading.wrap_children(Element("a", {"href": href}))


def _is_blank(node: "Node") -> bool:
    from turbohtml import Text  # noqa: PLC0415 - as above

    return isinstance(node, Text) and not node.data.strip()


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
    return without_raw_emphasis(text) if "<" in text and _RAW.search(text) else text


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
