"""What every caller of the seam may rely on, whoever answered: enforced on each result, counted where it cuts."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, TypeAlias

from webseam.core.copying import changed
from webseam.core.dates import parse_day
from webseam.core.errors import Code, WebError
from webseam.core.forms import day_of
from webseam.core.limits import URL_CHARS
from webseam.core.marks import held_marks, mark, remarked
from webseam.core.providers import Provider
from webseam.core.text import shows
from webseam.core.types import (
    ControlStatus,
    ExtractResult,
    FetchResult,
    SearchControls,
    SearchRequest,
    SearchResult,
    Source,
)
from webseam.core.url import Url, ascii_host, host_of, in_domain, is_web_url, web_url, without_credentials


def guarantee(
    result: SearchResult, request: SearchRequest, plan: dict[str, ControlStatus], *, raw: bool = True
) -> SearchResult:
    """Hold a provider's answer to the promises of the seam.

    http(s) sources only, without credentials in their URLs, exact duplicates folded, domain controls held on the final
    URLs, no source that by its own date lies outside the days a vendor said it honours, no mark in the prose that leads
    to a page so refused, at most `max_results` sources, no sources on an ungrounded answer, absent instead of empty,
    the vendor's payload only when `raw`. What is dropped is counted.
    """
    result = _without_credentials(result)
    dropped: Counter[str] = Counter(result.dropped)
    statuses = plan | dict(result.controls)
    if result.grounding == "ungrounded":
        if result.sources:
            dropped["ungrounded"] += len(result.sources)
        sources: tuple[Source, ...] = ()
    else:
        sources = tuple(_kept(result.sources, _bounds(request.controls, statuses), dropped))
    content = result.content
    if content and len(sources) < len(result.sources):
        content = held_marks(content, (one.url for one in result.sources), (one.url for one in sources))
    truncated = result.truncated
    if request.max_results is not None and len(sources) > request.max_results:
        sources, truncated = sources[: request.max_results], True
    return changed(
        result,
        content=content or None,
        sources=sources,
        truncated=truncated,
        dropped=dict(dropped),
        controls=statuses,
        raw=result.raw if raw else None,
    )


def _without_credentials(result: SearchResult) -> SearchResult:
    """The result with the same pages under bare URLs, in its sources and in the marks of its prose."""
    if not any("@" in one.url for one in result.sources):  # nearly always
        return result
    bare = {one.url: without_credentials(one.url) for one in result.sources}
    if all(url == one for url, one in bare.items()):
        return result
    new = {url: number for number, url in enumerate(dict.fromkeys(bare.values()), 1)}
    marks = {mark(number, url): mark(new[one], one) for number, (url, one) in enumerate(bare.items(), 1)}
    return replace(
        result,
        content=result.content and remarked(result.content, marks),
        sources=tuple(replace(one, url=bare[one.url]) for one in result.sources),
    )


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a source must keep to: hosts in ASCII form, days inclusive."""

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    after: date | None
    before: date | None


def _bounds(controls: SearchControls, statuses: Mapping[str, ControlStatus]) -> _Bounds:
    """Days only where the vendor honours them: of an unfiltered answer the rest would pass for the whole."""
    return _Bounds(
        include=_domains(controls.include_domains),
        exclude=_domains(controls.exclude_domains),
        after=day_of(controls.published_after or "") if statuses.get("published_after") == "native" else None,
        before=day_of(controls.published_before or "") if statuses.get("published_before") == "native" else None,
    )


def _kept(sources: Iterable[Source], bounds: _Bounds, dropped: Counter[str]) -> Iterable[Source]:
    seen: set[str] = set()
    for source in sources:
        if not is_web_url(source.url):
            dropped["invalid_url"] += 1
        elif source.url in seen:
            dropped["duplicate"] += 1
        elif (bounds.include or bounds.exclude) and not _admitted(source.url, bounds):
            dropped["domain"] += 1
        elif (bounds.after or bounds.before) and _is_elsewhen(source.published_at, bounds):
            dropped["date"] += 1
        else:
            seen.add(source.url)
            yield _tidy(source)


def _domains(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(host for host in map(ascii_host, names) if host is not None)


def _admitted(url: str, bounds: _Bounds) -> bool:
    host = host_of(url) or ""
    if any(in_domain(host, domain) for domain in bounds.exclude):
        return False
    return not bounds.include or any(in_domain(host, domain) for domain in bounds.include)


_UNDATED: Final = frozenset({date.min, date(1970, 1, 1)})
"""What software writes for a time that it does not know: the first day of .NET and Go, and that of Unix."""


def _is_elsewhen(published: str | None, bounds: _Bounds) -> bool:
    """Whether a source's own date contradicts the vendor's filter; a day either way is the time zone's."""
    day = parse_day(published or "")
    if day is None or day in _UNDATED:
        return False
    too_early = bounds.after is not None and (bounds.after - day).days > 1
    return too_early or (bounds.before is not None and (day - bounds.before).days > 1)


def _tidy(source: Source) -> Source:
    if source.title != "" and source.snippet != "" and source.published_at != "":
        return source
    return replace(
        source,
        title=source.title or None,
        snippet=source.snippet or None,
        published_at=source.published_at or None,
    )


def ungrounded(result: SearchResult) -> WebError:
    """The error of an answer that no search backs, for whoever wants none."""
    return WebError(
        Code.SEARCH_UNGROUNDED,
        f"{result.provider} answered without searching the web. Ask again, or add a second provider to search.route.",
        provider=result.provider,
        dispatched=any(one.dispatched for one in result.attempts),
        attempts=result.attempts,
    )


# Pages -------------------------------------------------------------------------------------------------

Judge: TypeAlias = Callable[[Url], object]
"""Raises `WEB_BLOCKED_URL` for a host or port that is not to be reached. Local."""


def anywhere(_url: Url) -> None:
    """The judge of a seam that was given none."""


def check_told(provider: Provider, page: Url, judge: Judge) -> None:
    """Before a provider is told of a page; one that keeps the rules of a fetch itself judges it once, by those.

    Raises:
        WebError: `WEB_BLOCKED_URL` for a page that `judge` refuses.
    """
    if getattr(provider, "asks_gate", False):
        return
    try:
        judge(page)
    except WebError as error:
        message = f"{provider.id} is not told of it: {error.message}"
        raise WebError(error.code, message, provider=provider.id) from error


def no_text(provider: str) -> WebError:
    """The error of a page on which there is nothing to read."""
    return WebError(
        Code.PROVIDER_ERROR,
        f"{provider} found no text on the page. Fetch it to see what is there, or use another provider.",
        provider=provider,
    )


def unusable_url(provider: str, url: str) -> WebError:
    """The error of a page under what no URL rule lets pass, such as another scheme."""
    long = len(url) > URL_CHARS
    found = f"a URL of {len(url):,} characters ({URL_CHARS:,} are taken)" if long else "what is no http or https URL"
    return WebError(
        Code.PROVIDER_ERROR,
        f"{provider} names {found} as the page it read, so its text is not used. Try another provider.",
        provider=provider,
        dispatched=True,
    )


def held_url(result: ExtractResult | FetchResult, asked: Url, judge: Judge) -> Url:
    """Where the page came from, held to the rules of what was asked for.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for what is no http(s) URL; `WEB_BLOCKED_URL` for a page that `judge` refuses.
    """
    try:
        final = web_url(without_credentials(result.url))
    except WebError as error:
        raise unusable_url(result.provider, result.url) from error
    if final.document != asked.document:
        try:
            judge(final)
        except WebError as error:
            raise WebError(
                Code.BLOCKED_URL,
                f"{result.provider} was led to a page that is not to be reached, so its text is not used. Use another "
                "source.",
                provider=result.provider,
            ) from error
    return final


def held_page(result: ExtractResult, asked: Url, judge: Judge = anywhere) -> ExtractResult:
    """Hold an extractor's answer to the promises of the seam.

    Text that shows there is, the URL is an http(s) one without credentials and keeps the fragment asked for where it is
    the same page, its host may be reached, and what is absent is None.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for a page without text, or one that no URL leads to; `WEB_BLOCKED_URL` for one
            that `judge` refuses.
    """
    if not isinstance(result, ExtractResult):
        return result  # told as the fault that it is, where tries are recorded
    if not shows(result.markdown):
        raise no_text(result.provider)
    final = held_url(result, asked, judge)
    return replace(
        result,
        url=asked.href if final.document == asked.document else final.href,
        title=result.title or None,
        author=result.author or None,
        published_at=result.published_at or None,
    )
