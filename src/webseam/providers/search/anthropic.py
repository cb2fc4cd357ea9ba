"""Anthropic's Claude with its native web search (POST /messages). Facts: Anthropic's Python SDK 2.14."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.messages import CONTROLS, Manner, messages_vendor
from webseam.providers.wires.vendor import Vendor, bearer, provider


class AnthropicOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.anthropic]`. `answer` passes the model's prose on; `max_uses` bounds the searches of one answer.

    `api_version` is the one that the SDK sends, and so is the key's place, a bearer token.
    """

    base_url: str = "https://api.anthropic.com/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "claude-haiku-5-5"
    api_version: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] = "2026-10-21"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 4096
    max_uses: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    answer: bool = True


def _manner(options: AnthropicOptions) -> Manner:
    return Manner(
        model=options.model,
        max_tokens=options.max_tokens,
        max_uses=options.max_uses,
        answer=options.answer,
        api_version=options.api_version,
    )


VENDOR: Final[Vendor[AnthropicOptions]] = messages_vendor(_manner, key=bearer, native=CONTROLS)
SPEC = ProviderSpec(
    kind="anthropic",
    capability="search",
    build=provider(VENDOR, AnthropicOptions),
    options=AnthropicOptions,
    key_env=("ANTHROPIC_API_KEY",),
    summary="Anthropic's Claude with its native web search: an answer, and pages quoted where it cites them.",
    answer="option",
    controls=CONTROLS,
    rests_on="sdk",
)
