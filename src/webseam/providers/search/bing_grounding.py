"""Grounding with Bing in Microsoft Foundry (POST /openai/v1/responses of a project); Bing's own API closed in 2025.

Facts: public clients of it, autumn 2026; `count`, `market` and `set_lang` as they send them.
"""

from typing import Annotated, Any, Final

import msgspec

from webseam.core.plugin import ProviderSpec
from webseam.providers.wires.asking import Question
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.responses import Manner, responses_vendor, search_tool
from webseam.providers.wires.vendor import Vendor, in_header, provider

MAX_RESULTS: Final = 50
"""Highest `count` of a search configuration; it is a hint."""

_COUNTRY: Final = frozenset({"country"})
_CONNECTED: Final = frozenset({"country", "language"})
_MARKETS: Final = """
en-US es-US en-GB en-AU en-CA fr-CA en-IN en-ID en-MY en-NZ en-PH en-ZA de-DE de-AT de-CH fr-CH fr-FR nl-BE fr-BE nl-NL
it-IT es-ES es-AR es-CL es-MX pt-BR pl-PL sv-SE da-DK fi-FI no-NO tr-TR ru-RU ja-JP ko-KR zh-CN zh-HK zh-TW
"""
"""Bing's markets; of several in one country the first one holds when no language is asked."""


class BingGroundingOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.bing-grounding]`. `answer` passes the model's prose on.

    `base_url` is the endpoint of a Foundry project (`https://<account>.services.ai.azure.com/api/projects/<project>`),
    `model` the name of a deployment. With `connection`, the id of the project's Bing connection, the search goes
    through that; without, through Foundry's own tool.
    """

    base_url: str = ""
    model: Annotated[str, msgspec.Meta(min_length=1)] = "gpt-5.4-mini"
    connection: str = ""
    max_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 8192
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None
    answer: bool = True


def _manner(question: Question[BingGroundingOptions]) -> Manner:
    """The model itself decides whether it searches."""
    options = question.options
    tool = _bing(question) if options.connection else search_tool(question, _COUNTRY)
    return Manner(model=options.model, max_tokens=options.max_tokens, answer=options.answer, tool=tool)


def _bing(question: Question[BingGroundingOptions]) -> dict[str, Any]:
    options = question.options
    search = {
        "project_connection_id": options.connection,
        "count": question.wanted(MAX_RESULTS, options.num_results),
        "market": _market(question),
        "set_lang": question.controls.language,
    }
    named = {name: value for name, value in search.items() if value is not None}
    return {"type": "bing_grounding", "bing_grounding": {"search_configurations": [named]}}


def _market(question: Question[BingGroundingOptions]) -> str | None:
    """The market of the country, in the language that was asked where the country has one in it."""
    country, language = question.controls.country, question.controls.language
    if country is None:
        return None
    known = [market for market in _MARKETS.split() if market.endswith(f"-{country}")]
    if not known:
        raise unsupported("country", country, "Bing has no market there.", question.provider)
    asked = f"{language}-{country}"
    return asked if asked in known else known[0]


VENDOR: Final[Vendor[BingGroundingOptions]] = responses_vendor(
    _manner,
    native=lambda options: _CONNECTED if options.connection else _COUNTRY,
    key=in_header("api-key"),
    path="openai/v1/responses",
)
SPEC = ProviderSpec(
    kind="bing-grounding",
    capability="search",
    build=provider(VENDOR, BingGroundingOptions),
    options=BingGroundingOptions,
    key_env=("AZURE_AI_API_KEY",),
    summary="Grounding with Bing in a Microsoft Foundry project: an answer with the pages it cites.",
    answer="option",
    controls=_COUNTRY,
    rests_on="recalled",
)
