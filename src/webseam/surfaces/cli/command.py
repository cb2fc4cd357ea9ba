"""Pieces that all commands share: help with examples first, our streams, checked option types."""

import io
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import TIMEOUT_SECONDS_MAX

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])
CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
RUN_OPTIONS: Final = ("record", "replay", "offline", "verbose")
"""What every command takes that searches or fetches (`edge_options`)."""

EXITS_OF_A_RUN: Final = (
    "0 done, 1 output cannot be written, 2 usage, 3 set-up, 4 refused, 5 failed, 6 time is over, 7 a limit is reached, "
    "8 not in the recording, 130 Ctrl-C, 141 the reader of the output went away."
)
EXITS: Final = (
    "0 done, 1 output cannot be written, 2 usage, 3 set-up, 5 failed, 130 Ctrl-C, 141 the reader of the output went "
    "away."
)
ENVIRONMENT: Final = (
    "WEBSEAM_CONFIG names your configuration file, and every setting is a variable too: WEBSEAM_SEARCH_PROVIDER is "
    "search.provider. WEBSEAM_DATA_DIR and WEBSEAM_STATE_DIR move what is kept. NO_COLOR, FORCE_COLOR and TERM=dumb "
    "decide about colours."
)
_OUTPUT: Final = "webseam.output"


def _show_help(context: click.Context, _option: click.Parameter, wanted: bool) -> None:  # noqa: FBT001 - click's call
    if wanted and not context.resilient_parsing:
        context.obj.out.data(context.get_help())
        context.exit()


@click.pass_context
def help_when_bare(context: click.Context) -> int:
    """A group without a command prints its help."""
    if context.invoked_subcommand is None:
        context.obj.out.data(context.get_help())
    return 0


def help_option() -> click.Option:
    """`-h`/`--help` through the streams that were handed in."""
    return click.Option(
        ["-h", "--help"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show_help,
        help="Show this and exit.",
    )


@contextmanager
def placed(context: click.Context) -> Iterator[None]:
    """Give a usage error the command where it happened, and let the start of an option's name find the whole."""
    try:
        yield
    except click.exceptions.NoSuchOption as exc:
        message = f"No such option '{exc.option_name}'.{_meant(exc.option_name, context)}"
        raise click.UsageError(message, context) from exc
    except click.UsageError as exc:
        exc.ctx = exc.ctx or context
        raise


def _meant(name: str, context: click.Context) -> str:
    """A question that names the options that begin so, else the nearest one."""
    options = [option for one in context.command.get_params(context) for option in one.opts]
    begun = [option for option in options if name.startswith("--") and option.startswith(name)]
    found = " or ".join(f"'{option}'" for option in begun or get_close_matches(name, options, n=1))
    return f" Did you mean {found}?" if found else ""


class Command(click.Command):
    """A command whose help starts with examples."""

    def __init__(self, name: str, *, examples: Sequence[str] = (), **rest: Any) -> None:
        super().__init__(name, **{**rest, "add_help_option": False, "context_settings": CONTEXT})
        self.examples = tuple(examples)
        self.params.append(help_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; errors know this command."""
        with placed(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """As click does; with `-o FILE` of `output_option` what would go to stdout goes there."""
        name = ctx.meta.pop(_OUTPUT, None)
        return super().invoke(ctx) if name is None else _into_file(ctx, name, super().invoke)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, then what click writes."""
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then those that every run takes."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        rows = [(one.name, record) for one in options if (record := one.get_help_record(ctx)) is not None]
        for title, of_a_run in (("Options", False), ("Options of every run", True)):
            shown = [record for name, record in rows if (name in RUN_OPTIONS) == of_a_run]
            if shown:
                with formatter.section(title):
                    formatter.write_dl(shown)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit codes and variables."""
        super().format_epilog(ctx, formatter)
        write_manual(formatter, runs=any(one.name in RUN_OPTIONS for one in self.params))


def _into_file(ctx: click.Context, name: str, invoke: Callable[[click.Context], Any]) -> Any:
    """Run with stdout kept, then write the file at once; a failure that printed nothing leaves it as it was."""
    session = ctx.obj
    kept = io.StringIO()
    ctx.obj = replace(session, out=replace(session.out, stdout=kept))
    code = invoke(ctx)
    data = kept.getvalue().encode("utf-8", "backslashreplace")
    if data or not code:
        session.write_file(name, data)
    return code


def complete_file(_context: click.Context, _option: click.Parameter, start: str) -> "list[CompletionItem]":
    """The shell's own completion of file names."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a completion pays for it

    return [CompletionItem(start, type="file")]


FILE: Final[dict[str, Any]] = {"metavar": "FILE", "shell_complete": complete_file}
"""What an option takes that names a file."""


def _named(context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None and not context.resilient_parsing:
        context.obj.check_file(value)
        context.meta[_OUTPUT] = value


def output_option(function: F) -> F:
    """`-o FILE`: the bytes that stdout would get, in a file that is there whole or not at all."""
    return click.option(
        "-o", "--output", **FILE, expose_value=False, callback=_named, help="Write to FILE instead of stdout."
    )(function)


def write_manual(formatter: click.HelpFormatter, *, runs: bool) -> None:
    """Exit codes and variables, for those who look for them."""
    for title, text in (("Exit codes", EXITS_OF_A_RUN if runs else EXITS), ("Environment", ENVIRONMENT)):
        with formatter.section(title):
            formatter.write_text(text)


def write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    """The examples, unwrapped, so that each can be copied."""
    if examples:
        formatter.write("Examples:\n" + "".join(f"  {line}\n" for line in examples) + "\n")


class Lazy(click.Group):
    """A group that imports a command's module when it is asked for; `table` holds modules and short helps."""

    def __init__(
        self, name: str, *, table: dict[str, tuple[str, str]], examples: Sequence[str] = (), **rest: Any
    ) -> None:
        ours = {"add_help_option": False, "context_settings": CONTEXT, "invoke_without_command": True}
        super().__init__(name, **{"callback": help_when_bare, **rest, **ours})
        self.table = table
        self.examples = tuple(examples)
        self.params.append(help_option())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; errors know this command."""
        with placed(ctx):
            return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the table's order."""
        return [*self.table, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in self.table:
            return super().get_command(ctx, cmd_name)
        command: click.Command = import_module(self.table[cmd_name][0]).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named, or an error that names the nearest one.

        Raises:
            click.UsageError: there is none.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as exc:
            near = get_close_matches(exc.command_name, self.list_commands(ctx), n=1, cutoff=0.5)
            meant = f" Did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"No such command '{exc.command_name}'.{meant}", ctx) from exc

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands and options that begin so; imports no command."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a completion pays for it

        rows = [(name, text) for name, (_, text) in self.table.items()]
        rows += [(name, one.get_short_help_str()) for name, one in self.commands.items()]
        found = [CompletionItem(name, help=text) for name, text in rows if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Names and short helps; imports no command."""
        rows = [(name, text) for name, (_, text) in self.table.items()]
        rows += [(name, one.get_short_help_str()) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
        del ctx

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, then what click writes."""
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Exit codes and variables, once for the whole program."""
        super().format_epilog(ctx, formatter)
        if ctx.parent is None:
            write_manual(formatter, runs=True)


class Seconds(click.ParamType[float]):
    """A time above 0 and at most a day; infinity and NaN are refused (R053)."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number.

        Raises:
            click.BadParameter: anything else.
        """
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds <= TIMEOUT_SECONDS_MAX:
            self.fail(
                f"{value!r} is not a number of seconds above 0 and at most {TIMEOUT_SECONDS_MAX:,.0f}.", param, ctx
            )
        return seconds


class Day(click.ParamType[str]):
    """An ISO 8601 day, kept as text."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The day as written `2026-03-02`.

        Raises:
            click.BadParameter: anything else.
        """
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            self.fail(f"{value!r} is not a day such as 2026-03-02.", param, ctx)


def usage(message: str) -> WebError:
    """A usage error of our own; exits 2."""
    return WebError(Code.INVALID_ARGS, message)
