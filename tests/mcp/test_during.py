"""What a client hears and hands over while a call runs: progress, the trace, the state of the configuration."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from support.cli import Shell
from support.mcp import ERAS, connected, serving, spawned, text
from support.tools import ScriptedSearch, found
from webseam import Call, SearchRequest, SearchResult, Toolset, ToolSettings, Web, WebError
from webseam.core.errors import Code
from webseam.core.limits import MCP_PREPARE_SECONDS
from webseam.surfaces.mcp.late import LateTools, Opened
from webseam.surfaces.mcp.server import trace_tags

HERE = [f"{way}-{era}" for way in ("memory", "http") for era in ERAS]
PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def searching(answer: Any) -> Toolset:
    web = Web()
    web.register_search(ScriptedSearch(answer=answer))
    return Toolset(web)


@pytest.mark.req("mcp:progress:answer")
@pytest.mark.parametrize("where", [one for one in HERE if one != "memory-auto"])  # which carries no progress token
async def test_a_growing_answer_is_told_by_its_length_and_not_for_each_word(where: str) -> None:
    heard: list[tuple[float, str | None]] = []
    first = asyncio.Event()

    async def write(_request: SearchRequest, call: Call) -> SearchResult:
        for at in range(1, 1_001):
            call.tell("secret" * at)
        await first.wait()
        return SearchResult(provider="", content="secret")

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        heard.append((progress, message))
        first.set()

    way, era = where.split("-")
    async with serving(searching(write), way, era) as client:
        result = await client.call_tool("web_search", {"query": "q"}, progress_callback=hear)

    assert not result.is_error
    assert heard == [(1, "6,000 characters of the answer so far")]


@pytest.mark.req("mcp:progress:patience")
async def test_a_call_that_is_silent_says_that_it_still_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webseam.surfaces.mcp.progress.MCP_PROGRESS_PATIENCE", 0.01)
    monkeypatch.setattr("webseam.surfaces.mcp.progress.MCP_PROGRESS_SECONDS", 0.01)
    heard: list[tuple[float, str | None]] = []
    enough = asyncio.Event()

    async def wait(_request: SearchRequest, _call: Call) -> SearchResult:
        await enough.wait()
        return SearchResult(provider="")

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        heard.append((progress, message))
        if len(heard) == 3:
            enough.set()

    async with serving(searching(wait), "memory", "legacy") as client:
        await client.call_tool("web_search", {"query": "q"}, progress_callback=hear)

    assert [progress for progress, _ in heard[:3]] == [1, 2, 3]
    assert all((message or "").startswith("still working after ") for _, message in heard)


@pytest.mark.req("mcp:progress:unasked")
@pytest.mark.parametrize("where", HERE)
async def test_nothing_is_told_to_a_client_that_asked_for_no_progress(where: str) -> None:
    seen: list[Call] = []

    async def keep(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call)
        return SearchResult(provider="")

    way, era = where.split("-")
    async with serving(searching(keep), way, era) as client:
        await client.call_tool("web_search", {"query": "q"})

    assert seen[0].progress is None


@pytest.mark.req("mcp:trace:handed-on")
@pytest.mark.parametrize("where", HERE)
async def test_the_callers_trace_reaches_the_call(where: str) -> None:
    seen: list[Call] = []

    async def keep(_request: SearchRequest, call: Call) -> SearchResult:
        seen.append(call)
        return SearchResult(provider="")

    meta: Any = {"traceparent": PARENT, "tracestate": "a=b", "baggage": "user=7", "other": "x"}
    way, era = where.split("-")
    async with serving(searching(keep), way, era) as client:
        await client.call_tool("web_search", {"query": "q"}, meta=meta)

    assert seen[0].tags["traceparent"].startswith("00-4bf92f3577b34da6a3ce929d0e0e4736-")
    assert (seen[0].tags["tracestate"], seen[0].tags["baggage"]) == ("a=b", "user=7")
    assert "other" not in seen[0].tags


@pytest.mark.req("mcp:trace:clean")
@pytest.mark.parametrize("value", [7, None, "", "a\nb", "\u202e", "x" * 8_193, ["00"], {"a": 1}])
def test_what_is_no_trace_is_left_out(value: object) -> None:
    assert trace_tags({"traceparent": value, "baggage": "a=b"}) == {"baggage": "a=b"}


# The configuration ---------------------------------------------------------------------------------------


@pytest.mark.req("mcp:config:broken", "mcp:config:mended")
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("[search]\nprovider = 7\n", "search.provider"),
        ("[search]\nprovder = 'odd'\n", "provder"),
        ("not TOML", "webseam.toml"),
        ("[providers.x]\nkind = 'nothing'\n", "providers.x.kind"),
    ],
)
def test_a_broken_configuration_lists_the_tools_refuses_every_call_and_can_be_mended(
    shell: Shell, broken: str, said: str
) -> None:
    shell.desk.user(broken)
    with spawned(shell) as raw:
        raw.greet()
        raw.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        assert [one["name"] for one in raw.answer(2)["result"]["tools"]] == ["web_search", "web_fetch"]
        raw.call(3, "web_search", query="hits")
        refused = raw.answer(3)["result"]
        raw.call(4, "web_fetch", url="https://a.test/")
        assert raw.answer(4)["result"]["structuredContent"]["error"]["code"] == "WEB_CONFIG_INVALID"
        shell.desk.user('[search]\nprovider = "odd"\n')
        raw.call(5, "web_search", query="hits")
        answered = raw.answer(5)["result"]
        raw.stdin.close()
        code, told = raw.ended()

    assert (refused["structuredContent"]["error"]["code"], refused["isError"]) == ("WEB_CONFIG_INVALID", True)
    assert said in refused["content"][0]["text"]
    assert answered["isError"] is False
    assert (code, told.count("WEB_CONFIG_INVALID")) == (0, 1), told


@pytest.mark.req("mcp:config:mended")
async def test_a_call_does_not_end_by_a_build_that_began_before_it() -> None:
    mended, entered = threading.Event(), threading.Event()
    builds: list[bool] = []

    def build() -> Opened:
        builds.append(mended.is_set())
        if not builds[-1]:
            entered.set()
            mended.wait(30)
            raise WebError(Code.CONFIG_INVALID, "search.provider is 7.")
        tools = searching(found())
        return Opened(tools, tools.aclose)

    late = LateTools(ToolSettings(), build)
    late.prepare()
    await asyncio.to_thread(entered.wait, 30)
    call = asyncio.create_task(late.call("web_search", {"query": "kelp"}))
    await asyncio.sleep(0)
    mended.set()
    assert (await call).error is None
    assert builds == [False, True]
    await late.aclose()


@pytest.mark.req("mcp:late:closed")
async def test_tools_that_are_closed_before_they_were_wanted_are_never_opened() -> None:
    due = asyncio.Event()
    builds: list[bool] = []

    def build() -> Opened:
        builds.append(True)
        tools = searching(found())
        return Opened(tools, tools.aclose)

    late = LateTools(ToolSettings(), build)
    for _ in range(2):
        late.prepare_soon()
    await late.aclose()
    asyncio.get_running_loop().call_later(MCP_PREPARE_SECONDS, due.set)  # due after what was to open them
    await due.wait()
    assert late._building is None
    assert builds == []


@pytest.mark.req("mcp:config:broken")
def test_each_of_several_faults_is_told_once(shell: Shell) -> None:
    shell.desk.user("[tools]\nmax_queries = -1\n[search]\nprovider = 7\n")
    with spawned(shell) as raw:
        raw.greet()
        for key in (2, 3):
            raw.call(key, "web_search", query="hits")
            assert "One of 2 faults" in raw.answer(key)["result"]["content"][0]["text"]
        raw.stdin.close()
        _, told = raw.ended()

    assert [told.count(path) for path in ("tools.max_queries", "search.provider")] == [1, 1], told


@pytest.mark.req("mcp:config:lines")
@pytest.mark.parametrize("search", [True, False])
def test_who_answers_searches_is_told_only_where_they_are_on(shell: Shell, *, search: bool) -> None:
    shell.desk.user(f"[tools]\nsearch = {str(search).lower()}\n")
    with spawned(shell) as raw:
        raw.greet()
        raw.call(2, "web_fetch", url="http://10.0.0.1/")
        raw.answer(2)
        raw.stdin.close()
        _, told = raw.ended()

    assert ("exa-mcp" in told) is search, told


@pytest.mark.req("mcp:config:lines")
def test_a_tool_that_cannot_answer_is_told_at_start_and_still_listed(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "exa"\n[fetch]\nprovider = "nowhere"\n')
    with spawned(shell) as raw:
        raw.greet()
        raw.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        assert len(raw.answer(2)["result"]["tools"]) == 2
        assert raw.process.stderr is not None
        lines = [raw.process.stderr.readline().decode() for _ in range(2)]

    assert lines[0].startswith("webseam: WEB_PROVIDER_CONFIGURED_UNAVAILABLE: ")
    assert lines[1].startswith("webseam: WEB_PROVIDER_CONFIGURED_MISSING: ")


@pytest.mark.req("mcp:config:strict")
@pytest.mark.parametrize("argv", [(), ("--http", "0")])
@pytest.mark.parametrize(
    "text", ['[search]\nprovider = "exa"\n', "[search]\nprovider = 7\n", '[fetch]\nprovider = "no"\n']
)
def test_strict_does_not_start_what_could_not_answer(shell: Shell, text: str, argv: tuple[str, ...]) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n' if "fetch" in text else "")
    with shell.desk.user_file.open("a", encoding="utf-8") as file:
        file.write(text)
    done = shell.spawn("mcp", "--strict", *argv)
    assert (done.returncode, done.stdout) == (3, b""), done.stderr
    assert done.stderr.startswith(b"webseam: WEB_")


@pytest.mark.req("mcp:config:strict")
def test_strict_starts_what_can_answer(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n')
    with spawned(shell, "--strict") as raw:
        raw.greet()
        raw.call(2, "web_search", query="hits")
        assert raw.answer(2)["result"]["isError"] is False


@pytest.mark.req("mcp:config:tools")
@pytest.mark.parametrize("era", ERAS)
async def test_the_list_follows_the_configuration(shell: Shell, era: str) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n[tools]\nfetch = false\nmax_queries = 3\n')
    async with connected(shell, "stdio", era) as client:
        listed = await client.list_tools()
        result = await client.call_tool("web_search", {"queries": ["hits", "none"]})
        guidance = client.instructions or ""

    assert [one.name for one in listed.tools] == ["web_search"]
    assert ("## web_search" in guidance, "web_fetch" in guidance) == (True, False)
    assert "https://a.test/" in text(result)


@pytest.mark.req("mcp:result:text-only")
def test_text_only_leaves_out_the_structure_but_not_the_code_of_a_failure(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n')
    with spawned(shell, "--text-only") as raw:
        raw.greet()
        raw.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        listed = raw.answer(2)["result"]["tools"]
        raw.call(3, "web_search", query="hits")
        result = raw.answer(3)["result"]
        raw.call(4, "web_search", query="")
        failure = raw.answer(4)["result"]

    assert [sorted(one) for one in listed] == [["annotations", "description", "inputSchema", "name", "title"]] * 2
    assert "structuredContent" not in result
    assert "https://a.test/" in result["content"][0]["text"]
    assert failure["structuredContent"]["error"]["code"] == "INVALID_ARGS"


@pytest.mark.req("mcp:config:sdk")
def test_without_the_sdk_it_says_what_to_install(shell: Shell, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text(
        "import sys\nsys.modules['mcp'] = sys.modules['mcp_types'] = None\n", encoding="utf-8"
    )
    done = shell.spawn("mcp", env={"PYTHONPATH": str(hidden)})
    assert (done.returncode, done.stdout) == (3, b"")
    assert b'pip install "webseam[mcp]"' in done.stderr


@pytest.mark.req("mcp:edge:record")
async def test_a_recorded_session_replays_without_network(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n')
    answers = []
    for option in ("--record", "--replay"):
        with spawned(shell, option, "run.jsonl") as raw:
            raw.greet()
            raw.call(2, "web_search", query="hits")
            answers.append(raw.answer(2)["result"])
            raw.stdin.close()
            assert raw.ended()[0] == 0

    assert answers[0]["structuredContent"]["sources"] == answers[1]["structuredContent"]["sources"]
    assert answers[0]["content"] == answers[1]["content"]


@pytest.mark.req("mcp:edge:replay")
def test_a_replay_starts_without_a_provider_and_tells_of_no_fault(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n')
    assert shell.run("search", "hits", "--record", "run.jsonl").code == 0
    shell.desk.user('[search]\nprovider = "odd"\n[tools]\nextract = true\n')
    with spawned(shell, "--strict", "--replay", "run.jsonl") as raw:
        raw.greet()
        raw.call(2, "web_search", query="hits")
        found = raw.answer(2)["result"]
        raw.call(3, "web_fetch", url="https://a.test/")
        missed = raw.answer(3)["result"]["structuredContent"]["error"]["code"]
        raw.stdin.close()
        _, told = raw.ended()

    assert (found["isError"], missed, told) == (False, "WEB_REPLAY_MISS", "")


@pytest.mark.req("mcp:edge:offline")
def test_offline_and_verbose_are_as_everywhere(shell: Shell) -> None:
    with spawned(shell, "--offline", "--verbose") as raw:
        raw.greet()
        raw.call(2, "web_fetch", url="https://a.test/")
        assert raw.answer(2)["result"]["structuredContent"]["error"]["code"] == "WEB_OFFLINE"
        raw.stdin.close()
        _, told = raw.ended()

    assert "fetch by http" in told


@pytest.mark.req("mcp:stdio:start")
def test_it_lists_its_tools_before_it_loads_what_they_need(shell: Shell) -> None:
    with spawned(shell, env={"PYTHONVERBOSE": ""}) as raw:
        raw.greet()
        raw.send({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
        raw.answer(2)
        maps = Path(f"/proc/{raw.process.pid}/maps")
        loaded = maps.read_text(encoding="utf-8") if maps.exists() else ""

    assert "turbohtml" not in loaded
    assert "aiohttp" not in loaded
