"""The conversion pool: inline, in processes, killed, cancelled, closed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from support.content import markdown, page
from webseam.content.convert import Converted, Converter
from webseam.content.frames import TAKEN, packed, read_frame, unpacked_head
from webseam.content.plain_text import plain_text
from webseam.core.deadline import Deadline
from webseam.core.types import TextBody

BIG = "<p>Kelp grows <b>fast</b>.</p>" * 10_000
SLOW = "<table>" + "<tr><td>a" * 700_000 + "</table>words"
GREEDY = "<p>" + "<b>x</b>" * 600_000


@pytest.fixture
async def converter() -> AsyncIterator[Converter]:
    made = Converter()
    yield made
    await made.aclose()


def soon() -> Deadline:
    return Deadline.after(30)


def children() -> set[int]:
    """Process ids of this process's children."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    return {int(pid) for pid in listed.split()} if listed else set()


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes through /proc")


@pytest.mark.req("content:workers:inline")
@needs_proc
async def test_an_ordinary_page_converts_without_a_process(converter: Converter) -> None:
    before = children()
    made = await converter.convert(page("<h1>T</h1><p hidden>x</p>"), deadline=soon())
    assert made == Converted(text="# T", hidden=1)
    assert children() == before


@pytest.mark.req("content:workers:inline")
async def test_a_body_that_is_text_needs_no_conversion(converter: Converter) -> None:
    made = await converter.convert(page(TextBody(content="a <b> c" * 100_000)), deadline=soon())
    assert made == Converted(text="a <b> c" * 100_000)


@pytest.mark.req("content:workers:process")
async def test_a_worker_gives_what_the_inline_conversion_gives(converter: Converter) -> None:
    html = BIG + "<p hidden>x<a href=y>\ud800\u65e5</a><a href=y>\ud800\u65e5</a>"
    made = await converter.convert(page(html), deadline=soon())
    assert made == Converted(text=markdown(html), hidden=1)


@pytest.mark.req("content:workers:process")
@needs_proc
async def test_many_jobs_share_the_configured_number_of_processes() -> None:
    converter = Converter(count=2)
    before = children()
    made = await asyncio.gather(*(converter.convert(page(BIG), deadline=soon()) for _ in range(6)))
    assert {one.fallback for one in made} == {None}
    workers = children() - before
    assert len(workers) == 2
    await converter.convert(page(BIG), deadline=soon())
    assert children() - before == workers
    await converter.aclose()
    assert children() - before == set()


@pytest.mark.req("content:workers:environment")
@needs_proc
async def test_no_secret_of_the_environment_reaches_a_worker(
    converter: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXA_API_KEY", "sk-invented-0123456789")
    before = children()
    await converter.convert(page(BIG), deadline=soon())
    (worker,) = children() - before
    assert b"PATH=" in environment_of(worker)
    assert b"invented" not in environment_of(worker)


@pytest.mark.req("content:workers:killed")
async def test_a_conversion_out_of_time_gives_the_bare_words() -> None:
    converter = Converter(seconds=0.01)
    made = await converter.convert(page(BIG), deadline=soon())
    assert (made.fallback, made.cut) == ("timeout", True)
    assert made.text.startswith("Kelp grows fast.\nKelp")
    assert (await converter.convert(page("<p>small"), deadline=soon())).fallback is None
    await converter.aclose()


@pytest.mark.req("content:workers:killed")
async def test_a_spent_deadline_gives_the_bare_words(converter: Converter) -> None:
    assert (await converter.convert(page(BIG), deadline=Deadline.after(0))).fallback == "timeout"


@pytest.mark.req("content:workers:killed")
async def test_a_job_that_waits_for_a_worker_past_its_deadline_gives_up_waiting() -> None:
    converter = Converter(count=1)
    first = asyncio.create_task(converter.convert(page(SLOW), deadline=soon()))
    await asyncio.sleep(0)
    second = await converter.convert(page(BIG), deadline=Deadline.after(0.01))
    assert second.fallback == "timeout"
    assert (await first).text
    await converter.aclose()


@pytest.mark.req("content:workers:killed")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
async def test_a_conversion_out_of_memory_gives_the_bare_words() -> None:
    converter = Converter(memory=120_000_000)
    made = await converter.convert(page(GREEDY), deadline=soon())
    assert made.fallback == "memory"
    assert made.text.startswith("xxx")
    assert (await converter.convert(page(BIG), deadline=soon())).fallback is None
    await converter.aclose()


@pytest.mark.req("content:workers:killed")
@needs_proc
async def test_a_worker_that_dies_is_replaced() -> None:
    converter = Converter(count=1)
    before = children()
    await converter.convert(page(BIG), deadline=soon())
    (first,) = children() - before
    os.kill(first, signal.SIGKILL)
    made = await converter.convert(page(BIG), deadline=soon())
    assert made.fallback is None
    assert children() - before != {first}
    await converter.aclose()


@pytest.mark.req("content:workers:killed")
@pytest.mark.parametrize("executable", ["", None, "/nonexistent/python"])
async def test_an_interpreter_that_cannot_be_started_gives_the_bare_words(
    converter: Converter, monkeypatch: pytest.MonkeyPatch, executable: str | None
) -> None:
    monkeypatch.setattr(sys, "executable", executable)
    made = await converter.convert(page(BIG), deadline=soon())
    assert (made.fallback, made.text[:16]) == ("crash", "Kelp grows fast.")


@pytest.mark.req("content:workers:process", "content:markdown:mostly-hidden")
async def test_a_worker_says_that_a_page_is_mostly_hidden(converter: Converter) -> None:
    made = await converter.convert(page(f"<main style='opacity:0'>{BIG}</main>"), deadline=soon())
    assert (made.mostly_hidden, made.fallback, made.text[:20]) == ("shown", None, "Kelp grows **fast**.")


@pytest.mark.req("content:workers:cancel")
@needs_proc
async def test_cancelling_a_conversion_kills_its_worker(converter: Converter) -> None:
    before = children()
    job = asyncio.create_task(converter.convert(page(SLOW), deadline=soon()))
    while children() == before:  # noqa: ASYNC110 - nothing signals that a process has started
        await asyncio.sleep(0)
    job.cancel()
    with pytest.raises(asyncio.CancelledError):
        await job
    await converter.aclose()
    assert children() == before


@pytest.mark.req("content:workers:close")
async def test_a_closed_converter_starts_nothing_and_still_answers(converter: Converter) -> None:
    await converter.aclose()
    made = await converter.convert(page(BIG), deadline=soon())
    assert made.fallback == "crash"
    assert made.text.startswith("Kelp grows fast.")
    await converter.aclose()


@pytest.mark.req("content:workers:close")
@needs_proc
async def test_closing_ends_a_busy_worker() -> None:
    converter = Converter()
    before = children()
    job = asyncio.create_task(converter.convert(page(SLOW), deadline=soon()))
    while children() == before:  # noqa: ASYNC110 - nothing signals that a process has started
        await asyncio.sleep(0)
    await converter.aclose()
    assert (await job).fallback == "crash"
    await converter.aclose()
    assert children() == before


@pytest.fixture
def worker() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "webseam.content.worker"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)  # noqa: S603 - our own module


@pytest.mark.req("content:workers:orphan")
def test_a_worker_ends_with_its_stdin(worker: subprocess.Popen[bytes]) -> None:
    answer, _ = worker.communicate(packed({"job": "markdown", "url": "https://a.test/"}, b"<h1>T</h1>"), timeout=20)
    assert answer.endswith(b"# T")
    assert worker.returncode == 0


@pytest.mark.req("content:workers:orphan")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the platform has no interval timer")
def test_a_busy_worker_ends_itself_when_nobody_kills_it(worker: subprocess.Popen[bytes]) -> None:
    job = packed({"job": "markdown", "url": "https://a.test/", "seconds": -0.99}, b"<p " + b"a=1 b=2 " * 5_000_000)
    worker.communicate(job, timeout=40)
    assert worker.returncode == -signal.SIGALRM


@pytest.mark.req("content:workers:killed")
@pytest.mark.parametrize("head", [{"job": "nonsense"}, {}, {"job": "markdown"}])
def test_a_worker_answers_a_job_it_cannot_do(worker: subprocess.Popen[bytes], head: dict[str, str]) -> None:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(packed(head, b"x"))
    worker.stdin.flush()
    assert worker.stdout.read(1) == TAKEN
    first, second = read_frame(worker.stdout), read_frame(worker.stdout)
    assert first is not None
    assert second is not None
    assert unpacked_head(first)["failure"] == "crash"
    worker.communicate(timeout=20)


@pytest.mark.req("content:workers:killed")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>A</h1><p>b &amp; c</p>", "A\nb & c"),
        ("<script>x</script>a<!-- <p> -->b<STYLE>y</style >c", "a b c"),
        ("a<script>never closed", "a"),
        ("<td>a<td>b", "a b"),
        ("1 < 2 <b>x</b", "1 < 2 x"),
        ("", ""),
    ],
)
def test_the_bare_words_of_a_page(html: str, text: str) -> None:
    assert plain_text(html) == (text, False)
