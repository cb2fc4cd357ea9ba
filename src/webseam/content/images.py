"""Width and height of a picture from its first bytes: PNG, GIF, JPEG, WebP, AVIF, BMP; zeros where they do not tell."""

import struct
from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_BOXES: Final = 65_536  # properties stand in the boxes before the picture itself
_JPEG_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # ITU-T T.81 table B.1: SOF0 to SOF15


def image_size(data: bytes) -> tuple[int, int]:
    """Pixels (width, height); never raises."""
    try:
        if data.startswith(_PNG):
            return _pair(">II", data, 16)
        if data.startswith((b"GIF87a", b"GIF89a")):
            return _pair("<HH", data, 6)
        if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
            return _webp(data)
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[4:8] == b"ftyp" and (at := data.find(b"ispe", 0, _BOXES)) > 0:
            return _pair(">II", data, at + 8)  # ISO/IEC 23008-12 section 6.5.3
        if data.startswith(b"BM"):
            width, height = _pair("<ii", data, 18)
            return abs(width), abs(height)  # rows from the top have a negative height
    except struct.error:  # the bytes end too early
        return 0, 0
    return 0, 0


def _pair(form: str, data: bytes, offset: int) -> tuple[int, int]:
    first, second = struct.unpack_from(form, data, offset)
    return int(first), int(second)


def _webp(data: bytes) -> tuple[int, int]:
    """RFC 9649: VP8 (lossy), VP8L (lossless) and VP8X (extended) place their sizes differently."""
    match data[12:16]:
        case b"VP8 ":
            width, height = _pair("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
        case b"VP8X":
            low, high = struct.unpack_from("<IH", data, 24)
            return (low & 0xFFFFFF) + 1, ((low >> 24) | (high << 8)) + 1
        case _:
            return 0, 0


def _jpeg(data: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:  # noqa: PLR2004 - every marker starts with it
            return 0, 0
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height, width = _pair(">HH", data, at + 5)
            return width, height
        (length,) = struct.unpack_from(">H", data, at + 2)
        at += 2 + int(length)
    return 0, 0
