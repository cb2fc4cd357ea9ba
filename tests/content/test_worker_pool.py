"""The pool itself: killed, crowded, recycled, cancelled, closed, orphaned."""

import asyncio
import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from support.pdf import bomb, lines, pdf, recursive
from webseam.content.workers import WorkerFailed, Workers
from webseam.core.deadline import Deadline

SLOW = b"<table>" + b"<tr><td>a" * 700_000 + b"</table>words"
AT_WORK = 80_000_000 // os.sysconf("SC_PAGE_SIZE")  # the job alone has 6 MB, its tree over 100
PAGE = {"url": "https://a.test/"}

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes through /proc")


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    made = Workers()
    yield made
    await made.aclose()


def children() -> set[int]:
    """Process ids of this process's children."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    return {int(pid) for pid in listed.split()}


def pages_of(pid: int) -> int:
    """Memory pages that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])


def soon() -> Deadline:
    return Deadline.after(50)


async def text(workers: Workers, html: bytes = b"<h1>T", *, deadline: Deadline | None = None) -> bytes:
    return (await workers.run("markdown", PAGE, html, deadline=deadline or soon(), seconds=40))[1]


async def reason(job: asyncio.Task[bytes]) -> str:
    with pytest.raises(WorkerFailed) as caught:
        await job
    return caught.value.reason


async def begun(before: set[int], count: int = 1) -> set[int]:
    """Process ids of workers, once so many more have started."""
    while len(children() - before) < count:  # noqa: ASYNC110 - nothing signals that a process has started
        await asyncio.sleep(0)
    return children() - before


@pytest.mark.req("workers:killed")
async def test_a_worker_killed_in_the_middle_of_a_job_is_replaced() -> None:
    workers, before = Workers(count=1), children()
    await text(workers)
    (first,) = children() - before
    job = asyncio.create_task(text(workers, SLOW))
    while pages_of(first) < AT_WORK:  # noqa: ASYNC110 - nothing signals that a job has begun
        await asyncio.sleep(0)
    os.kill(first, signal.SIGKILL)
    assert await reason(job) == "crash"
    assert await text(workers) == b"# T"
    await workers.aclose()
    assert children() == before


@pytest.mark.req("workers:start")
async def test_a_worker_finds_what_its_parent_has_put_on_its_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bare = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    assert bare.exists()
    (tmp_path / "json.py").write_text("raise SystemExit(3)")
    monkeypatch.setattr(sys, "executable", str(bare))  # which knows nothing of what is installed here
    monkeypatch.setattr(sys, "path", ["", str(tmp_path), *sys.path])
    monkeypatch.chdir(tmp_path)
    workers = Workers()
    assert await text(workers) == b"# T"
    await workers.aclose()


@pytest.mark.req("workers:start")
@pytest.mark.parametrize("body", [b"<h1>T", SLOW], ids=["small", "large"])
async def test_a_worker_that_cannot_start_is_no_fault_of_the_page(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, body: bytes
) -> None:
    (tmp_path / "webseam.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    workers, before = Workers(), children()
    assert await reason(asyncio.create_task(text(workers, body))) == "start"
    await workers.aclose()
    assert children() == before


@pytest.mark.req("workers:start")
async def test_a_frozen_program_does_not_start_itself_as_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    workers, before = Workers(), children()
    assert await reason(asyncio.create_task(text(workers))) == "start"
    assert children() == before


@pytest.mark.req("workers:killed")
async def test_a_worker_that_died_while_it_was_idle_costs_no_job(workers: Workers) -> None:
    before = children()
    for _ in range(3):
        await text(workers)
        for pid in children() - before:
            os.kill(pid, signal.SIGKILL)
    assert await text(workers) == b"# T"


@pytest.mark.req("workers:killed")
async def test_a_job_that_raises_is_told_as_a_crash(workers: Workers) -> None:
    for job in ("nonsense", "markdown"):
        with pytest.raises(WorkerFailed, match="crash"):
            await workers.run(job, {}, b"x", deadline=soon())
    assert await text(workers) == b"# T"


@pytest.mark.req("workers:recycle")
async def test_a_worker_is_replaced_after_its_jobs() -> None:
    workers, before, seen = Workers(count=1, jobs=2), children(), set[int]()
    for _ in range(5):
        await text(workers)
        seen |= children() - before
    await workers.aclose()
    assert len(seen) in {2, 3}  # the third serves one job, and may be seen only while it does
    assert children() == before


@pytest.mark.req("workers:queue")
async def test_jobs_wait_within_their_deadlines_and_too_many_are_refused() -> None:
    workers = Workers(count=1, queue=2)
    busy = asyncio.create_task(text(workers, SLOW))
    await asyncio.sleep(0)
    patient = asyncio.create_task(text(workers))
    hurried = asyncio.create_task(text(workers, deadline=Deadline.after(0.01)))
    await asyncio.sleep(0)
    assert await reason(asyncio.create_task(text(workers))) == "busy"
    assert await reason(hurried) == "timeout"
    assert (await busy)[-5:] == b"words"
    assert await patient == b"# T"
    await workers.aclose()


@pytest.mark.req("workers:queue")
async def test_a_job_has_its_own_time_whatever_the_wait() -> None:
    workers = Workers(count=1)
    with pytest.raises(WorkerFailed, match="timeout"):
        await workers.run("markdown", PAGE, SLOW, deadline=soon(), seconds=0.01)
    with pytest.raises(WorkerFailed, match="timeout"):
        await workers.run("markdown", PAGE, SLOW, deadline=Deadline.after(0.01), seconds=40)
    assert await text(workers) == b"# T"
    await workers.aclose()


@pytest.mark.req("workers:cancel")
async def test_cancelling_kills_only_the_worker_of_that_job() -> None:
    workers, before = Workers(count=2), children()
    doomed = asyncio.create_task(text(workers, SLOW))
    first = await begun(before)
    spared = asyncio.create_task(text(workers, SLOW))
    both = await begun(before, 2)
    doomed.cancel()
    with pytest.raises(asyncio.CancelledError):
        await doomed
    assert (await spared)[-5:] == b"words"
    assert children() - before == both - first
    await workers.aclose()
    assert children() == before


@pytest.mark.req("workers:cancel")
async def test_cancelling_a_job_that_waits_leaves_its_turn_to_the_next() -> None:
    workers = Workers(count=1)
    busy, doomed, last = (asyncio.create_task(text(workers, html)) for html in (SLOW, b"x", b"y"))
    await asyncio.sleep(0)
    doomed.cancel()
    assert (await busy)[-5:] == b"words"
    assert await last == b"y"
    assert doomed.cancelled()
    await workers.aclose()


@pytest.mark.req("workers:close")
async def test_closing_ends_jobs_that_run_and_jobs_that_wait() -> None:
    workers, before = Workers(count=1), children()
    jobs = [asyncio.create_task(text(workers, SLOW)) for _ in range(3)]
    await begun(before)
    await workers.aclose()
    assert {await reason(job) for job in jobs} == {"closed"}
    assert await reason(asyncio.create_task(text(workers))) == "closed"
    await workers.aclose()
    assert children() == before


@pytest.mark.req("workers:crowd", "pdf:broken")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
async def test_two_bombs_in_a_crowd_of_pdfs_hurt_nobody_else() -> None:
    workers, before = Workers(memory=500_000_000), children()
    files = [pdf([lines([f"File {at}"])]) for at in range(98)]
    files[20:20] = [bomb(1_000_000_000)]
    files[60:60] = [recursive()]

    async def read(data: bytes) -> str:
        try:
            head, body = await workers.run("pdf", {}, data, deadline=soon(), seconds=8)
        except WorkerFailed as exc:
            return exc.reason
        return f"{head['page_count']} {body.decode()}"

    read_all = await asyncio.gather(*map(read, files))
    bad = [read_all.pop(60), read_all.pop(20)]
    assert read_all == [f'1 ["File {at}"]' for at in range(98)]
    assert set(bad) <= {"crash", "memory", "timeout"}
    await workers.aclose()
    assert children() == before


PARENT = """
import asyncio, sys
from webseam.content.workers import Workers
from webseam.core.deadline import Deadline

async def main(size):
    workers, page = Workers(count=1), {"url": "https://a.test/"}
    await workers.run("markdown", page, b"x", deadline=Deadline.after(40))
    print("idle", flush=True)
    sys.stdin.readline()
    job = workers.run("markdown", page, b"<tr><td>a" * size, deadline=Deadline.after(40), seconds=40)
    tasks = [asyncio.ensure_future(job)] if size else []
    await asyncio.wait(tasks, timeout=0.05) if tasks else None
    print("sent", flush=True)
    await asyncio.Event().wait()

asyncio.run(main(int(sys.argv[1])))
"""


@pytest.fixture
def parent(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", PARENT, str(request.param)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    with process:
        yield process
        process.kill()


@pytest.mark.req("workers:orphan")
@pytest.mark.skipif(sys.platform != "linux", reason="waits for another's process through a pidfd")
@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("parent", [0, 100_000, 2_000_000], indirect=True)
def test_no_worker_outlives_a_killed_parent(parent: subprocess.Popen[str], *, stopped: bool) -> None:
    """Idle, busy, and, where the worker is stopped before it is given megabytes, with its pipe full."""
    assert parent.stdin is not None
    assert parent.stdout is not None
    assert parent.stdout.readline() == "idle\n"
    worker = int(Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text(encoding="ascii"))
    end = os.pidfd_open(worker)
    if stopped:
        os.kill(worker, signal.SIGSTOP)
    parent.stdin.write("\n")
    parent.stdin.flush()
    assert parent.stdout.readline() == "sent\n"
    parent.kill()
    assert select.select([end], [], [], 20)[0] == [end]
    os.close(end)
