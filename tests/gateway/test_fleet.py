"""Two gateways with one shared server: a tenant's bounds are one, and stay while the server is away."""

import asyncio
from pathlib import Path

import pytest

from support.cli import Shell
from support.gateway import CONFIG, serving
from support.redis import any_server, state_server
from webseam.core.errors import Code
from webseam.core.limits import FLEET_CONNECTIONS
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


@pytest.mark.req("gateway:fleet:connections")
async def test_all_parts_of_a_gateway_share_its_connections(shell: Shell, tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as state:
        config = CONFIG + f'[fleet]\nurl = "{state.url}"\n[ledger]\nkeep = "fleet"\n'
        config = config.replace("[search]\n", '[search]\ncache = "fleet"\n', 1)
        async with serving(shell, config) as served:
            token = served.token("one", Policy(rate="1000/s", calls_per_day=1000))
            asking = (served.ask("/v1/search", {**HITS, "max_results": n}, token=token) for n in range(1, 101))
            assert {one.status for one in await asyncio.gather(*asking)} == {200}
            with state.client() as own:
                assert len(own.client_list()) - 1 <= FLEET_CONNECTIONS
