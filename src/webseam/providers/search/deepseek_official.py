"""DeepSeek's model with its native web search, over the Anthropic Messages wire (dsh-59 to dsh-68)."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.messages import NO_THINKING, Manner, both_headers, messages_vendor
from webseam.providers.wires.vendor import Vendor, provider


class DeepSeekOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.deepseek-official]`. `answer` passes the model's own prose on with its sources."""

    base_url: str = "https://api.deepseek.com/anthropic/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "deepseek-flash"
    api_version: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] = "2023-06-01"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 4096
    max_uses: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    answer: bool = False


def _manner(options: DeepSeekOptions) -> Manner:
    return Manner(
        model=options.model,
        max_tokens=options.max_tokens,
        max_uses=options.max_uses,
        answer=options.answer,
        api_version=options.api_version,
        extra=NO_THINKING,
    )


VENDOR: Final[Vendor[DeepSeekOptions]] = messages_vendor(_manner, key=both_headers)
SPEC = ProviderSpec(
    kind="deepseek-official",
    capability="search",
    build=provider(VENDOR, DeepSeekOptions),
    options=DeepSeekOptions,
    key_env=("DEEPSEEK_API_KEY",),
    summary="DeepSeek's model with its native web search: pages, quoted where the model cites them.",
    answer="option",
    rests_on="sdk",
)
