"""The settings of `webseam.toml`: sections and defaults, and all of them by their place."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from webseam.core import limits
from webseam.tools.hosts import ANY
from webseam.wiring.ledger_section import LedgerSection
from webseam.wiring.quiet import quiet_repr
from webseam.wiring.setting_types import (
    Action,
    Bytes,
    Calls,
    Chars,
    Controls,
    Day,
    Dollars,
    FetchArguments,
    Grace,
    Hops,
    Names,
    Path,
    Queries,
    QueryChars,
    Results,
    Seconds,
    Switch,
    Text,
    Tokens,
)


class SearchSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[search]`. At most one of `provider`, `route` and `fanout`.

    `default_*` are controls that hold for every search; what a request may change of them is told in `SeamSettings`.
    `proxy` leads to vendors, as `fetch.proxy` does to pages; only the user's own file may set it. `cache` answers the
    same question again for `cache_seconds`, from this process, a file in the data folder, or the server of a fleet.
    """

    provider: Text = ""
    route: Names = ()
    fanout: Names = ()
    keyless: Switch = True
    timeout: Seconds = limits.SEARCH_SECONDS
    max_results: Results = limits.SEARCH_MAX_RESULTS
    ungrounded: Literal["label", "error"] = "label"
    controls: Literal["strict", "lenient"] = "strict"
    default_include_domains: Names = ()
    default_exclude_domains: Names = ()
    default_published_after: Day = ""
    default_published_before: Day = ""
    default_country: Text = ""
    default_language: Text = ""
    default_safe_search: Literal["", "off", "moderate", "strict"] = ""
    proxy: Text = ""
    no_proxy: Names = ()
    cache: Literal["off", "memory", "disk", "fleet"] = "off"
    cache_seconds: Seconds = limits.SEARCH_CACHE_SECONDS
    __repr__ = quiet_repr


class FetchSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[fetch]`. `private_*` and `images` widen what may be read, and `nameservers` learn what is.

    Only the user's own file may set these.
    """

    provider: Text = ""
    route: Names = ()
    timeout: Seconds = limits.FETCH_SECONDS
    max_bytes: Bytes = limits.FETCH_BYTES
    max_pdf_bytes: Bytes = limits.PDF_BYTES
    max_redirects: Hops = limits.MAX_REDIRECTS
    private_networks: Names = ()
    private_hosts: Names = ()
    nameservers: Names = ()
    images: Switch = False
    ca_bundle: Text = ""
    proxy: Text = ""
    no_proxy: Names = ()
    trust_proxy: Switch = False
    robots: Literal["off", "on", "autonomous"] = "autonomous"
    cache: Literal["off", "memory", "disk", "fleet"] = "off"
    stale_if_error: Grace = 0.0
    host_rate: Text = ""
    __repr__ = quiet_repr


class ExtractSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[extract]`."""

    provider: Text = ""
    route: Names = ()
    timeout: Seconds = limits.EXTRACT_SECONDS


class ToolsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[tools]`: what a model sees."""

    search: Switch = True
    fetch: Switch = True
    extract: Switch = False
    max_queries: Queries = 1
    search_controls: Controls = ()
    fetch_arguments: FetchArguments = ("url", "offset", "find")
    fetch_view: Literal["page", "main"] = "page"
    fetch_engine: Literal["own", "trafilatura"] = "own"
    fetch_chars: Chars = limits.FETCH_ANSWER_CHARS
    fetch_tokens: Tokens = 0
    search_chars: Chars = limits.SEARCH_ANSWER_CHARS
    search_tokens: Tokens = 0
    snippet_chars: Chars = limits.SEARCH_SNIPPET_CHARS


class PermissionSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[permission]`: what a run may search for and fetch; see `PermissionSettings`."""

    search: Action = "allow"
    fetch: Action = "allow"
    unseen: Action = "allow"
    flagged: Action = "allow"
    allow_hosts: Names = (ANY,)
    deny_hosts: Names = ()
    max_query_chars: QueryChars = limits.URL_CHARS
    max_calls: Calls = 0
    max_cost: Dollars = 0.0


class SecretsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[secrets]`: where keys may come from; without `file` it is `keys` beside the user's own configuration."""

    environment: Switch = True
    file: Text = ""


class IndexSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[index]`: the local search index."""

    path: Text = ""


class FleetSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[fleet]`: the Valkey or Redis server of several gateways. The user's own file only; `url` may hold a password.

    While it is away calls go on with the limits of their own process, or are refused.
    """

    url: Text = ""
    prefix: Text = "webseam"
    when_away: Literal["local", "refuse"] = "local"
    __repr__ = quiet_repr


class ServeSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[serve]`: the gateway of `webseam serve`. The user's own file only.

    `hosts` are names under which clients reach it; `drain_seconds` is how long running calls may go on after SIGTERM.
    """

    listen: Text = "127.0.0.1:8090"
    hosts: Names = ()
    drain_seconds: Grace = limits.GATEWAY_DRAIN_SECONDS
    access_log: Switch = True


class LogSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[log]`: `file` gets a JSON line for each event; only the user's own file may set it."""

    file: Text = ""


class TelemetrySection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[telemetry]`: OpenTelemetry spans and metrics; `content` adds queries and answers. The user's own file only."""

    enabled: Switch = False
    content: Switch = False


class PluginsSection(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[plugins]`: ids such as `search:exa` that are never loaded."""

    disabled: Names = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderTable:
    """`[providers.<id>]`: what is the seam's; `options` are the kind's own. Values stay out of `repr`.

    Keys come from one of `key`, `keys`, `key_env` and `keys_env`, or from the vendor's usual variable. `rate` holds for
    each key; `rate_wait` None is the default.
    """

    kind: str
    key: str = field(default="", repr=False)
    key_env: str = ""
    keys: tuple[str, ...] = field(default=(), repr=False)
    keys_env: tuple[str, ...] = ()
    rate: str = ""
    rate_wait: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings after precedence."""

    search: SearchSection = SearchSection()
    fetch: FetchSection = FetchSection()
    extract: ExtractSection = ExtractSection()
    tools: ToolsSection = ToolsSection()
    permission: PermissionSection = PermissionSection()
    secrets: SecretsSection = SecretsSection()
    index: IndexSection = IndexSection()
    fleet: FleetSection = FleetSection()
    serve: ServeSection = ServeSection()
    log: LogSection = LogSection()
    ledger: LedgerSection = LedgerSection()
    telemetry: TelemetrySection = TelemetrySection()
    plugins: PluginsSection = PluginsSection()
    providers: Mapping[str, ProviderTable] = msgspec.field(default_factory=dict)


SECTIONS: Final[dict[str, type[msgspec.Struct]]] = {
    "search": SearchSection,
    "fetch": FetchSection,
    "extract": ExtractSection,
    "tools": ToolsSection,
    "permission": PermissionSection,
    "secrets": SecretsSection,
    "index": IndexSection,
    "fleet": FleetSection,
    "serve": ServeSection,
    "log": LogSection,
    "ledger": LedgerSection,
    "telemetry": TelemetrySection,
    "plugins": PluginsSection,
}
SEAM_KEYS: Final = ("kind", "key", "key_env", "keys", "keys_env", "rate", "rate_wait")
"""What every `[providers.<id>]` takes besides the options of its kind."""

KEY_SETTINGS: Final = ("key", "keys", "key_env", "keys_env")
"""Settings that say where keys come from."""

CHOICES: Final = ("provider", "route", "fanout")
"""Settings that name providers; a layer that sets one of them replaces those of the layers below."""

FILES: Final[frozenset[Path]] = frozenset(
    {("fetch", "ca_bundle"), ("secrets", "file"), ("index", "path"), ("log", "file"), ("ledger", "file")}
)
"""Settings that hold a path: relative ones start at the folder of the file they stand in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: `kind` is its type for msgspec, `allowed` the same in words."""

    kind: Any
    default: Any
    allowed: str

    @property
    def is_list(self) -> bool:
        """Whether it holds several values."""
        return isinstance(self.default, tuple)


@cache
def settings() -> Mapping[Path, Setting]:
    """Every setting of every section; `[providers.*]` is open and not here."""
    known: dict[Path, Setting] = {}
    for section, struct in SECTIONS.items():
        hints = get_type_hints(struct, include_extras=True)
        defaults = struct()
        for name in struct.__struct_fields__:
            kind = hints[name]
            known[section, name] = Setting(kind=kind, default=getattr(defaults, name), allowed=_allowed(kind))
    return known


def _allowed(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return " or ".join(f'"{value}"' for value in get_args(kind) if value)
    return str(kind.__metadata__[0].description)
