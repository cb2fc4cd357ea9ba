"""URLs that stand in a text, and parts of a URL or query that look like data which somebody carries out."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final
from urllib.parse import unquote

from webseam.core.errors import WebError
from webseam.core.limits import DATA_PART_BITS, DATA_PART_CHARS, RUN_PAGE_URLS, RUN_TEXT_CHARS, URL_CHARS
from webseam.core.url import Url, web_url, without_credentials

_START: Final = re.compile(r"https?:(?=//|\\/\\/)", re.IGNORECASE)
"""Where a URL begins; JSON may escape its slashes."""

_RUN: Final = re.compile(r"[^\s<>\"\x00-\x20]++")
_TARGET: Final = re.compile(r"(?:[^\s\\()]|\\.|\((?:[^\s\\()]|\\.)*\))+")
"""The target of a Markdown link (CommonMark 6.3): escaped parentheses and balanced ones belong to it."""

# Parentheses and brackets count as far as they are balanced: `(see https://en.test/X_(y))`, `[http://[::1]/]`.
_CORE: Final = re.compile(r"(?:[^`|\\^{}()\[\]]|\([^()\[\]]{0,200}\)|\[[^()\[\]]{0,200}\])+")
_ESCAPE: Final = re.compile(r"\\u00([0-7][0-9a-fA-F])|\\([!-/:-@\[-`{-~])|(&)amp;")
"""Of JSON, Markdown and HTML, as a reader takes them back."""

_ESCAPED_CHARS: Final = 6 * URL_CHARS  # `\u0026` for each

_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts that are written without spaces: Thai to Khmer, kana, Han. What follows a URL there may not be of it."""

_ENDS: Final = tuple(map(re.compile, (r"[^\w\x00-\x7f]", rf"[{_UNSPACED}]")))
_BETWEEN: Final = re.compile(r"(?<![,;|()\[\]{}])[,;|()\[\]{}]++(?=https?:)", re.IGNORECASE)
_WORDS: Final = re.compile(rf"[{_UNSPACED}]+")
_REST: Final = r"(?::\d{1,5})?(?:[/?][^\s<>\"`|\\^{}()\[\]]{0,2048})?(?![\w@])"
_BARE: Final = (
    re.compile(
        r"(?<![\w@./:\-])(?:[^\W_][\w\-]{0,62}\.){1,8}(?:[xX][nN]--[A-Za-z0-9\-]{1,59}|[^\W\d_]{2,24})\.?" + _REST
    ),
    re.compile(r"(?<![\w@./:\-])\d{1,3}(?:\.\d{1,3}){3}" + _REST),
)
"""Hosts and IPv4 addresses as people type them, without a scheme."""

_CLOSING: Final = ".,;:!?'*_~\u2026\u201d\u2019\u3002\uff0c"
_PART: Final = re.compile(rf"[A-Za-z0-9]{{{DATA_PART_CHARS},}}")


def urls_in(text: str) -> Iterator[Url]:
    """Absolute http(s) URLs of a text in its order, in each spelling that a reader may take it for; bounded.

    So with and without what closes a sentence behind it, and with escapes of Markdown or JSON taken back.
    """
    at = 0
    for _ in range(RUN_PAGE_URLS):
        start = _START.search(text, at, RUN_TEXT_CHARS)
        if start is None:
            return
        shown, at = _shown(text, start.start())
        yield from _read_as(shown)


def typed_in(text: str) -> Iterator[Url]:
    """What a person may mean by a text: its URLs, and hosts without a scheme, which are of both schemes."""
    yield from urls_in(text)
    for pattern in _BARE:
        for words in (text,) if text.isascii() else (text, _WORDS.sub(" ", text[:RUN_TEXT_CHARS])):
            for found in islice(pattern.finditer(words, 0, RUN_TEXT_CHARS), RUN_PAGE_URLS):
                yield from _read_as(_ended(f"https://{found[0]}"))
                yield from _read_as(_ended(f"http://{found[0]}"))


def _shown(text: str, start: int) -> tuple[Iterable[str], int]:
    """Spellings of the URL that begins at `start`, and of those that follow it without a space; where they end."""
    target = _TARGET.match(text, start, RUN_TEXT_CHARS) if text.startswith("](", start - 2) else None
    if target is not None:
        return (target[0],), target.end()
    run = _RUN.match(text, start, RUN_TEXT_CHARS)
    assert run is not None  # noqa: S101 - it takes all that `_START` takes
    parts = _BETWEEN.split(run[0], RUN_PAGE_URLS)
    return chain.from_iterable(_ended(one) for one in dict.fromkeys((run[0], *parts))), run.end()


def _ended(text: str) -> Iterator[str]:
    """`text`, and what stands before that which may be no part of it."""
    core = _CORE.match(text)
    for one in (text,) if core is None else (text, core[0]):
        yield one
        yield one.rstrip(_CLOSING)
    for end in _ENDS:
        found = end.search(text)
        if found is not None:
            yield text[: found.start()].rstrip(_CLOSING)


def _read_as(spellings: Iterable[str]) -> Iterator[Url]:
    """The URLs that these are, read to the letter and with their escapes taken back."""
    for one in dict.fromkeys(one for one in spellings if len(one) <= _ESCAPED_CHARS):
        meant = _ESCAPE.sub(_unescaped, one) if "\\" in one or "&amp;" in one else one
        for spelling in (one,) if meant == one else (one, meant):
            url = known_url(without_credentials(spelling))
            if url is not None:
                yield url


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else found[2] or found[3]


def known_url(text: str) -> Url | None:
    """A URL that may be asked of the web, or None."""
    if len(text) > URL_CHARS:
        return None
    try:
        return web_url(text)
    except WebError:
        return None


def carries_data(text: str) -> bool:
    """Whether a URL or query has a long part that looks like data: letters and digits without a pattern.

    A hint for people: it fires on honest identifiers too, and misses data that is cut into short parts.
    """
    return any(_looks_random(part) for part in _PART.findall(unquote(text)))


def _looks_random(part: str) -> bool:
    mixed = any(one.isdigit() for one in part) or not (part[1:].islower() or part.isupper())
    return mixed and _bits(part) >= DATA_PART_BITS


def _bits(part: str) -> float:
    """Shannon entropy in bits a character."""
    size = len(part)
    return -sum(count / size * math.log2(count / size) for count in Counter(part).values())
