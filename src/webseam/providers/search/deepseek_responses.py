"""DeepSeek's model with its native web search, over the Responses wire (POST /responses)."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.asking import Question
from webseam.providers.wires.responses import Manner, responses_vendor, search_tool
from webseam.providers.wires.vendor import Vendor, provider

_NATIVE: Final[frozenset[str]] = frozenset()
"""It ignores place and filters without a word; its searches name no pages, only the pages it opened."""


class DeepSeekResponsesOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.deepseek-responses]`. `answer` passes the model's prose on."""

    base_url: str = "https://api.deepseek.com"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "deepseek-flash"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 8192
    answer: bool = True


def _manner(question: Question[DeepSeekResponsesOptions]) -> Manner:
    """The wire keeps no state here, and the model itself decides whether it searches."""
    options = question.options
    return Manner(
        model=options.model,
        max_tokens=options.max_tokens,
        answer=options.answer,
        tool=search_tool(question, _NATIVE),
        extra={"tool_choice": "auto"},
    )


VENDOR: Final[Vendor[DeepSeekResponsesOptions]] = responses_vendor(_manner)
SPEC = ProviderSpec(
    kind="deepseek-responses",
    capability="search",
    build=provider(VENDOR, DeepSeekResponsesOptions),
    options=DeepSeekResponsesOptions,
    key_env=("DEEPSEEK_API_KEY",),
    named_only=True,
    summary="DeepSeek's model with its native web search over the Responses wire: an answer and the pages it opened.",
    answer="option",
    controls=_NATIVE,
)
