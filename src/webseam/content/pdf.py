"""Text of a PDF through PDFium. For worker processes only: a hostile file makes PDFium abort, or never end."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from webseam.content.pdf_layout import in_reading_order
from webseam.content.pdf_lines import lines_of
from webseam.content.pdf_words import known_words, mended
from webseam.core.limits import PDF_CHARS, PDF_INFO_CHARS, PDF_PAGES

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

Trouble: TypeAlias = Literal["encrypted", "broken"]

_CID: Final = re.compile(r"\(cid:\d{1,6}\)")
_NOISE: Final = re.compile(r"[\ufffd\ue000-\uf8ff\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\U000f0000-\U0010ffff]")
_SAMPLE: Final = 500  # characters of a page asked about: a font without a map shows at once
_DATE: Final = re.compile(
    r"D:(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d\d)?)?)?)?)?(?:([Zz+-])(?:(\d\d)'?(\d\d)?'?)?)?\Z"
)


class PdfUnreadable(Exception):  # noqa: N818 - the file's fault
    """A PDF of which nothing can be read: it needs a password, or it is damaged or none."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Final = trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfText:
    """Text of the pages read, and how many the file has; `unreadable` counts pages that could not be read.

    `unmapped` is the share of characters, 0 to 1, of which the file does not say what they mean; `cut` says that pages
    or characters were left out. The rest is the file's own word; dates are ISO 8601 where they are PDF's own
    (PDF 1.7, 7.9.4), else as written.
    """

    pages: tuple[str, ...]
    page_count: int
    unmapped: float = 0.0
    unreadable: int = 0
    cut: bool = False
    title: str | None = None
    author: str | None = None
    created: str | None = None
    modified: str | None = None


def pdf_text(data: bytes, *, pages: int = PDF_PAGES, chars: int = PDF_CHARS) -> PdfText:
    """The text of a PDF, page by page in reading order.

    Columns of prose side by side come one after the other, cells of a row are parted by a tab, words broken at a line
    end are whole (see `mended`), ligatures are letters.

    Args:
        data: the file.
        pages: at most so many are read.
        chars: at most so many characters are given; a page is not cut in two unless it alone has more.

    Raises:
        PdfUnreadable: it cannot be opened, or none of its pages can be read.
    """
    document = _opened(data)
    count = len(document)
    texts: list[str] = []
    unmapped, seen, unreadable, left = 0, 0, 0, chars
    for at in range(min(count, pages)):
        text, asked, without = _page(document, at, most=left)
        if text is None:
            unreadable += 1
        elif len(text) >= left > 0 and texts and at:
            break
        texts.append(text or "")
        left -= len(texts[-1])
        unmapped, seen = unmapped + without, seen + asked
        if left <= 0:
            break
    if unreadable and unreadable == len(texts):
        raise PdfUnreadable("broken")
    known = known_words(texts)
    return PdfText(
        pages=tuple(mended(text, known) for text in texts),
        page_count=count,
        unmapped=unmapped / seen if seen else 0.0,
        unreadable=unreadable,
        cut=len(texts) < count or left <= 0,
        title=_info(document, "Title"),
        author=_info(document, "Author"),
        created=_date(_info(document, "CreationDate")),
        modified=_date(_info(document, "ModDate")),
    )


def _opened(data: bytes) -> "PdfDocument":
    from pypdfium2 import PdfDocument, PdfiumError  # noqa: PLC0415 - 8 MB, on first use
    from pypdfium2.raw import FPDF_ERR_PASSWORD  # noqa: PLC0415 - as above

    try:
        return PdfDocument(data)
    except PdfiumError as exc:
        raise PdfUnreadable("encrypted" if exc.err_code == FPDF_ERR_PASSWORD else "broken") from exc


def _page(document: "PdfDocument", at: int, *, most: int) -> tuple[str | None, int, int]:
    """A page's text, None when it cannot be read; characters asked about, and how many of them mean nothing."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415 - loaded by now

    try:
        page = document[at]
        shown = page.get_textpage()
        count = min(shown.count_chars(), most)
        text = shown.get_text_range(0, count) if count else ""
    except (PdfiumError, AssertionError):
        return None, 0, 0
    asked, without = _meaningless(shown, text, count)
    if len(text) == count:  # else places in the text are no places on the page
        text = "\n".join(in_reading_order(list(lines_of(shown, text)), width=page.get_width()))
    shown.close()
    page.close()
    return text, asked, without


def _meaningless(page: "PdfTextPage", text: str, count: int) -> tuple[int, int]:
    from pypdfium2.raw import FPDFText_HasUnicodeMapError  # noqa: PLC0415 - loaded by now

    sample, raw = range(0, count, count // _SAMPLE + 1), page.raw
    wrong = sum([FPDFText_HasUnicodeMapError(raw, at) == 1 for at in sample])
    noise = len(_NOISE.findall(text)) + sum(map(len, _CID.findall(text)))
    share = max(wrong / len(sample), noise / len(text)) if text else 0.0
    return count, round(share * count)


def _info(document: "PdfDocument", key: str) -> str | None:
    """An entry of the info dictionary on one line; None when it says nothing."""
    return " ".join(document.get_metadata_value(key).replace("\0", "").split())[:PDF_INFO_CHARS] or None


def _date(written: str | None) -> str | None:
    found = _DATE.match(written or "")
    if found is None:
        return written
    year, month, day, hour, minute, second, zone, ahead, rest = found.groups()
    days = "-".join(part for part in (year, month, day) if part)
    if not (hour and minute):
        return days
    return f"{days}T{hour}:{minute}:{second or '00'}" + (f"{zone}{ahead}:{rest or '00'}" if ahead else zone or "")
