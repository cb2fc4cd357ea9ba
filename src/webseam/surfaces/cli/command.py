"""Pieces that all commands share: help with examples first, our streams, checked option types."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import TIMEOUT_SECONDS_MAX

CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


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

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Examples, then what click writes."""
        write_examples(self.examples, formatter)
        super().format_help(ctx, formatter)


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
        """The command named, or an error that names the nearest of the table too.

        Raises:
            click.NoSuchCommand: there is none.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as exc:
            names = self.list_commands(ctx)
            raise click.exceptions.NoSuchCommand(exc.command_name, possibilities=names, ctx=ctx) from exc

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
