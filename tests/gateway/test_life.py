"""How the gateway starts and ends, as the executable."""

import asyncio
import json
import subprocess
import threading
from pathlib import Path

import pytest

from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served, read_answer, spawned, terminate

PAGE = b"<p>page"


class Slow:
    """A page that is held back till it is let go."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.free = threading.Event()

    def __call__(self, _path: str) -> Answer:
        self.asked.set()
        self.free.wait(20)
        return 200, {}, PAGE


async def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    code = await asyncio.to_thread(process.wait, 20)
    assert process.stderr is not None
    return code, process.stderr.read()


async def refused(served: Served) -> None:
    """Wait until the gateway says that it is going away."""
    async with asyncio.timeout(10):
        while (await served.ask("/readyz")).status == 200:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0)


@pytest.mark.req("gateway:start")
async def test_with_no_configuration_at_all_it_answers(shell: Shell) -> None:
    with spawned(shell, config=None) as (process, served):
        assert (await served.ask("/healthz")).json == {"status": "alive"}
        assert (await served.ask("/readyz")).json == {"status": "ready"}
        got = await served.ask("/v1/fetch", {"url": "http://127.0.0.1/"})
        assert got.code == "WEB_BLOCKED_URL"
        terminate(process)
        code, told = await ended(process)
        assert code == 0
        lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
        assert [one["route"] for one in lines] == ["/v1/fetch"], "a probe that is well writes no line"
        assert lines[-1]["code"] == "WEB_BLOCKED_URL"
        assert process.stdout is not None
        assert process.stdout.read() == ""


@pytest.mark.req("gateway:drain")
async def test_on_sigterm_running_calls_end_and_new_ones_go_elsewhere(shell: Shell) -> None:
    slow = Slow()
    with site(slow) as base, spawned(shell) as (process, served):
        running = asyncio.create_task(served.ask("/v1/fetch", {"url": base}))
        await asyncio.to_thread(slow.asked.wait, 10)
        terminate(process)
        await refused(served)
        not_ready = await served.ask("/readyz")
        assert (not_ready.status, not_ready.code) == (503, "GATEWAY_DRAINING")
        assert (await served.ask("/healthz")).status == 200
        for path in ("/v1/search", "/mcp"):
            new = await served.ask(path, {"query": "hits"})
            assert (new.status, new.headers["retry-after"], new.headers["connection"]) == (503, "1", "close")
        assert not running.done()
        slow.free.set()
        assert (await running).json["body"]["content"] == PAGE.decode()
        assert (await ended(process))[0] == 0


@pytest.mark.req("gateway:drain:connections")
async def test_the_answer_of_a_gateway_that_goes_away_ends_its_connection(shell: Shell) -> None:
    slow = Slow()
    with site(slow) as base, spawned(shell) as (process, served):
        running = asyncio.create_task(served.ask("/v1/fetch", {"url": base}, Connection=""))
        await asyncio.to_thread(slow.asked.wait, 10)
        terminate(process)
        await refused(served)
        slow.free.set()
        got = await running
        assert (got.status, got.headers["connection"]) == (200, "close"), "a client would send its next request there"


@pytest.mark.req("gateway:drain")
async def test_a_call_that_does_not_end_is_cancelled_after_its_time(shell: Shell) -> None:
    slow = Slow()
    with site(slow) as base, spawned(shell, config=CONFIG + "[serve]\ndrain_seconds = 0.1\n") as (process, served):
        running = asyncio.create_task(served.ask("/v1/fetch", {"url": base}))
        await asyncio.to_thread(slow.asked.wait, 10)
        terminate(process)
        code, told = await ended(process)
        slow.free.set()
        assert code == 0
        assert "calls still ran" in told
        assert "Traceback" not in told
        cut = await running
        assert (cut.status, cut.code) == (503, "GATEWAY_DRAINING")
        assert "may have been billed" in cut.json["detail"]


@pytest.mark.req("gateway:drain")
async def test_a_second_signal_waits_for_nobody(shell: Shell) -> None:
    slow = Slow()
    with site(slow) as base, spawned(shell) as (process, served):
        running = asyncio.create_task(served.ask("/v1/fetch", {"url": base}))
        await asyncio.to_thread(slow.asked.wait, 10)
        terminate(process)
        await refused(served)
        terminate(process)
        code, told = await ended(process)
        slow.free.set()
        assert (code, "Traceback" in told) == (0, False)
        assert (await running).code == "GATEWAY_DRAINING"


@pytest.mark.req("gateway:drain")
async def test_an_idle_connection_and_an_mcp_session_do_not_hold_the_end_up(shell: Shell) -> None:
    with spawned(shell) as (process, served):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert read_answer(await reader.readuntil(b"}")).status == 200
        terminate(process)
        assert (await ended(process))[0] == 0
        writer.close()


@pytest.mark.req("gateway:start")
def test_without_the_extra_it_says_how_to_install_it(shell: Shell, tmp_path: Path) -> None:
    for package in ("prometheus_client", "mcp", "uvicorn"):
        missing = tmp_path / package
        missing.mkdir()
        text = f"raise ModuleNotFoundError('no', name={package!r})\n"
        (missing / f"{package}.py").write_text(text, encoding="utf-8")
        ran = shell.spawn("serve", env={"PYTHONPATH": str(missing)})
        assert ran.returncode == 3
        assert b'pip install "webseam[serve]"' in ran.stderr


@pytest.mark.req("gateway:start")
def test_help_needs_no_extra(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')\n", encoding="utf-8")
    for argv in (("serve", "--help"), ("tokens", "--help"), ("tokens", "create", "--help")):
        assert shell.spawn(*argv, env={"PYTHONPATH": str(tmp_path)}).returncode == 0


@pytest.mark.req("gateway:start")
def test_what_is_wrong_with_the_configuration_is_told_and_ends_it(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = 3\n[fetch]\nrobots = "maybe"\n')
    ran = shell.run("serve", "--listen", "0")
    assert ran.code == 3
    assert "search.provider" in ran.err
    assert "fetch.robots" in ran.err


@pytest.mark.req("gateway:start")
def test_strict_refuses_to_start_where_a_capability_could_not_answer(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "echo"\n')
    ran = shell.run("serve", "--listen", "0", "--strict")
    assert (ran.code, "echo" in ran.err) == (3, True)


@pytest.mark.req("gateway:start")
async def test_otherwise_it_starts_and_tells_that_on_stderr(shell: Shell) -> None:
    with spawned(shell, config='[search]\nprovider = "echo"\n') as (process, served):
        got = await served.ask("/v1/search", {"query": "q"})
        assert (got.status, got.code) == (503, "WEB_PROVIDER_CONFIGURED_UNAVAILABLE")
        terminate(process)
        assert (await ended(process))[0] == 0


@pytest.mark.req("gateway:start")
async def test_an_address_that_is_taken_is_told(shell: Shell) -> None:
    with spawned(shell) as (_, served):
        ran = await asyncio.to_thread(shell.spawn, "serve", "--listen", f"127.0.0.1:{served.port}")
        assert ran.returncode == 3
        assert b"cannot be listened on" in ran.stderr


@pytest.mark.req("gateway:log")
async def test_the_log_can_be_turned_off(shell: Shell) -> None:
    with spawned(shell, config=CONFIG + "[serve]\naccess_log = false\n") as (process, served):
        await served.ask("/healthz")
        terminate(process)
        assert (await ended(process)) == (0, "")


@pytest.mark.req("gateway:log")
async def test_requests_are_answered_where_nobody_reads_the_log(shell: Shell) -> None:
    with spawned(shell) as (process, served):
        assert process.stderr is not None
        process.stderr.close()
        for _ in range(3):
            assert (await served.ask("/healthz")).status == 200


@pytest.mark.req("gateway:start")
async def test_a_recording_and_its_replay_work_behind_the_gateway(shell: Shell, tmp_path: Path) -> None:
    tape = tmp_path / "run.jsonl"
    with site(lambda _path: (200, {}, PAGE)) as base, spawned(shell, "--record", str(tape)) as (process, served):
        first = await served.ask("/v1/fetch", {"url": base})
        terminate(process)
        assert (await ended(process))[0] == 0
    with spawned(shell, "--strict", "--replay", str(tape)) as (process, served):
        again = await served.ask("/v1/fetch", {"url": base})
        assert again.json["body"] == first.json["body"]
        assert (await served.ask("/v1/search", {"query": "hits"})).code == "WEB_REPLAY_MISS"
        shown = (await served.ask("/v1/providers")).json["capabilities"]
        terminate(process)
        assert "WEB_PROVIDER" not in (await ended(process))[1]
    assert [one["why"] for one in shown] == [["A recording answers here: nobody is asked."]] * 3
    assert not any("error" in one for one in shown)
