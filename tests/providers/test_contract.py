"""Every vendor that is built in keeps the contract that vendor authors are given."""

import json
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from support.vendor import SPECS, fixture
from webseam.core.call import Call, ModelRef
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult
from webseam.providers.search.model import ModelOptions, ModelSearch
from webseam.testing import Reply, provider_contract


def reply(recorded: dict[str, Any]) -> Reply:
    """A fixture's reply, as the kit plays it."""
    body = recorded["text"] if "text" in recorded else json.dumps(recorded["json"])
    return Reply(status=recorded.get("status", 200), headers=recorded.get("headers", {}), body=body.encode())


@pytest.mark.req("search:contract:built-in")
@pytest.mark.parametrize("kind", sorted(SPECS))
def test_a_built_in_vendor_keeps_the_contract(kind: str) -> None:
    recorded = fixture(kind)
    *greeting, answer = map(reply, recorded["replies"])
    options = recorded.get("options", {})

    provider_contract(
        SPECS[kind],
        reply=answer,
        greeting=greeting,
        options=options,
        point=lambda url: {"base_url": url + recorded.get("base_path", "")},
        keyless=False if options.keys() & {"key_header", "key_param"} else None,
    )


class Hosted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the host's model is."""

    base_url: str = "https://host.example/v1"


class HostedModel:
    """`model` as a host uses it: each call names the host's current model and brings its credentials."""

    def __init__(self, kit: Kit, api: str, vendor: str, controls: frozenset[str]) -> None:
        self.id = kit.id
        self.native_controls = controls
        self._kit = kit
        self._ref = ModelRef(
            provider=vendor, api=api, id="model-1", base_url=kit.options.base_url, auth=kit.secret.resolve
        )
        self._inner = ModelSearch(replace(kit, options=ModelOptions()))

    def available(self) -> bool:
        return self._kit.secret.configured()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        return await self._inner.search(request, call=replace(call, model=self._ref))


@pytest.mark.req("search:contract:built-in")
@pytest.mark.parametrize(
    ("api", "vendor"),
    [("anthropic-messages", "anthropic"), ("openai-responses", "openai"), ("google-generative-ai", "google")],
)
def test_the_hosts_model_keeps_the_contract_whatever_its_api(api: str, vendor: str) -> None:
    controls = SPECS[vendor].controls
    spec = ProviderSpec(
        kind="model",
        capability="search",
        build=lambda kit: HostedModel(kit, api, vendor, controls),
        options=Hosted,
        key_env=("HOST_API_KEY",),
        controls=controls,
    )

    provider_contract(spec, reply=reply(fixture(vendor)["replies"][-1]))
