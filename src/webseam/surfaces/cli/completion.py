"""`webseam completion`: the script that lets a shell complete commands, options, providers and keys."""

from typing import Final

import click
from click.shell_completion import get_completion_class

from webseam.core.errors import WebError
from webseam.surfaces.cli.command import Command, output_option, usage
from webseam.surfaces.cli.session import Session

VARIABLE: Final = "_WEBSEAM_COMPLETE"
PLACES: Final = {
    "bash": "~/.local/share/bash-completion/completions/webseam",
    "zsh": "~/.zfunc/_webseam",
    "fish": "~/.config/fish/completions/webseam.fish",
}
"""Where each shell looks by itself; zsh once `fpath+=~/.zfunc` stands before `compinit` in ~/.zshrc."""

EXAMPLES: Final = (
    *(f"webseam completion {shell} > {place}" for shell, place in PLACES.items()),
    'eval "$(webseam completion bash)"',
)


@click.command(
    "completion", cls=Command, examples=EXAMPLES, short_help="Print the completion script of bash, zsh or fish."
)
@click.argument("shell", type=click.Choice(list(PLACES)))
@output_option
@click.pass_obj
def command(session: Session, *, shell: str) -> int:
    """Print the script that makes SHELL (bash, zsh or fish) complete commands, options, providers and keys.

    Put it where the shell looks by itself, as in the examples; its folder must be there. bash needs version 4.4 and the
    package bash-completion, zsh needs `fpath+=~/.zfunc` before `compinit` in ~/.zshrc. The next shell has it.
    """
    session.out.data(script(shell))
    if session.out.is_terminal:
        session.out.note(f"Keep it: webseam completion {shell} > {PLACES[shell]}")
    return 0


def script(shell: str) -> str:
    """The shell's script, which calls `webseam` for what it completes.

    Raises:
        WebError: `INVALID_ARGS` for a shell that there is no script for.
    """
    found = get_completion_class(shell)
    if found is None:
        raise _unknown(shell)
    made = found(click.Command("webseam"), {}, "webseam", VARIABLE)
    return f"{(made.source_template % made.source_vars()).strip()}\n\n# Its place: {PLACES[shell]}\n"


def _unknown(shell: str) -> WebError:
    return usage(f"There is no completion for {shell}. Name one of: {', '.join(PLACES)}.")
