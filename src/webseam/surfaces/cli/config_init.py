"""`webseam config init`: a first configuration file from a few questions, with the rest as comments."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click

from webseam.surfaces.cli.command import FILE, Command, usage
from webseam.surfaces.cli.config_text import Answers, CacheMode, config_text
from webseam.surfaces.cli.prompt import ask
from webseam.surfaces.cli.session import Session
from webseam.wiring.atomic import replace_file
from webseam.wiring.config import Loaded
from webseam.wiring.key_store import accounts
from webseam.wiring.layers import Source, check_layer, nearest
from webseam.wiring.places import FILE_NAME
from webseam.wiring.plugins import Installed, load_plugins
from webseam.wiring.setting_checks import CHECKS
from webseam.wiring.sources import parse_toml

T = TypeVar("T")
TRIES: Final = 3
SET_UP: Final = 3
CACHES: Final = ("off", "memory", "disk")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the questions need to know of this machine."""

    ids: tuple[str, ...]
    keyed: tuple[str, ...]


@click.command(
    "init",
    cls=Command,
    examples=("webseam config init", "webseam config init --yes", "webseam config init --project"),
    short_help="Write a first configuration file from a few questions.",
)
@click.option("--yes", is_flag=True, help="Ask nothing: every setting stays at its default, as a comment.")
@click.option("--project", is_flag=True, help="Write webseam.toml here, with what a project file may set.")
@click.option("-o", "--output", **FILE, help="Write to FILE instead of your own place.")
@click.option("--force", is_flag=True, help="Replace the file that is there.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def init(session: Session, *, yes: bool, project: bool, output: str | None, force: bool, as_json: bool) -> int:
    """Ask a few questions, and write the answers with the other settings as comments beside them.

    The questions: which provider searches, whether it may do without a key, which private networks may be read, whether
    pages are kept. A project file (--project) comes with a repository and may only choose and tighten, so that the last
    two are not asked. Keys do not go in here: `webseam keys set exa`.
    """
    loaded = session.survey()
    target = _target(session, loaded, output, project=project)
    if os.path.lexists(target) and not force:
        raise usage(f"{target}: is there already. Add --force to replace it, or name another: -o FILE.")
    if not yes and not session.stdin.isatty():
        raise usage("There is no terminal to ask on. Add --yes for a file of defaults.")
    answers = Answers() if yes else _asked(session, _found(loaded), project=project)
    text = config_text(answers, project=project)
    _check(text, target, loaded)
    replace_file(target, text.encode())
    return _told(session, target, as_json=as_json)


def _target(session: Session, loaded: Loaded, output: str | None, *, project: bool) -> Path:
    if output is not None:
        session.check_file(output)
        return session.cwd / output
    return session.cwd / FILE_NAME if project else loaded.places.user_file


def _check(text: str, target: Path, loaded: Loaded) -> None:
    """What is written loads: a fault here is told before anything is replaced.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    source = Source(name="user", label=str(target), base=target.parent, home=loaded.home)
    problems = check_layer(parse_toml(target, text.encode()), source).problems
    if problems:
        raise problems[0]


def _told(session: Session, target: Path, *, as_json: bool) -> int:
    if as_json:
        session.out.json({"written": str(target)})
    else:
        session.out.data(f"written: {target}")
    after = session.survey()
    for fault in after.problems:
        session.out.failed(fault, as_json=as_json)
    if not as_json and not after.problems:
        session.out.note("Next: webseam keys set ID, then webseam doctor.")
    return SET_UP if after.problems else 0


def _found(loaded: Loaded) -> Found:
    installed: Installed = load_plugins(
        ("search",),
        also=[table.kind for table in loaded.config.providers.values()],
        disabled=loaded.config.plugins.disabled,
        only=loaded.environ.get("WEBSEAM_LOAD_PLUGINS", ""),
    )
    keyed = [one.id for one in accounts(loaded, installed) if one.ring.configured()]
    return Found(ids=tuple(sorted({*installed.kinds("search"), *loaded.config.providers})), keyed=tuple(keyed))


# Questions ---------------------------------------------------------------------------------------------


def _asked(session: Session, found: Found, *, project: bool) -> Answers:
    keyed = ", ".join(found.keyed) or "none"
    provider = _answer(
        session,
        f"Which provider searches? An id of `webseam providers`; keys are set for: {keyed}. [whose key is set] ",
        lambda text: _provider(text, found),
    )
    keyless = _answer(session, "May it search without a key when nothing else is there? [yes] ", _yes_unless_no)
    if project:
        return Answers(provider=provider, keyless=keyless)
    networks = _answer(
        session, "Which private networks may agents read? Such as 10.1.0.0/16, by commas. [none] ", _networks
    )
    cache = _answer(session, "Keep fetched pages? off, memory or disk. [off] ", _cache)
    return Answers(provider=provider, keyless=keyless, networks=networks, cache=cache)


def _answer(session: Session, question: str, read: Callable[[str], T]) -> T:
    """The answer, asked for again while it is none; Ctrl-C and the end of input leave everything as it was.

    Raises:
        WebError: `INVALID_ARGS` after three answers that are none, or when the input ends.
    """
    for left in reversed(range(TRIES)):
        try:
            return read(ask(session, question))
        except ValueError as exc:
            session.out.note(str(exc))
            if not left:
                raise usage("There was no answer that could be used. Nothing was changed.") from exc
    raise AssertionError  # pragma: no cover - the last try returns or raises


def _provider(text: str, found: Found) -> str:
    if not text or text in found.ids:
        return text
    raise ValueError(f"No provider has the id {text!r}. {nearest(text, found.ids)}".rstrip())


def _yes_unless_no(text: str) -> bool:
    if text.lower() in ("", "y", "yes", "n", "no"):
        return not text.lower().startswith("n")
    raise ValueError("Answer yes or no.")


def _networks(text: str) -> tuple[str, ...]:
    networks = tuple(part.strip() for part in text.split(",") if part.strip())
    find_fault, allowed = CHECKS["fetch", "private_networks"]
    fault: Any = find_fault(networks)
    if fault is not None:
        raise ValueError(f"{fault!r} is none. Allowed: {allowed}.")
    return networks


def _cache(text: str) -> CacheMode:
    if not text or text in CACHES:
        return cast("CacheMode", text or "off")
    raise ValueError("Answer off, memory or disk.")
