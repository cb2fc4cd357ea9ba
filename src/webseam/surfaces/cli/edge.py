"""What every command takes that searches or fetches: record, replay, offline, verbose."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeVar

import click

from webseam.surfaces.cli.command import FILE, usage
from webseam.surfaces.cli.session import Session

F = TypeVar("F", bound=Callable[..., Any])

_FILES: Final = ("record", "replay")


def _kept(context: click.Context, option: click.Parameter, value: Any) -> None:
    """Into the session of this command.

    Raises:
        WebError: `INVALID_ARGS` for a recording that would be of a replay, or a file without a name.
    """
    if value == "":
        raise usage(f"--{option.name} has no file. Give its name.")
    if not value or option.name is None:
        return
    session: Session = context.obj
    context.obj = replace(session, **{option.name: session.cwd / value if option.name in _FILES else value})
    if context.obj.record is not None and context.obj.replay is not None:
        raise usage("A run is recorded or replayed, not both. Give one of --record and --replay.")


_RECORD = click.option(
    "--record", **FILE, expose_value=False, callback=_kept, help="Add all calls and outcomes to FILE."
)
_REPLAY = click.option(
    "--replay", **FILE, expose_value=False, callback=_kept, help="Answer from FILE; no network, no key."
)
_OFFLINE = click.option("--offline", is_flag=True, expose_value=False, callback=_kept, help="Refuse all network.")
_VERBOSE = click.option(
    "-v", "--verbose", is_flag=True, expose_value=False, callback=_kept, help="Tell on stderr what happens."
)
_OPTIONS: Final = (_RECORD, _REPLAY, _OFFLINE, _VERBOSE)


def edge_options(function: F) -> F:
    """The options, which change the command's session and reach it through nothing else."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
