"""Where pages may come from, as all settings of fetching together decide it: for `config show`."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from webseam.wiring.config import Loaded
from webseam.wiring.proxies import ENVIRONMENT
from webseam.wiring.room_settings import fetch_settings

MASK: Final = "********"
_USERINFO: Final = re.compile(r"(?:(?<=//)|^(?!\w+://)).*(?=@)", re.DOTALL)
"""Up to the last "@": a proxy may be written without its scheme, and its password with any character."""

_ALWAYS: Final = "public ones only"
_DIRECT: Final = "none"


def policy_rows(loaded: Loaded) -> Iterator[dict[str, Any]]:
    """Each rule in force, the settings it comes from, and where these were set, without credentials."""
    fetch = fetch_settings(loaded.config, loaded.environ)
    proxy = fetch.proxy
    named = loaded.config.fetch.proxy.strip()
    by_environment = "environment variables, asked for by " if named == ENVIRONMENT else ""
    way = f"{by_environment}{_origin(loaded, 'proxy')}"
    judge = "the proxy" if proxy.trusted and (proxy.http or proxy.https) else "this process"
    yield _row("addresses", _besides(fetch.private_networks), _origin(loaded, "private_networks"))
    yield _row("names", _besides(fetch.private_hosts), _origin(loaded, "private_hosts"))
    yield _row("metadata", "never", "no setting opens it")
    yield _row("names are looked up by", list(fetch.nameservers) or "the system", _origin(loaded, "nameservers"))
    yield _row("proxy for http", masked_proxy(proxy.http or _DIRECT), way)
    yield _row("proxy for https", masked_proxy(proxy.https or _DIRECT), way)
    yield _row("without the proxy", list(proxy.no_proxy), _origin(loaded, "no_proxy"))
    yield _row("addresses are judged by", judge, _origin(loaded, "trust_proxy"))
    yield _row("trusted roots", fetch.ca_bundle or "the system's", _origin(loaded, "ca_bundle"))
    yield _row("robots.txt binds", _ROBOTS[fetch.robots], _origin(loaded, "robots"))
    yield _row("pages are kept", _CACHE[fetch.cache], _origin(loaded, "cache"))
    yield from _permission_rows(loaded)


def _permission_rows(loaded: Loaded) -> Iterator[dict[str, Any]]:
    """What a run may do, and what it may spend."""
    rules = loaded.config.permission
    told = {
        "allow_hosts": ("allowed hosts", list(rules.allow_hosts)),
        "deny_hosts": ("denied hosts", list(rules.deny_hosts)),
        "search": ("searches", _ACTIONS[rules.search]),
        "fetch": ("pages", _ACTIONS[rules.fetch]),
        "unseen": ("URLs that the run has not seen", _ACTIONS[rules.unseen]),
        "flagged": ("parts that look like data", _ACTIONS[rules.flagged]),
        "max_query_chars": ("query string of a URL not seen", f"at most {rules.max_query_chars:,} characters"),
        "max_calls": ("calls of a run", _bound(rules.max_calls, "at most {:,}")),
        "max_cost": ("cost of a run", _bound(rules.max_cost, "until ${:g} is reached")),
    }
    for name, (rule, value) in told.items():
        yield _row(rule, value, loaded.origins.get(f"permission.{name}", "default"))


def _bound(value: float, form: str) -> str:
    return form.format(value) if value else "no bound"


_ROBOTS: Final = {"off": "no call", "on": "every call", "autonomous": "calls that no person asked for"}
_ACTIONS: Final = {"allow": "allowed", "ask": "allowed when a person agrees", "deny": "denied"}
_CACHE: Final = {
    "off": "not at all",
    "memory": "in this process",
    "disk": "in a file of the data folder",
    "fleet": "on the server of the fleet",
}


def masked_proxy(url: str) -> str:
    """A proxy's URL with a mask for user name and password, whether or not it is well-formed."""
    return _USERINFO.sub(MASK, url, count=1)


def _besides(opened: Sequence[str]) -> str:
    return f"{_ALWAYS}, and {', '.join(opened)}" if opened else _ALWAYS


def _row(rule: str, value: Any, origin: str) -> dict[str, Any]:
    return {"rule": rule, "value": value, "origin": origin}


def _origin(loaded: Loaded, name: str) -> str:
    return loaded.origins.get(f"fetch.{name}", "default")
