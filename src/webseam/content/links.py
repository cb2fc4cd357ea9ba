"""Links of a page made absolute and harmless in the tree, before it becomes Markdown."""

from typing import TYPE_CHECKING, Final

from webseam.core.errors import WebError
from webseam.core.limits import BASE_HREF_CHARS
from webseam.core.url import DEFAULT_PORTS, Url

if TYPE_CHECKING:
    from turbohtml import Document, Element

_ODD: Final = 'a[href]:not([href^="http:"],[href^="https:"])'
_MISREAD: Final = (  # a leading backslash is a slash to browsers; of two slashes the parser's resolver loses one
    'a:is([href^="\\\\"],[href^="<"],[href*="//"]):not([href^="http:"],[href^="https:"],[href^="//"])'
)
_NOT_THE_PAGE: Final = "template,svg,math"  # a <base> there says nothing about the page (WHATWG HTML section 4.2.3)
_INVALID: Final = "about:invalid"  # a target that `_mend` takes away
_DIRECTIVE: Final = ":~:"  # URL Fragment Text Directives: prose that no reader sees


def absolute(href: str, base: str) -> str | None:
    """`href` as a canonical http(s) URL, or a `mailto:` address; None for any other scheme and for what cannot be.

    Credentials and text-fragment directives are left out.
    """
    try:
        url = Url.parse(href, base=Url.parse(base))
    except WebError:
        return None
    if url.scheme == "mailto":
        return url.href
    if url.scheme not in DEFAULT_PORTS or not url.host:
        return None
    shown = f"{url.origin}{url.path}{url.query}{url.fragment}" if url.credentials else url.href
    document, _, fragment = shown.partition("#")
    kept = fragment.partition(_DIRECTIVE)[0]
    return f"{document}#{kept}" if kept else document


def base_of(doc: "Document", url: str) -> str:
    """The URL that relative links mean: the first `<base href>` resolved against `url`, else `url`.

    A base that is no http(s) URL, or longer than 2,048 characters, is ignored; in a template or a drawing it is none.
    """
    bases = (element for element in doc.select("base[href]") if element.closest(_NOT_THE_PAGE) is None)
    element = next(bases, None)
    href = element.attr("href") if element is not None else None
    if not href or len(href) > BASE_HREF_CHARS:
        return url
    found = absolute(href, url)
    return found if found is not None and not found.startswith("mailto:") else url


def resolve(doc: "Document", base: str) -> None:
    """Make every link absolute against `base`; only http, https and mailto links stay links.

    The parser's own resolver does the bulk and stops half-way at a URL such as `//[`; a guarded join does the rest.
    """
    _mend_all(doc.select(_MISREAD), base)
    try:
        doc.resolve_links(base)
    except ValueError:
        _resolve_guarded(doc, base)
    _mend_all(doc.select(_ODD), base)


def clean_rare_links(doc: "Document", base: str, text: str) -> bool:
    """Take credentials and text fragments out of links, where the rendered `text` shows that there may be any.

    Looking at the text first costs next to nothing; looking through all links does not. True when one was changed.
    """
    found = doc.select('a[href*="@"]') if "@" in text else []
    if "~" in text and _DIRECTIVE in text:
        found += doc.select('a[href*=":~:"]')
    before = [link.attr("href") for link in found]
    _mend_all(found, base)
    return before != [link.attr("href") for link in found]


def _resolve_guarded(doc: "Document", base: str) -> None:
    joined: dict[str, str] = {}

    def join(href: str) -> str:
        if href not in joined:
            joined[href] = absolute(href, base) or _INVALID
        return joined[href]

    doc.rewrite_links(join)


def _mend_all(links: "list[Element]", base: str) -> None:
    """Put the absolute URL into each of these links, or make it none; a page often repeats one."""
    meant: dict[str, str | None] = {}
    for link in links:
        written = link.attr("href") or ""
        if written not in meant:
            meant[written] = _meant(written.strip(), base)
        href = meant[written]
        if href is None:
            del link.attrs["href"]
        elif href != written:
            link.attrs["href"] = href


def _meant(written: str, base: str) -> str | None:
    bare = written[1:-1] if written.startswith("<") and written.endswith(">") else written
    return absolute(bare, base)
