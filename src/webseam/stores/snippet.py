"""One or two passages of a page around what was looked for, as plain text on one line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from webseam.core.limits import INDEX_PASSAGE_CHARS, SEARCH_SNIPPET_CHARS
from webseam.core.text import one_line
from webseam.stores.query import Term
from webseam.stores.words import folded_word, is_run, spans, word_forms

_ENOUGH: Final = 400  # hits weighed: the best passage of a page that is full of them is not worth more time
_LEAD_IN: Final = INDEX_PASSAGE_CHARS // 5
_CUT: Final = "\u2026"


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    token: str


class Marker:
    """Tells which words of a page answer the terms of a query."""

    __slots__ = ("_beginnings", "_exact", "_pairs")

    def __init__(self, terms: Iterable[Term]) -> None:
        exact: dict[str, str] = {}
        beginnings: dict[str, str] = {}
        for term in terms:
            exact.update(zip(term.tokens, term.tokens, strict=True))
            if term.loose:
                forms, beginning = word_forms(term.tokens[0])
                exact.update((form, term.tokens[0]) for form in forms if form not in exact)
                if beginning is not None:
                    beginnings[beginning] = term.tokens[0]
        self._exact = exact
        self._beginnings = beginnings
        self._pairs = any(is_run(token) for token in exact)

    def hits(self, text: str) -> Iterator[_Hit]:
        """Every hit in `text`, in order."""
        begun = tuple(self._beginnings)
        for match in spans(text):
            word = folded_word(match[0])
            if word in self._exact:
                yield _Hit(match.start(), match.end(), self._exact[word])
            elif begun and word.startswith(begun):
                beginning = next(one for one in begun if word.startswith(one))
                yield _Hit(match.start(), match.end(), self._beginnings[beginning])
            elif self._pairs and is_run(word):
                yield from self._in_run(word, match.start())

    def _in_run(self, word: str, start: int) -> Iterator[_Hit]:
        for at in range(len(word)):
            for token in (word[at : at + 2], word[at]):
                if token in self._exact:
                    yield _Hit(start + at, start + at + len(token), token)
                    break


def snippet(text: str, marker: Marker) -> str | None:
    """Passages of `text` that hold the most of what was asked; its beginning where nothing is marked.

    Plain text on one line without control characters; an ellipsis stands where something was left out.
    None for a page without text.
    """
    hits = [hit for hit, _ in zip(marker.hits(text), range(_ENOUGH), strict=False)]
    first = _best(hits, frozenset())
    if first is None:
        return _shown(text, [(0, _forward(text, INDEX_PASSAGE_CHARS))])
    second = _best(hits, frozenset(hit.token for hit in first))
    passages = [_passage(text, chosen) for chosen in (first, second) if chosen]
    return _shown(text, _joined(sorted(passages)))


def _best(hits: list[_Hit], known: frozenset[str]) -> list[_Hit] | None:
    """Hits within one passage that answer the most terms not yet `known`, then the most of all; the earliest wins."""
    best: list[_Hit] | None = None
    value = (0, 0)
    end = 0
    for start, hit in enumerate(hits):
        end = max(end, start)
        while end < len(hits) and hits[end].end - hit.start <= INDEX_PASSAGE_CHARS - _LEAD_IN:
            end += 1
        inside = hits[start : max(end, start + 1)]
        fresh = {one.token for one in inside} - known
        if fresh and (len(fresh), len(inside)) > value:
            best, value = inside, (len(fresh), len(inside))
    return best


def _passage(text: str, hits: list[_Hit]) -> tuple[int, int]:
    """Bounds around `hits`, moved to the edges of words."""
    start = _backward(text, max(0, hits[0].start - _LEAD_IN))
    return start, _forward(text, max(hits[-1].end, start + INDEX_PASSAGE_CHARS))


_EDGE: Final = 24  # characters looked at for a space; scripts without spaces are cut where they are


def _backward(text: str, at: int) -> int:
    for here in range(at, max(0, at - _EDGE), -1):
        if text[here - 1].isspace():
            return here
    return at if at > _EDGE else 0


def _forward(text: str, at: int) -> int:
    for here in range(at, min(len(text), at + _EDGE)):
        if text[here].isspace():
            return here
    return min(at, len(text)) if at + _EDGE < len(text) else len(text)


def _joined(passages: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Passages that touch become one."""
    if len(passages) > 1 and passages[1][0] <= passages[0][1]:
        return [(passages[0][0], max(passages[0][1], passages[1][1]))]
    return passages


def _shown(text: str, passages: list[tuple[int, int]]) -> str | None:
    lines = [one_line(text[start:end], limit=SEARCH_SNIPPET_CHARS) for start, end in passages]
    body = f" {_CUT} ".join(line for line in lines if line)
    if not body:
        return None
    before = f"{_CUT} " if text[: passages[0][0]].strip() else ""
    after = f" {_CUT}" if text[passages[-1][1] :].strip() else ""
    return before + body + after
