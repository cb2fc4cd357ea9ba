"""Several queries of one call: asked at once, merged round-robin by rank, failed together (dsh-75 to dsh-77)."""

from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from webseam.content.hygiene import clean_line
from webseam.core.controls import weakest
from webseam.core.limits import TITLE_CHARS
from webseam.core.routes import total_usage
from webseam.core.together import together
from webseam.core.types import CacheFacts, SearchResult, Source
from webseam.tools.links import escape_text

Ask = Callable[[str], Coroutine[Any, Any, SearchResult]]


async def ask_all(queries: tuple[str, ...], ask: Ask) -> list[SearchResult]:
    """Answers in the order of the queries. The first failure in time ends the siblings and is the one raised.

    Raises:
        WebError: that first failure; answers that had come by then are dropped.
    """
    return await together(ask(query) for query in queries)


def merged(queries: tuple[str, ...], parts: Sequence[SearchResult], most: int) -> SearchResult:
    """One result of several: at most `most` distinct sources, answers under their queries, everything else added up.

    Grounded as soon as one part is; then answers that no search backs are left out and counted in `dropped`.
    """
    searched = any(part.grounding == "searched" for part in parts)
    kept = _kept(queries, parts)
    dropped: Counter[str] = Counter()
    for part in parts:
        dropped.update(part.dropped)
    if unbacked := len(parts) - len(kept):
        dropped["ungrounded_answer"] += unbacked
    ranked = _round_robin([part.sources for _, part in kept])
    return SearchResult(
        provider="+".join(dict.fromkeys(part.provider for _, part in kept)),
        grounding="searched" if searched else "ungrounded",
        content="\n\n".join(answers(queries, parts)) or None,
        sources=tuple(ranked[:most]),
        truncated=any(part.truncated for part in parts) or len(ranked) > most,
        dropped=dict(dropped),
        controls=weakest([part.controls for part in parts]),
        notices=tuple(dict.fromkeys(notice for part in parts for notice in part.notices)),
        attempts=tuple(one for part in parts for one in part.attempts),
        usage=total_usage([part.usage for part in parts]),
        cache=_oldest([part.cache for part in parts]),
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
    )


def _oldest(facts: Sequence[CacheFacts | None]) -> CacheFacts | None:
    """The age of the oldest stored answer among them."""
    return max((one for one in facts if one is not None), key=lambda one: one.age, default=None)


def _kept(queries: tuple[str, ...], parts: Sequence[SearchResult]) -> list[tuple[str, SearchResult]]:
    """Parts that a search backs; all where none is."""
    grounded = any(part.grounding == "searched" for part in parts)
    asked = zip(queries, parts, strict=True)
    return [(query, part) for query, part in asked if part.grounding == "searched" or not grounded]


def _round_robin(rankings: Sequence[tuple[Source, ...]]) -> list[Source]:
    """First hits of all, then second hits, ...; of equal URLs the first one stands."""
    longest = max((len(ranking) for ranking in rankings), default=0)
    distinct: dict[str, Source] = {}
    for rank in range(longest):
        for ranking in rankings:
            if rank < len(ranking):
                distinct.setdefault(ranking[rank].url, ranking[rank])
    return list(distinct.values())


def answers(queries: tuple[str, ...], parts: Sequence[SearchResult]) -> tuple[str, ...]:
    """The written answers that count, each under its query."""
    return tuple(
        f"### {escape_text(clean_line(query, limit=TITLE_CHARS))}\n\n{part.content}"
        for query, part in _kept(queries, parts)
        if part.content
    )
