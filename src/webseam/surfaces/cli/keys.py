"""`webseam keys`: vendors' keys set, listed and removed; none is ever an argument, and none is ever shown."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.surfaces.cli.command import Command, Lazy, output_option
from webseam.surfaces.cli.names import complete_keys
from webseam.surfaces.cli.prompt import ask_hidden
from webseam.surfaces.cli.session import Session
from webseam.wiring.config import Loaded
from webseam.wiring.key_store import Account, accounts, checked_key, drop_key, kept_names, key_name, put_key
from webseam.wiring.keyrings import keyring_name
from webseam.wiring.secrets_file import secrets_path

EXAMPLES: Final = (
    "webseam keys set exa",
    "pass show exa | webseam keys set EXA_API_KEY",
    "webseam keys list",
    "webseam keys remove exa",
)
SET_UP: Final = 3
MASK: Final = "********"

command = Lazy(name="keys", help="Keep vendors' keys: set, list, remove.", table={}, examples=EXAMPLES)


@click.command(
    "set",
    cls=Command,
    examples=("webseam keys set exa", "pass show exa | webseam keys set exa", "webseam keys set --keyring exa"),
    short_help="Keep a key, typed unseen or piped in.",
)
@click.argument("name", shell_complete=complete_keys)
@click.option("--keyring", is_flag=True, help="Keep it in the system's keyring, not in the secrets file.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def set_key(session: Session, *, name: str, keyring: bool, as_json: bool) -> int:
    """Keep the key of NAME, a provider such as `exa` or a variable such as EXA_API_KEY.

    The key is asked for without being shown, or read from standard input; it is never an argument, which other users
    could see. A changed key reaches the next call of everything that runs, without a restart.

    A key is looked for in this order: `key` in your webseam.toml; the variable, unless secrets.environment = false; the
    secrets file (secrets.file, else `keys` beside your webseam.toml), which you alone may read; the system's keyring.
    """
    loaded = session.survey()
    known = accounts(loaded)
    variable = key_name(name, known)
    if keyring:
        session.out.note(f"keyring: {keyring_name()}")
    else:
        kept_names(secrets_path(loaded))  # what could not be written is told before anybody types
    key = checked_key(ask_hidden(session, f"Key for {name} ({variable}): "), variable)
    place = _keep(loaded, variable, key, keyring=keyring)
    stronger = _stronger(known, variable, place)
    if as_json:
        session.out.json({"set": variable, "place": place, "stronger": list(stronger)})
    else:
        session.out.data(f"set: {place}")
        for one in stronger:
            session.out.note(f"webseam: {one} is asked first, so the key just set is not used while that is there.")
    _tell_faults(session, loaded, as_json=as_json)
    return 0


def _keep(loaded: Loaded, variable: str, key: str, *, keyring: bool) -> str:
    if keyring:
        loaded.keyring.put(variable, key)
        return f"keyring {variable}"
    path = secrets_path(loaded)
    put_key(path, variable, key)
    return f"{path} {variable}"


def _stronger(known: Sequence[Account], variable: str, place: str) -> tuple[str, ...]:
    """What is asked before the key that was just set, by every provider that would use it."""
    found: dict[str, None] = {}
    for one in known:
        if variable in one.ring.names():
            places = one.ring.places()
            found |= dict.fromkeys(places[: places.index(place)] if place in places else places)
    return tuple(found)


@click.command(
    "list",
    cls=Command,
    examples=("webseam keys list", "webseam keys list --all", "webseam keys list --json | jq -r '.keys[].provider'"),
    short_help="Show which providers have a key, and from where.",
)
@click.option("--all", "everything", is_flag=True, help="Those without a key too.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def list_keys(session: Session, *, everything: bool, as_json: bool) -> int:
    """Show which providers have a key and from which source, the one in force first. Never a key.

    Names in the secrets file or the keyring that no provider here asks for are told too.
    """
    loaded = session.survey()
    known = accounts(loaded)
    rows = [_row(one) for one in known]
    path = secrets_path(loaded)
    with _forgiven(session, as_json=as_json) as faults:
        unused = _unused(loaded, path, known)
        faults.extend(one for row in rows if (one := row.get("problem")) is not None)
        shown = [row for row in rows if row["places"] or everything]
        if as_json:
            session.out.json({"keys": shown, "file": str(path), "unused": unused})
        else:
            for row in shown:
                session.out.data(_line(row))
            _tell_rest(session, without=len(rows) - len(shown), unused=unused)
    told = _tell_faults(session, loaded, as_json=as_json)
    return SET_UP if faults or told else 0


@contextmanager
def _forgiven(session: Session, *, as_json: bool) -> Iterator[list[Any]]:
    """A store that cannot be read is told, once, and ends nothing."""
    faults: list[Any] = []
    try:
        yield faults
    except WebError as error:
        faults.append(error.message)
    for message in dict.fromkeys(faults):
        session.out.failed(WebError(Code.CONFIG_INVALID, message), as_json=as_json)


def _row(one: Account) -> dict[str, Any]:
    row: dict[str, Any] = {"provider": one.id, "capabilities": list(one.capabilities), "names": list(one.ring.names())}
    try:
        return {**row, "places": list(one.ring.places())}
    except WebError as error:
        return {**row, "places": [], "problem": error.message}


def _line(row: dict[str, Any]) -> str:
    first, *others = row["places"] or ["none"]
    told = f"; then {', '.join(others)}" if others else ""
    mask = MASK if row["places"] else ""
    names = "" if row["places"] else f" ({' or '.join(row['names'])})"
    return f"{row['provider']:<20}{mask:<10}{first}{names}{told}"


def _unused(loaded: Loaded, path: Path, known: Sequence[Account]) -> dict[str, list[str]]:
    """Names that are kept and that nobody here asks for."""
    asked = {name for one in known for name in one.ring.names()}
    kept = {"file": kept_names(path), "keyring": loaded.keyring.names()}
    return {place: [name for name in names if name not in asked] for place, names in kept.items()}


def _tell_rest(session: Session, *, without: int, unused: dict[str, list[str]]) -> None:
    for place, names in unused.items():
        if names:
            session.out.note(f"in the {place}, and asked for by no provider here: {', '.join(names)}")
    if without:
        session.out.note(f"providers without a key: {without}. --all shows them.")


@click.command(
    "remove",
    cls=Command,
    examples=("webseam keys remove exa", "webseam keys remove EXA_API_KEY"),
    short_help="Forget a key that was set here.",
)
@click.argument("name", shell_complete=complete_keys)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def remove_key(session: Session, *, name: str, as_json: bool) -> int:
    """Forget the key of NAME, in the secrets file and in the system's keyring. Other sources stay, and are told."""
    loaded = session.survey()
    known = accounts(loaded)
    path = secrets_path(loaded)
    keyring = loaded.keyring
    variable = name if name in (*kept_names(path), *keyring.names()) else key_name(name, known)
    gone = [f"{path} {variable}"] if drop_key(path, variable) else []
    gone += [f"keyring {variable}"] if keyring.drop(variable) else []
    if not gone:
        raise WebError(
            Code.PROVIDER_CREDENTIAL_MISSING,
            f"There is no {variable} in {path} nor in the keyring. `webseam keys list` shows what is where.",
        )
    left = [place for one in known if variable in one.ring.names() for place in one.ring.places()]
    if as_json:
        session.out.json({"removed": gone, "left": list(dict.fromkeys(left))})
    else:
        session.out.data("\n".join(f"removed: {place}" for place in gone))
        for place in dict.fromkeys(left):
            session.out.note(f"webseam: a key is still found: {place}")
    _tell_faults(session, loaded, as_json=as_json)
    return 0


def _tell_faults(session: Session, loaded: Loaded, *, as_json: bool) -> bool:
    """What is wrong with the configuration; keys can be kept all the same."""
    for fault in loaded.problems:
        session.out.failed(fault, as_json=as_json)
    return bool(loaded.problems)


for _one in (set_key, list_keys, remove_key):
    command.add_command(_one)
