"""What every caller of the seam may rely on, whoever answered: enforced on each result, counted where it cuts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from webseam.core.types import ControlStatus, SearchControls, SearchRequest, SearchResult, Source
from webseam.core.url import ascii_host, host_of, in_domain, is_web_url


def guarantee(
    result: SearchResult, request: SearchRequest, plan: dict[str, ControlStatus], *, raw: bool = True
) -> SearchResult:
    """Hold a provider's answer to the promises of the seam.

    http(s) sources only, exact duplicates folded, domain controls held on the final URLs, at most
    `max_results` sources, no sources on an ungrounded answer, absent instead of empty, the vendor's payload only
    when `raw`. What is dropped is counted.
    """
    dropped: Counter[str] = Counter(result.dropped)
    if result.grounding == "ungrounded":
        if result.sources:
            dropped["ungrounded"] += len(result.sources)
        sources: tuple[Source, ...] = ()
    else:
        sources = tuple(_kept(result.sources, request.controls, dropped))
    truncated = result.truncated
    if request.max_results is not None and len(sources) > request.max_results:
        sources, truncated = sources[: request.max_results], True
    return replace(
        result,
        content=result.content or None,
        sources=sources,
        truncated=truncated,
        dropped=dict(dropped),
        controls=plan | dict(result.controls),
        raw=result.raw if raw else None,
    )


def _kept(sources: Iterable[Source], controls: SearchControls, dropped: Counter[str]) -> Iterable[Source]:
    include = _domains(controls.include_domains)
    exclude = _domains(controls.exclude_domains)
    seen: set[str] = set()
    for source in sources:
        if not is_web_url(source.url):
            dropped["invalid_url"] += 1
        elif source.url in seen:
            dropped["duplicate"] += 1
        elif (include or exclude) and not _admitted(source.url, include, exclude):
            dropped["domain"] += 1
        else:
            seen.add(source.url)
            yield _tidy(source)


def _domains(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(host for host in map(ascii_host, names) if host is not None)


def _admitted(url: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    host = host_of(url) or ""
    if any(in_domain(host, domain) for domain in exclude):
        return False
    return not include or any(in_domain(host, domain) for domain in include)


def _tidy(source: Source) -> Source:
    if source.title != "" and source.snippet != "" and source.published_at != "":
        return source
    return replace(
        source,
        title=source.title or None,
        snippet=source.snippet or None,
        published_at=source.published_at or None,
    )
