"""The `<meta>` prescan: a charset declared within the first bytes of HTML (WHATWG HTML section 13.2.3.2). Pure."""

import re
from dataclasses import dataclass
from typing import Final

from webseam.content.labels import encoding_of
from webseam.core.limits import PRESCAN_BYTES

_WS: Final = rb"\t\n\x0c\r "
_MARKUP: Final = re.compile(
    rb"<(?:(!--)|(meta)(?=[" + _WS + rb"/])|/?[a-z][^>" + _WS + rb"]*|([!/?]))",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    rb"[" + _WS + rb"/]*([^" + _WS + rb"/>][^" + _WS + rb"/>=]*)"
    rb"(?:[" + _WS + rb"]*=[" + _WS + rb"]*(?:\"([^\"]*)\"|'([^']*)'|([\"'])|([^" + _WS + rb">]*)))?"
)
_CONTENT_CHARSET: Final = re.compile(
    r"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\"'\t\n\f\r ;][^\t\n\f\r ;]*))",
    re.IGNORECASE,
)
_OVERRIDES: Final = {"utf-16be": "utf-8", "utf-16le": "utf-8", "x-user-defined": "windows-1252"}
_XML_ENCODING: Final = re.compile(rb"<\?xml[^>]{0,100}?\sencoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")


@dataclass(frozen=True, slots=True)
class Declared:
    """What a prescan found: an encoding, or the first label that is none."""

    encoding: str | None = None
    unknown: str | None = None


NOTHING: Final = Declared()


def prescan(data: bytes, *, reach: int = PRESCAN_BYTES) -> Declared:
    """The encoding that the first `<meta>` with a known label declares within `reach` bytes.

    UTF-16 declared in ASCII is taken for UTF-8, x-user-defined for windows-1252, as the standard has it.
    """
    head = data[:reach]
    if b"charset" not in head.lower():
        return NOTHING
    unknown: str | None = None
    at = 0
    while (found := _MARKUP.search(head, at)) is not None:
        at, attributes = _step(head, found)
        label = _declared_label(attributes) if found[2] else None
        if label is not None:
            encoding = encoding_of(label)
            if encoding is not None:
                return Declared(_OVERRIDES.get(encoding, encoding), unknown)
            unknown = unknown or label
    return Declared(None, unknown)


def xml_declared(data: bytes) -> Declared:
    """The encoding that an XML declaration names (XML 1.0 section 4.3.3, RFC 7303 section 3)."""
    found = _XML_ENCODING.match(data) if data.startswith(b"<?xml") else None
    if found is None:
        return NOTHING
    label = found[1].decode("ascii")
    encoding = encoding_of(label)
    return Declared(None, label) if encoding is None else Declared(_OVERRIDES.get(encoding, encoding))


def _step(head: bytes, found: re.Match[bytes]) -> tuple[int, dict[str, str]]:
    """The position behind a piece of markup, and the attributes of a tag."""
    if found[1]:
        end = head.find(b"-->", found.start() + 2)
        return (end + 3 if end >= 0 else len(head)), {}
    if found[3]:
        end = head.find(b">", found.end())
        return (end + 1 if end >= 0 else len(head)), {}
    return _attributes(head, found.end())


def _attributes(head: bytes, at: int) -> tuple[int, dict[str, str]]:
    """Attributes from `at` on; the first of a name counts. A tag that the bytes cut short has none."""
    attributes: dict[str, str] = {}
    while (part := _ATTRIBUTE.match(head, at)) is not None:
        if part[4]:
            return len(head), {}  # a quote that never closes: the rest is its value
        at = part.end()
        value = part[2] or part[3] or part[5] or b""
        attributes.setdefault(part[1].decode("latin-1").lower(), value.decode("latin-1"))
    closed = head[at:].lstrip(b"\t\n\f\r /").startswith(b">")
    return (at, attributes) if closed else (len(head), {})


def _declared_label(attributes: dict[str, str]) -> str | None:
    """`charset` wins over `content`, which needs `http-equiv=content-type` beside it."""
    if "charset" in attributes:
        return attributes["charset"].strip() or None
    if attributes.get("http-equiv", "").lower() != "content-type":
        return None
    found = _CONTENT_CHARSET.search(attributes.get("content", ""))
    return (found[1] or found[2] or found[3]) if found else None
