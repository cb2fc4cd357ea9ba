"""Passages of a text that hold a phrase, each with the offset at which it stands. Pure, linear."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from webseam.content.clusters import cut_between
from webseam.content.folding import Folded, folded, folded_phrase
from webseam.content.hygiene import clean_line
from webseam.content.paging import link_around
from webseam.core.limits import FIND_HITS_LOCATED

_BLANK: Final = "\n\n"
_Way: TypeAlias = Literal["read", "written", "blocks"]
_HEADING: Final = re.compile(r" {0,3}#{1,6} [^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Where a phrase, told by its number, stands in the text."""

    start: int
    end: int
    phrase: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The hits from an offset on, in order; `totals` counts by phrase, also those that are not located.

    `hits` holds the first ones: where `totals` tells of more, they lie behind the last of them.
    """

    hits: tuple[Hit, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Code points `start` to `end` of the text, and the hits that begin in them."""

    start: int
    end: int
    hits: tuple[Hit, ...]


def phrases_of(find: str) -> tuple[str, ...]:
    """The phrases of a `find` argument: one a line, repeats folded, cleaned as the text is."""
    return tuple(dict.fromkeys(line for each in find.splitlines() if (line := clean_line(each, limit=len(find)))))


def find(text: str, phrases: Sequence[str], *, start: int = 0) -> Found:
    """Every place at or behind `start` where one of `phrases` stands; hits of one phrase do not overlap.

    Letter case, composition of letters, the amount and kind of white space, and the shape of quotes and dashes play no
    part; line ends are white space. A phrase of words matches what a reader of the Markdown sees, through emphasis,
    links, table bars and escapes; one with such signs or a slash in it matches the text as it is written. Where the one
    way finds nothing in the whole text, the other is tried, and at last words on both sides of a list mark, a rule or
    the number of a note.
    """
    ways: dict[_Way, Folded] = {}
    hits: list[Hit] = []
    totals = []
    for number, phrase in enumerate(phrases):
        total, spans = _places(text, phrase, start, ways)
        totals.append(total)
        hits += [Hit(start=begin, end=end, phrase=number) for begin, end in spans]
    hits.sort(key=lambda hit: (hit.start, hit.end, hit.phrase))
    return Found(hits=tuple(_sure(hits, totals)), totals=tuple(totals))


def _places(text: str, phrase: str, start: int, ways: dict[_Way, Folded]) -> tuple[int, list[tuple[int, int]]]:
    """How often the phrase stands behind `start`, and the first of these places."""
    for way, wanted in _wanted(phrase):
        if way == "blocks" and not all(word in ways["read"].text for word in wanted.split()):
            break  # one more look at a text that has not even the words
        if way not in ways:
            ways[way] = folded(text, readable=way != "written", blocks=way == "blocks")
        one = ways[way]
        if wanted in one.text:
            first = one.place(start)
            spans = [one.span(place, place + len(wanted)) for place in _each(one.text, wanted, first)]
            return one.text.count(wanted, first), spans
    return 0, []


def _wanted(phrase: str) -> Iterator[tuple[_Way, str]]:
    """The ways to look for a phrase in the order of trying, each with what is looked for."""
    written, read = folded_phrase(phrase, readable=False), folded_phrase(phrase, readable=True)
    tried: list[tuple[_Way, str]] = [("read", read), ("written", written)]
    if written != read or "/" in phrase or "\\" in phrase:
        tried.reverse()
    if " " in read:
        tried.append(("blocks", read))
    return ((way, wanted) for way, wanted in tried if wanted)


def _each(text: str, wanted: str, at: int) -> Iterator[int]:
    for _ in range(FIND_HITS_LOCATED):
        at = text.find(wanted, at)
        if at < 0:
            return
        yield at
        at += len(wanted)


def _sure(hits: list[Hit], totals: list[int]) -> list[Hit]:
    """Hits up to where all of every phrase are located: behind that some would be missing between them."""
    last: dict[int, int] = {}
    count: dict[int, int] = {}
    for hit in hits:
        last[hit.phrase] = hit.start
        count[hit.phrase] = count.get(hit.phrase, 0) + 1
    ends = [place for phrase, place in last.items() if count[phrase] < totals[phrase]]
    return [hit for hit in hits if not ends or hit.start <= min(ends)]


def passages(text: str, hits: Iterable[Hit], *, size: int, low: int = 0) -> list[Passage]:
    """The paragraphs around the hits, in order and without overlap, each at most `size` code points and not empty.

    A heading brings the paragraph behind it. A longer paragraph gives the part around its hit, cut at lines or spaces,
    outside of other links. Hits that begin in one passage share it. None begins before `low`.
    """
    made: list[Passage] = []
    for hit in hits:
        if made and hit.start < made[-1].end:
            made[-1] = _with(made[-1], hit)
            continue
        low = made[-1].end if made else low
        start, end = _around(text, hit, size, min(low, hit.start))
        made.append(Passage(start=start, end=end, hits=(hit,)))
    return made


def _with(passage: Passage, hit: Hit) -> Passage:
    return Passage(start=passage.start, end=passage.end, hits=(*passage.hits, hit))


def _around(text: str, hit: Hit, size: int, low: int) -> tuple[int, int]:
    """The paragraph of a hit, or as much of it as fits."""
    end = hit.end if hit.end - hit.start <= size else cut_between(text, hit.start, hit.start + size)
    first = text.rfind(_BLANK, max(low, hit.start - size), hit.start)
    last = text.find(_BLANK, end, end + size)
    begins = first + len(_BLANK) if first >= 0 else low if hit.start - low < size else None
    ends = last if last >= 0 else len(text) if len(text) - end < size else None
    if begins is not None and ends is not None and ends - begins <= size:
        return begins, _past_heading(text, begins, ends, size)
    start = _begin(text, max(low if begins is None else begins, end - size, hit.start - size // 3), hit.start)
    stop = start + size if ends is None else min(ends, start + size)
    return start, stop if stop in (ends, end) else _stop(text, end, stop, start)


def _past_heading(text: str, start: int, end: int, size: int) -> int:
    """The end of the paragraph behind a heading that is a paragraph of its own, where that fits; else `end`."""
    if end == len(text) or not _HEADING.fullmatch(text, start, end):
        return end
    last = text.find(_BLANK, end + len(_BLANK), start + size)
    if last < 0 and len(text) - start <= size:
        return len(text)
    return max(end, last)


def _begin(text: str, low: int, start: int) -> int:
    """A place in [`low`, `start`] where a reader would begin: a line, else a word; outside of links."""
    if low == 0 or text[low - 1] == "\n":
        return low
    for mark in ("\n", " "):
        at = text.find(mark, low, start) + 1
        if at:
            return at if link_around(text, at) is None else start
    return start


def _stop(text: str, low: int, end: int, start: int) -> int:
    """A place in [`low`, `end`] where a reader would end."""
    for mark in ("\n", " "):
        at = text.rfind(mark, low, end) + 1
        link = link_around(text, at) if at else None
        if at and (link is None or link > low):
            return at if link is None else link
    return max(low, cut_between(text, start, end))
