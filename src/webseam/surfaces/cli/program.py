"""The program `webseam`: arguments and streams in, an exit code out.

Exit codes: 0 done, 1 output cannot be written, 2 usage, 3 set-up, 4 refused, 5 failed, 6 time, 7 limits, 8 replay,
130 Ctrl-C, 141 the reader of our output went away (128 + SIGPIPE, as shells count it: not all was written).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from webseam.core.errors import Code, WebError
from webseam.core.version import VERSION
from webseam.surfaces.cli.command import Lazy
from webseam.surfaces.cli.output import CannotWriteError, Output
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    from webseam.core.plugin import Seams

UNWRITABLE: Final = 1
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_HERE: Final = "webseam.surfaces.cli."
COMMANDS: Final = {
    "search": (_HERE + "search", "Search the web."),
    "compare": (_HERE + "compare", "Ask several vendors and compare their answers."),
    "fetch": (_HERE + "fetch", "Fetch pages as Markdown."),
    "batch": (_HERE + "batch_command", "Fetch, search or extract for every line of a file."),
    "mcp": (_HERE + "mcp", "Serve the tools to an MCP client, over stdio or HTTP."),
    "serve": (_HERE + "serve", "Serve search, fetch and the tools to many agents over HTTP."),
    "tokens": (_HERE + "tokens", "Say who may use the gateway: create, list, revoke."),
    "extract": (_HERE + "extract", "Extract the main text of pages."),
    "index": (_HERE + "index", "Build the local search index."),
    "providers": (_HERE + "providers", "Show which providers are used, and why not the others."),
    "doctor": (_HERE + "doctor", "Check this installation; with --live try the vendors."),
    "config": (_HERE + "config", "Write a first file; show settings and where they come from; trust."),
    "keys": (_HERE + "keys", "Keep vendors' keys: set, list, remove."),
    "cache": (_HERE + "cache", "Show what is kept of pages on disk, or forget it."),
    "usage": (_HERE + "usage", "Show what was called and what it cost."),
    "cassette": (_HERE + "cassette", "Show what a recording holds."),
    "completion": (_HERE + "completion", "Print the completion script of bash, zsh or fish."),
    "demo": (_HERE + "demonstrate", "Search and read a small local web, without network or key."),
}
HELP: Final = """Web search and fetch for language-model agents: one seam, honest, safe, fast.

Data goes to stdout, everything else to stderr. With --json errors are JSON too."""
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
    seams: "Seams | None" = None,
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
    text = exc.format_message()
    return f"{text if text.endswith(('.', '?')) else f'{text}.'} Try `{path} --help`."


def _unwritable(out: Output, exc: CannotWriteError) -> int:
    try:
        out.note(f"webseam: the output cannot be written: {exc}")
        out.stderr.flush()
    except (CannotWriteError, OSError):
        return UNWRITABLE  # stderr is gone too; the exit code is all that is left to say it with
    return UNWRITABLE
