"""`webseam.open`, and the blocking twins."""

import asyncio
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import webseam
from support.cli import Answer, install_toys, site
from support.wiring import Desk
from webseam.blocking import wait_for

LOCAL = {"fetch": {"private_networks": ["127.0.0.0/8"]}}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with the toy vendors installed."""
    install_toys(tmp_path / "toys")
    monkeypatch.syspath_prepend(tmp_path / "toys")
    return Desk(tmp_path)


@pytest.fixture
def page() -> Iterator[str]:
    """The URL of a page on loopback."""

    def answer(_path: str) -> Answer:
        return 200, {}, b"<h1>Kelp</h1>"

    with site(answer) as url:
        yield f"{url}/"


@pytest.mark.req("wiring:open:context")
async def test_open_gives_a_web_and_closes_it(desk: Desk, page: str) -> None:
    async with webseam.open(search="free", config=LOCAL, environ=desk.environ, cwd=desk.cwd) as web:
        found = await web.search("kelp")
        fetched = await web.fetch(page)
    assert (found.provider, found.content) == ("free", "kelp")
    assert fetched.status_code == 200


@pytest.mark.req("wiring:open:choices")
async def test_choices_given_in_python_beat_the_configuration(desk: Desk) -> None:
    desk.user('[search]\nroute = ["odd"]\n')

    async def provider(choice: object) -> str:
        config = {"search": {"route": ["odd"], "max_results": 1}}
        async with webseam.open(search=choice, config=config, environ=desk.environ, cwd=desk.cwd) as web:  # type: ignore[arg-type] # every form
            return (await web.search("hits")).provider

    assert await provider(None) == "odd"
    assert await provider("  ") == "odd"
    assert await provider("free") == "free"
    assert await provider(["free", "odd"]) == "free"
    assert await provider(webseam.Route(("free",))) == "free"
    assert await provider(webseam.FanOut(("free", "odd"))) == "free+odd"


@pytest.mark.req("wiring:open:broken")
@pytest.mark.parametrize(
    "arguments",
    [
        {"config": {"search": {"timeout": 0}}},
        {"config": {"search": 3}, "search": "free"},
        {"fetch": webseam.FanOut(("a",))},
    ],
)
def test_a_broken_configuration_raises_at_open(desk: Desk, arguments: dict[str, object]) -> None:
    with pytest.raises(webseam.WebError) as caught:
        webseam.open(environ=desk.environ, cwd=desk.cwd, **arguments)  # type: ignore[arg-type] # wrong on purpose
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.fixture
def at_desk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The process itself stands at the desk: the blocking twins take no environment."""
    monkeypatch.chdir(desk.cwd)
    return desk


@pytest.mark.req("wiring:blocking")
def test_the_blocking_twins_need_no_loop(at_desk: Desk, page: str) -> None:
    assert at_desk.cwd == Path.cwd()
    assert webseam.search("kelp", provider="free").content == "kelp"
    assert webseam.fetch(page, config=LOCAL).status_code == 200


@pytest.mark.req("wiring:blocking")
async def test_the_blocking_twins_work_inside_a_running_loop(at_desk: Desk, page: str) -> None:
    assert at_desk.cwd == Path.cwd()
    assert webseam.search("kelp", provider="free").content == "kelp"
    assert webseam.fetch(page, config=LOCAL).status_code == 200


@pytest.mark.req("wiring:blocking")
async def test_errors_of_the_blocking_twins_are_raised_where_they_were_called(at_desk: Desk) -> None:
    assert at_desk.cwd == Path.cwd()
    with pytest.raises(webseam.WebError) as caught:
        webseam.fetch("http://127.0.0.1:1/")
    assert caught.value.code == "WEB_BLOCKED_URL"
    assert not [thread for thread in threading.enumerate() if thread.name == "webseam-blocking"]


@pytest.mark.req("wiring:blocking")
async def test_context_variables_reach_the_thread_beside_a_loop() -> None:
    async def name() -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    assert wait_for(name) == "webseam-blocking"


NOTEBOOK = """
import asyncio, sys, webseam

async def cell():
    try:
        webseam.fetch(sys.argv[1], config={"fetch": {"private_networks": ["127.0.0.0/8"]}})
    except (KeyboardInterrupt, asyncio.CancelledError):
        print("interrupted", flush=True)
        sys.stdin.read()

asyncio.RUN(cell())
"""


@pytest.mark.req("wiring:blocking:interrupt")
@pytest.mark.parametrize(
    ("way", "code"),
    [("new_event_loop().run_until_complete", 0), ("run", -signal.SIGINT)],
    ids=["notebook", "asyncio.run"],
)
def test_an_interrupt_of_a_notebook_ends_the_work_beside_its_loop(tmp_path: Path, way: str, code: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", NOTEBOOK.replace("RUN", way), f"http://127.0.0.1:{server.getsockname()[1]}/"],
            env={"HOME": str(tmp_path)},
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        connection, _ = server.accept()
        with connection:
            connection.settimeout(15)  # half of what the fetch would have on its own
            assert connection.recv(65_536).startswith(b"GET / ")
            process.send_signal(signal.SIGINT)
            assert process.stdout is not None
            assert process.stdout.readline() == b"interrupted\n"
            assert connection.recv(1) == b""
        process.communicate(b"")
    assert process.returncode == code


@pytest.mark.req("wiring:blocking:interrupt")
async def test_an_interrupt_while_the_thread_begins_ends_the_work_before_its_first_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []
    threads: list[threading.Thread] = []
    released = threading.Event()

    async def work() -> None:
        begun.append("work")

    def start(thread: threading.Thread) -> None:
        target = thread.run
        monkeypatch.setattr(thread, "run", lambda: (released.wait(10), target()))
        begin(thread)
        threads.append(thread)
        raise KeyboardInterrupt

    begin = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        wait_for(work)
    released.set()
    threads[0].join(10)
    assert begun == []
