"""The APIs of models that search by themselves, by the names that hosts give them, and how each is spoken to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from webseam.core.call import ModelRef
from webseam.providers.wires import gemini, messages, responses
from webseam.providers.wires.asking import Question
from webseam.providers.wires.vendor import Vendor, bearer, in_header


class Routed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of one call: the configured ones, with what the current model says."""

    base_url: str
    model: str
    max_tokens: int
    max_uses: int
    answer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """How one API is spoken to.

    Args:
        vendor: the description for this model.
        homes: base URL by the model's vendor, where the call names none: a key goes to its own vendor or nowhere.
        base: puts a base URL, as hosts write it for this API, into the form that the wire wants.
    """

    vendor: Callable[[ModelRef], Vendor[Routed]]
    homes: Mapping[str, str] = field(default_factory=dict)
    base: Callable[[str], str] = lambda url: url


def _messages(ref: ModelRef) -> Vendor[Routed]:
    """Anthropic's own service as its SDK asks it; those who copy its wire know the first version, and either header."""
    official = ref.provider == "anthropic"

    def manner(options: Routed) -> messages.Manner:
        return messages.Manner(
            model=options.model,
            max_tokens=options.max_tokens,
            max_uses=options.max_uses,
            answer=options.answer,
            api_version="2026-10-21" if official else "2023-06-01",
            extra=messages.NO_THINKING if ref.provider == "deepseek" else {},
        )

    return messages.messages_vendor(
        manner,
        key=bearer if official else messages.both_headers,
        native=messages.CONTROLS if official else frozenset(),
    )


def _versioned(base: str) -> str:
    """Hosts write Anthropic's base URL without the version, as its SDK does."""
    path, mark, query = base.partition("?")
    path = path.rstrip("/")
    return (path if path.endswith("/v1") else f"{path}/v1") + mark + query


def _responses(ref: ModelRef) -> Vendor[Routed]:
    """OpenAI's own service, and Azure's copy of it, honour the tool's controls; of others nothing is known."""
    official = ref.provider == "openai" or ref.api != "openai-responses"
    native = responses.CONTROLS if official else frozenset[str]()

    def manner(question: Question[Routed]) -> responses.Manner:
        options = question.options
        return responses.Manner(
            model=options.model,
            max_tokens=options.max_tokens,
            answer=options.answer,
            tool=responses.search_tool(question, native, worldwide=official),
            extra={"include": ["web_search_call.action.sources"], "store": False} if official else {},
        )

    return responses.responses_vendor(
        manner, native=lambda _: native, key=in_header("api-key") if ref.api == "azure-openai-responses" else bearer
    )


def _gemini(_ref: ModelRef) -> Vendor[Routed]:
    def manner(options: Routed) -> gemini.Manner:
        return gemini.Manner(model=options.model, max_tokens=options.max_tokens, answer=options.answer)

    return gemini.gemini_vendor(manner)


WIRES: Final[Mapping[str, Wire]] = {
    "anthropic-messages": Wire(
        vendor=_messages,
        homes={"anthropic": "https://api.anthropic.com", "deepseek": "https://api.deepseek.com/anthropic"},
        base=_versioned,
    ),
    "openai-responses": Wire(
        vendor=_responses, homes={"openai": "https://api.openai.com/v1", "deepseek": "https://api.deepseek.com"}
    ),
    "azure-openai-responses": Wire(vendor=_responses),
    "openai-codex-responses": Wire(vendor=_responses),
    "google-generative-ai": Wire(vendor=_gemini, homes={"google": "https://generativelanguage.googleapis.com/v1"}),
}
"""The APIs whose own search is known here, by the names that hosts give them."""

CONTROLS: Final = messages.CONTROLS | responses.CONTROLS | gemini.CONTROLS
"""What at least one of the wires honours; a call is held to those of its own model's."""
