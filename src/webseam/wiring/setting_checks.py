"""What a type cannot express of a setting: which part of a value is at fault, and what is allowed."""

import ipaddress
import re
from collections.abc import Callable
from typing import Any, Final

from webseam.core import limits
from webseam.core.forms import COUNTRY_FORM, DAY_FORM, LANGUAGE_FORM, is_country, is_day, is_language
from webseam.core.url import ascii_host
from webseam.net.nameservers import parse_nameserver
from webseam.net.proxy import exempt
from webseam.tools.hosts import ANY, FORM, host_entry
from webseam.wiring.fleet_url import PREFIX_FORM, URL_FORM, no_prefix, no_server
from webseam.wiring.rates import RATE_FORM, parse_rate
from webseam.wiring.setting_types import FETCH_ARGUMENTS, Path

_PLUGIN_ID: Final = re.compile(r"(search|fetch|extract):[A-Za-z0-9][A-Za-z0-9_.\-]*")
PROVIDER_ID: Final = re.compile(r"[a-z0-9][a-z0-9_.\-]{0,63}")
VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def _members(test: Callable[[str], object]) -> Callable[[tuple[str, ...]], str | None]:
    return lambda members: next((member for member in members if not test(member)), None)


def _whole(test: Callable[[str], object]) -> Callable[[str], str | None]:
    return lambda text: None if not text.strip() or test(text) else text


def _other_arguments(names: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if names[:1] == ("url",) and len(set(names)) == len(names) else names


def _unfit_host(members: tuple[str, ...]) -> str | None:
    """The first that no host could match; every host stands alone, since beside others it would undo them."""
    return None if members == (ANY,) else next((one for one in members if host_entry(one) is None), None)


def _unasked_server(members: tuple[str, ...]) -> str | None:
    """The first that is no server, or that would come after the last one asked."""
    return next(
        (member for at, member in enumerate(members) if at >= limits.NAMESERVERS or parse_nameserver(member) is None),
        None,
    )


_EXEMPTS: Final = "hosts, addresses or networks, perhaps with a port, or *"
_HOSTS: Final = "host names such as example.org, no scheme, no port; they include subdomains"

CHECKS: Final[dict[Path, tuple[Callable[[Any], Any], str]]] = {
    ("search", "default_include_domains"): (_members(ascii_host), _HOSTS),
    ("search", "default_exclude_domains"): (_members(ascii_host), _HOSTS),
    ("search", "default_published_after"): (_whole(is_day), DAY_FORM),
    ("search", "default_published_before"): (_whole(is_day), DAY_FORM),
    ("search", "default_country"): (_whole(is_country), COUNTRY_FORM),
    ("search", "default_language"): (_whole(is_language), LANGUAGE_FORM),
    ("fetch", "private_networks"): (_members(_is_network), "CIDR networks such as 10.1.0.0/16, host bits zero"),
    ("fetch", "host_rate"): (_whole(parse_rate), RATE_FORM),
    ("search", "no_proxy"): (_members(exempt), _EXEMPTS),
    ("fetch", "no_proxy"): (_members(exempt), _EXEMPTS),
    ("fetch", "private_hosts"): (_members(ascii_host), "host names such as wiki.corp.example, no scheme, no port"),
    ("fetch", "nameservers"): (
        _unasked_server,
        "at most 4 DNS servers such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53",
    ),
    ("fleet", "url"): (no_server, URL_FORM),
    ("fleet", "prefix"): (no_prefix, PREFIX_FORM),
    ("serve", "hosts"): (_members(ascii_host), "host names such as gateway.example, no scheme, no port"),
    ("permission", "allow_hosts"): (_unfit_host, f'{FORM}; or "*" alone for every host'),
    ("permission", "deny_hosts"): (_members(host_entry), f"{FORM}; subdomains are denied with a host"),
    ("plugins", "disabled"): (_members(_PLUGIN_ID.fullmatch), 'plugin ids such as "search:exa"'),
    ("tools", "fetch_arguments"): (_other_arguments, FETCH_ARGUMENTS),
}
"""Finds the faulty part of a value, and says what is allowed."""
