"""Countries and languages as each vendor spells them, and codes that name nothing."""

from typing import Any

import pytest

from support.vendor import SPECS, facts_of, good, staged
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls

NOWHERE = [SearchControls(country=code) for code in ("UK", "ZZ", "eu")]
UNSPOKEN = [SearchControls(language=tag) for tag in ("jp", "xx-YY", "cn")]
CASES = [
    pytest.param(kind, controls, id=f"{kind}: {controls.country or controls.language}")
    for kind, spec in sorted(SPECS.items())
    for controls in (*NOWHERE, *UNSPOKEN)
    if controls.asked()[0] in spec.controls
]


@pytest.mark.req("search:vendor-controls:unassigned")
@pytest.mark.parametrize(("kind", "controls"), CASES)
async def test_a_code_that_names_nothing_is_refused_before_anything_leaves(kind: str, controls: SearchControls) -> None:
    async with staged(kind, good(kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert controls.asked()[0] in caught.value.message
    assert stage.server.connections == 0


FIELDS = {
    "brave": "search_lang",
    "jina": "hl",
    "perplexity": "search_language_filter",
    "perplexity-search": "search_language_filter",
    "searxng": "language",
    "serpapi": "lr",
    "serper": "hl",
    "you": "language",
}
SIMPLIFIED = {"brave": "zh-hans", "jina": "zh-cn", "searxng": "zh-CN", "serpapi": "lang_zh-CN", "you": "ZH-HANS"}
TRADITIONAL = {"brave": "zh-hant", "jina": "zh-tw", "searxng": "zh-TW", "serpapi": "lang_zh-TW", "you": "ZH-HANT"}
SPELLED: list[tuple[str, dict[str, Any]]] = [
    ("zh-Hans-HK", SIMPLIFIED),
    ("zh-Hans-TW", SIMPLIFIED),
    ("zh-Hant-CN", TRADITIONAL),
    ("zh-Hant-TW", TRADITIONAL),
    ("zh-hant", TRADITIONAL),
    ("zh-TW", TRADITIONAL),
    ("zh-HK", TRADITIONAL | {"searxng": "zh-HK"}),
    ("zh-Hant-HK", TRADITIONAL | {"searxng": "zh-HK"}),
    ("iw-IL", {"brave": "he", "jina": "iw", "searxng": "he-IL", "you": "HE", "perplexity-search": ["he"]}),
    ("in", {"jina": "id", "serper": "id", "searxng": "id", "perplexity": ["id"]}),
    ("no-NO", {"brave": "nb", "you": "NB", "jina": "no"}),
    ("nb", {"brave": "nb", "you": "NB", "jina": "no", "serper": "no"}),
    ("pt", {"brave": "pt-br", "you": "PT-BR"}),
    ("pt-PT", {"brave": "pt-pt", "you": "PT-PT"}),
    ("en-GB", {"brave": "en-gb", "you": "EN-GB", "searxng": "en-GB"}),
    ("fil", {"jina": "tl", "serper": "tl"}),
]


@pytest.mark.req("search:query:scripts")
@pytest.mark.parametrize(
    ("kind", "tag", "spelled"),
    [(kind, tag, spelled) for tag, by_vendor in SPELLED for kind, spelled in by_vendor.items()],
)
async def test_a_tag_is_sent_in_the_vendors_own_spelling(kind: str, tag: str, spelled: Any) -> None:
    async with staged(kind, good(kind)) as stage:
        await stage.web.search("kelp", controls=SearchControls(language=tag))

    told = facts_of(stage.server.requests[-1])
    assert (told.get("query", {}) | told.get("json", {}))[FIELDS[kind]] == spelled


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(
    ("kind", "controls"),
    [
        ("jina", SearchControls(language="tlh")),
        ("jina", SearchControls(country="SS")),
        ("perplexity", SearchControls(language="fil")),
        ("perplexity-search", SearchControls(language="fil")),
    ],
)
async def test_a_code_outside_the_vendors_list_is_refused_before_anything_leaves(
    kind: str, controls: SearchControls
) -> None:
    async with staged(kind, good(kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, stage.server.connections) == (Code.UNSUPPORTED_CONTROL, 0)


@pytest.mark.req("search:vendor:max-results")
async def test_braves_context_is_drawn_from_as_many_hits_as_are_asked_for() -> None:
    async with staged("brave-context", *[good("brave-context")] * 3) as stage:
        for bound in (20, 30, 90):
            await stage.web.search("kelp", max_results=bound)

    assert [one.json.get("count") for one in stage.server.requests] == [None, 30, 50]
