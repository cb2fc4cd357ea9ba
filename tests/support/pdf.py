"""A small PDF writer for tests: text runs at positions, a few fonts, encryption, bombs and damage."""

import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from support.pdf_aes import Encrypted, rc4

_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
_FILE_ID = b"0123456789abcdef"
_MAPLESS = b"<< /Type /Font /Subtype /Type0 /BaseFont /Own /Encoding /Identity-H /DescendantFonts [<< /Type /Font "
_MAPLESS += (
    b"/Subtype /CIDFontType2 /BaseFont /Own /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
)
_MAPLESS += (
    b"/FontDescriptor << /Type /FontDescriptor /FontName /Own /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 "
)
_MAPLESS += b"/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"


@dataclass
class File:
    """Objects of a PDF, numbered from 1; `streams` are encrypted where a password is set."""

    objects: list[bytes] = field(default_factory=list)
    key: bytes | None = None
    cipher: Callable[[bytes, int], bytes] | None = None

    def add(self, body: bytes) -> int:
        self.objects.append(body)
        return len(self.objects)

    def stream(self, data: bytes, extra: bytes = b"") -> int:
        number = len(self.objects) + 1
        if self.cipher is not None:
            data = self.cipher(data, number)
        elif self.key is not None:
            data = rc4(hashlib.md5(self.key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)  # noqa: S324
        return self.add(b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(data), extra, data))

    def bytes(self, root: int, extra: bytes = b"") -> bytes:
        out, places = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"), []
        for number, body in enumerate(self.objects, 1):
            places.append(len(out))
            out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(places) + 1, table)
        out += b"trailer << /Size %d /Root %d 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (
            len(places) + 1,
            root,
            extra,
            start,
        )
        return bytes(out)


_TURNS = (b"1 0 0 1", b"0 1 -1 0", b"-1 0 0 -1", b"0 -1 1 0")


def turned(text: str, x: float, y: float, quarters: int) -> bytes:
    """Text drawn at a place, turned counter-clockwise."""
    return b"BT /F1 11 Tf %b %g %g Tm %b Tj ET\n" % (_TURNS[quarters], x, y, _literal(text))


def run(text: str, x: float, y: float, *, size: float = 11, font: str = "F1") -> bytes:
    """Text drawn at a place, in points from the lower left corner."""
    shown = b"<%b>" % text.encode("utf-16-be").hex().encode() if font == "F2" else _literal(text)
    return b"BT /%b %g Tf %g %g Td %b Tj ET\n" % (font.encode(), size, x, y, shown)


def pdf(
    pages: Iterable[bytes | Sequence[bytes]],
    *,
    info: bytes = b"",
    user: bytes | None = None,
    owner: bytes | None = None,
    packed: bool = False,
    aes: Encrypted | None = None,
) -> bytes:
    """A file of these pages, each the content of its stream; F1 is Helvetica, F2 says nothing of what its codes mean.

    `user` or `owner` encrypts it (RC4, 40 bits); a `user` of b"" opens without a password. `aes` does it with AES.
    """
    file = File()
    trailer = b""
    if aes is not None:
        file.cipher = aes.cipher
        trailer = b"/Encrypt %b /ID [<%b> <%b>]" % (
            aes.dictionary,
            aes.file_id.hex().encode(),
            aes.file_id.hex().encode(),
        )
    elif user is not None or owner is not None:
        file.key, encrypt = _encryption(user or b"", owner or b"owner")
        trailer = b"/Encrypt %b /ID [<%b> <%b>]" % (encrypt, _FILE_ID.hex().encode(), _FILE_ID.hex().encode())
    fonts = file.add(
        b"<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> /F2 %b >>" % _MAPLESS
    )
    parent = file.add(b"")
    kids = []
    for content in pages:
        data = content if isinstance(content, bytes) else b"".join(content)
        shown = file.stream(zlib.compress(data), b"/Filter /FlateDecode") if packed else file.stream(data)
        kids.append(
            file.add(
                b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
                b"/Resources << /Font %d 0 R >> >>" % (parent, shown, fonts)
            )
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    file.objects[parent - 1] = b"<< /Type /Pages /Count %d /Kids [%b] >>" % (len(kids), listed)
    root = file.add(b"<< /Type /Catalog /Pages %d 0 R >>" % parent)
    if info:
        trailer += b" /Info %d 0 R" % file.add(b"<< %b >>" % info)
    return file.bytes(root, trailer)


def lines(texts: Iterable[str], *, x: float = 50, top: float = 740) -> bytes:
    """Lines of text, one below the other."""
    return b"".join(run(text, x, top - 14 * at) for at, text in enumerate(texts))


def bomb(size: int = 3_000_000_000) -> bytes:
    """A page whose content unpacks to `size` bytes, packed twice."""
    block, packer = b" " * 1_000_000, zlib.compressobj(9)
    once = b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()
    return _single(zlib.compress(once, 9), b"/Filter [/FlateDecode /FlateDecode]")


def recursive() -> bytes:
    """A page that draws a form which draws itself."""
    file = File()
    form = len(file.objects) + 1
    file.stream(
        b"/X Do /X Do",
        b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X %d 0 R >> >>" % form,
    )
    content = file.stream(b"/X Do /X Do")
    return _with_page(file, content, b"/XObject << /X %d 0 R >>" % form)


def cyclic() -> bytes:
    """A page tree whose only kid is itself."""
    file = File()
    file.add(b"<< /Type /Pages /Count 3 /Kids [1 0 R 1 0 R] /Parent 1 0 R >>")
    return file.bytes(file.add(b"<< /Type /Catalog /Pages 1 0 R >>"))


def _single(content: bytes, extra: bytes) -> bytes:
    file = File()
    return _with_page(file, file.stream(content, extra), b"")


def _with_page(file: File, content: int, resources: bytes) -> bytes:
    parent = len(file.objects) + 2
    page = file.add(
        b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 99 99] /Contents %d 0 R /Resources << %b >> >>"
        % (parent, content, resources)
    )
    file.add(b"<< /Type /Pages /Count 1 /Kids [%d 0 R] >>" % page)
    return file.bytes(file.add(b"<< /Type /Catalog /Pages %d 0 R >>" % parent))


def _literal(text: str) -> bytes:
    raw = text.encode("cp1252")
    return b"<%b>" % raw.hex().encode()


def _encryption(user: bytes, owner: bytes) -> tuple[bytes, bytes]:
    """The key of a file and its /Encrypt dictionary: revision 2 of the standard handler (PDF 1.7, 7.6.3)."""
    first = hashlib.md5((owner + _PAD)[:32]).digest()[:5]  # noqa: S324 - as the format says
    kept = rc4(first, (user + _PAD)[:32])
    rights = (-4 & 0xFFFFFFFF).to_bytes(4, "little")
    key = hashlib.md5((user + _PAD)[:32] + kept + rights + _FILE_ID).digest()[:5]  # noqa: S324 - as above
    proof = rc4(key, _PAD)
    return key, b"<< /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -4 >>" % (kept.hex().encode(), proof.hex().encode())
