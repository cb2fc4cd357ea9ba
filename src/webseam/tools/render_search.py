"""A search answer, rendered once: text for the model, structured data for the host, meta for the finished view."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from webseam.content.hygiene import clean, clean_line
from webseam.content.paging import cut
from webseam.content.tokens import estimated_tokens, fitting
from webseam.core.limits import SHOWN_LINE_CHARS, TITLE_CHARS
from webseam.core.plain import to_plain
from webseam.core.settings import ToolSettings
from webseam.core.types import SearchResult, Source
from webseam.tools.attempts import attempts_line
from webseam.tools.boundary import frame_chars, framed, unused_nonce
from webseam.tools.links import escape_text, link, shown_url, tame_markdown
from webseam.tools.looking import seen_at_once
from webseam.tools.page_facts import SHARED_AWAY_LINE, UNCHECKED_LINE
from webseam.tools.parameters import FETCH
from webseam.tools.result import ToolResult

CITE_LINE: Final = "Cite the sources you use as Markdown links with these URLs."
UNGROUNDED_LINE: Final = "This answer is not backed by a web search: it may be out of date or made up."
NO_SOURCE_LINE: Final = "No source can be shown for this answer: nothing in it can be checked."
NO_RESULTS_LINE: Final = "The search found no results."
NO_ANSWER_LINE: Final = "The provider neither searched nor answered."
_NOTHING_LEFT_LINE: Final = "No result is left to show."
_DROPPED: Final[Mapping[str, str]] = {
    "attachment": "from attachments, not the web",
    "date": "dated outside the days asked for",
    "domain": "outside the domains asked for",
    "invalid_url": "without a usable URL",
    "ungrounded": "that no search found",
    "ungrounded_answer": "answered without searching",
}
URL_QUERY_LINE: Final = f"A query that is a URL finds pages about it; to read that page itself, use {FETCH}."
_URL_QUERY: Final = re.compile(r"\s*https?://\S+\s*", re.IGNORECASE)
_NAME: Final = re.compile("[a-z][a-z_]{0,39}")
CUT_MARK: Final = " [cut]"
_DATE_CHARS: Final = 60
_ROUNDS: Final = 12  # each comes closer by the density of what is left; two or three do
_ANSWER_SHARE: Final = 2
"""An answer that leaves no room for its sources keeps one part in so many of the room."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What fits: the quoted text, and the parts of the result that it shows."""

    quoted: str
    answer: str | None
    sources: tuple[Source, ...]
    notices: tuple[str, ...]
    cut: bool


def render_search(
    asked: tuple[str, ...],
    result: SearchResult,
    settings: ToolSettings,
    nonce: Callable[[], str],
    *,
    answers: tuple[str, ...] = (),
) -> ToolResult:
    """Lay out the answer within `settings.search_chars` (dsh-80, dsh-81); both channels show the same parts.

    `answers` are the parts of the content where several queries wrote one each: they share the room fairly.
    Where `settings.search_tokens` bounds it too, it is laid out in fewer characters until its estimate fits.
    """
    tokens, made = settings.search_tokens, _rendered(asked, result, settings, nonce, answers)
    for _ in range(_ROUNDS):
        estimate = estimated_tokens(made.text) if tokens else 0
        if estimate <= tokens:
            return made
        settings = replace(settings, search_chars=max(1, len(made.text) * tokens // estimate - 1))
        made = _rendered(asked, result, settings, nonce, answers)
    return replace(made, text=made.text[: fitting(made.text, tokens, most=len(made.text))])


def _rendered(
    asked: tuple[str, ...],
    result: SearchResult,
    settings: ToolSettings,
    nonce: Callable[[], str],
    answers: tuple[str, ...],
) -> ToolResult:
    sources = tuple(_tidy(one, settings.snippet_chars) for one in result.sources)
    written, over = _answers(answers or (result.content or "",), settings.search_chars)
    notices = tuple(clean_line(one, limit=SHOWN_LINE_CHARS) for one in result.notices)
    before = _before(asked, result, settings, bare=None if sources else "answer" if written else "empty")
    # The nonce is drawn when all that may be quoted exists, cut or not.
    drawn = unused_nonce(nonce, *written, *map(_bullet, sources), *notices)
    ours = [*before, *_after(len(sources), result, more=True)]
    room = settings.search_chars - sum(len(block) + 2 for block in ours) - frame_chars(drawn)
    shown = _fit(written, sources, notices, room)
    truncated = result.truncated or over or shown.cut
    quoted = [framed(shown.quoted, drawn)] if shown.quoted else []
    text = "\n\n".join([*before, *quoted, *_after(len(shown.sources), result, more=truncated)])
    return ToolResult(
        text=text[: settings.search_chars],  # longer only when the cap is below what we say ourselves (dsh-83)
        structured=_structured(asked, result, shown, truncated=truncated, several=settings.max_queries > 1),
        meta=_meta(shown, truncated=truncated),
    )


# What we say ourselves, outside the boundary ----------------------------------------------------------


def _before(
    asked: tuple[str, ...], result: SearchResult, settings: ToolSettings, *, bare: Literal["answer", "empty"] | None
) -> list[str]:
    """`bare`: what there is instead of sources."""
    searched = result.grounding == "searched"
    lines = [
        settings.search_notice,
        URL_QUERY_LINE if settings.fetch and any(map(_URL_QUERY.fullmatch, asked)) else None,
        attempts_line(result.attempts, result.provider),
        _cache_line(result),
        SHARED_AWAY_LINE if any(note.code == "shared_state_away" for note in result.notes) else None,
        UNCHECKED_LINE if any(note.code == "unchecked_html" for note in result.notes) else None,
        UNGROUNDED_LINE if not searched and bare != "empty" else None,
        NO_SOURCE_LINE if searched and bare == "answer" else None,
        _controls_line(result),
        _dropped_line(result),
        _empty_line(result) if bare == "empty" else None,
    ]
    said = [line for line in lines if line]
    return ["\n".join(said)] if said else []


def _cache_line(result: SearchResult) -> str | None:
    return None if result.cache is None else f"This is a stored answer, {result.cache.age:.0f} s old."


def _controls_line(result: SearchResult) -> str | None:
    lost = sorted(name for name, status in result.controls.items() if status == "unsupported")
    held = sorted(name for name, status in result.controls.items() if status == "enforced")
    parts = []
    if lost:
        parts.append(f"Not honoured by {_word(result.provider)}: {', '.join(map(_word, lost))}.")
    if held:
        parts.append(f"Held here, after the search: {', '.join(map(_word, held))}.")
    return " ".join(parts) or None


def _dropped_line(result: SearchResult) -> str | None:
    """Folded duplicates lose nothing and are not mentioned."""
    told = [f"{count} {_DROPPED.get(reason) or _own_reason(reason)}" for reason, count in _lost(result)]
    return f"Left out: {', '.join(told)}." if told else None


def _own_reason(reason: str) -> str:
    """A plugin's own reason stands outside the boundary, so it is shown only where it is a plain name."""
    return reason if _NAME.fullmatch(reason) else "for another reason"


def _lost(result: SearchResult) -> list[tuple[str, int]]:
    return [(reason, count) for reason, count in sorted(result.dropped.items()) if reason != "duplicate"]


def _empty_line(result: SearchResult) -> str:
    """What an answer with nothing in it means: no search, hits that were all refused, or truly no hits."""
    if result.grounding == "ungrounded":
        return NO_ANSWER_LINE
    return _NOTHING_LEFT_LINE if _lost(result) else NO_RESULTS_LINE


def _word(text: str) -> str:
    return clean_line(text, limit=SHOWN_LINE_CHARS)


def _after(shown: int, result: SearchResult, *, more: bool) -> list[str]:
    """The note of a cut, and the request to cite where there is a URL to cite."""
    cite = [CITE_LINE] if shown else []
    if not more:
        return cite
    if not result.sources and result.content:
        return ["(The end of the answer was left out.)"]
    counted = f"Showing {shown} {'source' if shown == 1 else 'sources'}; more" if shown else "More"
    return [f"({counted} was left out. Refine the query to see other results.)", *cite]


# What the vendor said, inside the boundary ------------------------------------------------------------


def _tidy(source: Source, snippet_chars: int) -> Source:
    return Source(
        url=shown_url(source.url),
        title=_line(source.title, TITLE_CHARS),
        snippet=_line(source.snippet, snippet_chars),
        published_at=_line(source.published_at, _DATE_CHARS),
    )


def _line(text: str | None, limit: int) -> str | None:
    return clean_line(text, limit=limit) or None if text else None


def _answers(contents: tuple[str, ...], most: int) -> tuple[tuple[str, ...], bool]:
    """Cleaned and tamed, and whether one was over the bound already."""
    made = tuple(text for one in contents if (text := _answer(one, most)))
    return made, any(len(one) > most for one in contents)


def _answer(content: str, most: int) -> str:
    """Bounded before the work, and cut to fit later."""
    over = len(content) > most
    text = clean(content[:most]).text
    seen = seen_at_once(text)  # None for a long one, which was looked through before
    text = tame_markdown(text if seen is None else seen.text).strip()
    return text + CUT_MARK if over else text


def _bullet(source: Source) -> str:
    parts = [escape_text(source.snippet)] if source.snippet else []
    if source.published_at:
        parts.append(f"({escape_text(source.published_at)})")
    tail = f" \u2014 {' '.join(parts)}" if parts else ""
    return f"- {link(source.url, source.title)}{tail}"


def _fit(written: tuple[str, ...], sources: tuple[Source, ...], notices: tuple[str, ...], room: int) -> _Shown:
    """As much as fits into `room`: notices, then the answer down to its share, then whole sources in order."""
    said = "\n".join(f"Notice from the provider: {one}" for one in notices)
    said = said if len(said) + 2 <= room else ""
    left = room - (len(said) + 2 if said else 0)
    bullets = [_bullet(one) for one in sources]
    listed = sum(len(one) + 1 for one in bullets) + len("Sources:") + 2 if bullets else 0
    shown = _cut_answers(written, max(left - listed, left // _ANSWER_SHARE if bullets else left))
    left -= len(shown) + 2 if shown else 0
    kept = list(_fitting(bullets, left - len("Sources:")))
    blocks = [shown, "\n".join(["Sources:", *kept]) if kept else "", said]
    return _Shown(
        "\n\n".join(block for block in blocks if block),
        shown or None,
        sources[: len(kept)],
        notices if said else (),
        len(kept) < len(sources) or shown != "\n\n".join(written) or (bool(notices) and not said),
    )


def _cut_answers(written: tuple[str, ...], room: int) -> str:
    """All of them where they fit; else none gets more than another one that is cut."""
    left = room - 2 * (len(written) - 1)
    kept = [""] * len(written)
    by_size = sorted(range(len(written)), key=lambda at: len(written[at]))
    for done, at in enumerate(by_size):
        kept[at] = _cut_answer(written[at], left // (len(written) - done))
        left -= len(kept[at])
    return "\n\n".join(one for one in kept if one)


def _cut_answer(answer: str, room: int) -> str:
    if len(answer) <= room:
        return answer
    limit = room - len(CUT_MARK)
    kept = answer[: cut(answer, offset=0, limit=limit).end].rstrip() if limit > 0 else ""
    return kept + CUT_MARK if kept else ""


def _fitting(bullets: list[str], room: int) -> Iterator[str]:
    for bullet in bullets:
        room -= len(bullet) + 1
        if room < 0:
            return
        yield bullet


# For the host -----------------------------------------------------------------------------------------


def _structured(
    asked: tuple[str, ...],
    result: SearchResult,
    shown: _Shown,
    *,
    truncated: bool,
    several: bool,
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        **({"queries": list(asked)} if several else {"query": asked[0]}),
        "provider": result.provider,
        "grounding": result.grounding,
        "sources": to_plain(shown.sources),
        "truncated": truncated,
        "dropped": dict(result.dropped),
        "controls": dict(result.controls),
        "notices": list(shown.notices),
        "attempts": [one.to_dict() for one in result.attempts],
    }
    if shown.answer is not None:
        plain["answer"] = shown.answer
    if result.usage is not None:
        plain["usage"] = to_plain(result.usage)
    if result.cache is not None:
        plain["cache"] = to_plain(result.cache)
    if result.notes:
        plain["notes"] = [{"code": _word(note.code)} for note in result.notes]
    return plain


def _meta(shown: _Shown, *, truncated: bool) -> dict[str, Any]:
    meta: dict[str, Any] = {"sources": to_plain(shown.sources), "truncated": truncated}
    if shown.answer is not None:
        meta["answer"] = shown.answer
    return meta
