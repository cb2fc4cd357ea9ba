"""One trace through an MCP server: the SDK's spans and ours, in a process of their own for its global provider."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SCRIPT = """
import asyncio
import sys

from mcp import Client
from opentelemetry import trace

from support.core import hits, searching
from support.telemetry import Collector
from webseam.surfaces.mcp.server import make_server
from webseam.testing import ScriptedSearch
from webseam.tools.toolset import Toolset

told = Collector()
trace.set_tracer_provider(told.spans_of)


async def main():
    web = searching(ScriptedSearch("x", [hits("https://a.test/")]), tracer=told.tracer)
    async with Client(make_server(Toolset(web, spans=False)), mode=sys.argv[1]) as client:
        with trace.get_tracer("host").start_as_current_span("agent"):
            result = await client.call_tool("web_search", {"query": "kelp"})
    assert not result.is_error


asyncio.run(main())
print("\\n".join(told.tree()))
"""


@pytest.mark.req("telemetry:spans:host-has-one", "telemetry:spans:incoming")
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_retrieval_stands_below_the_span_that_the_sdk_makes_of_the_request(tmp_path: Path, era: str) -> None:
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", SCRIPT, era],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(TESTS)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tree = done.stdout.splitlines()
    (call,) = (at for at, line in enumerate(tree) if line.strip() == "tools/call web_search")
    depth = len(tree[call]) - len(tree[call].lstrip())
    assert tree[call + 1] == " " * (depth + 2) + "retrieval x"
    assert tree.index("agent") < call
    assert depth > 0
    assert "execute_tool" not in done.stdout
