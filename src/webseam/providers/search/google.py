"""Google's Gemini with grounding by Google Search (POST /models/{model}:generateContent). Facts: google-genai 3.6."""

from typing import Annotated, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.gemini import CONTROLS, Manner, gemini_vendor
from webseam.providers.wires.vendor import Vendor, provider


class GoogleOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.google]`, for the Gemini API (not Vertex). `answer` passes the model's prose on."""

    base_url: str = "https://generativelanguage.googleapis.com/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "gemini-3.8-flash"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 8192
    answer: bool = True


def _manner(options: GoogleOptions) -> Manner:
    return Manner(model=options.model, max_tokens=options.max_tokens, answer=options.answer)


VENDOR: Final[Vendor[GoogleOptions]] = gemini_vendor(_manner)
SPEC = ProviderSpec(
    kind="google",
    capability="search",
    build=provider(VENDOR, GoogleOptions),
    options=GoogleOptions,
    key_env=("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    summary="Google's Gemini with grounding by Google Search: an answer with the pages that support it.",
    answer="option",
    controls=CONTROLS,
    rests_on="sdk",
)
