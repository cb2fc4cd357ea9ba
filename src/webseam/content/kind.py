"""What a body is, told from its `Content-Type` and its first bytes (dsh-36, WHATWG MIME Sniffing). Pure."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from webseam.content.labels import encoding_of
from webseam.content.sniff import (
    is_binary,
    looks_like_html,
    mislabelled_feed,
    package_type,
    signature,
    sniffed_text_type,
    unmarked_utf16,
    utf16_codec,
)
from webseam.core.limits import SNIFF_BYTES

Kind: TypeAlias = Literal["html", "text", "pdf", "document", "image", "refused"]

_NAME: Final = r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,127}"  # RFC 6838 section 4.2: 127 characters each
_ESSENCE: Final = re.compile(rf"\s*({_NAME}/{_NAME})(?=[;\s]|\Z)")
_MEMBER: Final = re.compile(r'(?:[^",]+|"(?:[^"\\]|\\.)*(?:"|\\?\Z))+', re.DOTALL)
_PARAMETER: Final = re.compile(r'[;\s]*([^\s;,="]*)\s*(?:=\s*("(?:[^"\\]|\\.)*"?|[^;,"]*))?[^;,]*')
_CHARSET_CHARS: Final = 64  # the longest label of the Encoding Standard has 19

_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"})
_PDF_TYPES: Final = frozenset({"application/pdf", "application/x-pdf", "text/pdf"})
_OPEN_XML: Final = "application/vnd.openxmlformats-officedocument."
_OFFICE_TYPES: Final = frozenset(
    {
        f"{_OPEN_XML}wordprocessingml.document",
        f"{_OPEN_XML}wordprocessingml.template",
        f"{_OPEN_XML}spreadsheetml.sheet",
        f"{_OPEN_XML}spreadsheetml.template",
        f"{_OPEN_XML}presentationml.presentation",
        f"{_OPEN_XML}presentationml.slideshow",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.oasis.opendocument.text",
        "application/vnd.oasis.opendocument.spreadsheet",
        "application/epub+zip",
    }
)
_PACKAGES: Final = frozenset({"application/zip", "application/x-ole-storage"})
_ZIP_TYPES: Final = frozenset({"application/zip", "application/x-zip", "application/x-zip-compressed"})
_PROVED_IMAGES: Final = frozenset(f"image/{name}" for name in ("png", "jpeg", "gif", "webp", "avif", "bmp"))
_GENERIC: Final = frozenset(
    {
        "*/*",
        "application/*",
        "application/binary",
        "application/download",
        "application/force-download",
        "application/octet-stream",
        "application/octetstream",
        "application/unknown",
        "application/x-download",
        "application/x-octet-stream",
        "application/x-unknown",
        "binary/octet-stream",
        "content/unknown",
        "text/*",
        "unknown/unknown",
    }
)
_TEXT_NAMES: Final = """
    json xml javascript x-javascript ecmascript typescript x-typescript yaml x-yaml toml x-toml jsonl x-jsonl
    jsonlines x-jsonlines ndjson x-ndjson x-json-stream stream+json json-seq geo+json-seq json5 xml-dtd
    xml-external-parsed-entity graphql sql x-sql csv x-csv tab-separated-values markdown x-markdown x-sh
    x-shellscript x-csh x-perl x-python x-python-code x-ruby x-httpd-php x-tex x-latex x-bibtex x-subrip
    x-troff-man x-www-form-urlencoded pgp-keys pgp-signature mbox n-triples n-quads trig sparql-query
    x-mpegurl vnd.apple.mpegurl x-pem-file pem-certificate-chain x-diff x-patch
"""
_TEXT_TYPES: Final = frozenset(f"application/{name}" for name in _TEXT_NAMES.split())
_TEXT_SUFFIXES: Final = ("+json", "+xml", "+yaml", "+json-seq", "+csv", "+toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaType:
    """A `Content-Type`: `essence` is `type/subtype` in lower case; `charset` is the label as sent, in lower case."""

    essence: str | None = None
    charset: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do with a body.

    `media_type` is the type to report: sent, or proved by the bytes. `mismatch` says that the bytes overruled
    the header. `reason` names the type in words for people when `kind` is `refused` or `image`.
    """

    kind: Kind
    media_type: str | None = None
    mismatch: bool = False
    reason: str | None = None


def parse_media_type(value: str | None) -> MediaType:
    """The first valid type of a header that may hold several, or hold nonsense; never raises.

    Tolerates stray semicolons, quotes and values of any length; the first `charset` parameter wins (dsh-38).
    """
    if value is not None and len(value) <= _USUAL_CHARS:
        return _usual_media_type(value)
    return _read_media_type(value or "")


def _read_media_type(value: str) -> MediaType:
    for member in _MEMBER.finditer(value):
        found = _ESSENCE.match(member[0])
        charset = _charset(member[0][found.end() if found else 0 :])
        if found or charset:
            return MediaType(essence=found[1].lower() if found else None, charset=charset)
    return MediaType()


_usual_media_type = lru_cache(maxsize=256)(_read_media_type)
_USUAL_CHARS: Final = 100  # longer values are rare, and would fill the memory of the others


def decide(media: MediaType, head: bytes) -> Decision:
    """The kind of a body by its header, its signature and, where the header says nothing, a bounded sniff.

    `head` is the beginning of the body, decoded from its content codings; its first 1,445 bytes are looked at.
    """
    head = head[:SNIFF_BYTES]
    essence = media.essence
    if essence is not None and essence.startswith("multipart/"):
        return _refused(essence)
    proved = signature(head)
    if proved is not None:
        return _by_package(proved, essence, head) or _by_signature(proved, essence)
    if essence is None or essence in _GENERIC:
        return _sniffed(head, media)
    return _by_header(essence, head, media)


def may_be_pdf(media: MediaType) -> bool:
    """Whether a header leaves it open, or says, that the body is a PDF or an office document."""
    return media.essence is None or media.essence in _GENERIC | _PDF_TYPES | _OFFICE_TYPES | _ZIP_TYPES


def _by_package(proved: str, essence: str | None, head: bytes) -> Decision | None:
    """Office documents: packages that are called so, or whose first file shows it."""
    if proved not in _PACKAGES:
        return None
    if essence in _OFFICE_TYPES:
        return Decision(kind="document", media_type=essence)
    shown = package_type(head)
    if shown is None:
        return None
    expected = essence is None or essence in _GENERIC or essence in _ZIP_TYPES
    return Decision(kind="document", media_type=shown, mismatch=not expected)


def _by_signature(proved: str, essence: str | None) -> Decision:
    known = essence if essence is not None and essence not in _GENERIC else None
    if proved == "application/pdf":
        return Decision(kind="pdf", media_type=proved, mismatch=known is not None and known not in _PDF_TYPES)
    if proved.startswith("image/"):
        shown = known if known is not None and _is_image(known) and known not in _PROVED_IMAGES else proved
        return Decision(kind="image", media_type=shown, mismatch=known not in (None, shown), reason=shown)
    if known is None or not (_is_text(known) or known in _HTML_TYPES):
        return _refused(known or proved)
    return _refused(proved, sent_as=known)


def _by_header(essence: str, head: bytes, media: MediaType) -> Decision:
    if essence in _PDF_TYPES or _is_image(essence):
        if looks_like_html(head):
            return Decision(kind="html", media_type="text/html", mismatch=True)
        kind: Kind = "pdf" if essence in _PDF_TYPES else "image"
        return Decision(kind=kind, media_type=essence, reason=essence if kind == "image" else None)
    is_html = essence in _HTML_TYPES
    if is_html and (feed := mislabelled_feed(head)) is not None:
        return Decision(kind="text", media_type=feed, mismatch=True)
    if essence in _OFFICE_TYPES:  # what exports tables names HTML and CSV so
        found = _sniffed(head, media)
        return found if found.kind == "refused" else replace(found, mismatch=True)
    if not (is_html or _is_text(essence)):
        return _refused(essence)
    if is_binary(head, strict=False) and not _is_utf16(media, head):
        return _refused("binary data", sent_as=essence)
    return Decision(kind="html" if is_html else "text", media_type=essence)


def _sniffed(head: bytes, media: MediaType) -> Decision:
    found = sniffed_text_type(head)
    if _is_utf16(media, head):
        found = found or "text/plain"
    elif unmarked_utf16(head) is not None:  # its label says something else, and labels are believed
        found = None
    if found is None:
        return _refused(media.essence or "binary data without a content type")
    return Decision(kind="html" if found == "text/html" else "text", media_type=found)


def _refused(name: str, *, sent_as: str | None = None) -> Decision:
    media_type = name if "/" in name else sent_as
    return Decision(
        kind="refused",
        media_type=media_type,
        mismatch=sent_as is not None,
        reason=name if sent_as is None else f"{name} sent as {sent_as}",
    )


def _is_text(essence: str) -> bool:
    return essence.startswith(("text/", "message/")) or essence in _TEXT_TYPES or essence.endswith(_TEXT_SUFFIXES)


def _is_image(essence: str) -> bool:
    return essence.startswith("image/") and not essence.endswith(_TEXT_SUFFIXES)


def _is_utf16(media: MediaType, head: bytes) -> bool:
    """By its mark, else by its label, else by its bytes."""
    encoding = utf16_codec(head) or encoding_of(media.charset) or unmarked_utf16(head)
    return encoding is not None and encoding.startswith("utf-16")


def _charset(parameters: str) -> str | None:
    """The first charset parameter, unquoted; None when there is none."""
    for part in _PARAMETER.finditer(parameters):
        if part[1].lower() == "charset" and part[2]:
            label = part[2].strip().strip("\"'").replace("\\", "").strip().lower()
            if label:
                return label[:_CHARSET_CHARS]
    return None
