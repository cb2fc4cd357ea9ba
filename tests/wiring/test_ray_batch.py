"""A batch on a real Ray that is started on this machine: the lines of the local engine, and nothing left behind."""

import asyncio
import json
import os
import select
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from support.cli import EXECUTABLE, TESTS, Shell, install_toys
from support.many import many_pages, records_in
from support.wiring import Desk
from webseam.wiring.batch import Pace
from webseam.wiring.batch_entry import Entry, Outcome, host_of_entry
from webseam.wiring.ray_batch import RayRun, Worker

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason='needs Ray: pip install "webseam[ray]"')
LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
WATCH = """
import sys

def seen(event, arguments):
    if event in ("socket.connect", "socket.sendto"):
        with open({file!r}, "a") as file:
            file.write(repr(arguments[1]) + "\\n")
    elif event == "socket.getaddrinfo":
        with open({file!r}, "a") as file:
            file.write(repr((arguments[0], 0)) + "\\n")

sys.addaudithook(seen)
"""
"""Notes whom the Python of any process of the run dials or looks up: ours, and Ray's."""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    toys = tmp_path / "toys"
    install_toys(toys)
    shell = Shell(Desk(tmp_path).env(PYTHONPATH=f"{toys}:{TESTS}"))
    shell.desk.user(LOCAL)
    return shell


def here(text: str) -> bool:
    """Whether this is an address of the machine itself, without a look-up: Ray's processes talk by its own address."""
    mine = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=False).stdout.split()  # noqa: S607 - Debian's
    return text.startswith("127.") or text in {"localhost", "::1", "0.0.0.0", "", *mine}


def left_behind(home: str) -> list[str]:
    """Processes that were started with this home and do not end within a while."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}".encode() not in (folder / "environ").read_bytes().split(b"\0"):
                continue
            name = (folder / "comm").read_text(encoding="utf-8").strip()
            process = os.pidfd_open(int(folder.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if not select.select([process], [], [], 30)[0]:
            found.append(name)
        os.close(process)
    return found


@needs_ray
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="looks for processes as Linux shows them")
@pytest.mark.req("batch:ray:same", "batch:ray:resume", "batch:ray:alone")
@pytest.mark.timeout(240)
def test_ray_gives_the_lines_of_the_local_engine_and_leaves_nothing_running(shell: Shell, tmp_path: Path) -> None:
    dials = tmp_path / "dials"
    (tmp_path / "toys" / "sitecustomize.py").write_text(WATCH.format(file=str(dials)), encoding="utf-8")
    # Without this file Ray asks the metadata addresses of three clouds which one it is on, usage reports off or not.
    (Path(shell.desk.environ["HOME"]) / "ray_bootstrap_config.yaml").write_text("{}\n", encoding="utf-8")
    with many_pages() as many:
        inputs = [f"{many.url}/{n}" for n in range(300)]
        inputs += [json.dumps({"url": f"{many.url}/0", "id": own}) for own in (1, "1", "é\u202e")]
        inputs += ["no url", '{"id": 3}', "http://10.0.0.1/"]
        (shell.desk.cwd / "list").write_text("\n".join(inputs), encoding="utf-8")
        (shell.desk.cwd / "first").write_text("\n".join(inputs[:100]), encoding="utf-8")
        local = shell.spawn("batch", "fetch", "list", "-o", "local.jsonl")
        shell.spawn("batch", "fetch", "first", "-o", "ray.jsonl")
        many.asked.clear()
        flags = ("--resume", "--engine", "ray", "--actors", "2", "--concurrency", "8", "--per-host", "8")
        ran = subprocess.run(  # noqa: S603 - our own executable
            [EXECUTABLE, "batch", "fetch", "list", "-o", "ray.jsonl", *flags],
            env=shell.variables(),
            cwd=shell.desk.cwd,
            capture_output=True,
            check=False,
            timeout=180,
        )
    assert (local.returncode, ran.returncode) == (5, 5), ran.stderr
    assert ran.stderr.endswith(b"done: 206, done before: 100, failed: 3\n")
    assert b"Warning" not in ran.stderr
    ours, theirs = (sorted(map(_told, records_in(shell.desk.cwd / f"{name}.jsonl"))) for name in ("local", "ray"))
    assert ours == theirs
    assert len(theirs) == len(inputs)
    assert many.asked == {f"/{n}": 1 + 2 * (n == 0) for n in range(300) if n == 0 or n >= 100} | {"/0": 3}
    assert left_behind(shell.desk.environ["HOME"]) == []
    assert [one for one in dials.read_text(encoding="utf-8").splitlines() if not _near(one)] == []


def _near(dial: str) -> bool:
    """A path of a socket, or an address of this machine."""
    return not dial.startswith("(") or here(dial[1:].split(",", maxsplit=1)[0].strip("'b\""))


def _told(record: dict[str, Any]) -> str:
    """What does not differ from one run to the next."""
    for one in (record, record.get("error", {})):
        one.pop("attempts", None)
    return json.dumps(record, sort_keys=True)


# Without a Ray -----------------------------------------------------------------------------------------


@pytest.mark.req("batch:ray:missing")
def test_without_the_package_the_line_that_installs_it_is_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "toys" / "ray.py").write_text('raise ImportError("no ray")', encoding="utf-8")
    (shell.desk.cwd / "list").write_text("https://a.test/\n", encoding="utf-8")
    ran = shell.spawn("batch", "fetch", "list", "-o", "x.jsonl", "--engine", "ray")
    assert ran.returncode == 3
    assert b'pip install "webseam[ray]"' in ran.stderr
    assert b"Traceback" not in ran.stderr
    assert not (shell.desk.cwd / "x.jsonl").exists()


@pytest.mark.req("batch:ray:missing")
@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "[::1]:1", "127.0.0.1:70000"])
def test_a_cluster_that_does_not_answer_is_told_at_once(shell: Shell, address: str) -> None:
    (shell.desk.cwd / "list").write_text("https://a.test/\n", encoding="utf-8")
    ran = shell.spawn("batch", "fetch", "list", "-o", "x", "--engine", "ray", env={"RAY_ADDRESS": address})
    assert (ran.returncode, ran.stderr.count(b"\n")) == (3, 1)
    assert b"Nobody answers at RAY_ADDRESS" in ran.stderr
    assert not (shell.desk.cwd / "x").exists()


@pytest.mark.req("batch:ray:one-process")
@pytest.mark.parametrize(
    ("config", "flags", "said"),
    [
        ("", ("--record", "r.cassette"), "A recording is of one process"),
        ("", ("--replay", "r.cassette"), "A recording is of one process"),
        ("[permission]\nmax_calls = 5\n", (), "permission.max_calls is held to by one process"),
    ],
)
def test_what_only_one_process_can_hold_to_is_refused(
    shell: Shell, config: str, flags: tuple[str, ...], said: str
) -> None:
    shell.desk.user(LOCAL + config)
    (shell.desk.cwd / "list").write_text("https://a.test/\n", encoding="utf-8")
    ran = shell.run("batch", "fetch", "list", "-o", "x.jsonl", "--engine", "ray", *flags)
    assert ran.code in (2, 3)
    assert said in ran.err
    assert not (shell.desk.cwd / "x.jsonl").exists()


# One actor ---------------------------------------------------------------------------------------------


closed: list[str] = []


@asynccontextmanager
async def _opening() -> AsyncIterator[Callable[[Entry], Awaitable[Outcome]]]:
    now: dict[str | None, int] = {}

    async def work(entry: Entry) -> Outcome:
        host = host_of_entry(entry)
        now[host] = now.get(host, 0) + 1
        most = now[host]
        await asyncio.sleep(0)
        now[host] -= 1
        error = "WEB_INVALID_URL" if host is None else None
        return Outcome(text=f"{entry.id}:{most}", error=error, status=None if error else 200)

    yield work
    closed.append("closed")


@needs_ray
@pytest.mark.req("batch:ray:pace")
def test_an_actor_does_a_block_within_the_bounds_and_tells_each_by_its_number() -> None:
    pa = pytest.importorskip("pyarrow")
    worker = Worker(RayRun(opening=_opening, host=host_of_entry, pace=Pace(concurrency=8, per_host=2)))
    urls = [f"https://{'ab'[n % 2]}.test/{n}" for n in range(40)] + ["no url"]
    ids = [None, *(str(n) for n in range(40))]
    for _ in range(2):  # an actor gets one block after another
        table = worker(pa.table({"number": list(range(41)), "text": urls, "id": ids}))
        rows = {row.pop("number"): row for row in table.to_pylist()}
        assert set(rows) == set(range(41))
        assert all(row["text"].split(":")[0] == str(ids[number]) for number, row in rows.items())
        assert {row["text"].split(":")[1] for row in rows.values()} == {"1", "2"}
        assert (rows[40]["error"], rows[40]["status"], rows[0]["status"]) == ("WEB_INVALID_URL", None, 200)
    del worker
    assert closed == ["closed"]
