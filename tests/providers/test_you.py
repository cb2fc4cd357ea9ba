"""You.com: the keyless service, and what it has no name for."""

import pytest

from support.canned import Canned
from support.vendor import HeldKey, build, good, says, staged, values_of
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchControls, SearchRequest

NO_HITS = b'{"results": {"web": []}}'


@pytest.mark.req("search:vendor-key:keyless")
@pytest.mark.parametrize(
    ("key", "url"),
    [("ydc-0123456789", "https://ydc-index.io/v1/search"), (None, "https://api.you.com/v1/agents/search")],
)
async def test_key_and_host_are_chosen_together(key: str | None, url: str) -> None:
    transport = Canned(NO_HITS)
    provider = build("you", transport, secret=HeldKey(key))

    await provider.search(SearchRequest(query="kelp"), call=Call())

    assert [one.url for one in transport.sent] == [url]
    assert ("x-api-key" in transport.sent[0].headers) is (key is not None)


@pytest.mark.req("search:vendor-key:keyless")
async def test_the_keyless_service_is_asked_not_to_compress_and_for_no_highlights() -> None:
    async with staged("you", good("you"), secret=HeldKey(None), highlights=True) as stage:
        result = await stage.web.search("kelp")

    (request,) = stage.server.requests
    assert request.target == "/v1/agents/search"
    assert values_of(request, "accept-encoding") == ["identity"]
    assert "extraction" not in request.json
    assert result.sources


@pytest.mark.req("search:vendor-options:sent")
async def test_highlights_are_asked_for_with_a_key() -> None:
    async with staged("you", good("you"), highlights=True) as stage:
        await stage.web.search("kelp")

    assert stage.server.requests[0].json["extraction"] == {"extraction_mode": "highlights"}


@pytest.mark.req("search:vendor-controls:unsupported")
@pytest.mark.parametrize(
    "controls",
    [
        SearchControls(country="SG"),
        SearchControls(language="sw"),
        SearchControls(include_domains=tuple(f"d{n}.example" for n in range(501))),
        SearchControls(exclude_domains=tuple(f"d{n}.example" for n in range(501))),
    ],
    ids=["country", "language", "include_domains", "exclude_domains"],
)
async def test_what_it_has_no_name_for_is_refused_before_anything_leaves(controls: SearchControls) -> None:
    async with staged("you", good("you")) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", controls=controls)

    assert (caught.value.code, caught.value.dispatched) == (Code.UNSUPPORTED_CONTROL, False)
    assert controls.asked()[0] in caught.value.message
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor:no-list")
@pytest.mark.parametrize("odd", [{"url": "https://a.example/"}, "many", 7])
async def test_a_section_that_is_no_list_is_no_empty_one(odd: object) -> None:
    reply = says({"results": {"web": odd, "news": [{"url": "https://n.example/"}]}, "metadata": {"query": "kelp"}})
    async with staged("you", reply) as stage:
        with pytest.raises(WebError, match="without a usable 'web'"):
            await stage.web.search("kelp")
