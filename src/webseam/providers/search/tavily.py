"""Tavily: a search API (POST /search), with a key or keyless. Facts: Tavily's Python SDK 0.8 and MCP server."""

from collections import Counter
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult, Source, Usage
from webseam.providers.wires.account import Access, Account
from webseam.providers.wires.controls import Checked, at_most, check, unsupported
from webseam.providers.wires.countries import english_name
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.json_api import JsonApi, lacking
from webseam.providers.wires.options import checked
from webseam.providers.wires.rows import Row, mapping, number, source, sources, text

QUERY_CHARS: Final = 400
"""Longest query that Tavily takes; a longer one is HTTP 400."""

MAX_RESULTS: Final = 20
"""Highest `max_results` of Tavily."""

INCLUDED_DOMAINS: Final = 300
EXCLUDED_DOMAINS: Final = 150
"""Tavily's caps on its two lists; past them the answer is empty, without a word (R142)."""

_FACTS: Final = ErrorFacts(quota_statuses=frozenset({402, 432, 433}))  # 432 plan limit, 433 pay-as-you-go limit


class TavilyOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.tavily]`. `answer` asks for a generated answer besides the hits."""

    base_url: str = "https://api.tavily.com"
    search_depth: Literal["basic", "advanced", "fast", "ultra-fast"] = "basic"
    topic: Literal["general", "news", "finance"] = "general"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = False


class TavilySearch:
    """Searches with Tavily; without a key in its keyless mode, which limits by address."""

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._options = checked(kit, TavilyOptions)
        self._account = Account(kit, self._options.base_url, key_optional=True)
        self._api = JsonApi(kit, _FACTS)

    @property
    def native_controls(self) -> frozenset[str]:
        """Tavily looks at a country only under the topic `general`."""
        always = {"include_domains", "exclude_domains", "published_after", "published_before"}
        return frozenset(always | {"country"} if self._options.topic == "general" else always)

    def available(self) -> bool:
        """Whether the base URL parses; a key is not needed."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """One POST /search; see `SearchProvider.search`."""
        self._check_query(request.query)
        access = await self._account.take(call)
        payload = await self._api.ask(
            access.url("search"),
            self._body(request, check(request.controls, self.id)),
            call=call,
            headers=_identity(access),
            secrets=access.secrets,
        )
        rows = payload.get("results")
        if not isinstance(rows, list):
            raise lacking(self.id, payload, "results", access.secrets)
        dropped: Counter[str] = Counter()
        return SearchResult(
            provider=self.id,
            content=text(payload.get("answer")) if self._options.answer else None,
            sources=sources(rows, _source, dropped),
            dropped=dropped,
            usage=_usage(payload),
            raw=payload if call.raw else None,
        )

    def _check_query(self, query: str) -> None:
        if len(query) > QUERY_CHARS:
            raise WebError(
                Code.PROVIDER_ERROR,
                f"{self.id} takes queries of at most {QUERY_CHARS} characters, and this one has {len(query)}. "
                f"Shorten it.",
                provider=self.id,
            )

    def _body(self, request: SearchRequest, controls: Checked) -> dict[str, Any]:
        at_most("include_domains", controls.include_domains, INCLUDED_DOMAINS, self.id)
        at_most("exclude_domains", controls.exclude_domains, EXCLUDED_DOMAINS, self.id)
        wanted = request.max_results or self._options.num_results
        body: dict[str, Any] = {
            "query": request.query,
            "search_depth": self._options.search_depth,
            "topic": self._options.topic,
            "include_answer": self._options.answer,
            "include_usage": True,
            "max_results": min(wanted, MAX_RESULTS) if wanted else None,
            "include_domains": list(controls.include_domains) or None,
            "exclude_domains": list(controls.exclude_domains) or None,
            "start_date": controls.after and controls.after.isoformat(),
            "end_date": controls.before and controls.before.isoformat(),
            "country": self._country(controls.country),
        }
        return {name: value for name, value in body.items() if value is not None}

    def _country(self, code: str | None) -> str | None:
        if code is None or "country" not in self.native_controls:
            return None
        name = english_name(code)
        if name is None:
            raise unsupported("country", code, "It takes countries by name and has none for this code.", self.id)
        return name


def _identity(access: Access) -> dict[str, str]:
    if access.key is None:
        return {"X-Tavily-Access-Mode": "keyless"}
    return {"Authorization": f"Bearer {access.key}"}


def _source(row: Row) -> Source | None:
    return source(row, snippet=text(row.get("content")), published_at=row.get("published_date"))


def _usage(payload: Row) -> Usage:
    """Tavily bills in credits, not in money."""
    credits_spent = number(mapping(payload.get("usage")).get("credits"))
    return Usage(calls=1, cost=credits_spent, currency=None if credits_spent is None else "credits")


SPEC = ProviderSpec(
    kind="tavily",
    capability="search",
    build=TavilySearch,
    options=TavilyOptions,
    key_env=("TAVILY_API_KEY",),
    key_optional=True,
    summary="Tavily search API: pages with extracts; works without a key at a lower rate.",
)
