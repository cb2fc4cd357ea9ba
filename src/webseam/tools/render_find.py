"""The passages of a page that hold what is looked for, each with its offset; the outline where there are none."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Final

from webseam.content.finding import Found, Passage, find, passages
from webseam.content.hygiene import clean_line
from webseam.content.outline import Heading, path_at
from webseam.core.limits import FIND_PASSAGE_CHARS
from webseam.core.settings import ToolSettings
from webseam.tools.budget import Budget
from webseam.tools.page_outline import headings_of, outline_data, outline_text
from webseam.tools.render_fetch import TOO_SMALL, Reading, bounded, frame_of, page_data, page_meta
from webseam.tools.result import ToolResult

_PASSAGE_SHARE: Final = 3
"""A passage takes at most one part in so many of the answer, so that one alone never fills it."""

_PATH_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class _Shown:
    """The passages that fit, in the order of the page, and where looking goes on."""

    passages: tuple[Passage, ...]
    next_offset: int | None

    def count(self, phrase: int) -> int:
        """Hits shown of one phrase."""
        return sum(hit.phrase == phrase for one in self.passages for hit in one.hits)


def render_find(
    reading: Reading, phrases: Sequence[str], offset: int, settings: ToolSettings, nonce: Callable[[], str]
) -> ToolResult:
    """The passages at or behind `offset` that hold `phrases`, within the limits of an answer all together."""
    whole = Budget.of(settings.fetch_chars, settings.fetch_tokens)
    paged = "offset" in settings.fetch_arguments
    text, headings = reading.snapshot.text, headings_of(reading.snapshot)
    found = find(text, phrases, start=offset)
    reserved = _longest(len(text), found, offset, paged=paged)
    frame = frame_of(reading, offset, whole, nonce, reserved=reserved, headings=headings)
    size = min(FIND_PASSAGE_CHARS, max(1, frame.left.room(text, offset) // _PASSAGE_SHARE))
    shown = _fit(text, headings, found, passages(text, found.hits, size=size, low=offset), frame.left)
    nothing = not found.hits
    entries = [entry_text(text, headings, one) for one in shown.passages]
    quoted = outline_text(headings, frame.left) if nothing else "\n\n".join(entries)
    counts = [(shown.count(number), total) for number, total in enumerate(found.totals)]
    said = _position(len(text), counts, offset, shown.next_offset, paged=paged)
    view = _view(text, offset, shown.next_offset, seen=bool(entries) or nothing)
    return ToolResult(
        text=bounded(frame.around(quoted, said) if entries or nothing else TOO_SMALL, whole),
        structured=page_data(
            reading,
            view,
            "\n\n".join(text[one.start : one.end] for one in shown.passages),
            passages=[passage_data(text, headings, one) for one in shown.passages],
            matches=[
                {"phrase": phrase, "total": total, "shown": many}
                for phrase, (many, total) in zip(phrases, counts, strict=True)
            ],
            outline=outline_data(headings) or None if nothing else None,
        ),
        meta=page_meta(reading, view),
    )


def _fit(text: str, headings: Sequence[Heading], found: Found, made: Sequence[Passage], left: Budget) -> _Shown:
    """The first passage, then always the next one of the phrase that got the fewest characters so far."""
    kept: set[int] = set()
    used: Counter[int] = Counter({made[0].hits[0].phrase: -1} if made else {})
    waiting = {number: _holding(made, number) for number in range(len(found.totals))}
    while open_ones := [number for number, rest in waiting.items() if rest]:
        number = min(open_ones, key=lambda one: (used[one], one))
        at = waiting[number].popleft()
        if at in kept:
            continue
        entry = entry_text(text, headings, made[at]) + "\n\n"
        if not left.holds(entry):
            waiting[number].clear()
            continue
        left = left.less(entry)
        kept.add(at)
        used.update(dict.fromkeys({hit.phrase for hit in made[at].hits}, len(entry)))
    return _Shown(tuple(made[at] for at in sorted(kept)), _next(found, made, kept))


def _holding(made: Sequence[Passage], number: int) -> deque[int]:
    return deque(at for at, one in enumerate(made) if any(hit.phrase == number for hit in one.hits))


def _next(found: Found, made: Sequence[Passage], kept: AbstractSet[int]) -> int | None:
    """Where the first passage left out begins, else where locating hits ended.

    None when every hit is shown, and when no answer can show any: looking on from the same place would never end.
    """
    left_out = next((one.start for at, one in enumerate(made) if at not in kept), None)
    if not kept:
        return None
    if left_out is not None or len(found.hits) == sum(found.totals):
        return left_out
    return found.hits[-1].end


def entry_text(text: str, headings: Sequence[Heading], one: Passage) -> str:
    """A passage under its offset and the headings it stands under."""
    path = clean_line(" > ".join(path_at(headings, one.hits[0].start)), limit=_PATH_CHARS)
    return f"At offset {one.start}{f', under {path}' if path else ''}:\n{text[one.start : one.end]}"


def passage_data(text: str, headings: Sequence[Heading], one: Passage) -> dict[str, Any]:
    """A passage for programs."""
    return {
        "offset": one.start,
        "text": text[one.start : one.end],
        "headings": list(path_at(headings, one.hits[0].start)),
        "matches": len(one.hits),
    }


def _view(text: str, offset: int, onward: int | None, *, seen: bool) -> dict[str, int | None]:
    start = min(offset, len(text))
    end = onward if onward is not None else len(text) if seen else start
    return {"offset": start, "end": end, "total": len(text), "next_offset": onward}


def _position(size: int, counts: Sequence[tuple[int, int]], offset: int, onward: int | None, *, paged: bool) -> str:
    """How many matches are shown, of each phrase, and how to see the others."""
    where = f"in the page's {size:,} characters" + (f" from offset {offset} on" if offset else "")
    if not any(total for _, total in counts):
        hint = "Read it with offset, or look for other words." if paged else "Look for other words."
        hint = "Leave out offset to look in all of it." if offset else hint
        return f"(No match {where}. {hint})"
    told = f"Showing {_of(*counts[0])}" if len(counts) == 1 else "Showing, phrase by phrase, "
    if len(counts) > 1:
        told += ", ".join(f"{shown:,} of {total:,}" for shown, total in counts) + " matches"
    more = f"Continue with the same find and offset={onward}." if paged else "Look for more specific words."
    return f"({told} {where}.{f' {more}' if onward is not None else ''})"


def _of(shown: int, total: int) -> str:
    return f"{shown:,} of {total:,} {'match' if total == 1 else 'matches'}"


def _longest(size: int, found: Found, offset: int, *, paged: bool) -> str:
    return _position(size, [(total, total) for total in found.totals], offset, size, paged=paged)
