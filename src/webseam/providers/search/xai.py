"""xAI's Grok with its native web search (POST /responses). Facts: xAI's Python SDK 1.21, which speaks gRPC only."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.asking import Question
from webseam.providers.wires.controls import at_most
from webseam.providers.wires.failures import ErrorFacts
from webseam.providers.wires.responses import Manner, responses_vendor, search_tool
from webseam.providers.wires.vendor import Vendor, provider

DOMAINS: Final = 5
"""Most domains of one filter (xAI's SDK)."""

_NATIVE: Final = frozenset({"include_domains", "exclude_domains", "country"})


class XaiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.xai]`. `answer` passes the model's prose on."""

    base_url: str = "https://api.x.ai/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "grok-4.3"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 8192
    answer: bool = True


def _manner(question: Question[XaiOptions]) -> Manner:
    """A search is required, and the answer not stored."""
    options, controls = question.options, question.controls
    at_most("include_domains", controls.include_domains, DOMAINS, question.provider)
    if not controls.include_domains:
        at_most("exclude_domains", controls.exclude_domains, DOMAINS, question.provider)
    return Manner(
        model=options.model,
        max_tokens=options.max_tokens,
        answer=options.answer,
        tool=search_tool(question, _NATIVE),
        extra={"tool_choice": "required", "store": False},
    )


VENDOR: Final[Vendor[XaiOptions]] = responses_vendor(
    _manner,
    native=lambda _: _NATIVE,
    facts=ErrorFacts(key_words=("incorrect api key", "invalid api key")),
)
SPEC = ProviderSpec(
    kind="xai",
    capability="search",
    build=provider(VENDOR, XaiOptions),
    options=XaiOptions,
    key_env=("XAI_API_KEY",),
    summary="xAI's Grok with its native web search: an answer with the pages it cites and met.",
    answer="option",
    controls=_NATIVE,
)
