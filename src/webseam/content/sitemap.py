"""Sitemaps (sitemaps.org protocol 0.9): which pages a site lists. XML without entities, bounded in every direction."""

import re
from dataclasses import dataclass, field
from typing import Any, Final
from xml.parsers import expat

from webseam.content.links import absolute
from webseam.content.listings import Listing
from webseam.core.limits import SITEMAP_LINKS, URL_CHARS


@dataclass(slots=True, kw_only=True)
class Sitemap:
    """What one file lists: pages, or further sitemaps. `fault` says why reading stopped; what came before counts.

    `changed` has the `lastmod` of a listed URL as written, where it has one.
    """

    pages: list[str] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    fault: str | None = None


def sitemap_listing(text: str, *, url: str) -> Listing | None:
    """A sitemap as a list of links with their dates; None when it lists nothing."""
    found = parse_sitemap(text)
    if not found.pages and not found.sitemaps:
        return None
    shown, left = [], SITEMAP_LINKS
    for title, targets in (("Sitemaps", found.sitemaps), ("Pages", found.pages)):
        if targets:
            lines = [_line(target, found, url) for target in targets[:left]]
            left -= len(lines)
            shown.append(f"# {title}\n\n" + "\n".join(lines))
    left_out = max(0, len(found.pages) + len(found.sitemaps) - SITEMAP_LINKS)
    if left_out:
        shown.append(f"*{left_out:,} further links of this sitemap are left out.*")
    return Listing(text="\n\n".join(shown), left_out=left_out, cut=left_out > 0, malformed=found.fault is not None)


def _line(target: str, found: Sitemap, base: str) -> str:
    """A link that is none, or is not of the web, stands as code: nobody is led there."""
    link = absolute(target, base)
    shown = f"<{link}>" if link is not None else f"`{' '.join(target.replace('`', '').split())}`"
    changed = "".join(one for one in found.changed.get(target, "") if one.isalnum() or one in "-:+. ")
    return f"- {shown}, {changed}" if changed else f"- {shown}"


def parse_sitemap(text: str) -> Sitemap:
    """Read a sitemap, a sitemap index, or a plain list of URLs (one a line); never raises.

    A document type declaration ends the reading: sitemaps need none, and entities live there. Bare ampersands, which
    many addresses have, are a fault that ends nothing.
    """
    body = text.lstrip("\ufeff \t\r\n")
    if not body.startswith("<"):
        return Sitemap(pages=[line.strip() for line in body.splitlines() if line.strip()])
    found = _read(body)
    if found.fault is None or "<![CDATA[" in body or _BARE.search(body) is None:
        return found
    again = _read(_BARE.sub("&amp;", body))
    again.fault = again.fault or found.fault
    return again


def _read(body: str) -> Sitemap:
    reader = _Reader()
    try:
        reader.parse(body.encode("utf-8", "replace"))
    except expat.ExpatError as exc:
        reader.found.fault = f"{expat.ErrorString(exc.code)} in line {exc.lineno}"
    except _DoctypeError:
        reader.found.fault = "it declares a document type, which is refused"
    return reader.found


class _DoctypeError(Exception):
    """The document has a DTD."""


_BARE: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")  # in addresses, mostly
_MOST: Final = 2 * URL_CHARS
_ENTRIES: Final = ("url", "sitemap")
_READ: Final = ("loc", "lastmod")


class _Reader:
    """Collects each `loc` that stands in a `url` or `sitemap`, and the `lastmod` beside it."""

    def __init__(self) -> None:
        self.found = Sitemap()
        self._path: list[str] = []
        self._said: list[str] | None = None
        self._listed: list[str] = []
        self._changed = ""
        self._parser = expat.ParserCreate("utf-8", " ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def parse(self, data: bytes) -> None:
        self._parser.Parse(data, True)

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local in _ENTRIES:
            self._listed, self._changed = [], ""
        elif local in _READ and self._path and self._path[-1] in _ENTRIES:
            self._said = []
        self._path.append(local)

    def _text(self, text: str) -> None:
        if self._said is not None and sum(map(len, self._said)) < _MOST:
            self._said.append(text[:_MOST])

    def _end(self, _name: str) -> None:
        name = self._path.pop()
        parent = self._path[-1] if self._path else ""
        if name in _ENTRIES and self._changed:
            self.found.changed |= dict.fromkeys(self._listed, self._changed)
        if self._said is None or name not in _READ or parent not in _ENTRIES:
            return
        said, self._said = "".join(self._said).strip(), None
        if name == "lastmod":
            self._changed = said
        elif said:
            self._listed.append(said)
            (self.found.pages if parent == "url" else self.found.sitemaps).append(said)


def _refuse_doctype(*_declaration: Any) -> None:
    raise _DoctypeError
