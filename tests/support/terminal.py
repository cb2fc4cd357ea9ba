"""The installed executable on a terminal of its own, with a person who types."""

import fcntl
import os
import pty
import select
import subprocess
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from support.cli import EXECUTABLE, Shell

WAIT = 30


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of it: everything the terminal showed, and what went to stdout where that is no terminal."""

    code: int
    screen: str
    out: str


def at_terminal(
    shell: Shell,
    *argv: str,
    typed: Sequence[tuple[str, str]] = (),
    kept: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> Seen:
    """Run on a pseudo-terminal; each of `typed` waits for words on the screen, then types.

    With `kept` stdout goes to that file; stdin and stderr stay the terminal's.
    """
    master, slave = pty.openpty()
    out = None if kept is None else kept.open("wb")
    try:
        process = subprocess.Popen(  # noqa: S603 - our own executable
            [EXECUTABLE, *argv],
            stdin=slave,
            stdout=slave if out is None else out,
            stderr=slave,
            env=shell.variables({"TERM": "xterm", "COLUMNS": "80", **(env or {})}),
            cwd=shell.desk.cwd,
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 - only so is it the one whose Ctrl-C is a signal
        )
        os.close(slave)
        screen = ""
        for words, text in typed:
            screen = _until(master, screen, words)
            os.write(master, text.encode())
        screen = _until(master, screen, None)
        code = process.wait(WAIT)
    finally:
        os.close(master)
        if out is not None:
            out.close()
    return Seen(code, screen, "" if kept is None else kept.read_text(encoding="utf-8"))


def _own_terminal() -> None:
    """Make standard input the terminal that controls this new session."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _until(master: int, screen: str, words: str | None) -> str:
    """Read until the words are seen, or to the end where there are none to wait for."""
    while words is None or words not in screen:
        ready, _, _ = select.select([master], [], [], WAIT)
        assert ready, f"the terminal never showed {words!r}, only {screen!r}"
        try:
            data = os.read(master, 65_536)
        except OSError:  # Linux says EIO when the last process has let the terminal go
            data = b""
        if not data:
            assert words is None, f"the terminal ended without {words!r}: {screen!r}"
            return screen
        screen += data.decode(errors="replace")
    return screen
