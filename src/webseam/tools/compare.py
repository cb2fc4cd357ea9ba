"""Several vendors' answers to one question side by side: who answered, what they share, who ranked what where."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webseam.core.errors import WebError
from webseam.core.routes import RANK_CONSTANT
from webseam.core.types import Attempt, Grounding, SearchResult, Source, Usage
from webseam.core.url import Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one provider made of the question: a result, or the error in its place."""

    provider: str
    answer: SearchResult | WebError


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One provider's line. `code` None: it answered. Seconds and cost are None where nobody reported them.

    `documents` counts the distinct pages among its `hits`, `shared` those that another provider found too.
    """

    provider: str
    code: str | None = None
    grounding: Grounding | None = None
    hits: int = 0
    documents: int = 0
    shared: int = 0
    truncated: bool = False
    elapsed: float | None = None
    usage: Usage | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what is not known is null, so that every line has the same keys."""
        usage = self.usage or Usage()
        elapsed = None if self.elapsed is None else round(self.elapsed, 4)
        return {
            "provider": self.provider,
            "code": self.code,
            "grounding": self.grounding,
            "hits": self.hits,
            "documents": self.documents,
            "shared": self.shared,
            "truncated": self.truncated,
            "elapsed": elapsed,
            "cost": usage.cost,
            "currency": usage.currency,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One page and the best rank that each provider gave it, from 1."""

    url: str
    title: str | None
    ranks: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Plain data; a title that no vendor gave is left out."""
        title = {} if self.title is None else {"title": self.title}
        return {"url": self.url, **title, "ranks": dict(self.ranks)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every provider in the order asked, and every page by reciprocal rank."""

    standings: tuple[Standing, ...]
    places: tuple[Place, ...]

    @property
    def answered(self) -> bool:
        """Whether at least one provider did."""
        return any(one.code is None for one in self.standings)


def compare(outcomes: Sequence[Outcome]) -> Comparison:
    """Lay answers side by side. Pages are the same when their canonical URLs are, fragments left out."""
    ranks = {one.provider: _ranks(_sources(one)) for one in outcomes}
    finders = Counter(url for found in ranks.values() for url in found)
    return Comparison(
        standings=tuple(_standing(one, ranks[one.provider], finders) for one in outcomes),
        places=tuple(_places(outcomes, ranks)),
    )


def _sources(outcome: Outcome) -> tuple[Source, ...]:
    return outcome.answer.sources if isinstance(outcome.answer, SearchResult) else ()


def _ranks(sources: Iterable[Source]) -> dict[str, int]:
    """The best rank of each distinct page."""
    found: dict[str, int] = {}
    for rank, source in enumerate(sources, start=1):
        found.setdefault(canonical(source.url), rank)
    return found


def canonical(url: str) -> str:
    """What two spellings of one page's address have in common; text that is no URL stands for itself."""
    try:
        return Url.parse(url).document
    except WebError:
        return url


def _standing(outcome: Outcome, found: Mapping[str, int], finders: Mapping[str, int]) -> Standing:
    result = outcome.answer
    if isinstance(result, WebError):
        return Standing(provider=outcome.provider, code=result.code, elapsed=_elapsed(result.attempts))
    return Standing(
        provider=outcome.provider,
        grounding=result.grounding,
        hits=len(result.sources),
        documents=len(found),
        shared=sum(finders[url] > 1 for url in found),
        truncated=result.truncated,
        elapsed=_elapsed(result.attempts),
        usage=result.usage,
    )


def _elapsed(attempts: Sequence[Attempt]) -> float | None:
    """All tries together: a key pool that rotated made its caller wait for each."""
    return sum(one.elapsed for one in attempts) if attempts else None


def _places(outcomes: Sequence[Outcome], ranks: Mapping[str, Mapping[str, int]]) -> Iterable[Place]:
    titles: dict[str, str | None] = {}
    for source in (source for one in outcomes for source in _sources(one)):
        url = canonical(source.url)
        titles[url] = titles.get(url) or source.title
    scores = {url: sum(_score(found.get(url)) for found in ranks.values()) for url in titles}
    for url in sorted(titles, key=lambda url: -scores[url]):
        mine = {provider: found[url] for provider, found in ranks.items() if url in found}
        yield Place(url=url, title=titles[url], ranks=mine)


def _score(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / (RANK_CONSTANT + rank)
