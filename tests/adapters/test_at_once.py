"""Several agents at once over one Toolset, in each framework's own loop, and in each way that it has to run one."""

import asyncio
import json

import pytest

from support.adapters import SENTENCE, SNIPPET, stage
from support.agent_loops import LOOPS
from support.scripted import Use

# An agent of LlamaIndex looks at each of its attributes when it is made, the deprecated ones of pydantic among them.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:inspect")


@pytest.mark.req("adapters:all:at-once")
@pytest.mark.parametrize("framework", LOOPS)
async def test_agents_that_run_at_once_over_one_toolset_are_each_told_what_they_asked_for(framework: str) -> None:
    async with stage() as here:
        turns = [
            [Use("web_search", {"query": "kelp"}), *[Use("web_fetch", {"url": here.url})] * 2],
            [Use("web_fetch", {"url": "no url"}), Use("web_fetch", {"url": "http://10.0.0.5/"})],
        ]
        runs = await asyncio.gather(*(LOOPS[framework](here.tools, turns) for _ in range(3)))

    for _, found, failed in runs:
        assert (
            json.dumps(found).count(SENTENCE) >= 2
        )  # once a page, and once more where the host's part stands beside it
        assert SNIPPET in found
        assert all(code in failed for code in ("(WEB_INVALID_URL)", "(WEB_BLOCKED_URL)"))
    assert here.fetched == ["/permits"] * 6
    assert len(here.search.asked) == 3
