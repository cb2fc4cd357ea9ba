"""The gateway under a server that was told of a path (`--root-path`), which ASGI leaves in front of each path."""

import pytest
import uvicorn

from support.cli import Shell
from support.gateway import CONFIG, serving
from webseam.surfaces.gateway.server import server_config


@pytest.mark.req("gateway:prefix")
async def test_a_root_path_of_the_server_is_not_taken_for_a_part_of_the_route(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(app: object) -> uvicorn.Config:
        config = server_config(app)  # type: ignore[arg-type] # what `serving` gives is a Gateway
        config.root_path = "/webseam"
        return config

    monkeypatch.setattr("support.gateway.server_config", told)
    async with serving(shell, CONFIG) as served:
        assert (await served.ask("/healthz")).status == 200
        assert (await served.ask("/v1/search", {"query": "hits"})).status == 200
        assert b"console/app.js" in (await served.ask("/")).body
        tools = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        answer = await served.ask("/mcp", tools, Accept="application/json, text/event-stream")
        assert answer.status != 404
        assert (await served.ask("/v1/nothing")).code == "GATEWAY_NOT_FOUND"
    assert {one.route for one in served.log} >= {"/", "/v1/search", "/mcp"}
