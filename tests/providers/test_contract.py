"""Every vendor that is built in keeps the contract that vendor authors are given."""

import json
from typing import Any

import pytest

from support.vendor import SPECS, fixture
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
