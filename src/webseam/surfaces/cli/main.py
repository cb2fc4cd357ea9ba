"""The command `webseam`: arguments in, an exit code out.

Exit codes: 0 done, 1 output cannot be written, 2 usage, 3 set-up, 4 refused, 5 failed, 6 time, 7 limits, 8 replay,
130 Ctrl-C, 141 the reader of our output went away (128 + SIGPIPE, as shells count it: not all was written).
"""

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TextIO

import click

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams
from webseam.core.version import VERSION
from webseam.surfaces.cli.command import Lazy
from webseam.surfaces.cli.output import CannotWriteError, Output
from webseam.surfaces.cli.session import Session
from webseam.wiring.places import here

UNWRITABLE: Final = 1
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_HERE: Final = "webseam.surfaces.cli."
COMMANDS: Final = {
    "search": (_HERE + "search", "Search the web."),
    "fetch": (_HERE + "fetch", "Fetch pages as Markdown."),
    "index": (_HERE + "index", "Build the local search index."),
    "providers": (_HERE + "providers", "Show which providers are used, and why not the others."),
    "config": (_HERE + "config", "Show settings and where they come from; trust a project file."),
    "demo": (_HERE + "demonstrate", "Search and read a small local web, without network or key."),
}
HELP: Final = """Web search and fetch for language-model agents: one seam, honest, safe, fast.

Data goes to stdout, everything else to stderr. Exit codes: 2 usage, 3 set-up, 4 refused, 5 failed, 6 time, 7 limits,
8 replay."""
EXAMPLES: Final = (
    'webseam search "kelp farming permits"',
    "webseam fetch https://example.com/",
    "webseam providers",
    "webseam demo",
)


def _show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's call
    if wanted and not context.resilient_parsing:
        context.obj.out.data(f"webseam {VERSION}")
        context.exit()


def command_line() -> Lazy:
    """The whole command line."""
    group = Lazy(
        name="webseam",
        help=HELP,
        table=COMMANDS,
        examples=EXAMPLES,
    )
    version = click.Option(
        ["--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show_version,
        help="Show the version and exit.",
    )
    group.params.append(version)
    return group


def main(
    argv: Sequence[str],
    *,
    environ: Mapping[str, str],
    cwd: Path,
    stdin: TextIO,
    stdout: TextIO,
    stderr: TextIO,
    seams: Seams,
) -> int:
    """Run one command in this process and return its exit code; never exits, never prints a traceback for an error.

    Must not be called from a running event loop: a command starts its own.
    """
    out = Output(stdout=stdout, stderr=stderr, environ=environ)
    session = Session(environ=environ, cwd=cwd, stdin=stdin, out=out, seams=seams)
    try:
        code = _answered(list(argv), session)
        out.flush()
    except BrokenPipeError:
        return BROKEN_PIPE
    except CannotWriteError as exc:
        return _unwritable(out, exc)
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _answered(argv: list[str], session: Session) -> int:
    as_json = "--json" in argv
    try:
        _check_text(argv)
        with command_line().make_context("webseam", argv, obj=session) as context:
            return int(context.command.invoke(context) or 0)
    except click.exceptions.Exit as exc:
        return exc.exit_code
    except click.Abort:
        return INTERRUPTED
    except click.ClickException as exc:
        error = WebError(Code.INVALID_ARGS, _sentence(exc))
        session.out.failed(error, as_json=as_json)
        return error.exit_code
    except WebError as error:
        session.out.failed(error, as_json=as_json)
        return error.exit_code


def _check_text(argv: list[str]) -> None:
    """Arguments arrive as bytes; what is not UTF-8 comes in as lone surrogates (PEP 383).

    Raises:
        WebError: `INVALID_ARGS`.
    """
    for number, argument in enumerate(argv, start=1):
        if not argument.isascii() and any("\ud800" <= char <= "\udfff" for char in argument):
            raise WebError(Code.INVALID_ARGS, f"Argument {number} is not UTF-8 text. Check the terminal's encoding.")


def _sentence(exc: click.ClickException) -> str:
    context = exc.ctx if isinstance(exc, click.UsageError) else None
    path = "webseam" if context is None else context.command_path
    return f"{exc.format_message().rstrip('.')}. Try `{path} --help`."


def _unwritable(out: Output, exc: CannotWriteError) -> int:
    try:
        out.note(f"webseam: the output cannot be written: {exc}")
        out.stderr.flush()
    except (CannotWriteError, OSError):
        return UNWRITABLE  # stderr is gone too; the exit code is all that is left to say it with
    return UNWRITABLE


# The process -------------------------------------------------------------------------------------------


def run() -> None:
    """The console script: the real environment, streams and arguments."""
    if "_WEBSEAM_COMPLETE" in os.environ:
        command_line().main(prog_name="webseam")
    code = main(
        sys.argv[1:],
        environ=os.environ,
        cwd=here(),
        stdin=_utf8(sys.stdin, errors="strict"),
        stdout=_utf8(sys.stdout, errors="backslashreplace"),
        stderr=_utf8(sys.stderr, errors="backslashreplace"),
        seams=Seams(),
    )
    if code in (BROKEN_PIPE, UNWRITABLE):
        _let_go()
    sys.exit(code)


def _utf8(stream: TextIO | None, *, errors: str) -> TextIO:
    """The stream in UTF-8, whatever the locale says (R202); a closed one becomes the null device."""
    if stream is None:
        return open(os.devnull, "r+", encoding="utf-8")  # noqa: PTH123 - lives as long as the process
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
