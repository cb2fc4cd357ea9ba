"""The vendor that `docs/providers/adding.md` shows, taken from the page as it stands and held to what the page asks."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from support.vendor import KEY, HeldKey, says
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, Seams
from webseam.core.settings import FetchSettings
from webseam.core.types import SearchControls, SearchResult
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.testing import Reply, VendorServer

PAGE = Path(__file__).parents[2] / "docs" / "providers" / "adding.md"


def shown() -> Any:
    """The `SPEC` of the page's example."""
    found = re.search(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {"__name__": "webseam_toy"}
    exec(compile(found[1], str(PAGE), "exec"), names)  # noqa: S102 - our own page
    return names["SPEC"]


@asynccontextmanager
async def toy(*replies: Reply, secret: HeldKey | None = None) -> AsyncIterator[tuple[Web, VendorServer]]:
    spec, transport = shown(), VendorTransport()
    async with VendorServer(*replies) as server:
        kit = Kit(
            id="toy",
            options=spec.options(base_url=server.url),
            secret=secret or HeldKey(),
            transport=transport,
            fetch=FetchSettings(),
            data_dir=Path("unused"),
            seams=Seams(),
            on_close=lambda _close: None,
        )
        web = Web()
        web.register_search(spec.build(kit))
        web.at_close(transport.aclose)
        async with web:
            yield web, server


HITS = says({"hits": [{"link": "https://a.test/", "name": f"Kelp {KEY}"}, {"name": "no link"}, 7]})


@pytest.mark.req("docs:toy-vendor")
async def test_it_searches_counts_bad_rows_and_keeps_its_key_to_itself() -> None:
    async with toy(HITS) as (web, server):
        result = await web.search("kelp", controls=SearchControls(country="SE", include_domains=("a.test",)))

    assert isinstance(result, SearchResult)
    assert [(one.url, one.title) for one in result.sources] == [("https://a.test/", "Kelp [redacted]")]
    assert result.dropped == {"malformed": 2}
    assert result.controls == {"country": "native", "include_domains": "enforced"}
    assert server.requests[0].json == {"q": "kelp", "country": "SE"}
    assert server.requests[0].header("authorization") == f"Bearer {KEY}"


@pytest.mark.req("docs:toy-vendor")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (says({"error": f"slow down {KEY}"}, 429), Code.RATE_LIMITED),
        (says({"error": "no credit"}, 402), Code.QUOTA_EXHAUSTED),
        (Reply(status=500, body=b"<html>oops"), Code.PROVIDER_ERROR),
        (Reply(body=b"<html>hello"), Code.PROVIDER_ERROR),
        (says({"rows": []}), Code.PROVIDER_ERROR),
        (says([]), Code.PROVIDER_ERROR),
        (Reply(ending="dropped"), Code.PROVIDER_ERROR),
    ],
)
async def test_whatever_its_vendor_does_is_an_error_of_ours_without_the_key(reply: Reply, code: Code) -> None:
    async with toy(reply) as (web, _):
        with pytest.raises(WebError) as caught:
            await web.search("kelp")

    assert (caught.value.code, caught.value.dispatched, caught.value.provider) == (code, True, "toy")
    assert "fault in the provider" not in caught.value.message
    assert KEY not in caught.value.message


@pytest.mark.req("docs:toy-vendor")
async def test_it_asks_for_its_key_at_each_call_and_is_unavailable_without() -> None:
    secret = HeldKey("sk-first-key-1")
    async with toy(HITS, HITS, secret=secret) as (web, server):
        await web.search("kelp")
        secret.key = "sk-second-key-2"
        await web.search("kelp")
        secret.key = None
        with pytest.raises(WebError) as caught:
            await web.search("kelp")

    assert [one.header("authorization") for one in server.requests] == [
        "Bearer sk-first-key-1",
        "Bearer sk-second-key-2",
    ]
    assert caught.value.code == Code.PROVIDER_UNAVAILABLE
