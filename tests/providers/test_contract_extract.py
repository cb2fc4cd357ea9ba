"""The contract kit on extractors: none for an honest one, and one faulty vendor for each breach."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

import msgspec
import pytest

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.transport import VendorRequest
from webseam.core.types import ExtractRequest, ExtractResult, SearchResult
from webseam.providers.wires.account import Account
from webseam.providers.wires.json_api import JsonApi, lacking
from webseam.providers.wires.reading import public_page
from webseam.testing import Reply, provider_contract

PAGE = Reply.json({"text": "# Kelp", "url": "https://kelp.example/"})
Read: TypeAlias = Callable[[Any, ExtractRequest, Call], Awaitable[Any]]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://api.toy.invalid"


class Honest:
    """Keeps the contract; each fault below breaks it in one place."""

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self.kit = kit
        self.account = Account(kit, kit.options.base_url)
        self.api = JsonApi(kit)

    def available(self) -> bool:
        return self.account.unavailable_reason() is None

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        return await self.read(public_page(request.url, self.id), call)

    async def read(self, url: str, call: Call) -> ExtractResult:
        access = await self.account.take(call)
        headers = {"Authorization": f"Bearer {access.key}"}
        answer = await self.api.ask(
            access.url("read"), {"url": url}, call=call, headers=headers, secrets=access.secrets
        )
        if not isinstance(answer.get("text"), str):
            raise lacking(self.id, answer, "text", access.secrets)
        return ExtractResult(provider=self.id, url=answer.get("url") or url, markdown=answer["text"])


async def tells_private_pages(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    return await provider.read(request.url, call)


async def asks_for_one_page(provider: Honest, _request: ExtractRequest, call: Call) -> Any:
    return await provider.read("https://kelp.example/", call)


async def finds_no_text(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    return replace(await Honest.extract(provider, request, call=call), markdown=" ")


async def leaves_the_title_blank(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    return replace(await Honest.extract(provider, request, call=call), title="")


async def names_no_page(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    return replace(await Honest.extract(provider, request, call=call), url="about:blank")


async def searches(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    await Honest.extract(provider, request, call=call)
    return SearchResult(provider=provider.id)


async def ignores_the_status(provider: Honest, request: ExtractRequest, call: Call) -> Any:
    access = await provider.account.take(call)
    ask = VendorRequest(
        provider=provider.id,
        method="POST",
        url=access.url("read"),
        headers={"Authorization": f"Bearer {access.key}"},
        json={"url": public_page(request.url, provider.id)},
    )
    response = await provider.kit.transport.send(ask, call=call)
    try:
        text = json.loads(response.body).get("text", "Nothing to see.")
    except ValueError:
        text = "Nothing to see."
    return ExtractResult(provider=provider.id, url=request.url, markdown=text)


def spec(read: Read | None = None) -> ProviderSpec:
    """The toy, broken in one place."""

    def build(kit: Kit) -> Any:
        toy = Honest(kit)
        if read is not None:
            broken = read

            async def extract(request: ExtractRequest, *, call: Call) -> Any:
                return await broken(toy, request, call)

            toy.extract = extract  # type: ignore[method-assign]  # the fault of this test
        return toy

    return ProviderSpec(kind="toy", capability="extract", build=build, key_env=("TOY_API_KEY",), options=Options)


@pytest.mark.req("extract:kit")
def test_an_honest_extractor_passes() -> None:
    provider_contract(spec(), reply=PAGE)
    provider_contract(spec(), reply=PAGE, query="https://another.example/page?x=1")


@pytest.mark.req("extract:kit")
@pytest.mark.parametrize(
    ("read", "says"),
    [
        (tells_private_pages, "http://10.1.2.3/plan is told to its vendor"),
        (tells_private_pages, "http://wiki.corp/plan is told to its vendor"),
        (asks_for_one_page, "it asks its vendor the same whatever the query is"),
        (finds_no_text, "the good reply yielded no text"),
        (leaves_the_title_blank, "its title is empty text, and must be None when it is absent"),
        (names_no_page, "its page has no http(s) URL: 'about:blank'"),
        (searches, "extract() returned SearchResult instead of an ExtractResult"),
        (ignores_the_status, "HTTP 500 is told as a result with text: 'Nothing to see.'"),
        (ignores_the_status, "a page of HTML with HTTP 200 is told as a result"),
    ],
)
def test_each_breach_is_found(read: Read, says: str) -> None:
    with pytest.raises(AssertionError) as caught:
        provider_contract(spec(read), reply=PAGE)
    assert says in str(caught.value)


@pytest.mark.req("extract:kit")
def test_a_provider_without_extract_is_told_what_it_lacks() -> None:
    class Bare:
        id = "toy-2"

        def __init__(self, kit: Kit) -> None:
            self.kit = kit

        def available(self) -> bool:
            return True

    build: Any = Bare
    with pytest.raises(AssertionError, match=r"it has no extract\(\) that takes a request"):
        provider_contract(replace(spec(), build=build), reply=PAGE)
