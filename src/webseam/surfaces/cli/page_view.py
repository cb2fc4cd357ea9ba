"""What `webseam fetch` shows of a page's text: a window of it, the passages that match, or its outline."""

from dataclasses import dataclass, field
from typing import Any

from webseam.content.finding import find, passages, phrases_of
from webseam.content.paging import cut
from webseam.core.limits import FIND_PASSAGE_CHARS
from webseam.core.snapshots import Snapshot
from webseam.surfaces.cli.command import usage
from webseam.tools.page_outline import headings_of, outline_line
from webseam.tools.render_find import entry_text, passage_data


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The part of the text that the flags ask for: at most one of `chars`, `find` and `outline`."""

    offset: int = 0
    chars: int | None = None
    find: str = ""
    outline: bool = False

    @property
    def any(self) -> bool:
        """Whether something else than the whole text is asked for."""
        return bool(self.offset or self.chars or self.find or self.outline)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """`text` as shown; `facts` for people besides, `data` for programs. `exact` text goes on: it gets no line end."""

    text: str
    data: dict[str, Any]
    facts: tuple[str, ...] = field(default=())
    exact: bool = False


def asked_for(options: dict[str, Any]) -> Asked:
    """The flags as a value.

    Raises:
        WebError: `INVALID_ARGS` for flags that exclude each other.
    """
    asked = Asked(
        offset=options["offset"],
        chars=options["chars"],
        find="\n".join(options["find"]),
        outline=options["outline"],
    )
    if sum((asked.chars is not None, bool(options["find"]), asked.outline)) > 1:
        raise usage("--chars, --find and --outline each show another part of the text. Give one of them.")
    if options["find"] and not phrases_of(asked.find):
        raise usage("--find is blank. Give words to look for.")
    if asked.outline and asked.offset:
        raise usage("--outline is of the whole text. Leave out --offset.")
    if options["raw_body"] and asked.any:
        raise usage("--raw-body is not the text: leave out --offset, --chars, --find and --outline.")
    return asked


def view_of(snapshot: Snapshot, asked: Asked) -> View:
    """The part of the text that is asked for.

    Raises:
        WebError: `INVALID_ARGS` for an offset past the end.
    """
    total = len(snapshot.text)
    if asked.offset > total:
        raise usage(f"The text has {total:,} characters; --offset {asked.offset:,} is past its end.")
    if asked.find:
        return _found(snapshot, asked)
    return _outline(snapshot) if asked.outline else _window(snapshot, asked)


def _window(snapshot: Snapshot, asked: Asked) -> View:
    text = snapshot.text
    window = cut(text, offset=asked.offset, limit=asked.chars or max(1, len(text)))
    shown, onward = text[window.start : window.end], window.next_offset
    return View(
        text=shown,
        data={"markdown": shown, "offset": asked.offset, "next_offset": onward, "total_chars": len(text)},
        facts=() if onward is None else (f"next offset: {onward} of {len(text)}",),
        exact=onward is not None,
    )


def _found(snapshot: Snapshot, asked: Asked) -> View:
    text, headings, phrases = snapshot.text, headings_of(snapshot), phrases_of(asked.find)
    found = find(text, phrases, start=asked.offset)
    made = passages(text, found.hits, size=FIND_PASSAGE_CHARS, low=asked.offset)
    onward = found.hits[-1].end if len(found.hits) < sum(found.totals) else None
    matches = [{"phrase": phrase, "total": total} for phrase, total in zip(phrases, found.totals, strict=True)]
    facts = [
        f"{total} {'match' if total == 1 else 'matches'}: {one}"
        for one, total in zip(phrases, found.totals, strict=True)
    ]
    return View(
        text="\n\n".join(entry_text(text, headings, one) for one in made),
        data={
            "passages": [passage_data(text, headings, one) for one in made],
            "matches": matches,
            "offset": asked.offset,
            "next_offset": onward,
            "total_chars": len(text),
        },
        facts=(*facts, *(() if onward is None else (f"next offset: {onward} of {len(text)}",))),
    )


def _outline(snapshot: Snapshot) -> View:
    headings = headings_of(snapshot)
    told = [{"level": one.level, "title": one.title, "offset": one.offset} for one in headings]
    return View(
        text="\n".join(map(outline_line, headings)),
        data={"outline": told, "total_chars": len(snapshot.text)},
        facts=() if headings else ("outline: the page has no headings",),
    )
