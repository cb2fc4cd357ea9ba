"""Perplexity Sonar: an answer with the pages behind it (POST /chat/completions). Facts: Perplexity's SDK 0.46."""

import re
from collections import Counter
from datetime import date
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult, Source, Usage
from webseam.providers.wires.account import Account
from webseam.providers.wires.controls import Checked, at_most, check, strict_only
from webseam.providers.wires.json_api import JsonApi, lacking
from webseam.providers.wires.options import checked
from webseam.providers.wires.rows import Row, count, items, mapping, number, source, sources, text

DOMAINS: Final = 20
"""Most entries of `search_domain_filter`."""

_THINKING: Final = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


class PerplexityOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.perplexity]`. `search_recency` limits every search; it does not go with dates in a request."""

    base_url: str = "https://api.perplexity.ai"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "sonar"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1024
    search_recency: Literal["hour", "day", "week", "month", "year"] | None = None


class PerplexitySearch:
    """Searches with Sonar; an answer that reports no search and lists no page is `ungrounded`."""

    native_controls = frozenset(
        {
            "include_domains",
            "exclude_domains",
            "published_after",
            "published_before",
            "country",
            "language",
            "safe_search",
        }
    )

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._options = checked(kit, PerplexityOptions)
        self._account = Account(kit, self._options.base_url)
        self._api = JsonApi(kit)

    def available(self) -> bool:
        """Whether a key is set and the base URL parses."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """One POST /chat/completions; see `SearchProvider.search`."""
        access = await self._account.take(call)
        controls = check(request.controls, self.id)
        payload = await self._api.ask(
            access.url("chat/completions"),
            self._body(request, controls),
            call=call,
            headers={"Authorization": f"Bearer {access.key}"},
            secrets=access.secrets,
        )
        if not isinstance(payload.get("choices"), list):
            raise lacking(self.id, payload, "choices", access.secrets)
        return self._result(payload, controls, raw=payload if call.raw else None)

    def _result(self, payload: Row, controls: Checked, *, raw: Any) -> SearchResult:
        choice = mapping(next(iter(payload["choices"]), None))
        dropped: Counter[str] = Counter()
        found = _sources(payload, dropped)
        searched = _searched(payload)
        if found and not searched:
            dropped["ungrounded"] += len(found)
        return SearchResult(
            provider=self.id,
            grounding="searched" if searched else "ungrounded",
            content=_answer(mapping(choice.get("message")).get("content")),
            sources=found if searched else (),
            truncated=choice.get("finish_reason") == "length",
            dropped=dropped,
            controls=controls.one_sided,
            usage=_usage(mapping(payload.get("usage"))),
            raw=raw,
        )

    def _body(self, request: SearchRequest, controls: Checked) -> dict[str, Any]:
        dated = controls.after is not None or controls.before is not None
        body: dict[str, Any] = {
            "model": self._options.model,
            "max_tokens": self._options.max_tokens,
            "messages": [{"role": "user", "content": request.query}],
            "num_search_results": request.max_results,
            "search_domain_filter": self._domains(controls) or None,
            "search_recency_filter": None if dated else self._options.search_recency,
            "search_after_date_filter": _day(controls.after),
            "search_before_date_filter": _day(controls.before),
            "search_language_filter": [controls.language] if controls.language else None,
            "web_search_options": {"user_location": {"country": controls.country}} if controls.country else None,
            "safe_search": strict_only(request.controls, self.id),
        }
        return {name: value for name, value in body.items() if value is not None}

    def _domains(self, controls: Checked) -> list[str]:
        """One list for both: with both asked, only what to include; the seam holds the exclusion on the results."""
        at_most("include_domains", controls.include_domains, DOMAINS, self.id)
        if controls.include_domains:
            return list(controls.include_domains)
        at_most("exclude_domains", controls.exclude_domains, DOMAINS, self.id)
        return [f"-{domain}" for domain in controls.exclude_domains]


def _day(day: date | None) -> str | None:
    """Perplexity takes American dates and gives ISO ones."""
    return None if day is None else f"{day:%m/%d/%Y}"


def _searched(payload: Row) -> bool:
    """A reported search, or web pages listed as its results; citations and `[1]` marks prove nothing."""
    if count(mapping(payload.get("usage")).get("num_search_queries")):
        return True
    return any(_is_web(row) for row in items(payload.get("search_results")))


def _is_web(row: object) -> bool:
    """An attachment of the conversation is listed among the results, too, but nobody searched for it."""
    return isinstance(row, dict) and row.get("source") != "attachment"


def _sources(payload: Row, dropped: Counter[str]) -> tuple[Source, ...]:
    """`search_results`, even when empty; the bare `citations` only where that list is absent (dsh-58)."""
    if payload.get("search_results") is None:
        return sources(({"url": url} for url in items(payload.get("citations"))), source, dropped)
    rows = items(payload["search_results"])
    web = [row for row in rows if not isinstance(row, dict) or _is_web(row)]
    if len(web) < len(rows):
        dropped["attachment"] += len(rows) - len(web)
    return sources(web, _source, dropped)


def _source(row: Row) -> Source | None:
    return source(row, snippet=text(row.get("snippet")), published_at=row.get("date"))


def _answer(content: object) -> str | None:
    """The answer without the thinking that reasoning models put before it; parts of a list are joined."""
    if isinstance(content, list):
        parts = (mapping(part).get("text") for part in content)
        content = "".join(part for part in parts if isinstance(part, str))
    return text(_THINKING.sub("", content)) if isinstance(content, str) else None


def _usage(usage: Row) -> Usage:
    cost = number(mapping(usage.get("cost")).get("total_cost"))
    return Usage(
        calls=count(usage.get("num_search_queries")),
        cost=cost,
        currency=None if cost is None else "USD",
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
    )


SPEC = ProviderSpec(
    kind="perplexity",
    capability="search",
    build=PerplexitySearch,
    options=PerplexityOptions,
    key_env=("PERPLEXITY_API_KEY",),
    summary="Perplexity Sonar: a generated answer with the pages behind it.",
)
