"""Questions to a person: on stderr, answered on standard input, hidden where a key is typed."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.limits import KEY_CHARS
from webseam.surfaces.cli.session import Session


def ask(session: Session, question: str) -> str:
    """One line, without the white space around it.

    Raises:
        WebError: `INVALID_ARGS` when standard input ends instead.
    """
    session.out.prompt(question)
    line = _line(session)
    if not line:
        raise WebError(Code.INVALID_ARGS, "There was no answer. Nothing was changed.")
    return line.strip()


def ask_hidden(session: Session, question: str) -> str:
    """A secret: typed without being shown on a terminal, else all of standard input.

    Raises:
        WebError: `INVALID_ARGS` for input that is not UTF-8, or longer than any key.
    """
    if session.stdin.isatty():
        with _unseen(session.stdin):
            session.out.prompt(question)
            line = _line(session)
        session.out.prompt("\n")
        return line
    text = _line(session, whole=True)
    if len(text) > 2 * KEY_CHARS:
        raise WebError(Code.INVALID_ARGS, "Standard input is longer than any key. Nothing was changed.")
    return text


def _line(session: Session, *, whole: bool = False) -> str:
    try:
        return session.stdin.read(2 * KEY_CHARS + 1) if whole else session.stdin.readline(2 * KEY_CHARS + 1)
    except UnicodeDecodeError as exc:
        raise WebError(Code.INVALID_ARGS, "Standard input is not UTF-8 text. Nothing was changed.") from exc


@contextmanager
def _unseen(stream: Any) -> Iterator[None]:
    """The terminal does not show what is typed, until the end whatever happens; a stand-in for one shows nothing."""
    try:
        descriptor = stream.fileno()
    except io.UnsupportedOperation:
        yield
        return
    import termios  # noqa: PLC0415 - POSIX only

    before = termios.tcgetattr(descriptor)
    hidden = [*before]
    hidden[3] = int(hidden[3]) & ~termios.ECHO
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, hidden)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSAFLUSH, before)
