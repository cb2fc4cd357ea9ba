"""What a command works with, handed in from the edge: environment, folder, streams, seams."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams
from webseam.core.types import Capability
from webseam.surfaces.cli.output import Output

if TYPE_CHECKING:
    from webseam.wiring.build import Built


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One run of the command."""

    environ: Mapping[str, str]
    cwd: Path
    stdin: TextIO
    out: Output
    seams: Seams

    def build(self, capabilities: Sequence[Capability], arguments: Mapping[str, Any]) -> "Built":
        """The `Web` of the configuration, with what the flags say on top.

        Raises:
            WebError: `WEB_CONFIG_INVALID`.
        """
        from webseam.wiring.build import build  # noqa: PLC0415 - help and version go without
        from webseam.wiring.config import load  # noqa: PLC0415 - the same

        loaded = load(arguments=arguments, environ=self.environ, cwd=self.cwd)
        return build(loaded, seams=self.seams, capabilities=capabilities)

    def lines(self) -> list[str]:
        """The lines of standard input without blank ones.

        Raises:
            WebError: `INVALID_ARGS` when it is not UTF-8, or holds nothing.
        """
        try:
            lines = [line.strip() for line in self.stdin if line.strip()]
        except UnicodeDecodeError as exc:
            raise WebError(Code.INVALID_ARGS, "Standard input is not UTF-8 text.") from exc
        if not lines:
            raise WebError(Code.INVALID_ARGS, "Standard input is empty. Give one entry per line.")
        return lines

    def write_file(self, path: str, data: bytes) -> None:
        """Write `data` to a file, relative to the folder one stands in.

        Raises:
            WebError: `INVALID_ARGS` when that is not possible.
        """
        try:
            (self.cwd / path).write_bytes(data)
        except (OSError, ValueError) as exc:
            reason = exc.strerror if isinstance(exc, OSError) else "not a possible path"
            raise WebError(Code.INVALID_ARGS, f"{os.fspath(path)}: cannot be written ({reason}).") from exc
