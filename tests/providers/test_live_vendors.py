"""One real search per vendor, where WEBSEAM_LIVE=1 and a key is set; each test skips itself without."""

import os

import pytest

from support.vendor import SPECS, HeldKey, build
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport

# Read on import: every test runs in a scrubbed environment.
KEYS = {
    kind: next((os.environ[name] for name in spec.key_env if os.environ.get(name)), None)
    for kind, spec in SPECS.items()
}

ASKED = os.environ.get("WEBSEAM_LIVE") == "1"


@pytest.mark.live
@pytest.mark.req("search:vendor:live")
@pytest.mark.parametrize("kind", sorted(SPECS))
async def test_a_real_search_brings_real_pages(kind: str) -> None:
    key = KEYS[kind]
    if not ASKED:
        pytest.skip("set WEBSEAM_LIVE=1 to search the real vendors: their keys are billed")
    if key is None and SPECS[kind].key_env:
        pytest.skip(f"set {' or '.join(SPECS[kind].key_env)} to search with {kind}")
    transport = VendorTransport()
    web = Web(search=kind)
    web.register_search(build(kind, transport, secret=HeldKey(key)))

    try:
        result = await web.search("kelp farming permits", max_results=3)
    finally:
        await transport.aclose()

    assert result.grounding == "searched"
    assert 1 <= len(result.sources) <= 3
    assert all(source.url.startswith("http") for source in result.sources)
