"""Tenants of a gateway: what one may be called, what it may do, and who sent a request."""

import re
from typing import Final

import msgspec

from webseam.core.forms import invalid
from webseam.core.limits import URL_CHARS
from webseam.core.settings import PermissionSettings
from webseam.tools.hosts import host_entry
from webseam.wiring.rates import RATE_FORM, parse_rate
from webseam.wiring.setting_checks import PROVIDER_ID
from webseam.wiring.setting_types import Action, Calls, Dollars, QueryChars

NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.\-]{0,63}")
LOCAL_TENANT: Final = "local"
"""Whoever uses a gateway while it asks for no token; there is no token of this name, which would see their pages."""


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a tenant may do. Empty and 0 are no bound, as in `[permission]`, which holds besides.

    `providers` are ids; `rate` is written as `60/min`, over all calls of the tenant. `calls_per_day` and
    `cost_per_day`, in US dollars, are for a day in UTC. `admin` may see the calls, use and cost of
    every tenant, and the gateway's own addresses.
    """

    providers: tuple[str, ...] = ()
    search: Action = "allow"
    fetch: Action = "allow"
    unseen: Action = "allow"
    flagged: Action = "allow"
    allow_hosts: tuple[str, ...] = ("*",)
    deny_hosts: tuple[str, ...] = ()
    max_query_chars: QueryChars = URL_CHARS
    rate: str = ""
    calls_per_day: Calls = 0
    cost_per_day: Dollars = 0.0
    admin: bool = False

    def permission(self) -> PermissionSettings:
        """The part that permission holds to."""
        return PermissionSettings(
            search=self.search,
            fetch=self.fetch,
            unseen=self.unseen,
            flagged=self.flagged,
            allow_hosts=self.allow_hosts,
            deny_hosts=self.deny_hosts,
            max_query_chars=self.max_query_chars,
        )


FREE: Final = Policy()
"""Nothing beyond what the configuration holds."""


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who sent a request: the token's id, its tenant, and what that may do."""

    token: str
    tenant: str
    policy: Policy = FREE


def check_name(tenant: str) -> None:
    """Whether a tenant may be called so.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if tenant == LOCAL_TENANT:
        raise invalid(f"{LOCAL_TENANT!r} is whoever needs no token. Choose another name.")
    if NAME.fullmatch(tenant) is None:
        raise invalid("A tenant's name has up to 64 lower-case letters, digits, dots, dashes and underscores.")


def check_policy(policy: Policy) -> None:
    """Whether every part of it can be held to.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    for one in policy.providers:
        if PROVIDER_ID.fullmatch(one) is None:
            raise invalid(f"{one!r} is no provider id. `webseam providers` lists them.")
    hosts = (*policy.deny_hosts, *(() if policy.allow_hosts == ("*",) else policy.allow_hosts))
    for one in hosts:
        if host_entry(one) is None:
            raise invalid(f"{one!r} is no host. Write docs.example, or *.docs.example for its subdomains.")
    if policy.rate and parse_rate(policy.rate) is None:
        raise invalid(f"{policy.rate!r} is no rate. Write {RATE_FORM}.")
