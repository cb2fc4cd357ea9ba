"""Raw HTML in Markdown that no reader of the rendered page sees, taken out and counted. Pure.

What a renderer puts out (CommonMark 0.31 with GitHub's tables) is read by the parser and judged by the rules for HTML
pages; whatever a reader sees stays as it was written, code and visible tags with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from webseam.content.markdown_blocks import pieces
from webseam.content.markdown_pieces import CELL, NOTE, Piece
from webseam.content.rare import rare_elements
from webseam.content.unseen import marked_elements, remove_unseen
from webseam.content.unseen_attributes import SUSPECT, unseen_words
from webseam.core.limits import FORMATS_OPEN, HIDDEN_PAGE_CHARS

if TYPE_CHECKING:
    from turbohtml import Document, Token

_Span: TypeAlias = tuple[int, int]

_UNSHOWN: Final = ("title", "datalist", "meta", "base", "link", "param")
"""What besides browsers show of no page (WHATWG HTML, section 15.3.1); a converter of pages makes nothing of them."""

_NOTHING: Final[Piece] = (0, 0, "")
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_FORMATS: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
"""Elements that a parser opens anew in each block until they are closed (WHATWG HTML, section 13.2.4.3)."""

_PLAIN: Final = "span"
_MASKED: Final = str.maketrans('<>&"', "xxxx")  # what a renderer escapes
_NUMBER: Final = "data-number"
_END_TAG: Final = "<i data-end>"
_END: Final = f"{_END_TAG}."
"""Stands behind the page, to tell whether something hides all that comes."""

_TAG_NAME: Final = re.compile(r"<[^\s/>]+")
_PLACE: Final = re.compile("\ue000([0-9]+)\ue001")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Markdown without what nobody sees.

    `hidden` counts the comments and elements taken out. `is_open` says that one of them was never closed, and hid all
    that stands behind it; `holds_most` that they held more text than is left, and not only a little. `fallback` tells
    why the text is all that there was, not looked through: `timeout`, `memory` or `crash`.
    """

    text: str
    hidden: int = 0
    is_open: bool = False
    holds_most: bool = False
    fallback: str | None = None


def may_hide(markdown: str) -> bool:
    """Whether `markdown` holds anything at all that could hide text: a quick look, linear."""
    has_tags = "<" in markdown and SUSPECT.search(markdown) is not None
    return has_tags or ("]:" in markdown and NOTE.search(markdown) is not None)


def without_hidden(markdown: str) -> Seen:
    """`markdown`, which has LF line ends, without comments, scripts, hidden elements and the like.

    A comment or element that never closes hides the rest, as it does in a browser. Linear; text without a `<` costs
    one look.
    """
    if not may_hide(markdown):
        return Seen(text=markdown)
    out = _settled(pieces(markdown))
    rendered = "".join((*_rendered(markdown, out), _END))
    tokens = _tokens(rendered)
    gone = _judged(tokens)
    worded = {one.number: words for one in tokens if one.kind == "START_TAG" and (words := [*unseen_words(one.source)])}
    cuts = list(_cuts(out, list(_places(tokens, gone.tokens, worded))))
    if not cuts:
        return Seen(text=markdown)
    left = "".join(_left(markdown, cuts))
    lost = sum(end - start for start, end in cuts)
    return Seen(
        text=left,
        hidden=max(1, gone.count + len(worded.keys() - gone.tokens)),
        is_open=tokens[-1].number in gone.tokens,
        holds_most=lost > len(left) and lost >= HIDDEN_PAGE_CHARS,
    )


class _Token(NamedTuple):
    """A tag, comment or stretch of text of the rendered page: what it is written as, and where."""

    number: int
    kind: str
    tag: str
    start: int
    end: int
    source: str


@dataclass(frozen=True, slots=True)
class _Gone:
    """The tokens that nobody sees, and how many comments and elements they make."""

    tokens: set[int] = field(default_factory=set)
    count: int = 0


def _settled(out: Iterable[Piece]) -> list[Piece]:
    """The same page without the blocks that hold no raw HTML, but for the first of a kind, which may end what is open.

    What a block without any holds is seen where the text before and behind it is, but for the cell of a table, where no
    open emphasis reaches into. Most of a page is such blocks.
    """
    kept: list[Piece] = []
    opened: list[int] = []
    kinds: set[str] = set()
    for piece in out:
        if piece[2] == "html" or piece[2].startswith("<!"):
            opened, kinds = [], set()
        elif piece[2].startswith("</") and opened:
            begun = opened.pop()
            if kept[begun][2] in kinds and kept[begun][2] != CELL:
                kept[begun] = _NOTHING
                continue
            kinds.add(kept[begun][2])
        elif piece[2].startswith("<"):
            opened.append(len(kept))
        kept.append(piece)
    return kept


def _rendered(markdown: str, out: Iterable[Piece]) -> Iterator[str]:
    """The page; what stands for text has its length, so that places can be told."""
    for start, end, kind in out:
        if kind == "html":
            yield markdown[start:end]
        else:
            yield markdown[start:end].translate(_MASKED) if kind == "text" else kind


def _tokens(rendered: str) -> list[_Token]:
    """All of the page in order; a tag that never ends is a comment to its end, for no browser shows it."""
    from turbohtml import tokenize  # noqa: PLC0415 - 90 ms to import, on the first text that may hide something

    lines = [0, *(found.end() for found in re.finditer("\n", rendered))]
    made: list[_Token] = []
    before: Token | None = None
    last = 0
    for one in tokenize(rendered, capture_source=True, resolve_references=False):
        start = lines[one.line - 1] + one.col
        if before is not None:
            made.append(_token(len(made), before, rendered, last, start))
        before, last = one, start
    if before is not None:
        end = last + len(before.source or before.data or "")
        made.append(_token(len(made), before, rendered, last, end))
        last = end
    if last < len(rendered):
        tail = rendered[last:]
        made.append(_Token(number=len(made), kind="COMMENT", tag="", start=last, end=len(rendered), source=tail))
    return made


def _token(number: int, one: "Token", rendered: str, start: int, end: int) -> _Token:
    source = rendered[start:end]
    return _Token(number=number, kind=one.type.name, tag=one.tag or "", start=start, end=end, source=source)


def _judged(tokens: list[_Token]) -> _Gone:
    from turbohtml import parse  # noqa: PLC0415 - as above

    body = "".join(_numbered(tokens))
    doc = parse(f"<body><p>.</p>{body}", positions=False, scripting=True)
    before = _present(doc)
    for tag in _UNSHOWN:
        for element in doc.select(f"body {tag}"):
            element.decompose()
    remove_unseen(doc, rare_elements(doc), marked_elements(doc))
    return _gone(tokens, before, _present(doc))


def _numbered(tokens: Iterable[_Token]) -> Iterator[str]:
    """The page to be judged: tags have numbers, and so has text.

    Past `FORMATS_OPEN` the parser is given plain elements for emphasis, which it does not open anew in each block.
    """
    open_: list[tuple[str, str]] = []
    loose = 0
    for token in tokens:
        if token.kind == "START_TAG":
            tag, is_format = token.tag, token.tag in _FORMATS
            loose += is_format
            tag = _PLAIN if is_format and loose > FORMATS_OPEN else tag
            named = _TAG_NAME.match(token.source)
            yield f"<{tag} {_NUMBER}={token.number} {token.source[named.end() if named else 1 :]}"
            if tag not in _VOID:
                open_.append((token.tag, tag))
        elif token.kind == "END_TAG":
            is_next = bool(open_) and open_[-1][0] == token.tag  # else the parser may open it anew all the same
            tag = open_.pop()[1] if is_next else token.tag
            loose -= is_next and token.tag in _FORMATS
            yield f"</{tag}>" if tag != token.tag else token.source
        else:
            is_text = token.kind in ("TEXT", "CHARACTER_REFERENCE") and not token.source.isspace()
            yield f"\ue000{token.number}\ue001" if is_text else token.source if token.source.isspace() else ""


def _present(doc: "Document") -> set[int]:
    tags = {int(element.attr(_NUMBER) or 0) for element in doc.select(f"[{_NUMBER}]")}
    return tags | {int(found) for found in _PLACE.findall(doc.text)}


def _gone(tokens: list[_Token], before: set[int], after: set[int]) -> _Gone:
    """A tag that the parser makes nothing of stays or goes with what stands before it; so does white space."""
    gone, count, is_gone = set[int](), 0, False
    open_: list[tuple[str, bool]] = []
    depths: Counter[str] = Counter()
    for token in tokens:
        inside = bool(open_) and open_[-1][1]
        if token.kind == "END_TAG":
            is_gone = _closed(token, open_, depths, otherwise=is_gone)
        elif token.kind == "START_TAG":
            is_gone = token.number not in after if token.number in before else is_gone
            count += is_gone and not inside and token.source != _END_TAG
            if token.tag not in _VOID:
                open_.append((token.tag, is_gone))
                depths[token.tag] += 1
        elif token.kind in ("TEXT", "CHARACTER_REFERENCE"):
            is_gone = is_gone if token.source.isspace() else token.number not in after
        else:
            is_gone = True
            count += not inside
        if is_gone:
            gone.add(token.number)
    return _Gone(gone, count)


def _closed(token: _Token, open_: list[tuple[str, bool]], depths: Counter[str], *, otherwise: bool) -> bool:
    """Whether the element that an end tag closes is gone."""
    if not depths[token.tag]:
        return otherwise
    while True:
        tag, is_gone = open_.pop()
        depths[tag] -= 1
        if tag == token.tag:
            return is_gone


def _places(tokens: list[_Token], gone: set[int], worded: Mapping[int, list[_Span]]) -> Iterator[_Span]:
    """What goes of the page, in order: whole tokens, and attributes of tags that stay."""
    for token in tokens:
        if token.number in gone:
            yield token.start, token.end
        else:
            yield from ((token.start + start, token.start + end) for start, end in worded.get(token.number, ()))


def _cuts(out: list[Piece], gone: list[_Span]) -> Iterator[_Span]:
    """The stretches of the text that go, with the marks of containers and line ends that stand in between."""
    begun: _Span | None = None
    for start, end, is_gone in _stretches(out, gone):
        if is_gone:
            begun = (begun[0] if begun else start, end)
        elif begun:
            yield begun
            begun = None
    if begun:
        yield begun


def _stretches(out: list[Piece], gone: list[_Span]) -> Iterator[tuple[int, int, bool]]:
    """The text in order, in parts that go or stay; `gone` are places in the page, in order too."""
    at = place = 0
    for start, end, kind in out:
        is_own = kind in ("html", "text")
        done, at = at, at + (end - start if is_own else len(kind))
        shift = start - done
        while is_own and done < at:
            while place < len(gone) and gone[place][1] <= done:
                place += 1
            low, high = gone[place] if place < len(gone) else (at, at)
            if done < low:
                yield done + shift, min(low, at) + shift, False
            if low < at:
                yield max(done, low) + shift, min(high, at) + shift, True
            done = min(high, at) if low < at else at


def _left(markdown: str, cuts: list[_Span]) -> Iterator[str]:
    """What stays; where whole lines go, one blank line is left of those around them."""
    at = 0
    for start, end in cuts:
        yield markdown[at:start]
        at = end
        if start == 0 or markdown.endswith("\n\n", 0, start):
            while markdown.startswith("\n", at):
                at += 1
    yield markdown[at:]
