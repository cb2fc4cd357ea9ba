"""What a batch is fed and how fast it goes: a pipe that is still open, a host that asks for a pause."""

import json
import signal
import subprocess
import time

import pytest

from support.batches import LOCAL, Site, fetch, lines
from support.cli import EXECUTABLE, Answer, Shell, site


@pytest.fixture(autouse=True)
def _local(shell: Shell) -> None:
    shell.desk.user(LOCAL)


def piped(shell: Shell, *flags: str) -> "subprocess.Popen[bytes]":
    """A batch that reads a pipe nobody has closed."""
    return subprocess.Popen(  # noqa: S603 - our own executable
        [EXECUTABLE, "fetch", "--jsonl", *flags, "-"],
        env=shell.variables(),
        cwd=shell.desk.cwd,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.req("cli2:batch:arriving")
def test_a_batch_begins_while_its_input_still_arrives(shell: Shell) -> None:
    with site(Site()) as url, piped(shell) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"\ufeff{url}/a\r\n\n{url}/é".encode()[:-1])
        process.stdin.flush()
        first = json.loads(process.stdout.readline())
        out, err = process.communicate(f"{url}/é\n{url}/a".encode()[len(f"{url}/é".encode()) - 1 :], timeout=30)
    assert first["input"] == f"{url}/a"
    assert list(lines(out.decode())) == [f"{url}/é"]
    assert err.decode() == "given more than once, and done once: 1\ndone: 2, failed: 0\n"
    assert process.returncode == 0


@pytest.mark.req("cli2:batch:arriving", "cli2:batch:stopped")
def test_ctrl_c_ends_a_batch_that_waits_for_input(shell: Shell) -> None:
    with site(Site()) as url, piped(shell, "-o", "out.jsonl", "-v") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write(f"{url}/a\n".encode())
        process.stdin.flush()
        while b"1/1" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        told = process.stderr.read().decode()
    assert (process.returncode, told) == (130, "webseam: stopped after 1 of 1. Go on later with --resume.\n")


@pytest.mark.req("cli2:batch:arriving")
@pytest.mark.parametrize("text", [b"", b"\n \r\n", b"\xff\n", b"http://10.0.0.1/\n\xff", b"\xc3"])
def test_a_pipe_without_entries_or_with_no_text_is_told(shell: Shell, text: bytes) -> None:
    process = piped(shell, "-o", "out.jsonl")
    _, err = process.communicate(text, timeout=30)
    assert process.returncode == 2
    assert err.startswith(b"webseam: INVALID_ARGS: Standard input ")
    assert not (shell.desk.cwd / "out.jsonl").exists()


@pytest.mark.req("cli2:batch:busy")
@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_asks_for_a_pause_gets_it(shell: Shell, status: int) -> None:
    asked: list[float] = []

    def answer(_path: str) -> Answer:
        asked.append(time.monotonic())
        return (status, {"Retry-After": "1"}, b"busy") if len(asked) == 1 else (200, {}, b"<p>text")

    with site(answer) as url:
        ran = fetch(shell, [f"{url}/{n}" for n in range(3)], "--per-host", "1", "-v")
    assert asked[1] - asked[0] >= 1
    assert "its host asks for a pause of 1 s" in ran.err
    assert [one["status_code"] for one in lines(ran.out).values()] == [status, 200, 200]


@pytest.mark.req("cli2:batch:busy")
def test_nobody_waits_for_a_host_that_nothing_is_asked_of_any_more(shell: Shell) -> None:
    with site(lambda _path: (503, {"Retry-After": "3000"}, b"busy")) as url:
        assert fetch(shell, [f"{url}/a"]).code == 0
