"""The process around `program`: the real environment, streams and arguments in, an exit code for the system out.

Nothing that takes time is imported before `run` can hear a Ctrl-C: one that comes while the command still loads ends as
quietly as a later one.
"""

import io
import os
import sys
from typing import Final, TextIO

INTERRUPTED: Final = 130


def run() -> None:
    """The console script."""
    try:
        code = _run()
    except KeyboardInterrupt:
        code = INTERRUPTED
    sys.exit(code)


def _run() -> int:
    from webseam.surfaces.cli import program  # noqa: PLC0415 - loads where Ctrl-C is heard
    from webseam.wiring.places import here  # noqa: PLC0415 - the same

    if "_WEBSEAM_COMPLETE" in os.environ:
        program.command_line().main(prog_name="webseam")
    code = program.main(
        sys.argv[1:],
        environ=os.environ,
        cwd=here(),
        stdin=_utf8(sys.stdin, errors="strict"),
        stdout=_utf8(sys.stdout, errors="backslashreplace"),
        stderr=_utf8(sys.stderr, errors="backslashreplace"),
    )
    if code in (program.BROKEN_PIPE, program.UNWRITABLE):
        _let_go()
    return code


def _utf8(stream: TextIO | None, *, errors: str) -> TextIO:
    """The stream in UTF-8, whatever the locale says (R202); a closed one becomes the null device.

    With PYTHONUNBUFFERED the interpreter's text streams write straight to the descriptor and lose the rest of a write
    that a signal or a leaving reader cut short; a buffer under them writes on, or fails.
    """
    if stream is None:
        return open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123 - lives as long as the process
    if isinstance(getattr(stream, "buffer", None), io.RawIOBase):
        return open(stream.fileno(), "w", buffering=1, encoding="utf-8", errors=errors, closefd=False)
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors=errors)
    return stream


def _let_go() -> None:
    """Point the streams at the null device, so that the interpreter's last flush stays quiet too (R206)."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            os.dup2(null, stream.fileno())
