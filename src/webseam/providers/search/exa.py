"""Exa: a search API without a model (POST /search). Facts: Exa's OpenAPI description and Python SDK 2.28."""

from collections import Counter
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.text import one_line
from webseam.core.types import SearchRequest, SearchResult, Source, Usage
from webseam.providers.wires.account import Account
from webseam.providers.wires.controls import Checked, check, strict_only
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.json_api import JsonApi, lacking
from webseam.providers.wires.options import checked
from webseam.providers.wires.rows import Row, items, mapping, number, source, sources, text

MAX_RESULTS: Final = 100
"""`numResults` of the ordinary plans; a larger one is HTTP 400."""

_FACTS: Final = ErrorFacts(quota_codes=frozenset({"no_more_credits", "api_key_budget_exceeded"}))


class ExaOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.exa]`. `num_results` holds when a request names no bound; `highlight_chars` None lets Exa decide."""

    base_url: str = "https://api.exa.ai"
    search_type: Literal["auto", "fast", "instant", "neural", "deep-lite", "deep", "deep-reasoning"] = "auto"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    highlight_chars: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None


class ExaSearch:
    """Searches with Exa. A hit without a highlight is kept, without a snippet; a well-formed answer is evidence."""

    native_controls = frozenset(
        {"include_domains", "exclude_domains", "published_after", "published_before", "country", "safe_search"}
    )

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._options = checked(kit, ExaOptions)
        self._account = Account(kit, self._options.base_url)
        self._api = JsonApi(kit, _FACTS)

    def available(self) -> bool:
        """Whether a key is set and the base URL parses."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """One POST /search; see `SearchProvider.search`."""
        access = await self._account.take(call)
        controls = check(request.controls, self.id)
        payload = await self._api.ask(
            access.url("search"),
            self._body(request, controls),
            call=call,
            headers={"Authorization": f"Bearer {access.key}"},
            secrets=access.secrets,
        )
        if not _well_formed(payload):
            raise lacking(self.id, payload, "results", access.secrets)
        dropped: Counter[str] = Counter()
        return SearchResult(
            provider=self.id,
            sources=sources(items(payload.get("results")), _source, dropped),
            dropped=dropped,
            controls=controls.one_sided,
            notices=_notices(payload),
            usage=_usage(payload),
            raw=payload if call.raw else None,
        )

    def _body(self, request: SearchRequest, controls: Checked) -> dict[str, Any]:
        options = self._options
        wanted = request.max_results or options.num_results
        excerpts = {"maxCharacters": options.highlight_chars} if options.highlight_chars else True
        body: dict[str, Any] = {
            "query": request.query,
            "type": options.search_type,
            "contents": {"highlights": excerpts},
            "numResults": min(wanted, MAX_RESULTS) if wanted else None,
            "startPublishedDate": controls.after and controls.after.isoformat(),
            "endPublishedDate": controls.before and controls.before.isoformat(),
            "userLocation": controls.country,
            "moderation": strict_only(request.controls, self.id),
        }
        # Exa takes one list of domains; with both asked the seam holds the exclusion on the results.
        if controls.include_domains:
            body["includeDomains"] = list(controls.include_domains)
        elif controls.exclude_domains:
            body["excludeDomains"] = list(controls.exclude_domains)
        return {name: value for name, value in body.items() if value is not None}


def _well_formed(payload: Row) -> bool:
    """Exa leaves `results` out when there are none (dsh-54); a foreign object is no evidence of a search."""
    results = payload.get("results")
    return isinstance(results, list) or (results is None and (not payload or "requestId" in payload))


def _source(row: Row) -> Source | None:
    excerpts = (text(one) for one in items(row.get("highlights")))
    joined = " \u2026 ".join(one for one in excerpts if one)
    return source(row, snippet=joined or text(row.get("text")), published_at=row.get("publishedDate"))


def _notices(payload: Row) -> tuple[str, ...]:
    """Remarks on the answer itself, such as a query that was relaxed; `warnings` are for developers and stay out."""
    notices = map(mapping, items(payload.get("notices")))
    told = (" ".join(filter(None, (text(one.get("code")), text(one.get("message"))))) for one in notices)
    return tuple(one_line(one) for one in told if one)


def _usage(payload: Row) -> Usage:
    cost = number(mapping(payload.get("costDollars")).get("total"))
    return Usage(calls=1, cost=cost, currency=None if cost is None else "USD")


SPEC = ProviderSpec(
    kind="exa",
    capability="search",
    build=ExaSearch,
    options=ExaOptions,
    key_env=("EXA_API_KEY",),
    summary="Exa search API: pages with highlights, dates and the cost of each call.",
)
