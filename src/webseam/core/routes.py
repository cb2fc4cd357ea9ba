"""Routes and fan-out: fallback by configuration, never in silence (design: routes; enso-15, enso-16)."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from webseam.core.attempts import Tried, attempt, skipped
from webseam.core.call import Call
from webseam.core.controls import weakest
from webseam.core.errors import FINAL_CODES, TIMEOUT_CODES, Code, WebError
from webseam.core.events import Selected
from webseam.core.together import together
from webseam.core.types import Attempt, Capability, ExtractResult, FetchResult, SearchResult, Source, Usage

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)
Member = Callable[[Call], Coroutine[Any, Any, R]]
Look = Callable[[str], Member[R]]
"""Turns an id into what runs it; raises the set-up error when the member cannot be tried."""

RANK_CONSTANT: Final = 60
"""k of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""


def is_final(error: WebError, call: Call) -> bool:
    """Whether no later member may be tried: the caller's abort, a spent deadline, a policy denial, a bad request.

    Time is told from the call's own signals: a provider's inner timeout moves on while the call has time left.
    """
    if error.code in TIMEOUT_CODES:
        return call.deadline.expired
    return error.code in FINAL_CODES


async def run_route(capability: Capability, ids: tuple[str, ...], look: Look[R], call: Call) -> R:
    """Try members in order under one deadline; the first good answer wins, with every try in `attempts`.

    An ungrounded answer moves on while a later member can be tried, and survives when the rest fails.

    Raises:
        WebError: what ended the route early, or `WEB_ROUTE_EXHAUSTED` naming each member with its code.
    """
    tries: list[Attempt] = []
    errors: list[WebError] = []
    bare: list[R] = []
    for member in ids:
        tried = await _try(capability, member, look, call)
        tries.extend(tried.attempts)
        if tried.result is not None:
            if tried.good:
                return _whole(tried.result, bare, tries)
            bare.append(tried.result)
        elif tried.error is not None:
            if is_final(tried.error, call):
                return _survivor_or(bare, tried.error, tries)
            errors.append(tried.error)
    if bare:
        return _whole(bare[0], bare[1:], tries)
    raise exhausted(capability, tries, errors) from ExceptionGroup("each member's failure", errors)


def _whole(result: R, others: list[R], tries: list[Attempt]) -> R:
    """The answer with every try in it, and what the answers cost that were passed over for it."""
    if others and isinstance(result, SearchResult):
        usage = total_usage([result.usage, *(getattr(one, "usage", None) for one in others)])
        return replace(result, attempts=tuple(tries), usage=usage)
    return replace(result, attempts=tuple(tries))


def _survivor_or(bare: list[R], error: WebError, tries: list[Attempt]) -> R:
    """A spent deadline or a denial does not take away an answer in hand; the caller's abort does."""
    if bare and error.code != Code.ABORTED:
        return _whole(bare[0], bare[1:], tries)
    error.attempts = tuple(tries)
    error.dispatched = error.dispatched or any(one.dispatched for one in tries)
    raise error


async def _try(capability: Capability, member: str, look: Look[R], call: Call) -> Tried[R]:
    try:
        call.check(capability)
        run = look(member)
    except WebError as error:
        record = skipped(member, error)
        call.dispatch.ended((record,))
        return Tried((record,), None, error)
    call.emit(Selected(capability=capability, provider=member, configured=True))
    tried = await attempt(capability, member, run, call.attempt())
    usage = getattr(tried.result, "usage", None)
    if usage is not None:
        call.dispatch.used(usage)
    return tried


def exhausted(capability: Capability, tries: list[Attempt], errors: Sequence[WebError] = ()) -> WebError:
    """Every member failed; worth another call when that is true of one of them, after the shortest wait named."""
    later = [one for one in errors if one.retryable]
    listed = ", ".join(f"{one.provider}: {one.code}" for one in tries)
    remark = " A failed call may have been billed." if any(one.may_be_billed for one in tries) else ""
    return WebError(
        Code.ROUTE_EXHAUSTED,
        f"Every member of the {capability} route failed ({listed}).{remark} Run `webseam providers` for more.",
        dispatched=any(one.dispatched for one in tries),
        retryable=bool(later),
        retry_after=min((one.retry_after for one in later if one.retry_after is not None), default=None),
        attempts=tries,
    )


async def run_fanout(ids: tuple[str, ...], look: Look[SearchResult], call: Call) -> SearchResult:
    """Ask all members at once and merge their hits; fails only when all fail, parts that failed are in `attempts`.

    Progress is not reported: the members' answers grow beside each other, not as one text.

    Raises:
        WebError: the caller's abort; what would have ended a route; else `WEB_ROUTE_EXHAUSTED`.
    """
    own = replace(call, progress=None)
    tried = await together(_try("search", member, look, own) for member in ids)
    tries = [record for one in tried for record in one.attempts]
    results = [one.result for one in tried if one.result is not None]
    errors = [one.error for one in tried if one.error is not None]
    ends = [error for error in errors if is_final(error, call)]
    ends.sort(key=lambda error: error.code != Code.ABORTED)
    if ends and (not results or ends[0].code == Code.ABORTED):
        return _survivor_or([], ends[0], tries)
    if not results:
        raise exhausted("search", tries, errors) from ExceptionGroup("each member's failure", errors)
    return merge(results, tuple(tries))


def merge(results: list[SearchResult], attempts: tuple[Attempt, ...]) -> SearchResult:
    """One result of several: hits by reciprocal rank, answers under their providers' names."""
    searched = [one for one in results if one.grounding == "searched"]
    parts = searched or results
    dropped: dict[str, int] = {}
    for one in results:
        for reason, count in one.dropped.items():
            dropped[reason] = dropped.get(reason, 0) + count
    return SearchResult(
        provider="+".join(one.provider for one in parts),
        grounding="searched" if searched else "ungrounded",
        content=_answers(parts),
        sources=fuse([one.sources for one in parts]),
        truncated=any(one.truncated for one in parts),
        dropped=dropped,
        controls=weakest([one.controls for one in parts]),
        notices=tuple(dict.fromkeys(notice for one in parts for notice in one.notices)),
        attempts=attempts,
        usage=total_usage([one.usage for one in results]),
        raw={one.provider: one.raw for one in results if one.raw is not None} or None,
        notes=tuple(dict.fromkeys(note for one in parts for note in one.notes)),
    )


def fuse(rankings: list[tuple[Source, ...]]) -> tuple[Source, ...]:
    """Reciprocal rank fusion by exact URL; of equal scores the earlier list wins, of equal URLs the fuller source."""
    scores: dict[str, float] = {}
    best: dict[str, Source] = {}
    for ranking in rankings:
        for rank, source in enumerate(ranking, start=1):
            scores[source.url] = scores.get(source.url, 0.0) + 1 / (RANK_CONSTANT + rank)
            known = best.get(source.url)
            best[source.url] = source if known is None else _fuller(known, source)
    return tuple(best[url] for url in sorted(scores, key=lambda url: -scores[url]))


def _fuller(first: Source, second: Source) -> Source:
    return Source(
        url=first.url,
        title=first.title or second.title,
        snippet=first.snippet or second.snippet,
        published_at=first.published_at or second.published_at,
    )


def _answers(parts: list[SearchResult]) -> str | None:
    answers = [(one.provider, one.content) for one in parts if one.content]
    if len(answers) == 1:
        return answers[0][1]
    return "\n\n".join(f"### {provider}\n\n{content}" for provider, content in answers) or None


def total_usage(reported: list[Usage | None]) -> Usage | None:
    """Sums; a cost is summed only when every part reports it in one currency: a part of it would pass for the whole."""
    parts = [one for one in reported if one is not None]
    if not parts:
        return None
    currencies = {one.currency for one in parts}
    known = [one.cost for one in parts if one.cost is not None]
    whole = len(known) == len(reported) and len(currencies) == 1
    return Usage(
        calls=_sum([one.calls for one in parts]),
        cost=sum(known) if whole else None,
        currency=currencies.pop() if whole else None,
        input_tokens=_sum([one.input_tokens for one in parts]),
        output_tokens=_sum([one.output_tokens for one in parts]),
    )


def _sum(numbers: list[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
