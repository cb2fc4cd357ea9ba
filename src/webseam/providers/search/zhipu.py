"""Zhipu (bigmodel.cn, z.ai): a search API (POST /web_search). Facts: its SDK zai-sdk 0.2; error codes are recalled."""

from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.failures import ErrorFacts, codes_of, message_of
from webseam.providers.wires.hits import first_text, hit
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.vendor import Vendor, provider

MAX_RESULTS: Final = 50
"""Highest `count` of Zhipu."""

_TEN: Final = 10
_ROWS: Final = "search_result"
_FOUND_NOTHING: Final = "1703"
_NO_ENGINE: Final = "1702"
_TOO_MANY_AT_ONCE: Final = frozenset({"1701", "1302", "1305"})
_FACTS: Final = ErrorFacts(quota_codes=frozenset({"1113"}))  # the balance is used up
_TOO_MANY: Final = 429  # RFC 6585
_ERRORS: Final = frozenset({400, _TOO_MANY, 500})


class ZhipuOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.zhipu]`. Outside of China: `base_url` https://api.z.ai/api/paas/v4 and `engine` `search-prime`."""

    base_url: str = "https://open.bigmodel.cn/api/paas/v4"
    engine: Literal["search_std", "search_pro", "search_pro_sogou", "search_pro_quark", "search-prime"] = "search_std"
    content_size: Literal["medium", "high"] = "medium"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _ask(question: Question[ZhipuOptions]) -> Ask:
    """Zhipu takes one domain: a single one is sent, several are left to the seam, which holds them all."""
    options, included = question.options, question.controls.include_domains
    return Ask(
        path="web_search",
        json={
            "search_query": question.query,
            "search_engine": options.engine,
            "search_intent": False,
            "content_size": options.content_size,
            "count": _count(question),
            "search_domain_filter": included[0] if len(included) == 1 else None,
        },
    )


def _count(question: Question[ZhipuOptions]) -> int | None:
    """Sogou gives hits by the ten only (recalled), so it is asked for the next ten; the seam cuts."""
    wanted = question.wanted(MAX_RESULTS, question.options.num_results)
    if wanted is None or question.options.engine != "search_pro_sogou":
        return wanted
    return -(-wanted // _TEN) * _TEN


def _read(answer: Answer[ZhipuOptions]) -> SearchResult:
    """Hits come as a list, by the SDK's types as one object; an intent that wants no search made none."""
    if answer.refusal is not None or answer.row.get("error"):
        return _nothing_or_fault(answer)
    found = answer.row.get(_ROWS)
    intents = {text(mapping(one).get("intent")) for one in items(answer.row.get("search_intent"))}
    unasked = intents == {"SEARCH_NONE"}
    rows: list[Any] = [found] if isinstance(found, dict) else [] if unasked and found is None else answer.rows(_ROWS)
    searched = bool(rows) or not unasked
    return answer.result(rows, _source, grounding="searched" if searched else "ungrounded", usage=Usage(calls=1))


def _nothing_or_fault(answer: Answer[ZhipuOptions]) -> SearchResult:
    """No data is told as an error, under whatever status."""
    codes = codes_of(answer.payload)
    if _FOUND_NOTHING in codes:
        return answer.nothing(Usage(calls=1))
    if _NO_ENGINE in codes:
        raise answer.engines_failed(message_of(answer.payload))
    if answer.refusal is not None and not (codes & _TOO_MANY_AT_ONCE and answer.status != _TOO_MANY):
        raise answer.refusal
    if codes & _TOO_MANY_AT_ONCE:
        raise answer.fault(_TOO_MANY, message_of(answer.payload))
    raise answer.refused(message_of(answer.payload) or "it gave no reason")


def _source(row: Row) -> Source | None:
    return hit(row, url="link", snippet=first_text(row, "content"), published_at=row.get("publish_date"))


VENDOR: Final[Vendor[ZhipuOptions]] = Vendor(ask=_ask, read=_read, facts=_FACTS, expected=_ERRORS)
SPEC = ProviderSpec(
    kind="zhipu",
    capability="search",
    build=provider(VENDOR, ZhipuOptions),
    options=ZhipuOptions,
    key_env=("ZAI_API_KEY", "ZHIPUAI_API_KEY"),
    summary="Zhipu (bigmodel.cn, z.ai) search API over several Chinese engines.",
    rests_on="sdk",
)
