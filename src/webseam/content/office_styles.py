"""Headings that a DOCX calls by names of its own, told by their outline level (ECMA-376 part 1, 17.3.1.20)."""

import re
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree as ET

from webseam.content.office_package import Package

_STYLES: Final = "word/styles.xml"
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ID: Final = re.compile(r"[\w-]{1,80}")  # what a style map can name
_KNOWN: Final = re.compile(r"heading [1-6]", re.IGNORECASE)  # mammoth reads these itself
_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)
_DEEPEST: Final = 6
_LONGEST: Final = 12  # styles that one is based on


def heading_styles(package: Package) -> str:
    """Lines of mammoth's style map for paragraph styles that are headings by their level, or by what they are based on.

    Raises:
        OfficeUnreadable: the file is damaged.
    """
    if _STYLES not in package:
        return ""
    styles = {one.get(f"{_W}styleId", ""): one for one in package.xml(_STYLES).iter(f"{_W}style")}
    return "".join(_lines(styles))


def _lines(styles: dict[str, ET.Element]) -> Iterator[str]:
    for name, style in styles.items():
        if style.get(f"{_W}type") != "paragraph" or not _ID.fullmatch(name) or _KNOWN.fullmatch(_name(style)):
            continue
        level = _level(style, styles)
        if level is not None and _name(style).lower() not in ("title", "subtitle"):
            yield f"p.{name} => h{min(level, _DEEPEST)}:fresh\n"


def _level(style: ET.Element, styles: dict[str, ET.Element]) -> int | None:
    """From 1; None for what is no heading."""
    for _ in range(_LONGEST):
        told = style.find(f"{_W}pPr/{_W}outlineLvl")
        if told is not None:
            written = told.get(f"{_W}val", "")
            return int(written) + 1 if written in tuple("012345678") else None  # 9 is the body's
        named = _HEADING.fullmatch(_name(style))
        if named is not None:
            return int(named[1])
        base = style.find(f"{_W}basedOn")
        parent = None if base is None else styles.get(base.get(f"{_W}val", ""))
        if parent is None:
            return None
        style = parent
    return None


def _name(style: ET.Element) -> str:
    told = style.find(f"{_W}name")
    return "" if told is None else told.get(f"{_W}val", "")
