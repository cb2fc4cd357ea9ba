"""OpenAI's models with their native web search (POST /responses). Facts: OpenAI's Python SDK 3.57."""

from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.asking import Question
from webseam.providers.wires.responses import CONTROLS, Manner, responses_vendor, search_tool
from webseam.providers.wires.vendor import Vendor, provider


class OpenAIOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.openai]`. `answer` passes the model's prose on.

    `search_context` is how much of the pages the model reads. `live` off searches OpenAI's copy of the web only.
    """

    base_url: str = "https://api.openai.com/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "gpt-5.4-mini"
    max_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 8192
    search_context: Literal["low", "medium", "high"] | None = None
    live: bool = True
    answer: bool = True


def _manner(question: Question[OpenAIOptions]) -> Manner:
    """A search is required, its list of pages asked for, and the answer not stored."""
    options = question.options
    tool: dict[str, Any] = search_tool(question, CONTROLS, worldwide=True)
    if options.search_context is not None:
        tool["search_context_size"] = options.search_context
    if not options.live:
        tool["external_web_access"] = False
    return Manner(
        model=options.model,
        max_tokens=options.max_tokens,
        answer=options.answer,
        tool=tool,
        extra={"tool_choice": "required", "include": ["web_search_call.action.sources"], "store": False},
    )


VENDOR: Final[Vendor[OpenAIOptions]] = responses_vendor(_manner, native=lambda _: CONTROLS)
SPEC = ProviderSpec(
    kind="openai",
    capability="search",
    build=provider(VENDOR, OpenAIOptions),
    options=OpenAIOptions,
    key_env=("OPENAI_API_KEY",),
    summary="OpenAI's models with their native web search: an answer with the pages it cites and consulted.",
    answer="option",
    controls=CONTROLS,
    rests_on="sdk",
)
