"""Google's redirect links: followed to the pages, bounded, guarded, and honest where they lead nowhere."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from support.net import PUBLIC, Request, ScriptedResolver, Server, Wire, answer, serve
from support.vendor import KEY, build, says
from webseam.core.limits import LINKS_FOLLOWED
from webseam.core.types import NO_CONTROLS, SearchControls, SearchResult
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.providers.search.google import VENDOR, GoogleOptions
from webseam.providers.wires.asking import Question
from webseam.providers.wires.controls import check
from webseam.testing import VendorServer

HOST = "vertexaisearch.cloud.google.com"
REDIRECT = f"http://{HOST}/grounding-api-redirect/"


def grounded(text: str, *chunks: tuple[str, str | None], supports: Sequence[Any] = ()) -> dict[str, Any]:
    grounding = {
        "webSearchQueries": ["kelp"],
        "groundingChunks": [{"web": {"uri": REDIRECT + token, "title": title}} for token, title in chunks],
        "groundingSupports": list(supports),
    }
    content = {"parts": [{"text": text}]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "groundingMetadata": grounding}]}


def whole(text: str, *chunks: int) -> dict[str, Any]:
    return {"segment": {"endIndex": len(text.encode()), "text": text}, "groundingChunkIndices": list(chunks)}


@dataclass(slots=True)
class Links:
    """The redirect service: where each token leads; a token that is not here is held until the client gives up."""

    targets: dict[str, str]
    status: int = 302

    async def __call__(self, request: Request, writer: asyncio.StreamWriter) -> None:
        token = request.target.rpartition("/")[2]
        if token not in self.targets:
            await request.gone()
            writer.close()
            return
        writer.write(answer(status=self.status, headers={"Location": self.targets[token]}, content_type=None))


@asynccontextmanager
async def google(
    reply: dict[str, Any], links: Links, names: Sequence[str] = (PUBLIC,)
) -> AsyncIterator[tuple[Web, Server, Wire]]:
    """The seam before a scripted vendor; its links lead to a redirect service behind a public address."""
    async with VendorServer(says(reply)) as vendor, serve(links) as server:
        port = int(vendor.url.rpartition(":")[2])
        wire = Wire(default=server.port, routes={("127.0.0.1", port): port})
        transport = VendorTransport(resolver=ScriptedResolver({HOST: [names]}), socket_factory=wire.make)
        web = Web()
        web.register_search(build("google", transport, base_url=vendor.url))
        try:
            yield web, server, wire
        finally:
            await transport.aclose()


async def searched(
    reply: dict[str, Any], targets: dict[str, str], controls: SearchControls = NO_CONTROLS
) -> SearchResult:
    async with google(reply, Links(targets)) as (web, _, _):
        return await web.search("kelp", controls=controls)


@pytest.mark.req("search:google:links")
async def test_a_redirect_becomes_the_page_it_leads_to_in_the_sources_and_in_the_prose() -> None:
    reply = grounded(
        "Kelp grows.", ("AAA", "kelp.example"), ("BBB", "sea.example"), supports=[whole("Kelp grows.", 0, 1)]
    )

    async with google(reply, Links({"AAA": "https://kelp.example/p_(1)", "BBB": "https://sea.example/q"})) as (
        web,
        server,
        _,
    ):
        result = await web.search("kelp")

    assert [(one.url, one.title) for one in result.sources] == [
        ("https://kelp.example/p_(1)", "kelp.example"),
        ("https://sea.example/q", "sea.example"),
    ]
    assert result.content == "Kelp grows. [1](https://kelp.example/p_%281%29) [2](https://sea.example/q)"
    assert sorted(one.method for one in server.requests) == ["HEAD", "HEAD"]
    assert KEY not in "".join(str(one.headers) + one.target for one in server.requests)


@pytest.mark.req("search:google:links")
async def test_links_to_one_page_are_one_source_and_one_mark() -> None:
    text = "Kelp grows. Farms wait."
    supports = [
        whole("Kelp grows.", 0, 1),
        {"segment": {"startIndex": 12, "endIndex": 23, "text": "Farms wait."}, "groundingChunkIndices": [2]},
    ]
    reply = grounded(text, ("AAA", "kelp.example"), ("BBB", "kelp.example"), ("CCC", "sea.example"), supports=supports)

    result = await searched(
        reply, {"AAA": "https://kelp.example/p", "BBB": "https://kelp.example/p", "CCC": "https://sea.example/"}
    )

    assert [one.url for one in result.sources] == ["https://kelp.example/p", "https://sea.example/"]
    assert result.dropped == {"duplicate": 1}
    assert result.content == "Kelp grows. [1](https://kelp.example/p) Farms wait. [2](https://sea.example/)"


@pytest.mark.req("search:google:links")
async def test_a_link_that_leads_nowhere_stays_with_the_domain_as_its_title() -> None:
    reply = grounded("Kelp.", ("AAA", "kelp.example"), ("BBB", None), supports=[whole("Kelp.", 0)])

    async with google(reply, Links({"AAA": "javascript:alert(1)", "BBB": "http:///"})) as (web, _, _):
        result = await web.search("kelp")

    assert [(one.url, one.title) for one in result.sources] == [
        (REDIRECT + "AAA", "kelp.example"),
        (REDIRECT + "BBB", None),
    ]
    assert result.content == f"Kelp. [1]({REDIRECT}AAA)"


@pytest.mark.req("search:google:links-guarded")
@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1"])
async def test_a_link_service_at_a_private_address_is_never_dialled(address: str) -> None:
    reply = grounded("Kelp.", ("AAA", "kelp.example"))

    async with google(reply, Links({"AAA": "https://kelp.example/"}), [address]) as (web, server, wire):
        result = await web.search("kelp")

    assert [one.url for one in result.sources] == [REDIRECT + "AAA"]
    assert server.connections == 0
    assert wire.dialled == ["127.0.0.1"], "only the vendor, which is the operator's own endpoint"


@pytest.mark.req("search:google:links-guarded")
async def test_only_googles_own_links_are_followed() -> None:
    reply = grounded("Kelp.", ("AAA", "kelp.example"))
    chunks = reply["candidates"][0]["groundingMetadata"]["groundingChunks"]
    chunks += [
        {"web": {"uri": f"http://{host}/grounding-api-redirect/BBB"}}
        for host in ("evil.example", f"{HOST}.evil.example")
    ]
    chunks.append({"web": {"uri": f"http://{HOST}/other/AAA"}})

    async with google(reply, Links({"AAA": "https://kelp.example/"})) as (web, server, _):
        result = await web.search("kelp")

    assert len(result.sources) == 4
    assert [one.target for one in server.requests] == ["/grounding-api-redirect/AAA"]


@pytest.mark.req("search:google:links-bounded")
async def test_a_link_that_hangs_costs_its_time_and_not_the_answer() -> None:
    reply = grounded("Kelp.", ("AAA", "kelp.example"), ("held", "sea.example"))

    async with google(reply, Links({"AAA": "https://kelp.example/"})) as (web, _, _):
        result = await web.search("kelp", timeout=1.0)

    assert [one.url for one in result.sources] == ["https://kelp.example/", REDIRECT + "held"]
    assert result.content == "Kelp."


@pytest.mark.req("search:google:links-bounded")
async def test_an_abort_while_links_are_followed_ends_the_call() -> None:
    abort = asyncio.Event()
    async with google(grounded("Kelp.", ("held", None)), Links({})) as (web, server, _):
        search = asyncio.create_task(web.search("kelp", abort=abort))
        while not server.requests:
            await asyncio.wait({search}, timeout=0.01)
        abort.set()
        with pytest.raises(Exception, match="WEB_ABORTED"):
            await search
        await server.closed.wait()


@pytest.mark.req("search:google:links-bounded")
async def test_of_many_links_only_so_many_are_followed() -> None:
    tokens = [f"T{number}" for number in range(LINKS_FOLLOWED + 3)]
    reply = grounded("Kelp.", *((token, None) for token in tokens))

    async with google(reply, Links({token: f"https://{token}.example/" for token in tokens})) as (web, server, _):
        result = await web.search("kelp", max_results=50)

    assert len(server.requests) == LINKS_FOLLOWED
    assert [one.url for one in result.sources][-4:] == [
        f"https://t{LINKS_FOLLOWED - 1}.example/",
        *(REDIRECT + token for token in tokens[-3:]),
    ]


@pytest.mark.req("search:google:exclusions")
async def test_domains_are_held_on_the_pages_and_not_on_the_redirects() -> None:
    reply = grounded("Kelp.", ("AAA", "kelp.example"), ("BBB", "sea.example"))
    targets = {"AAA": "https://kelp.example/p", "BBB": "https://sea.example/q"}

    included = await searched(reply, targets, SearchControls(include_domains=("kelp.example",)))
    excluded = await searched(reply, targets, SearchControls(exclude_domains=("kelp.example",)))

    assert [one.url for one in included.sources] == ["https://kelp.example/p"]
    assert [one.url for one in excluded.sources] == ["https://sea.example/q"]
    assert (included.dropped, excluded.dropped) == ({"domain": 1}, {"domain": 1})


@pytest.mark.req("search:google:exclusions")
@pytest.mark.parametrize("title", ["kelp.example", "www.kelp.example", "A page about kelp", "Permits", None])
async def test_an_unfollowed_link_that_may_lead_to_an_excluded_domain_is_no_source(title: str | None) -> None:
    reply = grounded("Kelp.", ("AAA", title), ("BBB", "sea.example"), supports=[whole("Kelp.", 0, 1)])

    result = await searched(reply, {"AAA": "odd:", "BBB": "odd:"}, SearchControls(exclude_domains=("kelp.example",)))

    assert [one.url for one in result.sources] == [REDIRECT + "BBB"]
    assert result.dropped == {"domain": 1}
    assert result.content == f"Kelp. [1]({REDIRECT}BBB)"


@pytest.mark.req("search:google:days")
@pytest.mark.parametrize(
    ("controls", "span"),
    [
        (SearchControls(published_after="2026-03-02"), ("2026-03-02", "2026-12-01")),
        (SearchControls(published_after="2027-03-02"), ("2027-03-02", "2027-03-03")),
        (SearchControls(published_before="2026-03-02"), ("1970-01-01", "2026-03-03")),
        (SearchControls(published_before="9999-12-31"), ("1970-01-01", "9999-12-31")),
    ],
)
def test_a_span_with_one_end_gets_the_other(controls: SearchControls, span: tuple[str, str]) -> None:
    question = Question(
        provider="google",
        query="kelp",
        max_results=None,
        controls=check(controls, "google"),
        safe_search=None,
        options=GoogleOptions(),
        keyed=True,
        today=date(2026, 11, 30),
    )

    start, end = (f"{day}T00:00:00Z" for day in span)
    assert VENDOR.ask(question).body()["tools"] == [
        {"googleSearch": {"timeRangeFilter": {"startTime": start, "endTime": end}}}
    ]
