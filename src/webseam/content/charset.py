"""Bytes to text: which encoding, and the text without a byte order mark. Never raises."""

import re
from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from webseam.content.labels import encoding_of
from webseam.content.prescan import NOTHING, Declared, prescan, xml_declared
from webseam.content.sniff import unmarked_utf16, utf16_codec
from webseam.core.limits import DETECT_BYTES, LATE_META_BYTES
from webseam.core.text import one_line
from webseam.core.types import CharsetSource

_REPLACEMENT: Final = "\ufffd"
_NOT_ASCII: Final = re.compile(rb"[^\x00-\x7f]")
_ISO_2022_JP: Final = re.compile(rb"\x1b\$[@B](?:[!-~]{2})++\x1b\([BJ]")
"""Characters of two bytes between the escapes that begin and end them (RFC 1468)."""
_UTF8_TAIL: Final = 3  # bytes of a character that a cut may have left behind
_BYTES_CUT: Final = {"big5": 1, "euc-jp": 2, "euc-kr": 1, "gb18030": 3, "gbk": 3, "iso-2022-jp": 3, "shift_jis": 1}
"""The most that a cut may leave of a character, or of an escape; gbk is decoded as gb18030 (Encoding section 10.1)."""
_UTF8_EVIDENCE: Final = 16  # well-formed characters for each broken one
_NO_PRESCAN: Final = b" " * 1_024  # pushes text out of reach of the detector's own <meta> prescan
_GB_REPLACEMENT: Final = (b"\x841\xa47", b"\x841\xa46")  # U+FFFD as gb18030 writes it, and its neighbour
_SHOWN_LABEL_CHARS: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text and how it was read.

    `charset` is the encoding's name in the Encoding Standard, lower case. `errors` counts the U+FFFD that decoding
    put in; those that the bytes spell are not counted. `unknown_label` is a declared label that is no web encoding.
    """

    text: str
    charset: str
    source: CharsetSource
    errors: int = 0
    unknown_label: str | None = None


def decode(data: bytes, *, label: str | None, html: bool, truncated: bool = False) -> Decoded:
    """Decode by the WHATWG order: BOM, header label, `<meta>` (HTML) or XML declaration, UTF-8, detector, windows-1252.

    One thing browsers do not do: what is UTF-16 beyond doubt, without mark or label, is read as that. It is read as
    a string of NULs otherwise, which is no text that anybody wrote. As some browsers do, ISO-2022-JP is told by its
    escapes, before it passes for UTF-8.

    Only labels of the Encoding Standard are known; another one is skipped and reported (R201). A declared encoding
    is believed even where the bytes contradict it, as browsers do: the damage is counted in `errors`.

    Args:
        data: the body, decoded from its content codings.
        label: charset of the `Content-Type` header.
        html: whether `<meta>` declarations count.
        truncated: the body was cut; a character cut in half at its end is dropped, not counted.
    """
    if data.startswith(BOM_UTF8):
        return _read(data[3:], "utf-8", "bom", truncated=truncated)
    if utf16_codec(data) is not None:
        return _read(data[2:], "utf-16le" if data[0] == 0xFF else "utf-16be", "bom", truncated=truncated)  # noqa: PLR2004 - FF FE is the little-endian mark
    encoding = encoding_of(label)
    if encoding is not None:
        return _read(data, encoding, "header", truncated=truncated)
    codec = unmarked_utf16(data)
    if codec is not None:
        spelled = codec.replace("utf-16-", "utf-16")
        return _read(data, spelled, "detected", truncated=truncated, unknown=_shown(label))
    declared = _declared(data, html=html)
    unknown = _shown(label or declared.unknown)
    if declared.encoding is not None:
        return _read(data, declared.encoding, "meta", truncated=truncated, unknown=unknown)
    return _undeclared(data, unknown, html=html, truncated=truncated)


def _declared(data: bytes, *, html: bool) -> Declared:
    """By `<meta>`, else by an XML declaration, which counts for HTML too (HTML section 13.2.3.2)."""
    found = prescan(data) if html else NOTHING
    if found.encoding is not None:
        return found
    of_xml = xml_declared(data)
    return found if of_xml.encoding is None and found.unknown is not None else of_xml


def _undeclared(data: bytes, unknown: str | None, *, html: bool, truncated: bool) -> Decoded:
    if b"\x1b$" in data and data.isascii() and _ISO_2022_JP.search(data) is not None:  # else it passes for UTF-8
        return _read(data, "iso-2022-jp", "detected", truncated=truncated, unknown=unknown)
    try:
        return Decoded(text=data.decode(), charset="utf-8", source="utf-8", unknown_label=unknown)
    except UnicodeDecodeError as exc:
        if _cut_at_end(exc, data, truncated=truncated) or _mostly_utf8(data):
            return _read(data, "utf-8", "utf-8", truncated=truncated, unknown=unknown)
    late = prescan(data, reach=LATE_META_BYTES) if html else NOTHING  # HTML section 13.2.3.5: it still counts
    if late.encoding is not None:
        return _read(data, late.encoding, "meta", truncated=truncated, unknown=unknown)
    encoding = _detected(data)
    if encoding is None:
        return _read(data, "windows-1252", "default", truncated=truncated, unknown=unknown)
    return _read(data, encoding, "detected", truncated=truncated, unknown=unknown)


def _cut_at_end(exc: UnicodeDecodeError, data: bytes, *, truncated: bool) -> bool:
    """Whether the only thing wrong with UTF-8 is its last character, and the rest shows that it is UTF-8."""
    if exc.reason != "unexpected end of data" or exc.start < len(data) - _UTF8_TAIL:
        return False
    first = _NOT_ASCII.search(data)
    return truncated or (first is not None and first.start() < exc.start)


def _mostly_utf8(data: bytes) -> bool:
    """Whether a stray byte or two stand in what is UTF-8 beyond doubt: legacy text seldom spells its sequences."""
    text, errors = _utf8(data, truncated=False)
    characters = len(text) - len(text.encode("ascii", "ignore")) - errors
    return characters >= _UTF8_EVIDENCE * errors


def _read(
    data: bytes, encoding: str, source: CharsetSource, *, truncated: bool = False, unknown: str | None = None
) -> Decoded:
    if truncated and encoding.startswith("utf-16"):
        data = _whole_units(data, encoding)
    text, errors = _utf8(data, truncated=truncated) if encoding == "utf-8" else _legacy(data, encoding)
    if truncated and errors and encoding in _BYTES_CUT and _REPLACEMENT in text[-2:]:
        shorter = (_legacy(data[:-lost], encoding) for lost in range(1, _BYTES_CUT[encoding] + 1))
        text, errors = min(((text, errors), *shorter), key=lambda read: read[1])
    return Decoded(text=text, charset=encoding, source=source, errors=errors, unknown_label=unknown)


def _whole_units(data: bytes, encoding: str) -> bytes:
    """UTF-16 without half a unit, and without the first unit of a pair, at its end."""
    data = data[: len(data) & ~1]
    high = data[-1:] if encoding == "utf-16le" else data[-2:-1]
    return data[:-2] if b"\xd8" <= high <= b"\xdb" else data


def _utf8(data: bytes, *, truncated: bool) -> tuple[str, int]:
    """Python's codec replaces as the standard asks (maximal subparts), and is the fastest there is."""
    try:
        return data.decode(), 0
    except UnicodeDecodeError as exc:
        if truncated and exc.reason == "unexpected end of data" and exc.start >= len(data) - _UTF8_TAIL:
            return data[: exc.start].decode(), 0
    text = data.decode(errors="replace")
    return text, text.count(_REPLACEMENT) - data.count(b"\xef\xbf\xbd")


def _legacy(data: bytes, encoding: str) -> tuple[str, int]:
    decoder = _decoder(encoding)
    text = decoder(data)
    damage = text.count(_REPLACEMENT)
    if damage and encoding.startswith("utf-16"):
        damage -= data.decode(encoding[:6] + "-" + encoding[6:], "ignore").count(_REPLACEMENT)
    elif damage and _GB_REPLACEMENT[0] in data:
        damage = decoder(data.replace(*_GB_REPLACEMENT)).count(_REPLACEMENT)
    return text, damage


@cache
def _decoder(encoding: str) -> Callable[[bytes], str]:
    """The parser's own decoder of an encoding that is in our table; it replaces what it cannot read."""
    import turbohtml.detect  # noqa: F401, PLC0415 - registers the whatwg-* codecs, on the first page that needs one

    codec = f"whatwg-{encoding}"
    return lambda data: data.decode(codec)


def _detected(data: bytes) -> str | None:
    """The detector's guess from the first bytes that are not ASCII; None when it has no evidence."""
    from turbohtml.detect import detect  # noqa: PLC0415 - heavy, and rarely needed

    first = _NOT_ASCII.search(data)
    start = max(0, first.start() - 256) if first else 0
    match = detect(_NO_PRESCAN + data[start : start + DETECT_BYTES])
    return encoding_of(match.encoding) if match.encoding is not None and match.confidence > 0 else None


def _shown(label: str | None) -> str | None:
    return (one_line(label, limit=_SHOWN_LABEL_CHARS) or "(unprintable)") if label else None
