"""Files that a reader finds whole: the old text or the new one, never a part of either."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from webseam.core.errors import Code, WebError

PRIVATE: Final = 0o600
PRIVATE_FOLDER: Final = 0o700
ORDINARY: Final = 0o666
"""Readable as the user's umask says."""


def replace_file(path: Path, data: bytes, *, mode: int = PRIVATE) -> None:
    """Write beside the file and rename; a symbolic link stays one. A new folder is the owner's only.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be written, or is a device, a pipe or a folder; then it is
            as it was.
    """
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise WebError(Code.CONFIG_INVALID, f"{path}: this is not a regular file. Name another file.")
        swap(path, data, mode=mode)
    except OSError as exc:
        raise WebError(
            Code.CONFIG_INVALID, f"{path}: cannot be written ({exc.strerror}). Check path and permissions."
        ) from exc


def swap(path: Path, data: bytes, *, mode: int) -> None:
    """The rename alone, for files in a folder that is there; `mode` is held to the umask.

    Raises:
        OSError: the file cannot be written; then it is as it was.
    """
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name[:64]}.{secrets.token_hex(6)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        draft.replace(target)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Alone among those who read, change and write files in this folder; waits for the others.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the folder cannot be made or opened.
    """
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        descriptor = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as exc:
        raise WebError(
            Code.CONFIG_INVALID, f"{path.parent}: cannot be used ({exc.strerror}). Check path and permissions."
        ) from exc
    try:
        _wait(descriptor)
        yield
    finally:
        os.close(descriptor)


def _wait(descriptor: int) -> None:
    """A file system without locks (some network ones) has no other writers that we could wait for."""
    import fcntl  # noqa: PLC0415 - POSIX only, and keys are read everywhere

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as exc:
        if exc.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL):
            raise
