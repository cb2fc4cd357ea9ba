"""The two streams: data on stdout, everything else on stderr; nothing hostile reaches a terminal."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TextIO

from webseam.core.errors import WebError
from webseam.core.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

_MESSAGE_CHARS: Final = 4_000
_ERASE_LINE: Final = "\r\x1b[K"
_ESCAPED: Final = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
"""What JSON lets stand raw and a terminal may obey or hide: written as an escape, which means the same."""


class CannotWriteError(Exception):
    """A stream takes no more, for another reason than a reader that went away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """Where a command writes. The streams take any text: what UTF-8 cannot hold is written as an escape."""

    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]

    @property
    def is_terminal(self) -> bool:
        """Whether a person reads stdout."""
        return self.stdout.isatty()

    @property
    def styled(self) -> bool:
        """Whether stdout gets colours: NO_COLOR wins (no-color.org), then TERM=dumb, then FORCE_COLOR."""
        if self.environ.get("NO_COLOR") or self.environ.get("TERM") == "dumb":
            return False
        return bool(self.environ.get("FORCE_COLOR")) or self.is_terminal

    def data(self, text: str) -> None:
        """Text for stdout, ended by a line break; cleaned of control sequences when a terminal shows it."""
        shown = cleaned(text) if self.is_terminal else text
        _write(self.stdout, shown if shown.endswith("\n") or not shown else shown + "\n")

    def json(self, value: Any) -> None:
        """One JSON object on a line of stdout, handed over at once: a pipe may wait for it."""
        self.line(to_json(value) + "\n")

    def line(self, text: str) -> None:
        """A line of JSON as `to_json` made it."""
        _guarded(self.stdout, text)

    def note(self, text: str) -> None:
        """A line for people, on stderr."""
        _write(self.stderr, one_line(text, limit=_MESSAGE_CHARS) + "\n")

    def log(self, lines: str) -> None:
        """Lines of JSON for stderr, each with its line break."""
        _write(self.stderr, lines)

    def prompt(self, text: str) -> None:
        """Text for a person who is about to answer, on stderr, at once."""
        _guarded(self.stderr, text)

    def failed(self, error: WebError, *, as_json: bool, **about: str) -> None:
        """An error on stderr: `webseam: CODE: message`, or `{"error": {...}}`.

        A route's own error names codes only, so for people each member's reason follows it.
        """
        if as_json:
            _write(self.stderr, to_json({"error": error.to_dict(), **about}) + "\n")
        else:
            where = "".join(f"{value}: " for value in about.values())
            self.note(f"webseam: {where}{error}")
            for one in _members(error):
                self.note(f"webseam: {where}{one.provider}: {one}")

    def flush(self) -> None:
        """Hand everything to the system, so that a failure shows here and not at the end of the process."""
        for stream in (self.stdout, self.stderr):
            _guarded(stream, "")

    def console(self) -> "Console":
        """Rich's console on stdout, for output that is styled."""
        from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it

        return Console(file=self.stdout, force_terminal=True, highlight=False, markup=False, emoji=False)

    def progress(self) -> "Progress | None":
        """A bar on stderr, where a terminal shows it and stdout does not write over it."""
        if not self.stderr.isatty() or self.environ.get("TERM") == "dumb":
            return None
        from rich.console import Console  # noqa: PLC0415 - only a terminal pays for it
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        console = Console(file=self.stderr, force_terminal=True, no_color=bool(self.environ.get("NO_COLOR")))
        told = (TextColumn("{task.fields[rate]}"), TextColumn("{task.fields[failed]}"))
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), *told)
        return Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)

    @contextmanager
    def status(self, text: str) -> Iterator[None]:
        """Say on stderr what is being waited for, while a terminal shows it."""
        shown = self.stderr.isatty() and self.environ.get("TERM") != "dumb"
        if shown:
            _guarded(self.stderr, one_line(text))
        try:
            yield
        finally:
            if shown:
                _guarded(self.stderr, _ERASE_LINE)


def _members(error: WebError) -> list[WebError]:
    """What each member of a route failed with."""
    cause = error.__cause__
    inner = cause.exceptions if isinstance(cause, ExceptionGroup) else ()
    return [one for one in inner if isinstance(one, WebError)]


def cleaned(text: str) -> str:
    """Text without what a terminal would obey: control sequences and invisible characters."""
    from webseam.content.hygiene import clean  # noqa: PLC0415 - only text from the web pays for it

    return str(clean(text).text)


def to_json(value: Any) -> str:
    """One line of JSON, valid whatever the text holds (R051)."""
    text = json.dumps(value, ensure_ascii=False)
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise CannotWriteError(exc.strerror or type(exc).__name__) from exc


def _guarded(stream: TextIO, text: str) -> None:
    _write(stream, text)
    try:
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as exc:
        raise CannotWriteError(exc.strerror or type(exc).__name__) from exc
