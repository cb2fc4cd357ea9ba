"""Two gateways with one shared server: a tenant's bounds are one, and stay while the server is away."""

from pathlib import Path

import pytest

from support.cli import Shell
from support.gateway import CONFIG, serving
from support.redis import any_server, state_server
from webseam.core.errors import Code
from webseam.wiring.tenants import Policy

HITS = {"query": "hits"}


@pytest.mark.req("gateway:quota:fleet", "gateway:quota:away")
async def test_a_tenant_s_bounds_hold_over_all_gateways(shell: Shell, tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as state:
        config = f'{CONFIG}[fleet]\nurl = "{state.url}"\n'
        async with serving(shell, config) as one, serving(shell, config) as two:
            token = one.token("one", Policy(rate="3/day", calls_per_day=2))
            for served in (one, two):
                assert (await served.ask("/v1/search", HITS, token=token)).status == 200
            for served in (one, two):
                got = await served.ask("/v1/search", HITS, token=token)
                assert got.code == Code.BUDGET_EXHAUSTED, "a call that is refused takes no turn of the rate"
            state.stop()
            assert (await two.ask("/v1/search", HITS, token=token)).status == 200
