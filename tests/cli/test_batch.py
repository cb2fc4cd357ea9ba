"""`webseam fetch --jsonl`: one line for each input whatever happens, and a file that a later run goes on with."""

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.batches import LOCAL, Site, fetch, lines
from support.cli import EXECUTABLE, Answer, Shell, site
from support.terminal import at_terminal


@pytest.fixture(autouse=True)
def _local(shell: Shell) -> None:
    shell.desk.user(LOCAL)


@pytest.mark.req("cli2:batch:lines", "cli2:batch:exit")
def test_every_input_gives_a_line_with_the_page_or_its_error(shell: Shell) -> None:
    with site(Site()) as url:
        inputs = [f"{url}/a", f"{url}/none", "http://10.0.0.1/", "no url", "http://[::1", f"{url}/é ●"]
        ran = fetch(shell, inputs)
    records = lines(ran.out)
    assert set(records) == set(inputs)
    assert (records[f"{url}/a"]["status_code"], records[f"{url}/a"]["markdown"]) == (200, "# Page /a")
    assert records[f"{url}/none"]["status_code"] == 404
    assert records["http://10.0.0.1/"]["error"]["code"] == "WEB_BLOCKED_URL"
    assert records["no url"]["error"]["code"] == records["http://[::1"]["error"]["code"] == "WEB_INVALID_URL"
    assert ran.err == "done: 6, failed: 3\n"
    assert ran.code == 4


@pytest.mark.req("cli2:batch:exit")
def test_the_exit_code_tells_whether_any_failed(shell: Shell) -> None:
    with site(Site()) as url:
        assert fetch(shell, [f"{url}/a", f"{url}/none"]).code == 0
        assert fetch(shell, [f"{url}/a", f"{url}/none"], "--fail").code == 5
        assert fetch(shell, ["no url"], "--fail").code == 4
        assert fetch(shell, ["no url", f"{url}/none"], "--fail").code == 5


@pytest.mark.req("cli2:batch:lines")
def test_an_input_that_is_there_twice_is_done_once(shell: Shell) -> None:
    answer = Site()
    with site(answer) as url:
        ran = fetch(shell, [f"{url}/a", f"{url}/b", f"{url}/a", f"  {url}/a "])
    assert answer.asked == {"/a": 1, "/b": 1}
    assert len(lines(ran.out)) == 2
    assert ran.err.startswith("given more than once, and done once: 2\n")


@pytest.mark.req("cli2:batch:lines")
def test_the_flags_of_a_page_hold_for_each(shell: Shell) -> None:
    with site(Site()) as url:
        raw = lines(fetch(shell, [f"{url}/a"], "--raw-body").out)
        outline = lines(fetch(shell, [f"{url}/a"], "--outline").out)
    assert raw[f"{url}/a"]["body"]["content"] == "<h1>Page /a</h1>"
    assert outline[f"{url}/a"]["outline"] == [{"level": 1, "title": "Page /a", "offset": 0}]


@pytest.mark.req("cli2:batch:pace")
@pytest.mark.parametrize(("flags", "bound"), [((), 2), (("--per-host", "1"), 1), (("--concurrency", "1"), 1)])
def test_a_host_gets_no_more_than_its_share_at_once(shell: Shell, flags: tuple[str, ...], bound: int) -> None:
    lock = threading.Lock()
    now, most = 0, 0
    full = threading.Event()

    def answer(_path: str) -> Answer:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
            if now == bound:
                full.set()
        full.wait(10)
        with lock:
            now -= 1
        return 200, {}, b"<p>text"

    with site(answer) as url:
        assert fetch(shell, [f"{url}/{n}" for n in range(9)], *flags).code == 0
    assert most == bound


# The file ----------------------------------------------------------------------------------------------


@pytest.mark.req("cli2:batch:resume")
def test_a_batch_goes_on_where_it_ended_and_asks_nothing_twice(shell: Shell) -> None:
    file = shell.desk.cwd / "pages.jsonl"
    answer = Site()
    with site(answer) as url:
        inputs = [f"{url}/{n}" for n in range(6)]
        assert fetch(shell, [*inputs[:3], "no url"], "-o", file.name).code == 4
        whole = file.read_bytes()
        file.write_bytes(whole + b'{"input": "half')
        ran = fetch(shell, [*inputs, "no url"], "-o", file.name, "--resume")
    assert ran.out == ""
    assert file.read_bytes().startswith(whole)
    assert set(lines(file.read_text(encoding="utf-8"))) == {*inputs, "no url"}
    assert max(answer.asked.values()) == 1
    assert ran.err == "done: 3, done before: 4, failed: 1\n"
    assert ran.code == 4


@pytest.mark.req("cli2:batch:resume")
def test_a_batch_that_is_whole_dials_nothing(shell: Shell) -> None:
    answer = Site()
    with site(answer) as url:
        fetch(shell, [f"{url}/a"], "-o", "out.jsonl")
        ran = fetch(shell, [f"{url}/a"], "-o", "out.jsonl", "--resume")
    assert (ran.code, ran.err, answer.asked) == (0, "done: 0, done before: 1, failed: 0\n", {"/a": 1})


@pytest.mark.req("cli2:batch:retry")
def test_what_failed_is_done_again_when_asked_for(shell: Shell) -> None:
    file = shell.desk.cwd / "out.jsonl"
    answer = Site()
    with site(answer) as url:
        shell.desk.user("")
        assert fetch(shell, [f"{url}/a", f"{url}/b"], "-o", file.name).code == 4
        shell.desk.user(LOCAL)
        assert fetch(shell, [f"{url}/a", f"{url}/b"], "-o", file.name, "--resume").code == 4
        assert fetch(shell, [f"{url}/a", f"{url}/b"], "-o", file.name, "--resume", "--retry-failed").code == 0
    records = lines(file.read_text(encoding="utf-8"))
    assert [one["status_code"] for one in records.values()] == [200, 200]
    assert answer.asked == {"/a": 1, "/b": 1}


@pytest.mark.req("cli2:batch:retry")
def test_with_fail_a_status_that_is_no_success_is_done_again_too(shell: Shell) -> None:
    answer = Site()
    with site(answer) as url:
        inputs = [f"{url}/a", f"{url}/none"]
        assert fetch(shell, inputs, "-o", "out.jsonl", "--fail").code == 5
        assert fetch(shell, inputs, "-o", "out.jsonl", "--resume", "--retry-failed").code == 0
        assert fetch(shell, inputs, "-o", "out.jsonl", "--resume", "--retry-failed", "--fail").code == 5
    assert answer.asked == {"/a": 1, "/none": 2}


@pytest.mark.req("cli2:batch:file")
def test_a_file_that_holds_something_is_not_written_over(shell: Shell) -> None:
    file = shell.desk.cwd / "notes.txt"
    file.write_text("mine\n", encoding="utf-8")
    plain = fetch(shell, ["no url"], "-o", file.name)
    resumed = fetch(shell, ["no url"], "-o", file.name, "--resume")
    assert (plain.code, resumed.code) == (2, 2)
    assert "Add --resume" in plain.err
    assert "line 1 is no JSON" in resumed.err
    assert file.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.req("cli2:batch:file")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
@pytest.mark.parametrize("place", ["/dev/full", "/dev/null", ".", "no/such/out.jsonl", ""])
def test_a_place_that_takes_no_lines_is_told(shell: Shell, place: str) -> None:
    ran = fetch(shell, ["no url"], "-o", place)
    assert (ran.code, ran.out) == (2, "")
    assert "INVALID_ARGS" in ran.err


def stopped(shell: Shell, how: signal.Signals, *, file: Path) -> tuple[int, str, list[str]]:
    """A batch that is ended when one page has been written and another is being waited for."""
    release = threading.Event()

    def answer(path: str) -> Answer:
        if path != "/0":
            release.wait(30)
        return 200, {}, b"<p>text"

    with site(answer) as url:
        inputs = [f"{url}/{n}" for n in range(5)]
        process = subprocess.Popen(  # noqa: S603 - our own executable
            [EXECUTABLE, "fetch", "--jsonl", "-o", file, "--concurrency", "2", "-v", *inputs],
            env=shell.variables(),
            cwd=shell.desk.cwd,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        told = ""
        while "1/5" not in told:
            told = process.stderr.readline()
            assert told, "the batch ended before its first page"
        process.send_signal(how)
        _, err = process.communicate(timeout=30)
        release.set()
    return process.returncode, err, inputs


@pytest.mark.req("cli2:batch:stopped")
def test_ctrl_c_leaves_a_file_that_resumes_and_says_so(shell: Shell) -> None:
    file = shell.desk.cwd / "out.jsonl"
    code, err, inputs = stopped(shell, signal.SIGINT, file=file)
    assert code == 130
    assert "stopped after 1 of 5. Go on later with --resume." in err
    assert "Traceback" not in err
    assert list(lines(file.read_text(encoding="utf-8"))) == [inputs[0]]


@pytest.mark.req("cli2:batch:stopped")
def test_ctrl_c_at_a_terminal_takes_the_bar_away(shell: Shell) -> None:
    release = threading.Event()

    def answer(_path: str) -> Answer:
        release.wait(30)
        return 200, {}, b""

    with site(answer) as url:
        seen = at_terminal(
            shell, "fetch", "--jsonl", "-o", "out", f"{url}/a", kept=shell.desk.cwd / "o", typed=[("0/1", "\x03")]
        )
        release.set()
    assert seen.code == 130
    assert "webseam: stopped after 0 of 1. Go on later with --resume." in seen.screen
    assert seen.screen.count("\x1b[?25l") == seen.screen.count("\x1b[?25h")


@pytest.mark.req("cli2:batch:stopped")
def test_a_batch_that_was_killed_resumes(shell: Shell) -> None:
    file = shell.desk.cwd / "out.jsonl"
    code, _, inputs = stopped(shell, signal.SIGKILL, file=file)
    assert code == -signal.SIGKILL
    assert list(lines(file.read_text(encoding="utf-8"))) == [inputs[0]]
    ran = shell.run("fetch", "--jsonl", "-o", str(file), "--resume", inputs[0])
    assert (ran.code, ran.err) == (0, "done: 0, done before: 1, failed: 0\n")


@pytest.mark.req("cli2:batch:lines")
def test_a_reader_that_went_away_ends_the_batch_quietly(shell: Shell) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with site(Site()) as url:
        try:
            argv = ("fetch", "--jsonl", f"{url}/a", f"{url}/b")
            done = shell.spawn(*argv, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
        finally:
            os.close(writing)
    assert done.returncode == 141
    assert b"Traceback" not in done.stderr


@pytest.mark.req("cli2:batch:resume")
def test_a_full_disk_exits_1_and_the_batch_goes_on_once_there_is_room(shell: Shell) -> None:
    file = shell.desk.cwd / "out.jsonl"
    with site(Site()) as url:
        inputs = [f"{url}/{n}" for n in range(20)]
        line = f"ulimit -f 4; '{EXECUTABLE}' fetch --jsonl -o out.jsonl {' '.join(inputs)}"
        full = subprocess.run(  # noqa: S602 - only a shell has ulimit
            line, shell=True, env=shell.variables(), cwd=shell.desk.cwd, capture_output=True, check=False, timeout=50
        )
        torn = file.read_bytes()
        ran = fetch(shell, inputs, "-o", file.name, "--resume")
    assert full.returncode == 1
    assert b"out.jsonl: File too large" in full.stderr
    assert b"Traceback" not in full.stderr
    assert not torn.endswith(b"\n")
    assert ran.code == 0
    assert set(lines(file.read_text(encoding="utf-8"))) == set(inputs)


# For a person ------------------------------------------------------------------------------------------


@pytest.mark.req("cli2:batch:progress")
def test_a_bar_shows_on_a_terminal_and_leaves_nothing_in_the_file(shell: Shell) -> None:
    file = shell.desk.cwd / "out.jsonl"
    with site(Site()) as url:
        seen = at_terminal(shell, "fetch", "--jsonl", "-o", file.name, f"{url}/a", f"{url}/b", kept=file.with_name("o"))
        dumb = at_terminal(shell, "fetch", "--jsonl", "-o", "2.jsonl", f"{url}/a", env={"TERM": "dumb"})
    assert (seen.code, seen.out) == (0, "")
    assert "2/2" in seen.screen
    assert seen.screen.replace("\r", "").endswith("done: 2, failed: 0\n")
    assert len(lines(file.read_text(encoding="utf-8"))) == 2
    assert dumb.screen.replace("\r", "") == "done: 1, failed: 0\n"


@pytest.mark.req("cli2:batch:progress")
def test_verbose_tells_each_input(shell: Shell) -> None:
    with site(Site()) as url:
        ran = fetch(shell, [f"{url}/none", "no url"], "-v", "--concurrency", "1")
    assert f"1/2 HTTP 404: {url}/none\n" in ran.err
    assert "2/2 WEB_INVALID_URL: no url\n" in ran.err


USELESS = [
    (("--jsonl", "--json"), "Give one of them"),
    (("--concurrency", "3"), "Add --jsonl"),
    (("--per-host", "3"), "Add --jsonl"),
    (("--resume",), "Add --jsonl"),
    (("--jsonl", "--resume"), "Add -o FILE"),
    (("--jsonl", "-o", "x", "--retry-failed"), "Add --resume"),
    (("--jsonl", "--concurrency", "0"), "0 is not in the range"),
    (("--jsonl", "--concurrency", "65"), "65 is not in the range"),
]


@pytest.mark.req("cli2:batch:usage")
@pytest.mark.parametrize(("flags", "said"), USELESS)
def test_flags_that_would_do_nothing_are_refused(shell: Shell, flags: tuple[str, ...], said: str) -> None:
    ran = shell.run("fetch", *flags, "https://a.test/")
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not (shell.desk.cwd / "x").exists()


@pytest.mark.req("cli2:batch:lines")
def test_a_batch_is_recorded_and_replays_without_a_network(shell: Shell) -> None:
    with site(Site()) as url:
        inputs = [f"{url}/a", f"{url}/none", "no url"]
        first = fetch(shell, inputs, "--record", "run.cassette")
    again = fetch(shell, inputs, "--replay", "run.cassette", "--concurrency", "1")
    assert {one: _said(record) for one, record in lines(again.out).items()} == {
        one: _said(record) for one, record in lines(first.out).items()
    }
    assert again.code == first.code == 4


def _said(record: dict[str, Any]) -> Callable[[], str] | tuple[Any, ...]:
    return record.get("status_code"), record.get("markdown"), record.get("error", {}).get("code")
