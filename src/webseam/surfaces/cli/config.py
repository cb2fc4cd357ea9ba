"""`webseam config`: values with their origins, limits with their reasons, trust for a project file."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.plain import to_plain
from webseam.surfaces.cli.command import Command, Lazy, output_option
from webseam.surfaces.cli.config_init import init
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.policy_text import MASK, masked_proxy, policy_rows
from webseam.surfaces.cli.session import Session
from webseam.wiring.config import Loaded, survey
from webseam.wiring.places import FILE_NAME
from webseam.wiring.plugins import CAPABILITIES, load_plugins
from webseam.wiring.reasons import known_limits
from webseam.wiring.schema import SEAM_KEYS, settings
from webseam.wiring.secrets_file import secrets_path
from webseam.wiring.sources import project_file
from webseam.wiring.trust import trust

_SECRET_WORDS: Final = ("key", "token", "secret", "password", "authorization", "cookie", "credential", "header")
"""A header may carry a key under whatever name its vendor chose."""

_USERINFO_OR_QUERY: Final = re.compile(r"(?<=//)[^/?#@]*(?=@)|(?<=[?#]).+")
"""Where a URL may carry a key; in a query each vendor has its own name for it."""

EXAMPLES: Final = ("webseam config init", "webseam config show", "webseam config path", "webseam config trust")

_PLACES: Final = ("search.proxy", "fetch.proxy", "fleet.url")
"""Settings that hold a URL with a password in it, of any characters."""

command = Lazy(
    name="config",
    help="Write a first file; show settings and where they come from; trust a project file.",
    table={},
    examples=EXAMPLES,
)


@click.command(
    "show",
    cls=Command,
    examples=("webseam config show", "webseam config show --json | jq .values"),
    short_help="Show each setting and where it came from.",
)
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def show(session: Session, *, as_json: bool) -> int:
    """Show each setting, its value and where it came from; then where pages may come from, and limits with reasons.

    Secrets are masked. Works while the configuration is broken: then it exits 3, and says what is wrong on stderr.
    """
    loaded = _survey(session)
    rows = [*setting_rows(loaded), *provider_rows(loaded)]
    limits = [to_plain(limit) for limit in known_limits()]
    policy = list(policy_rows(loaded))
    if as_json:
        session.out.json({"values": rows, "policy": policy, "limits": limits})
    else:
        for row in rows:
            session.out.data(f"{row['setting']} = {to_json(row['value'])}  # {row['origin']}")
        session.out.data("\nWhere pages may come from:")
        for row in policy:
            session.out.data(f"{row['rule']}: {_said(row['value'])}  # {row['origin']}")
        session.out.data("\nLimits, and why:")
        for limit in limits:
            session.out.data(f"{limit['name']} = {limit['value']}  # {limit['reason']}")
    faults = session.faults(loaded)
    for fault in faults:
        session.out.failed(fault, as_json=as_json)
    return faults[0].exit_code if faults else 0


def _said(value: Any) -> str:
    return ", ".join(value) or "nothing" if isinstance(value, list) else str(value)


@click.command(
    "path", cls=Command, examples=("webseam config path",), short_help="Show where settings, data and state live."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def path(session: Session, *, as_json: bool) -> int:
    """Show where configuration and state live, whether or not the files exist."""
    loaded = _survey(session)
    found = project_file(session.cwd, loaded.home)
    places = {
        "user": loaded.places.user_file,
        "project": found,
        "keys": secrets_path(loaded),
        "data": loaded.places.data,
        "state": loaded.places.state,
    }
    shown = {name: str(place) for name, place in places.items() if place is not None}
    if as_json:
        session.out.json(shown)
    else:
        for name, place in shown.items():
            session.out.data(f"{name}: {place}")
    return 0


@click.command(
    "trust",
    cls=Command,
    examples=("less webseam.toml && webseam config trust",),
    short_help="Let the project file here set whatever your own may.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def trust_project(session: Session, *, as_json: bool) -> int:
    """Trust the project file in force, as it is now: it may then set whatever your own file may.

    Its path and SHA-256 are recorded in your state folder; the next edit of the file asks again.
    """
    loaded = _survey(session)
    file = project_file(session.cwd, loaded.home)
    if file is None:
        raise WebError(
            Code.CONFIG_INVALID,
            f"There is no {FILE_NAME} to trust here or above, up to the repository's root. Run it where one is.",
        )
    digest = trust(loaded.places.trust_file, file)
    if as_json:
        session.out.json({"trusted": str(file), "sha256": digest})
    else:
        session.out.data(f"trusted: {file}\nsha256: {digest}")
    return 0


for _one in (init, show, path, trust_project):
    command.add_command(_one)


def _survey(session: Session) -> Loaded:
    return survey(environ=session.environ, cwd=session.cwd, silence=session.silence)


def setting_rows(loaded: Loaded) -> Iterator[dict[str, Any]]:
    """Each setting of the schema with its value and origin, in the schema's order; a proxy's password is masked."""
    for section, name in settings():
        dotted = f"{section}.{name}"
        value = getattr(getattr(loaded.config, section), name)
        origin = loaded.origins.get(dotted, "default")
        shown = masked_proxy(value) if dotted in _PLACES else masked(to_plain(value), secret=False)
        yield {"setting": dotted, "value": shown, "origin": origin}


def provider_rows(loaded: Loaded) -> Iterator[dict[str, Any]]:
    """What `[providers.<id>]` tables set. An option that its kind does not know may be anything: it is masked."""
    known = _options_by_kind(loaded)
    for key, table in loaded.config.providers.items():
        named = {**{name: getattr(table, name) for name in SEAM_KEYS}, **table.options}
        public = {*SEAM_KEYS, *known.get(table.kind, ())}
        for name, value in named.items():
            dotted = f"providers.{key}.{name}"
            if dotted in loaded.origins:
                shown = masked(value, secret=name not in public or _sounds_secret(name))
                yield {"setting": dotted, "value": shown, "origin": loaded.origins[dotted]}


def _options_by_kind(loaded: Loaded) -> dict[str, set[str]]:
    if not loaded.config.providers:
        return {}
    installed = load_plugins(
        also=[table.kind for table in loaded.config.providers.values()],
        disabled=loaded.config.plugins.disabled,
        only=loaded.environ.get("WEBSEAM_LOAD_PLUGINS", ""),
    )
    known: dict[str, set[str]] = {}
    for capability in CAPABILITIES:
        for kind, spec in installed.kinds(capability).items():
            known.setdefault(kind, set()).update(getattr(spec.options, "__struct_fields__", ()))
    return known


def _sounds_secret(name: str) -> bool:
    return name not in ("key_env", "keys_env") and any(word in name.lower() for word in _SECRET_WORDS)


def masked(value: Any, *, secret: bool) -> Any:
    """`value` with masks of fixed length: for all of it, or for the parts whose name or place is a secret's."""
    if isinstance(value, Mapping):
        return {str(name): masked(part, secret=secret or _sounds_secret(str(name))) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [masked(part, secret=secret) for part in value]
    if value in ("", None) or isinstance(value, bool):
        return value
    if secret:
        return MASK
    return value if isinstance(value, int | float) else _USERINFO_OR_QUERY.sub(MASK, str(value))
