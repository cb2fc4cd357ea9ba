"""The pages behind Google's redirect links: followed at once, bounded in number and time, public addresses only."""

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.forms import Checked
from webseam.core.limits import LINK_SECONDS, LINKS_FOLLOWED
from webseam.core.transport import Transport
from webseam.core.types import SearchResult, Source
from webseam.core.url import ascii_host, host_of, in_domain
from webseam.providers.wires.citations import mark, remarked
from webseam.providers.wires.clean import unwrap

_HOST: Final = "vertexaisearch.cloud.google.com"
_PATH: Final = "/grounding-api-redirect/"


async def followed(result: SearchResult, controls: Checked, transport: Transport, call: Call) -> SearchResult:
    """The result with pages in the place of redirects, in its sources and in its prose.

    A link that leads nowhere in time stays as it is, and still works. Half of the call's time at most is spent on it:
    the answer itself is worth more than its links.
    """
    links = list(dict.fromkeys(source.url for source in result.sources if is_redirect(source.url)))
    if not links:
        return result
    seconds = min(LINK_SECONDS, call.deadline.remaining / 2)
    async with asyncio.TaskGroup() as group:
        tasks = {link: group.create_task(_target(link, seconds, transport, call)) for link in links[:LINKS_FOLLOWED]}
    found = {link: task.result() for link, task in tasks.items()}
    return resolved(result, {link: unwrap(target) for link, target in found.items() if target}, controls)


def is_redirect(url: str) -> bool:
    """Whether a URL is one of Google's redirects to a grounding page."""
    return _PATH in url and host_of(url) == _HOST


async def _target(link: str, seconds: float, transport: Transport, call: Call) -> str | None:
    try:
        async with asyncio.timeout(seconds):
            return await transport.location(link, call=call)
    except (TimeoutError, WebError):  # the link stays; an abort ends the call by itself
        return None


def resolved(result: SearchResult, targets: Mapping[str, str], controls: Checked) -> SearchResult:
    """The result with `targets` in the place of redirects, and its marks numbered anew: two links may lead to one page.

    Of a redirect that leads nobody knows where, only Google's title tells the domain; where domains are excluded and it
    does not tell, the source is dropped and counted.
    """
    dropped: Counter[str] = Counter(result.dropped)
    marks: dict[str, str] = {}
    old: dict[str, int] = {}
    new: dict[str, int] = {}
    kept: list[Source] = []
    for source in result.sources:
        page = targets.get(source.url, source.url)
        before = mark(old.setdefault(source.url, len(old) + 1), source.url)
        if is_redirect(page) and _may_be_excluded(source.title, controls.exclude_domains):
            dropped["domain"] += 1
            marks[before] = ""
        else:
            marks[before] = mark(new.setdefault(page, len(new) + 1), page)
            kept.append(replace(source, url=page))
    content = remarked(result.content, marks) if result.content else None
    return replace(result, sources=tuple(kept), content=content or None, dropped=dropped)


def _may_be_excluded(title: str | None, excluded: tuple[str, ...]) -> bool:
    host = ascii_host(title or "") or ""
    return bool(excluded) and ("." not in host or any(in_domain(host, domain) for domain in excluded))
