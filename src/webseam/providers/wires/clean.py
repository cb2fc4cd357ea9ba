"""What vendors put around text and URLs, taken off again: tags, entities, redirect wrappers, their own tracking."""

import re
from base64 import b64decode
from collections.abc import Iterator
from html import unescape
from html.entities import html5
from typing import Final
from urllib.parse import unquote

from webseam.core.errors import WebError
from webseam.core.limits import WRAPPED_URL_CHARS
from webseam.core.url import Url, is_web_url

# Text --------------------------------------------------------------------------------------------------

_ATTRIBUTES: Final = r"""(?:\s++[a-z][a-z0-9:_-]*+\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++))*\s*+/?"""
"""Each with a value, as vendors write them: `<b and c>` is no tag. Nothing is given back, so the search is linear."""

_INLINE: Final = re.compile(
    rf"</?(?:b|strong|em|i|u|mark|span|font|small|big|sub|sup|s|del|ins|code|kbd|tt|var|cite|q|abbr|wbr|a){_ATTRIBUTES}>",
    re.IGNORECASE | re.ASCII,
)
_BREAK: Final = re.compile(rf"</?(?:br|hr|p|div|ul|ol|li){_ATTRIBUTES}>", re.IGNORECASE | re.ASCII)
_CODE: Final = re.compile(r"(?<=[A-Za-z0-9_])<([abiqsuABIQSUP])>", re.ASCII)
_CLOSED: Final = re.compile(r"</([abiqsup])\b", re.ASCII)
_RAISED: Final = re.compile(r"<sup>([0-9+\-\u2212=()]{1,12})</sup>", re.IGNORECASE | re.ASCII)
_SUPERSCRIPT: Final = str.maketrans(
    "0123456789+-\u2212=()",
    "\u2070\xb9\xb2\xb3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207c\u207d\u207e",
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]{1,31}));", re.ASCII)


def plain_text(value: object) -> str | None:
    """Text without HTML's inline tags, entities undone once, white space collapsed; None when nothing is left.

    Other text between angle brackets is text (`a < b`, `List<int>`), and so is what an entity stands for: `&lt;b&gt;`
    becomes `<b>` and stays. A raised number stays one, in Unicode's characters. What is no string is absent.
    """
    said = plain_prose(value)
    return None if said is None else " ".join(said.split()) or None


def plain_prose(value: object) -> str | None:
    """The same with its lines and indents as they are, for generated text: in Markdown these mean something."""
    if not isinstance(value, str):
        return None
    if "<" in value:
        value = _INLINE.sub("", _BREAK.sub(" ", _RAISED.sub(_superscript, _code_kept(value))))
    if "&" in value:
        value = _ENTITY.sub(_character, value)
    return value.strip() or None


def _code_kept(value: str) -> str:
    """`Box<A>` and `a<i>b`, which nothing closes, are no tags: as an entity the bracket outlasts these."""
    if _CODE.search(value) is None:
        return value
    closed = set(_CLOSED.findall(value.lower()))
    return _CODE.sub(lambda found: found[0] if found[1].lower() in closed else f"&lt;{found[1]}>", value)


def _superscript(found: re.Match[str]) -> str:
    """10 to the third is not 103."""
    return found[1].translate(_SUPERSCRIPT)


def _character(found: re.Match[str]) -> str:
    """What an entity stands for; an unknown name is no entity, and one without its semicolon is not looked at."""
    name = found[1]
    return unescape(found[0]) if name is None else html5.get(f"{name};", found[0])


# URLs --------------------------------------------------------------------------------------------------

_MARKED: Final = re.compile(r"duckduckgo\.|bing\.|google\.|yahoo\.|ws_call_id=|utm_source=openai", re.IGNORECASE)
"""What a URL holds that may need work; most hold none, and are not parsed."""

_GOOGLE: Final = re.compile(r"(?:www\.)?google\.(?:com|[a-z]{2}|com?\.[a-z]{2})", re.ASCII)
_YAHOO: Final = re.compile(r"/RU=([^/?#]*)/")
_BING_PREFIX: Final = "a1"
_CALL_MARK: Final = "#ws_call_id="
_TRACKING: Final = "utm_source=openai"


def unwrap(url: str) -> str:
    """The page that a vendor's result URL leads to, percent-decoded once; any other URL as it is, to the letter.

    Undone are the redirects of DuckDuckGo, Bing, Google and Yahoo, one inside the other too, and what OpenAI and
    DeepSeek add (`utm_source=openai`, `#ws_call_id=...`). A wrapper whose target is no http(s) URL stays. A longer
    URL than 8,192 characters is not looked into. Nothing is dialled.
    """
    if len(url) > WRAPPED_URL_CHARS or _MARKED.search(url) is None:
        return url
    inner = _untracked(_target(url) or url)
    while inner != url:  # each turn makes it shorter
        url, inner = inner, _untracked(_target(inner) or inner)
    return url


def _untracked(url: str) -> str:
    address, mark, _ = url.partition(_CALL_MARK)
    if mark and "#" not in address:
        url = address
    if _TRACKING not in url:
        return url
    page, hash_, fragment = url.partition("#")
    path, _, query = page.partition("?")
    kept = [part for part in query.split("&") if part != _TRACKING]
    if len(kept) == query.count("&") + 1:
        return url
    return path + ("?" + "&".join(kept) if kept else "") + hash_ + fragment


def _target(url: str) -> str | None:
    """Where a redirect wrapper leads, with the wrapper's own fragment, as a browser carries it (Fetch, redirects)."""
    try:
        parsed = Url.parse(f"https:{url}" if url.startswith("//") else url)
    except WebError:  # no URL, so no wrapper
        return None
    page, hash_, fragment = url.partition("#")
    for target in _candidates(parsed, page):
        if target.isprintable() and " " not in target and is_web_url(target):
            return target if "#" in target else target + hash_ + fragment
    return None


def _candidates(parsed: Url, page: str) -> Iterator[str]:
    host, path = parsed.name.removeprefix("www."), parsed.path
    if host in ("duckduckgo.com", "html.duckduckgo.com", "lite.duckduckgo.com") and path in ("/l/", "/l"):
        yield from _values(page, "uddg")
    elif host == "bing.com" and path == "/ck/a":
        yield from filter(None, map(_unpacked, _values(page, "u")))
    elif _GOOGLE.fullmatch(host) and path == "/url":
        yield from _values(page, "q")
        yield from _values(page, "url")
    elif host == "r.search.yahoo.com":
        yield from filter(None, map(_decoded, _YAHOO.findall(page)))


def _values(page: str, name: str) -> Iterator[str]:
    """Values of a query parameter, decoded once. A plus sign stays one: these are URLs, not form fields."""
    for part in page.partition("?")[2].split("&"):
        key, _, value = part.partition("=")
        if key == name and (decoded := _decoded(value)):
            yield decoded


def _decoded(value: str) -> str | None:
    try:
        return unquote(value, errors="strict") or None
    except UnicodeDecodeError:  # bytes of another charset: the wrapper is the better URL
        return None


def _unpacked(value: str) -> str | None:
    """Bing's `u`: `a1` and the URL in base64url without padding (RFC 4648 section 5)."""
    packed = value.removeprefix(_BING_PREFIX).rstrip("=")
    if packed == value:
        return None
    try:
        return b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True).decode()
    except ValueError:  # no base64, or no UTF-8 in it
        return None
