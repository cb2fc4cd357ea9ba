"""The zip package of a document, read within bounds: nothing is unpacked to disk, no entity is ever expanded."""

import io
import re
import zipfile
import zlib
from typing import Final, Literal, TypeAlias
from xml.etree import ElementTree as ET

from webseam.core.limits import OFFICE_BYTES, OFFICE_PARTS

Trouble: TypeAlias = Literal["encrypted", "broken", "too_large", "unsupported", "missing"]

_DOCTYPES: Final = tuple("<!DOCTYPE".encode(coding) for coding in ("utf-8", "utf-16-le", "utf-16-be"))
_NAMED_TYPE: Final = re.compile(rb"<!DOCTYPE\s[^<>\[\]]{1,500}>")  # as of old books: names a type, declares nothing
_ENCRYPTED: Final = 0x1  # general purpose flag, bit 0 (APPNOTE.TXT 4.4.4)
_TEXT: Final = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_ANCHOR: Final = re.compile(r"<a\s[^<>]*>", re.IGNORECASE)
_LOCAL: Final = re.compile(r"\shref\s*=\s*(?:\"(?!https?:|mailto:)[^\"]*\"|'(?!https?:|mailto:)[^']*')", re.IGNORECASE)


class OfficeUnreadable(Exception):  # noqa: N818 - the file's fault
    """A document of which nothing can be read.

    `trouble`: it needs a password, is damaged, unpacks to too much, is of a kind that is not read (`kind` says which),
    or the library that reads it is not installed.
    """

    def __init__(self, trouble: Trouble, kind: str = "") -> None:
        super().__init__(trouble)
        self.trouble: Final = trouble
        self.kind: Final = kind


class Package:
    """The files of a package by name; what all of them unpack to is bounded.

    Raises:
        OfficeUnreadable: it is no zip file, has too many files, or one of them is encrypted.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OverflowError) as exc:
            raise OfficeUnreadable("broken") from exc
        listed = self._zip.infolist()
        if len(listed) > OFFICE_PARTS:
            raise OfficeUnreadable("too_large")
        if any(one.flag_bits & _ENCRYPTED for one in listed):
            raise OfficeUnreadable("encrypted")
        if sum(one.file_size for one in listed if one.filename.lower().endswith(_TEXT)) > OFFICE_BYTES:
            raise OfficeUnreadable("too_large")
        self._parts = {one.filename: one for one in listed}
        self._left = OFFICE_BYTES

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in the order of the package."""
        return tuple(self._parts)

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def read(self, name: str) -> bytes:
        """The bytes of a file.

        Raises:
            OfficeUnreadable: it is not there, is damaged, or all that was read is too much.
        """
        try:
            with self._zip.open(self._parts[name]) as stream:
                data = stream.read(self._left + 1)
        except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError) as exc:
            raise OfficeUnreadable("broken") from exc
        self._left -= len(data)
        if self._left < 0:
            raise OfficeUnreadable("too_large")
        return data

    def xml(self, name: str) -> ET.Element:
        """The root of an XML file; a document type that declares anything is refused, for entities live there.

        Raises:
            OfficeUnreadable: as `read`; it is no well-formed XML.
        """
        data = _NAMED_TYPE.sub(b"", self.read(name), count=1)
        if any(mark in data for mark in _DOCTYPES):
            raise OfficeUnreadable("broken")
        try:
            return ET.fromstring(data)  # noqa: S314 - no document type, so no entities
        except (ET.ParseError, ValueError, LookupError) as exc:
            raise OfficeUnreadable("broken") from exc

    def refuse_doctypes(self) -> None:
        """See that no XML file has a document type, before a library reads them.

        Raises:
            OfficeUnreadable: one has, or cannot be read.
        """
        for name in self._parts:
            if name.lower().endswith((".xml", ".rels")) and any(mark in self.read(name) for mark in _DOCTYPES):
                raise OfficeUnreadable("broken")

    def relations(self, name: str) -> dict[str, tuple[str, str]]:
        """Targets of a part by id: the last word of the type, and the target as written (ECMA-376 part 2, 9.3)."""
        folder, _, file = name.rpartition("/")
        rels = f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels"
        if rels not in self._parts:
            return {}
        return {
            one.get("Id", ""): (one.get("Type", "").rpartition("/")[2], one.get("Target", "")) for one in self.xml(rels)
        }


def local_name(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


def without_local_links(html: str) -> str:
    """HTML whose links within the document are plain text: their targets are nothing that can be fetched."""
    return _ANCHOR.sub(lambda anchor: _LOCAL.sub("", anchor[0]), html)
