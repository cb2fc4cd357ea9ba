"""EPUB (OCF and Package Document 3.3) as the HTML of its chapters, in the order of reading."""

import posixpath
from typing import Final
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from webseam.content.charset import decode
from webseam.content.office_package import OfficeUnreadable, Package, local_name
from webseam.core.limits import OFFICE_CHAPTERS

_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"
_CHAPTERS: Final = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def epub(package: Package) -> tuple[tuple[str, ...], dict[str, str | None], bool]:
    """Chapters as HTML, what the book says about itself, and whether chapters were left out for their number.

    Raises:
        OfficeUnreadable: the book is damaged, or its chapters are encrypted.
    """
    path = _package_path(package)
    root = package.xml(path)
    files = _chapters(root, posixpath.dirname(path))
    if not files:
        raise OfficeUnreadable("broken")
    if _locked(package) & set(files):
        raise OfficeUnreadable("encrypted")
    there = [name for name in files[:OFFICE_CHAPTERS] if name in package]
    parts = [decode(package.read(name), label=None, html=True).text for name in there]
    missing = min(len(files), OFFICE_CHAPTERS) - len(there)
    if missing:
        parts.append(f"<p><em>Chapters that the book names and does not hold: {missing:,}.</em></p>")
    left_out = len(files) - OFFICE_CHAPTERS
    if left_out > 0:
        parts.append(f"<p><em>Further chapters left out: {left_out:,}.</em></p>")
    return tuple(parts), _about(root), left_out > 0


def _package_path(package: Package) -> str:
    for one in package.xml(_CONTAINER).iter():
        if local_name(one) == "rootfile" and one.get("full-path"):
            return posixpath.normpath(one.get("full-path", ""))
    raise OfficeUnreadable("broken")


def _chapters(root: ET.Element, folder: str) -> list[str]:
    items = {one.get("id"): one for one in root.iter() if local_name(one) == "item"}
    spine = [items.get(one.get("idref")) for one in root.iter() if local_name(one) == "itemref"]
    read = [one for one in spine if one is not None and one.get("media-type") in _CHAPTERS]
    return [posixpath.normpath(posixpath.join(folder, unquote(one.get("href", "").partition("#")[0]))) for one in read]


def _locked(package: Package) -> set[str]:
    """Files that are encrypted: fonts often are, chapters only in books with rights management."""
    if _ENCRYPTION not in package:
        return set()
    named = (one.get("URI", "") for one in package.xml(_ENCRYPTION).iter() if local_name(one) == "CipherReference")
    return {posixpath.normpath(unquote(one)) for one in named}


def _about(root: ET.Element) -> dict[str, str | None]:
    said: dict[str, list[str]] = {}
    for one in root.iter():
        if one.tag.startswith("{http://purl.org/dc/elements/1.1/}") and one.text:
            said.setdefault(local_name(one), []).append(one.text)
    return {
        "title": _first(said, "title"),
        "author": ", ".join(said.get("creator", [])) or None,
        "description": _first(said, "description"),
        "language": _first(said, "language"),
        "published_at": _first(said, "date"),
    }


def _first(said: dict[str, list[str]], name: str) -> str | None:
    return next(iter(said.get(name, [])), None)
