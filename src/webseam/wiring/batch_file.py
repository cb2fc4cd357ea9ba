"""The results file of a batch: a line of JSON for each input, written as it ends, so that a batch can go on later."""

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import BATCH_LINE_BYTES
from webseam.wiring.atomic import ORDINARY
from webseam.wiring.batch_entry import id_text

_START: Final = b'{"input": "'
"""Every line begins so. A torn last one without it is somebody else's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An input that stands in the file: `id` is its JSON text, `error` its code, `status` the page's."""

    input: str
    id: str | None = None
    error: str | None = None
    status: int | None = None


class ResultsFile:
    """A file that results are added to, by one process at a time.

    Whatever ends that process, the file holds whole lines and at most one torn one, which the next run cuts off.
    """

    __slots__ = ("_file", "done", "path")

    def __init__(self, path: Path, file: BinaryIO, done: tuple[Done, ...]) -> None:
        self.path = path
        self._file = file
        self.done = done

    def add(self, record: str) -> None:
        """Add one record (JSON without a line break) and hand it to the system.

        Raises:
            OSError: the file takes no more, such as on a full disk.
        """
        self._file.write(record.encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Let the file go; what was added is on the disk."""
        with self._file:
            os.fsync(self._file.fileno())


def open_results(path: Path, *, resume: bool, again: Callable[[Done], bool] | None = None) -> ResultsFile:
    """Open a file for results.

    Args:
        path: a new or empty file, unless `resume`.
        resume: go on with a file that holds results: its whole lines are kept, a torn last one is cut off.
        again: with `resume`: says of which lines the inputs are done again; these are left out.

    Raises:
        WebError: `INVALID_ARGS` for a file that holds something without `resume`, that is no results file, that another
            run writes to, or that cannot be written.
    """
    try:
        file = _opened(path)
        with _closed_on_failure(file):
            if file.seek(0, os.SEEK_END) and not resume:
                raise WebError(
                    Code.INVALID_ARGS,
                    f"{path}: holds something already. Add --resume to go on with it, or move it away.",
                )
            if again is not None and any(again(one) for one in _repaired(path, file)):
                _leave_out(path, file, again)
                file.close()
                file = _opened(path)
            return ResultsFile(path, file, _repaired(path, file))
    except (OSError, ValueError) as exc:
        raise _unwritable(path, exc) from exc


def _opened(path: Path) -> BinaryIO:
    """The file, ours alone."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags, ORDINARY)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise WebError(Code.INVALID_ARGS, f"{path}: cannot be written (not a regular file). Choose another file.")
    file = os.fdopen(descriptor, "r+b")
    with _closed_on_failure(file):
        _lock(path, file)
    return file


@contextmanager
def _closed_on_failure(file: BinaryIO) -> Iterator[None]:
    try:
        yield
    except (OSError, WebError):
        file.close()
        raise


def _lock(path: Path, file: BinaryIO) -> None:
    import fcntl  # noqa: PLC0415 - POSIX only

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as exc:
        raise WebError(
            Code.INVALID_ARGS, f"{path}: another run is writing to it. Wait for that one, or choose another file."
        ) from exc
    except OSError as exc:  # a file system without locks: then nobody can be told apart
        if exc.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL):
            raise


def _repaired(path: Path, file: BinaryIO) -> tuple[Done, ...]:
    """What the file's whole lines say; a torn last one is cut off, and adding goes on behind them."""
    file.seek(0)
    found: list[Done] = []
    end = 0
    for number, line in enumerate(_lines(path, file), start=1):
        one = _done(path, number, line)
        if one is None:
            break
        found.append(one)
        end += len(line)
        if not line.endswith(b"\n"):  # whole but for its end
            file.seek(end)
            end += file.write(b"\n")
    file.truncate(end)
    file.seek(end)
    return tuple(found)


def _leave_out(path: Path, file: BinaryIO, again: Callable[[Done], bool]) -> None:
    """The file without what is done again, put in its place at once: a run that is killed here has lost nothing."""
    target = Path(os.path.realpath(path))
    draft = target.with_name(f"{target.name}.{secrets.token_hex(6)}")
    file.seek(0)
    try:
        with draft.open("xb") as kept:
            for number, line in enumerate(_lines(path, file), start=1):
                one = _done(path, number, line)
                if one is not None and not again(one):
                    kept.write(line)
            kept.flush()
            os.fsync(kept.fileno())
        draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def _lines(path: Path, file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(BATCH_LINE_BYTES + 1):
        if len(line) > BATCH_LINE_BYTES:
            raise _foreign(path, "has a line that is too long for one")
        yield line


def _done(path: Path, number: int, line: bytes) -> Done | None:
    """What a line says; None for the torn last one."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as exc:
        if not line.endswith(b"\n") and line[: len(_START)] == _START[: len(line)]:
            return None
        raise _foreign(path, f"line {number} is no JSON") from exc
    if not isinstance(record, dict) or not isinstance(record.get("input"), str):
        raise _foreign(path, f"line {number} names no input")
    return Done(
        input=record["input"],
        id=id_text(record.get("id")),
        error=_code(record.get("error")),
        status=record.get("status_code"),
    )


def _code(error: Any) -> str | None:
    if error is None:
        return None
    return str(error.get("code", "")) if isinstance(error, dict) else str(error)


def _foreign(path: Path, what: str) -> WebError:
    return WebError(Code.INVALID_ARGS, f"{path}: is no file of results: {what}. Choose another file.")


def _unwritable(path: Path, exc: OSError | ValueError) -> WebError:
    reason = (exc.strerror or "not a file") if isinstance(exc, OSError) else "not a possible path"
    return WebError(Code.INVALID_ARGS, f"{path}: cannot be written ({reason}). Choose another file.")
