"""What a command works with, handed in from the edge: environment, folder, streams, seams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from webseam.core.errors import Code, WebError
from webseam.surfaces.cli.output import CannotWriteError, Output

if TYPE_CHECKING:
    from webseam.core.events import Emit
    from webseam.core.plugin import Seams
    from webseam.core.types import Capability
    from webseam.wiring.build import Built
    from webseam.wiring.config import Loaded
    from webseam.wiring.recording import Edge

STDIN: Final = "-"
"""Stands for standard input where entries are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of the command; `seams` None is the real outside.

    `record` and `replay` are the file of a recording, `offline` refuses all network, `verbose` tells on stderr what
    the seam does.
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

        return teller(self.out) if self.verbose else silent

    def build(
        self, capabilities: "Sequence[Capability]", arguments: Mapping[str, Any], *, lenient: bool = False
    ) -> "Built":
        """The `Web` of the configuration, with what the flags say on top; see `build` for `lenient`.

        Raises:
            WebError: `WEB_CONFIG_INVALID`.
        """
        from webseam.wiring.build import REAL, build  # noqa: PLC0415 - help and version go without
        from webseam.wiring.config import load  # noqa: PLC0415 - the same

        loaded = load(arguments=arguments, environ=self.environ, cwd=self.cwd)
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
        return built

    def survey(self) -> "Loaded":
        """The configuration as far as it is sound, its faults told in `problems`: for people who look."""
        from webseam.wiring.config import survey  # noqa: PLC0415 - help and version go without

        return survey(environ=self.environ, cwd=self.cwd)

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
        try:
            stripped = (line.strip().removeprefix("\ufeff").strip() for line in self.stdin)
            lines = [line for line in stripped if line]
        except UnicodeDecodeError as exc:
            raise WebError(Code.INVALID_ARGS, "Standard input is not UTF-8 text. Convert it first.") from exc
        if not lines:
            raise WebError(Code.INVALID_ARGS, "Standard input is empty. Give one entry per line.")
        return lines

    def entries(self, given: tuple[str, ...]) -> list[str]:
        """The arguments, or for a lone `-` the lines of standard input.

        Raises:
            WebError: `INVALID_ARGS` for `-` beside others; see `lines`.
        """
        if given == (STDIN,):
            return self.lines()
        if STDIN in given:
            raise WebError(Code.INVALID_ARGS, "`-` reads standard input and stands alone. Leave it out, or the others.")
        return list(given)

    def write_file(self, path: str, data: bytes) -> None:
        """Write `data` to a file, relative to the folder one stands in.

        Raises:
            WebError: `INVALID_ARGS` when there can be no such file.
            CannotWriteError: it takes no more, such as on a full disk.
        """
        try:
            file = (self.cwd / path).open("wb")
        except (OSError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
            raise WebError(Code.INVALID_ARGS, f"{path}: cannot be written ({reason}). Choose another file.") from exc
        try:
            with file:
                file.write(data)
        except OSError as exc:
            raise CannotWriteError(f"{path}: {exc.strerror}") from exc
