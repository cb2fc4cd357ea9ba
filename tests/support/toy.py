"""A vendor that keeps the provider contract, to be broken in one place; see `provider_contract`."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

import msgspec
import pytest

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.providers.wires.account import Access, Account
from webseam.providers.wires.json_api import JsonApi, lacking
from webseam.testing import Reply, provider_contract

HITS = Reply.json({"hits": [{"link": "https://kelp.example/"}]})


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://api.toy.invalid"
    lists: bool = True


class Honest:
    """Keeps the contract; each fault below breaks it in one place."""

    native_controls = frozenset({"country"})

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self.kit = kit
        self.account = Account(kit, kit.options.base_url)
        self.api = JsonApi(kit)

    def available(self) -> bool:
        return self.account.unavailable_reason() is None

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        access = await self.account.take(call)
        return self.read(await self.ask(request, access, call), access)

    async def ask(self, request: SearchRequest, access: Access, call: Call) -> dict[str, Any]:
        return await self.api.ask(
            access.url("search"),
            {"q": request.query, "country": request.controls.country},
            call=call,
            headers={"Authorization": f"Bearer {access.key}"},
            secrets=access.secrets,
        )

    def read(self, answer: dict[str, Any], access: Access) -> SearchResult:
        if not isinstance(answer.get("hits"), list):
            raise lacking(self.id, answer, "hits", access.secrets)
        return SearchResult(provider=self.id, sources=tuple(Source(url=row["link"]) for row in answer["hits"]))


SPEC = ProviderSpec(
    kind="toy",
    capability="search",
    build=Honest,
    options=Options,
    key_env=("TOY_API_KEY",),
    controls=frozenset({"country"}),
)

Search: TypeAlias = Callable[[Honest, SearchRequest, Call], Awaitable[SearchResult]]


def spec(search: Search | None = None, **changes: Any) -> ProviderSpec:
    """The honest kind with another `search`, or other attributes of its provider."""

    def build(kit: Kit) -> Honest:
        provider = Honest(kit)
        for name, value in changes.items():
            setattr(provider, name, value)
        if search is not None:

            async def faulty(request: SearchRequest, *, call: Call) -> SearchResult:
                return await search(provider, request, call)

            vars(provider)["search"] = faulty
        return provider

    return replace(SPEC, build=build)


def breaches(kind: ProviderSpec, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        provider_contract(kind, **{"reply": HITS, **options})
    told = str(caught.value)
    assert told.startswith("toy breaks the provider contract:\n- ")
    return told
