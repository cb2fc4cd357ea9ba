"""OpenRouter: any of its models, with pages searched beforehand (POST /chat/completions). Facts: its Python SDK 1.3."""

from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.chat import ChatFold, answer_fault, incomplete, message, usage_of
from webseam.providers.wires.chat_citations import citations, marked, pages_of
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.rows import Row, count, mapping, number, source, text
from webseam.providers.wires.vendor import Streaming, Vendor, provider

MAX_RESULTS: Final = 20
"""`max_results` of the engine that takes the fewest (Perplexity); a native engine looks at none."""

_DOMAINS: Final = frozenset({"include_domains", "exclude_domains"})


class OpenRouterOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.openrouter]`. `engine` None: the model's own search, and Exa where it has none.

    `num_results` holds when a request names no bound; OpenRouter's own is 5. `answer` passes the model's prose on.
    """

    base_url: str = "https://openrouter.ai/api/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "openrouter/auto"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 4096
    engine: Literal["native", "exa", "firecrawl", "parallel", "perplexity"] | None = None
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = True


def _native(options: OpenRouterOptions) -> frozenset[str]:
    """A place is passed on to a model's own search only."""
    return _DOMAINS | {"country"} if options.engine == "native" else _DOMAINS


def _ask(question: Question[OpenRouterOptions]) -> Ask:
    """The plugin searches before the model speaks; the tool of the same name would leave it to the model."""
    options = question.options
    return Ask(
        path="chat/completions",
        json={
            "model": options.model,
            "max_tokens": options.max_tokens,
            "messages": [{"role": "user", "content": f"Search the web for this query: {question.query}"}],
            "plugins": [{name: value for name, value in _plugin(question).items() if value is not None}],
        },
    )


def _plugin(question: Question[OpenRouterOptions]) -> dict[str, Any]:
    options, controls = question.options, question.controls
    place = controls.country if "country" in _native(options) else None
    return {
        "id": "web",
        "engine": options.engine,
        "max_results": question.wanted(MAX_RESULTS, options.num_results),
        "include_domains": list(controls.include_domains) or None,
        "exclude_domains": None if controls.include_domains else list(controls.exclude_domains) or None,
        "user_location": {"type": "approximate", "country": place} if place else None,
    }


def _read(answer: Answer[OpenRouterOptions]) -> SearchResult:
    """The reported count of searches decides; only where none is reported, a citation with an extract is evidence."""
    fault = answer_fault(answer)
    if fault is not None:
        raise fault
    answer.rows("choices")
    said = message(answer.row)
    cited = citations(said)
    calls = _searches(answer.row)
    searched = calls > 0 if calls is not None else any(text(mapping(one).get("content")) for one in cited)
    pages = pages_of(cited)
    passed_on = answer.question.options.answer or not searched
    return answer.result(
        pages.values(),
        _source,
        grounding="searched" if searched else "ungrounded",
        content=marked(said.get("content"), cited, pages if searched else {}) if passed_on else None,
        truncated=incomplete(answer.row) is not None,
        usage=usage_of(answer.row, calls=calls, cost=number(mapping(answer.row.get("usage")).get("cost"))),
    )


def _searches(payload: Row) -> int | None:
    """Searches made, as reported today or formerly; calls that the model only requested are others."""
    usage = mapping(payload.get("usage"))
    counts = (mapping(usage.get(name)).get("web_search_requests") for name in _COUNTERS)
    return next((found for found in map(count, counts) if found is not None), None)


_COUNTERS: Final = ("server_tool_use_details", "server_tool_use")


def _source(row: Row) -> Source | None:
    url = unwrap(text(row.get("url")) or "")
    return source({**row, "url": url}, snippet=plain_text(row.get("content")))


VENDOR: Final[Vendor[OpenRouterOptions]] = Vendor(
    ask=_ask, read=_read, native=_native, one_list=True, stream=Streaming(fold=ChatFold)
)
SPEC = ProviderSpec(
    kind="openrouter",
    capability="search",
    build=provider(VENDOR, OpenRouterOptions),
    options=OpenRouterOptions,
    key_env=("OPENROUTER_API_KEY",),
    summary="OpenRouter: an answer of any of its models, with the pages that were searched for it.",
    answer="option",
    controls=_native(OpenRouterOptions()),
    rests_on="sdk",
)
