"""The memory of a run: URLs that were seen, calls and cost spent, sites that a person allowed."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest
from webseam.core.limits import RUN_SITES, RUN_URL_BYTES, RUN_URLS
from webseam.core.types import Usage
from webseam.core.url import DEFAULT_PORTS, Url, web_url
from webseam.tools.mentions import known_url, typed_in

Consent: TypeAlias = Literal["allow", "always", "deny"]
SEARCHES: Final = "search"
"""Stands for every search among the sites that a person allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person is asked: what is about to leave, why nobody decided it yet, and what "always" would allow.

    `site` is an origin such as `https://docs.example`, or `search`; never more than that.
    """

    request: AccessRequest
    site: str
    reason: str
    flags: tuple[str, ...] = ()


Ask: TypeAlias = Callable[[Question], Awaitable[Consent]]


class Run:
    """One run of one agent, as its host feeds it.

    The host gives it what the person wrote (`saw`); a `Toolset` adds what searches and pages showed, and what calls
    cost. Give each conversation a run of its own. Bounded; for one event loop.

    Args:
        ask: asks the person; without it every question is a denial.
        allowed: sites that the person allowed before, as `Run.allowed` told them.

    Raises:
        WebError: `INVALID_ARGS` for a site that is none.
    """

    def __init__(self, *, ask: Ask | None = None, allowed: Iterable[str] = ()) -> None:
        self.ask = ask
        self.asking = asyncio.Lock()
        self._told: OrderedDict[str, None] = OrderedDict()
        self._found: OrderedDict[str, None] = OrderedDict()
        self._read: OrderedDict[str, None] = OrderedDict()
        self._allowed: OrderedDict[str, None] = OrderedDict()
        self._calls = 0
        self._unpriced = 0
        self._costs: dict[str, float] = {}
        self._held = 0
        for site in allowed:
            self.allow(site)

    # What was seen -----------------------------------------------------------------------------------

    def saw(self, text: str) -> None:
        """The person wrote `text`: its URLs, also those without a scheme, may be fetched.

        Only for words of the person: what a model or a page wrote would let itself be fetched.
        """
        self._keep(self._told, typed_in(text))

    def saw_url(self, url: str) -> None:
        """The person gave exactly this URL."""
        parsed = known_url(url)
        self._keep(self._told, () if parsed is None else (parsed,))

    def found(self, urls: Iterable[str | Url]) -> None:
        """Search results or pages showed these URLs; what is no http(s) URL is left out."""
        parsed = (one if isinstance(one, Url) else known_url(one) for one in urls)
        self._keep(self._found, (one for one in parsed if one is not None))

    def read(self, urls: Iterable[str]) -> None:
        """This run was shown the page at these URLs: it may be read on without a question."""
        parsed = tuple(one for one in map(known_url, urls) if one is not None)
        self._keep(self._read, parsed)
        self._keep(self._found, parsed)

    def has_read(self, url: str) -> bool:
        """Whether this run was shown the page at exactly this URL; fragments do not count."""
        parsed = known_url(url)
        return parsed is not None and parsed.document in self._read

    def has_seen(self, url: str) -> bool:
        """Whether this URL was seen, its query to the letter; fragments do not count, and https stands for http."""
        parsed = known_url(url)
        return parsed is not None and any(key in kept for key in _keys(parsed) for kept in (self._told, self._found))

    def has_seen_without_query(self, url: str) -> bool:
        """Whether a URL was seen that differs from this one in nothing but its query."""
        parsed = known_url(url)
        if parsed is None:
            return False
        wanted = {key.partition("?")[0] for key in _keys(parsed)}
        return any(seen.partition("?")[0] in wanted for kept in (self._told, self._found) for seen in kept)

    @property
    def held(self) -> int:
        """Bytes that the remembered URLs take, about."""
        return self._held

    def forget(self) -> None:
        """Remember no URL any more; what was allowed and spent stays."""
        for kept in (self._told, self._found, self._read):
            kept.clear()
        self._held = 0

    def _keep(self, kept: "OrderedDict[str, None]", urls: Iterable[Url]) -> None:
        for url in urls:
            if url.document not in kept:
                self._held += len(url.document) + RUN_URL_BYTES
            kept[url.document] = None
            kept.move_to_end(url.document)
        while len(kept) > RUN_URLS:
            self._held -= len(kept.popitem(last=False)[0]) + RUN_URL_BYTES

    # What a person allowed ---------------------------------------------------------------------------

    @property
    def allowed(self) -> tuple[str, ...]:
        """Origins (or `search`) that the person allowed for good, to be shown, stored and given to later runs."""
        return tuple(self._allowed)

    def allow(self, site: str) -> None:
        """Allow an origin such as `https://docs.example`, or `search`: that and nothing wider (R036).

        Raises:
            WebError: `INVALID_ARGS` for anything else, patterns included.
        """
        self._allowed[_site(site)] = None
        while len(self._allowed) > RUN_SITES:
            self._allowed.popitem(last=False)

    def allows(self, site: str) -> bool:
        """Whether the person allowed this site for good."""
        return site in self._allowed

    # What was spent ----------------------------------------------------------------------------------

    @property
    def calls(self) -> int:
        """Searches, fetches and extractions so far; those that a vendor counted as several count as so many."""
        return self._calls

    @property
    def unpriced(self) -> int:
        """Searches and extractions whose cost was not reported: known as calls alone."""
        return self._unpriced

    @property
    def costs(self) -> Mapping[str, float]:
        """Reported cost by currency."""
        return MappingProxyType(self._costs)

    def take(self) -> None:
        """One call is about to leave."""
        self._calls += 1

    def charge(self, usage: Usage | None) -> None:
        """A call that was taken has ended: what its vendor reported."""
        if usage is not None and usage.calls is not None and usage.calls > 1:
            self._calls += usage.calls - 1
        cost, currency = (None, None) if usage is None else (usage.cost, usage.currency)
        if cost is None or currency is None or not isfinite(cost) or cost < 0:
            self._unpriced += 1
        else:
            self._costs[currency] = self._costs.get(currency, 0.0) + cost


def _keys(url: Url) -> tuple[str, ...]:
    """Spellings under which it may have been seen: a person's `http://a.test/` may be fetched as https, not back."""
    https = "https://"
    if url.scheme != "https" or url.port != DEFAULT_PORTS["https"] or not url.document.startswith(https):
        return (url.document,)
    return url.document, "http://" + url.document.removeprefix(https)


def _site(text: str) -> str:
    if text == SEARCHES:
        return text
    try:
        url = web_url(text)
    except WebError as error:
        raise WebError(
            Code.INVALID_ARGS, f'A site is an origin such as "https://docs.example". {error.message}'
        ) from error
    if "*" in text or url.href.removesuffix("/") != url.origin:
        raise WebError(Code.INVALID_ARGS, 'A site is one origin such as "https://docs.example": no path, no pattern.')
    return url.origin
