"""The policy that holds for one token, in words: each rule a sentence, with where it comes from."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.core.limits import (
    GATEWAY_BODY_BYTES,
    GATEWAY_CALLS,
    GATEWAY_TENANT_CALLS,
    GATEWAY_TIMEOUT_SECONDS,
    POLICY_NAMES,
    URL_CHARS,
)
from webseam.core.selection import FanOut, Route
from webseam.core.settings import PermissionSettings
from webseam.surfaces.gateway.desk import Desk
from webseam.tools.permission import CURRENCY
from webseam.wiring.config import Loaded
from webseam.wiring.permission import permission_settings
from webseam.wiring.room_settings import fetch_settings

DEFAULT: Final = "default"
ALWAYS: Final = "always"
OPERATOR: Final = "the gateway's configuration"
"""Said to tenants in the place of a file's name, which is the operator's."""

_ACTIONS: Final = {
    "allow": "are allowed",
    "ask": "are allowed when a person at an MCP client agrees",
    "deny": "are denied",
}
_ROBOTS: Final = {
    "off": "robots.txt is not asked for.",
    "on": "robots.txt of a site binds every call.",
    "autonomous": "robots.txt of a site binds calls that no person asked for.",
}
_CACHE: Final = {
    "off": "{} are not kept.",
    "memory": "{} are kept in the gateway's memory.",
    "disk": "{} are kept in a file of the gateway.",
    "fleet": "{} are kept on the server that the gateways share.",
}


@dataclass(frozen=True, slots=True)
class _Words:
    """Whose policy it is told; tenants are not told addresses, proxies and files of whoever runs the gateway."""

    loaded: Loaded
    desk: Desk

    @property
    def admin(self) -> bool:
        return self.desk.holder.policy.admin

    def rule(self, text: str, setting: str) -> dict[str, Any]:
        """A sentence that a setting makes."""
        origin = self.loaded.origins.get(setting)
        return {"text": text, "origin": DEFAULT if origin is None else origin if self.admin else OPERATOR}

    def own(self, text: str) -> dict[str, Any]:
        """A sentence that the tenant's policy makes."""
        return {"text": text, "origin": f"tenant {self.desk.holder.tenant}"}


async def policy_words(loaded: Loaded, desk: Desk) -> dict[str, Any]:
    """What holds for a token, section by section."""
    words = _Words(loaded, desk)
    spent = [one async for one in _spent(words)]
    sections: tuple[tuple[str, Sequence[dict[str, Any]]], ...] = (
        ("Network", [*_network(words)]),
        ("Permission", [*_permission(words)]),
        ("Rates and budgets", [*_bounds(words), *spent]),
        ("Providers", [*_providers(words)]),
        ("Cache", [*_cache(words)]),
        ("Times and sizes", [*_times(words)]),
    )
    return {"sections": [{"title": title, "rules": rules} for title, rules in sections]}


# Where pages come from ---------------------------------------------------------------------------------


def _network(words: _Words) -> Iterator[dict[str, Any]]:
    fetch = words.loaded.config.fetch
    networks, hosts = fetch.private_networks, fetch.private_hosts
    yield words.rule(
        f"Pages come from public addresses only{_opened(words, networks, 'private networks')}.",
        "fetch.private_networks",
    )
    if hosts:
        yield words.rule(f"Names that may lead to private addresses: {_named(words, hosts)}.", "fetch.private_hosts")
    yield {"text": "Metadata services of clouds are never asked.", "origin": ALWAYS}
    yield words.rule(_ROBOTS[fetch.robots], "fetch.robots")
    yield words.rule(f"A page may be redirected {fetch.max_redirects} times.", "fetch.max_redirects")
    if fetch.host_rate:
        yield words.rule(f"One host is asked at most {fetch.host_rate}.", "fetch.host_rate")
    if words.admin:
        yield from _ways(words)


def _opened(words: _Words, opened: Sequence[str], what: str) -> str:
    if not opened:
        return ""
    return f", and from {', '.join(opened)}" if words.admin else f", and from {what} that were opened"


def _named(words: _Words, hosts: Sequence[str]) -> str:
    return ", ".join(hosts) if words.admin else "those that were opened"


def _ways(words: _Words) -> Iterator[dict[str, Any]]:
    fetch = words.loaded.config.fetch
    proxy = fetch_settings(words.loaded.config, words.loaded.environ).proxy
    if proxy.http or proxy.https:
        yield words.rule("Pages are asked for through a proxy.", "fetch.proxy")
    if proxy.trusted and (proxy.http or proxy.https):
        yield words.rule("The proxy judges addresses, and not this process.", "fetch.trust_proxy")
    looked = ", ".join(fetch.nameservers)
    yield words.rule(f"Names are looked up by {looked or 'the system'}.", "fetch.nameservers")
    roots = fetch.ca_bundle or "the system's"
    yield words.rule(f"Trusted roots of certificates: {roots}.", "fetch.ca_bundle")


# What may be asked for ---------------------------------------------------------------------------------


def _permission(words: _Words) -> Iterator[dict[str, Any]]:
    configured = permission_settings(words.loaded.config.permission)
    yield from _rules(configured, lambda text, name: words.rule(text, f"permission.{name}"))
    own = words.desk.holder.policy.permission()
    if own != PermissionSettings():
        yield from _rules(own, lambda text, _name: words.own(text), tightened=True)


def _rules(
    settings: PermissionSettings, told: Callable[[str, str], dict[str, Any]], *, tightened: bool = False
) -> Iterator[dict[str, Any]]:
    """The sentences; `tightened` leaves out those that hold nothing back."""
    for name, what in _WHAT.items():
        action = getattr(settings, name)
        if action != "allow" or not tightened:
            yield told(f"{what} {_ACTIONS[action]}.", name)
    if settings.allow_hosts != PermissionSettings().allow_hosts:
        yield told(f"Only these hosts may be asked: {_some(settings.allow_hosts)}.", "allow_hosts")
    if settings.deny_hosts:
        yield told(f"These hosts are never asked: {_some(settings.deny_hosts)}.", "deny_hosts")
    if settings.max_query_chars != URL_CHARS:
        most = f"{settings.max_query_chars:,}"
        yield told(f"The query string of a URL that was not seen has at most {most} characters.", "max_query_chars")


def _some(names: Sequence[str]) -> str:
    """The first ones: a list of hosts may be as long as a blocklist."""
    more = len(names) - POLICY_NAMES
    return ", ".join(names[:POLICY_NAMES]) + (f" and {more:,} others" if more > 0 else "") or "none"


_WHAT: Final = {
    "search": "Searches",
    "fetch": "Pages",
    "unseen": "URLs that neither a person gave nor a search or page showed",
    "flagged": "Queries and URLs with a part that looks like data",
}


# How much ----------------------------------------------------------------------------------------------


def _bounds(words: _Words) -> Iterator[dict[str, Any]]:
    policy, run = words.loaded.config.permission, words.desk.run
    if policy.max_calls:
        text = f"The run of this token may make {policy.max_calls:,} calls; it has made {run.calls:,}."
        yield words.rule(text, "permission.max_calls")
    if policy.max_cost:
        cost = run.costs.get(CURRENCY, 0.0)
        text = f"The run of this token may cost ${policy.max_cost:g}; what vendors reported is ${cost:.4g}."
        yield words.rule(text, "permission.max_cost")
    rate = words.desk.holder.policy.rate
    yield words.own(f"This tenant may make {rate} calls." if rate else "This tenant has no rate.")
    text = f"{GATEWAY_TENANT_CALLS:,} calls of a tenant may run at once, and {GATEWAY_CALLS:,} of all."
    yield {"text": text, "origin": ALWAYS}


async def _spent(words: _Words) -> AsyncIterator[dict[str, Any]]:
    """The day's bounds, and what is used of them."""
    policy, quota = words.desk.holder.policy, words.desk.quota
    if not quota.is_bounded:
        yield words.own("The calls and the cost of a day have no bound, and are not counted.")
        return
    try:
        spent = await quota.spent()
    except WebError as error:
        yield words.own(error.message)
        return
    if policy.calls_per_day:
        yield words.own(f"{policy.calls_per_day:,} calls a day (UTC); made today: {spent.calls:,}.")
    if policy.cost_per_day:
        text = f"${policy.cost_per_day:g} a day (UTC), as vendors report it; reported today: ${spent.cost:.4g}."
        yield words.own(text)


# By whom -----------------------------------------------------------------------------------------------


def _providers(words: _Words) -> Iterator[dict[str, Any]]:
    only = words.desk.holder.policy.providers
    if only:
        yield words.own(f"This tenant may use these providers only: {', '.join(only)}.")
    else:
        yield words.own("This tenant may use every provider.")
    for one in words.desk.web.describe():
        match one.choice:
            case Route():
                setting = f"{one.capability}.route"
            case FanOut():
                setting = f"{one.capability}.fanout"
            case _:
                setting = f"{one.capability}.provider"
        taken = ", ".join(one.selected) or "nobody could be asked now"
        yield words.rule(f"{_PURPOSE[one.capability]}: {taken}.", setting)
    keyless = words.loaded.config.search.keyless
    may = "may" if keyless else "may not"
    yield words.rule(f"A vendor {may} be asked without a key where nothing else is there.", "search.keyless")


_PURPOSE: Final = {"search": "Searches go to", "fetch": "Pages are fetched by", "extract": "Pages are extracted by"}


# What is kept ------------------------------------------------------------------------------------------


def _cache(words: _Words) -> Iterator[dict[str, Any]]:
    fetch, search = words.loaded.config.fetch, words.loaded.config.search
    yield words.rule(_CACHE[fetch.cache].format("Pages"), "fetch.cache")
    if fetch.stale_if_error:
        text = f"A kept page that is {fetch.stale_if_error:g} s too old stands in for a server that fails."
        yield words.rule(text, "fetch.stale_if_error")
    yield words.rule(_CACHE[search.cache].format("Answers to searches"), "search.cache")
    if search.cache != "off":
        yield words.rule(f"An answer is given again for {search.cache_seconds:g} s.", "search.cache_seconds")
    text = f"What is kept for tenant {words.desk.holder.tenant} is used for no other tenant."
    yield {"text": text, "origin": ALWAYS}
    keep = words.loaded.config.ledger
    if keep.text:
        yield words.rule("Queries and URLs are kept in the record of calls.", "ledger.text")


# How long ----------------------------------------------------------------------------------------------


def _times(words: _Words) -> Iterator[dict[str, Any]]:
    config = words.loaded.config
    yield words.rule(f"A search may take {config.search.timeout:g} s.", "search.timeout")
    yield words.rule(f"A page may take {config.fetch.timeout:g} s.", "fetch.timeout")
    yield words.rule(f"An extraction may take {config.extract.timeout:g} s.", "extract.timeout")
    text = f"Webseam-Timeout may shorten each, and has at most {GATEWAY_TIMEOUT_SECONDS:g} s."
    yield {"text": text, "origin": ALWAYS}
    yield words.rule(f"A page has at most {config.fetch.max_bytes:,} bytes.", "fetch.max_bytes")
    yield words.rule(f"A PDF has at most {config.fetch.max_pdf_bytes:,} bytes.", "fetch.max_pdf_bytes")
    yield words.rule(f"A search gives at most {config.search.max_results} sources.", "search.max_results")
    yield words.rule(f"A tool shows at most {config.tools.fetch_chars:,} characters of a page.", "tools.fetch_chars")
    yield {"text": f"A request has at most {GATEWAY_BODY_BYTES:,} bytes.", "origin": ALWAYS}
