"""Page furniture, marked by its labels and by the headings above it, in one walk in document order.

Labels alone never decide (they cost a quarter of the text on real pages): they do with links, controls, shortness or
place to agree.
"""

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from webseam.content.main_parts import HEADINGS, TEXT_TAGS, words
from webseam.content.main_signs import ADVERT_UNITS, CREDIT_UNITS, Sign, is_advert, is_credit, sign
from webseam.content.main_words import HEADING_UNITS, announces, counts_talk

if TYPE_CHECKING:
    from webseam.content.main_parts import Part
    from webseam.content.main_title import Title

_QUOTING: Final = frozenset(["blockquote", "figure"])
_LINKED, _LINK = 0.2, 0.8  # shares of text in links: more than running text has; of what is a link
_SMALL, _SHARE, _NOTICED = 150, 0.4, 0.7  # units of a label; what more of a page's prose is no furniture, no notice
_BEFORE: Final = 250  # units of prose after which what others say begins
_TEASER_UNITS, _TEASERS = 700, 2  # of the text of a teaser; how many of a kind make a list of them
_MOST: Final = 0.6  # of a page's prose: teasers that have more are what the page is for
_ASIDE: Final = 0.25  # what prose beside the text counts for where texts compete
_MOST_FAVOUR: Final = 5.0
_TITLES: Final = ("h1", "h2", "h3")
_TITLE_UNITS, _TITLED_PROSE = 20, 500  # of a heading that is no site's name; of what it may be the title of
_FAVOURS: Final[dict[Sign, float]] = {"body": 2.0, "side": _ASIDE, "talk": _ASIDE, "notice": _ASIDE, "apart": _ASIDE}
_TALKED: Final = 0.95  # of a page's prose: comments may have more than what they are on
_SIGNATURES: Final = 4  # a page with more of them is a thread, where they say who speaks
_SIGNED: Final = 0.25  # of a page's text: what says who wrote it has less


def mark(root: "Part", title: "Title") -> bool:
    """Mark page furniture as dropped, and take it out of all sums; whether a heading says the document's title."""
    marking = _Marking(root, title)
    marking.below(root, inside="")
    if len(marking.signatures) <= _SIGNATURES:
        for part in marking.signatures:
            part.dropped = True
    _resum(root)
    return marking.titled


class _Marking:
    """One walk in document order, with the prose that came before."""

    def __init__(self, root: "Part", title: "Title") -> None:
        self._title = title
        self.signatures: list[Part] = []
        self._total = max(root.prose, 1.0)
        self._text = root.text
        self._before = 0.0
        self.titled = False

    def below(self, part: "Part", *, inside: str) -> bool:
        """Mark what is below; whether the page's title stands there."""
        titled = ended = False
        first: dict[tuple[str, str | None], float] = {}
        teasers = _teasers(part.parts) if part.heads else []
        for place, inner in enumerate(part.parts):
            if inner.dropped:
                continue
            if not inner.text:
                inner.dropped = inner.controls > 0 or not inner.media
                continue
            before = self._before
            meant = sign(inner)
            if meant is not None and (inner.tag not in TEXT_TAGS or inner.text > _SMALL):
                before = first.setdefault((inner.tag, inner.element.attr("class") or inner.element.attr("id")), before)
            if self._is_furniture(inner, meant, before, inside) or (ended and inner.prose < _SHARE * self._total):
                inner.dropped = True
                ended |= inner.tag == "footer" and self._before >= _BEFORE
            elif meant == "author" and inner.text < _SIGNED * self._text and inner.prose < _SHARE * self._total:
                self.signatures.append(inner)
            elif self._before < _BEFORE or not self._is_other(part.parts, place, teasers):
                titled |= self._into(inner, meant, inside)
        return titled

    def _into(self, part: "Part", meant: Sign, inside: str) -> bool:
        if not part.parts:
            self._before += part.prose
            if self._may_be_title(part) and self._title.is_said_by(words(part.element)):
                part.titled = self.titled = True
            return part.titled
        held = part.prose - sum(below.prose for below in part.parts)
        titled = self.below(part, inside=part.tag if part.tag in _QUOTING else inside)
        self._before += held
        part.favour = _ASIDE if part.tag in ("aside", "footer", "header") else _FAVOURS.get(meant, 1.0)
        part.titled = titled
        if titled and part.prose >= _TITLED_PROSE:
            part.favour = _MOST_FAVOUR
        return titled

    def _may_be_title(self, part: "Part") -> bool:
        """A lower heading only where none came before: lists of other pages name the page itself too."""
        if part.text < _TITLE_UNITS:
            return False
        return part.tag == "h1" or (part.tag in _TITLES and not self.titled)

    def _is_other(self, parts: "list[Part]", place: int, teasers: "list[Part]") -> bool:
        """Whether other content starts at a place; then it is dropped as far as it goes."""
        first = parts[place]
        if teasers and first is teasers[0]:
            size = sum(part.text for part in teasers)
            enough = _TITLED_PROSE if self.titled else size
            return self._before >= enough and self._drop(teasers, _MOST)
        text = _lead(first)
        said = announces(text) if text else None
        if text is None or said is None:
            return False
        found = _section(parts, place)
        counted = counts_talk(text)
        return (counted or _bears_out(found, said)) and self._drop(found, _TALKED if counted else _SHARE)

    def _drop(self, found: "list[Part]", most: float) -> bool:
        if sum(part.prose for part in found) >= most * self._total:
            return False
        for part in found:
            part.dropped = True
        return True

    def _is_furniture(self, part: "Part", meant: Sign, before: float, inside: str) -> bool:
        if part.text <= CREDIT_UNITS and not part.parts and _is_mark(part):
            return True
        share = part.prose / self._total
        if meant == "talk":
            return before >= _BEFORE or (share < _SHARE and part.controls > 0)
        if meant == "notice":
            return share < _NOTICED and (part.controls > 0 or _says_so(part, "chrome", before))
        if meant == "side" and before >= _BEFORE and share < _TALKED and part.heads and _teasers(part.parts):
            return True
        if meant == "apart":
            return share < _SIGNED or (share < _SHARE and (_says_so(part, "chrome", before) or _is_outer(part, inside)))
        if share >= _SHARE or meant == "body":
            return False
        return _says_so(part, meant, before) or _is_outer(part, inside)


def _is_mark(part: "Part") -> bool:
    """What stands above an advertisement, or says whose a picture is."""
    text = part.element.text
    if part.text <= ADVERT_UNITS and is_advert(text):
        return True
    return is_credit(text, part.tag)


def _section(parts: "list[Part]", place: int) -> "list[Part]":
    """What a heading, or a label that serves as one, stands above; or the block alone that has it inside."""
    first = parts[place]
    if first.tag in HEADINGS:
        rest = map(parts.__getitem__, range(place + 1, len(parts)))
        return [first, *takewhile(lambda part: part.tag not in HEADINGS or part.tag > first.tag, rest)]
    if first.prose or first.text > HEADING_UNITS:
        return [first]
    return [first, *(part for part in parts[place + 1 : place + 2] if part.density > _LINKED)]


def _bears_out(found: "list[Part]", said: str) -> bool:
    """Whether what stands below a heading is what that says: links to other pages, or little text and fields."""
    count = sum(part.count for part in found)
    controls = any(part.controls for part in found)
    if said == "other":
        return count > 1 or controls
    if sum(part.prose for part in found) < _SMALL:
        return count > 1 or controls
    return sum(part.links for part in found) > _LINKED * sum(part.text for part in found)


def _lead(part: "Part") -> str | None:
    """The text that a block starts with, where it is a heading or as short as one."""
    while part.parts and part.own == 0:
        part = next((inner for inner in part.parts if inner.text), part.parts[0])
    if part.parts or not 0 < part.text <= 2 * HEADING_UNITS:
        return None
    return part.element.text if part.tag in HEADINGS or part.text <= HEADING_UNITS else None


def _teasers(parts: "list[Part]") -> "list[Part]":
    """Those of the parts that are teasers of other pages: several of one kind, each with a heading that is a link."""
    found = [part for part in parts if part.heads and part.text <= _TEASER_UNITS and part.tag not in HEADINGS]
    if len(found) < _TEASERS:
        return []
    longer = {_kind(part) for part in parts if part.text > _TEASER_UNITS}
    kinds = Counter(map(_kind, found))
    return [part for part in found if kinds[_kind(part)] >= _TEASERS and _kind(part) not in longer]


def _kind(part: "Part") -> tuple[str, str]:
    return part.tag, (part.element.attr("class") or "").partition(" ")[0]


def _says_so(part: "Part", meant: Sign, before: float) -> bool:
    if meant == "chrome":
        if part.tag == "nav":
            return True
        return part.density > _LINKED or part.text < _SMALL or part.controls > 0
    if meant == "side":
        return part.density > _LINKED or part.text < _SMALL or before >= _BEFORE
    return False


def _is_outer(part: "Part", inside: str) -> bool:
    """Furniture by its tag: footers, forms that hold no text, asides of links."""
    if part.tag == "footer":
        return not inside
    if part.tag == "form":
        return part.prose < _SMALL
    return part.tag == "aside" and (part.density > _LINKED or part.controls > 0)


def _resum(part: "Part") -> None:
    """Sum up anew without what is dropped, and what each block is worth."""
    prose = worth = part.prose - sum(inner.prose for inner in part.parts)
    for inner in part.parts:
        if inner.dropped:
            part.text -= inner.text
            part.links -= inner.links
            inner.prose = 0.0
        elif inner.parts:
            text, links = inner.text, inner.links
            _resum(inner)
            part.text += inner.text - text
            part.links += inner.links - links
            prose += inner.prose
            worth += inner.worth
        else:
            inner.worth = inner.prose
            prose += inner.prose
            worth += inner.prose
    part.prose = prose
    part.worth = min(worth * part.favour, prose * _MOST_FAVOUR)
