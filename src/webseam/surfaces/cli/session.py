"""What a command works with, handed in from the edge: environment, folder, streams, seams."""

import errno
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from webseam.core.errors import Code, WebError
from webseam.surfaces.cli.output import CannotWriteError, Output
from webseam.wiring.silence import Silence

if TYPE_CHECKING:
    from webseam.core.events import Emit
    from webseam.core.plugin import Seams
    from webseam.core.types import Capability
    from webseam.wiring.build import Built
    from webseam.wiring.config import Loaded
    from webseam.wiring.recording import Edge

STDIN: Final = "-"
"""Stands for standard input where entries are named."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""The file could be there, and takes no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of the command; `seams` None is the real outside.

    `record` and `replay` are the file of a recording, `offline` refuses all network, `verbose` tells what the seam
    does: on stderr, or by `tell`, which a server gives that must not wait for its reader. `silence` is of a keyring
    that gives no answer: the run waits for it once.
    """

    environ: Mapping[str, str]
    cwd: Path
    stdin: TextIO
    out: Output
    seams: "Seams | None" = None
    record: Path | None = None
    replay: Path | None = None
    offline: bool = False
    verbose: bool = False
    tell: Callable[[str], None] | None = None
    silence: Silence = field(default_factory=Silence, repr=False)

    @property
    def edge(self) -> "Edge":
        """What stands at the seam's edge in this run."""
        from webseam.wiring.recording import Edge  # noqa: PLC0415 - help and version go without

        return Edge(record=self.record, replay=self.replay, offline=self.offline)

    @property
    def emit(self) -> "Emit":
        """Who is told what the seam does: a person, when asked for."""
        from webseam.core.events import silent  # noqa: PLC0415 - help and version go without
        from webseam.surfaces.cli.events_text import teller  # noqa: PLC0415 - the same

        return teller(self.tell or self.out.note) if self.verbose else silent

    def build(
        self, capabilities: "Sequence[Capability]", arguments: Mapping[str, Any], *, lenient: bool = False
    ) -> "Built":
        """The `Web` of the configuration, with what the flags say on top; see `build` for `lenient`.

        Raises:
            WebError: `WEB_CONFIG_INVALID`.
        """
        from webseam.wiring.build import REAL, build  # noqa: PLC0415 - help and version go without
        from webseam.wiring.config import load  # noqa: PLC0415 - the same

        loaded = load(arguments=arguments, environ=self.environ, cwd=self.cwd, silence=self.silence)
        built = build(
            loaded,
            seams=self.seams or REAL,
            capabilities=capabilities,
            lenient=lenient,
            emit=self.emit,
            edge=self.edge,
        )
        for note in built.notes:
            self.out.note(note)
        if built.keeper is not None:
            built.keeper.told = self.tell or self.out.note
        return built

    def survey(self) -> "Loaded":
        """The configuration as far as it is sound, its faults told in `problems`: for people who look."""
        from webseam.wiring.config import survey  # noqa: PLC0415 - help and version go without

        return survey(environ=self.environ, cwd=self.cwd, silence=self.silence)

    def faults(self, loaded: "Loaded") -> tuple[WebError, ...]:
        """Why every call would be refused: all faults of the layers, else the first one of what they describe."""
        from webseam.wiring.build import REAL, build  # noqa: PLC0415 - help and version go without

        if loaded.problems:
            return loaded.problems
        try:
            problem = build(loaded, seams=self.seams or REAL, lenient=True).plan.problem
        except WebError as error:
            return (error,)
        return () if problem is None else (problem,)

    def lines(self) -> list[str]:
        """The lines of standard input without blank ones, and without the byte order mark that some editors write.

        Raises:
            WebError: `INVALID_ARGS` when it is not UTF-8, or holds nothing.
        """
        from webseam.surfaces.cli.arriving import entries_in, not_text, nothing  # noqa: PLC0415 - arguments go without

        try:
            lines = entries_in(self.stdin)
        except UnicodeDecodeError as exc:
            raise not_text() from exc
        if not lines:
            raise nothing()
        return lines

    def entries(self, given: tuple[str, ...]) -> list[str]:
        """The arguments, or for a lone `-` the lines of standard input.

        Raises:
            WebError: `INVALID_ARGS` for `-` beside others; see `lines`.
        """
        return self.lines() if _is_stdin(given) else list(given)

    def arriving(self, given: tuple[str, ...]) -> "AsyncIterator[Sequence[str]]":
        """As `entries`, but standard input as it arrives.

        Raises:
            WebError: `INVALID_ARGS` for `-` beside others, at once; see `arriving.arriving`.
        """
        from webseam.surfaces.cli.arriving import arriving  # noqa: PLC0415 - what is no batch goes without
        from webseam.wiring.batch import at_once  # noqa: PLC0415 - the same

        return arriving(self.stdin) if _is_stdin(given) else at_once(given)

    def check_file(self, path: str) -> None:
        """Before a run that may be long or billed: whether its output has a folder to go to.

        Raises:
            WebError: `INVALID_ARGS`.
        """
        if not path.strip():
            raise WebError(Code.INVALID_ARGS, "--output has no file. Give its name.")
        target = self.cwd / path
        try:
            found = target.parent.is_dir()
            if found:
                target.lstat()
        except FileNotFoundError:
            return  # a new file
        except (OSError, ValueError) as exc:
            raise _unwritable(path, exc) from exc
        if not found:
            raise WebError(Code.INVALID_ARGS, f"{path}: cannot be written (no such folder). Choose another file.")

    def write_file(self, path: str, data: bytes) -> None:
        """Write `data` to a file, relative to the folder one stands in: a reader finds the old file or all of the new.

        Raises:
            WebError: `INVALID_ARGS` when there can be no such file.
            CannotWriteError: it takes no more, such as on a full disk.
        """
        from webseam.wiring.atomic import ORDINARY, swap  # noqa: PLC0415 - help and version go without

        target = self.cwd / path
        if _stands_for_itself(target):
            _write_through(target, path, data)
            return
        try:
            swap(target, data, mode=target.stat().st_mode & ORDINARY if target.exists() else ORDINARY)
        except PermissionError:  # a file that may be written in a folder that may not
            _write_through(target, path, data)
        except OSError as exc:
            if exc.errno in _FULL:
                raise CannotWriteError(f"{path}: {exc.strerror}") from exc
            raise _unwritable(path, exc) from exc


def _is_stdin(given: tuple[str, ...]) -> bool:
    if STDIN in given and len(given) > 1:
        raise WebError(Code.INVALID_ARGS, "`-` reads standard input and stands alone. Leave it out, or the others.")
    return given == (STDIN,)


def _stands_for_itself(target: Path) -> bool:
    """Whether this is a device, a pipe or a folder, beside which no other file can be put in its place."""
    try:
        return target.exists() and not target.is_file()
    except (OSError, ValueError):  # told by whoever tries to write
        return True


def _write_through(target: Path, path: str, data: bytes) -> None:
    try:
        file = target.open("wb")
    except (OSError, ValueError) as exc:
        raise _unwritable(path, exc) from exc
    try:
        with file:
            file.write(data)
    except OSError as exc:
        raise CannotWriteError(f"{path}: {exc.strerror}") from exc


def _unwritable(path: str, exc: OSError | ValueError) -> WebError:
    reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
    return WebError(Code.INVALID_ARGS, f"{path}: cannot be written ({reason}). Choose another file.")
