"""The composition root: a configuration becomes a `Web` with its providers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Kit, Seams
from webseam.core.providers import AnyProvider
from webseam.core.settings import FetchSettings, SeamSettings, ToolSettings
from webseam.core.text import one_line
from webseam.core.types import Capability, SearchControls
from webseam.core.web import Web
from webseam.wiring.catalogue import Plan, Planned, Pooling, Skipped, make_plan
from webseam.wiring.config import Loaded
from webseam.wiring.members import Member
from webseam.wiring.plugins import CAPABILITIES, Discover, load_plugins
from webseam.wiring.pools import Pool
from webseam.wiring.proxies import proxy_settings
from webseam.wiring.rates import Turns
from webseam.wiring.schema import Config, SearchSection
from webseam.wiring.transport import LazyTransport

REAL = Seams()


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands in for a named provider that could not be made: never available, and `providers` says why."""

    id: str
    problem: str

    def available(self) -> bool:
        """Never."""
        return False

    def unavailable_reason(self) -> str:
        """What went wrong."""
        return self.problem


@dataclass(frozen=True, slots=True)
class Built:
    """A `Web` and the plan it was built from."""

    web: Web
    plan: Plan


def build(
    loaded: Loaded,
    *,
    seams: Seams = REAL,
    capabilities: Sequence[Capability] = CAPABILITIES,
    gate: Gate | None = None,
    emit: Emit = silent,
    discover: Discover = entry_points,
    lenient: bool = False,
) -> Built:
    """Build a `Web`; nothing is dialled and no HTTP client is imported.

    Args:
        loaded: the configuration.
        seams: what touches the outside.
        capabilities: what is needed; of the others only kinds with a table of their own are loaded and checked.
        gate: permission for calls that bring none.
        emit: observer for calls that bring none.
        discover: reads the installed entry points.
        lenient: build over a secrets file that cannot be used too: to look at, not to call.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    config = loaded.config
    only = loaded.environ.get("WEBSEAM_LOAD_PLUGINS", "")
    installed = load_plugins(
        capabilities,
        also=[table.kind for table in config.providers.values()],
        disabled=config.plugins.disabled,
        only=only,
        discover=discover,
    )
    plan = make_plan(loaded, installed, capabilities)
    if plan.problem is not None and not lenient:
        raise plan.problem
    web = Web(
        search=plan.choices.get("search"),
        fetch=plan.choices.get("fetch"),
        extract=plan.choices.get("extract"),
        settings=seam_settings(config),
        gate=gate,
        emit=emit,
        clock=seams.clock,
        tools=tool_settings(config, plan.notice),
        known=_known(plan, capabilities),
    )
    _register(web, plan, loaded, seams)
    return Built(web, plan)


def _known(plan: Plan, capabilities: Sequence[Capability]) -> dict[Capability, tuple[str, ...]]:
    """Ids that a configuration could name here."""
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {kind: tuple(one.id for one in entries if one.capability == kind) for kind in capabilities}


def _register(web: Web, plan: Plan, loaded: Loaded, seams: Seams) -> None:
    fetch = fetch_settings(loaded.config, loaded.environ)
    transport = LazyTransport(seams=seams, ca_bundle=fetch.ca_bundle)
    web.at_close(transport.aclose)
    add: dict[Capability, Any] = {
        "search": web.register_search,
        "fetch": web.register_fetch,
        "extract": web.register_extract,
    }
    turns: dict[str, tuple[Turns | None, ...]] = {}
    for one in plan.planned:
        kits = [
            Kit(
                id=one.id,
                options=one.options,
                secret=source,
                transport=transport,
                fetch=fetch,
                data_dir=loaded.places.data,
                seams=seams,
                on_close=web.at_close,
            )
            for source in one.secret.sources
        ]
        if one.pooling is None:
            provider = _made(one, kits[0])
        else:  # a key is one key, whichever of its vendor's capabilities is called
            own = turns.setdefault(one.id, _turns(one.pooling, len(kits), seams))
            provider = _pooled(one, kits, one.pooling, own)
        add[one.capability](provider)


def _turns(pooling: Pooling, count: int, seams: Seams) -> tuple[Turns | None, ...]:
    return tuple(None if pooling.rate is None else Turns(pooling.rate, seams.clock) for _ in range(count))


def _pooled(
    one: Planned, kits: Sequence[Kit], pooling: Pooling, turns: Sequence[Turns | None]
) -> AnyProvider | Unusable:
    """A provider for each key behind one that takes them in turn; the first that could not be made stands for all."""
    made = [_made(one, kit) for kit in kits]
    members = [
        Member(provider=provider, secret=kit.secret, turns=own)
        for provider, kit, own in zip(made, kits, turns, strict=True)
    ]
    broken = next((provider for provider in made if isinstance(provider, Unusable)), None)
    return broken or Pool(members, patience=pooling.patience, clock=kits[0].seams.clock)


def _made(one: Planned, kit: Kit) -> AnyProvider | Unusable:
    """The provider, or its stand-in: one plugin's fault is not everybody's; a wrong setting is."""
    if one.spec is None:
        return Unusable(one.id, one.problem or "its plugin did not load")
    try:
        provider = one.spec.build(kit)
    except WebError as error:
        if error.code == Code.CONFIG_INVALID:
            raise
        return Unusable(one.id, error.message)
    except Exception as exc:  # noqa: BLE001 - a plugin's fault must not take the other providers down
        return Unusable(one.id, f"could not be built ({type(exc).__name__}: {one_line(str(exc))})")
    lacking = [name for name in ("id", "available", one.capability) if not hasattr(provider, name)]
    if lacking:
        return Unusable(one.id, f"its plugin made a {type(provider).__name__} without {' and '.join(lacking)}")
    if provider.id != one.id:
        return Unusable(one.id, f"its plugin calls itself {one_line(str(provider.id))!r}")
    return provider


# Configuration as the rooms take it --------------------------------------------------------------------


def seam_settings(config: Config) -> SeamSettings:
    """Times and policy of the seam."""
    return SeamSettings(
        search_seconds=config.search.timeout,
        fetch_seconds=config.fetch.timeout,
        extract_seconds=config.extract.timeout,
        max_results=config.search.max_results,
        ungrounded=config.search.ungrounded,
        controls=config.search.controls,
        default_controls=default_controls(config.search),
    )


def default_controls(search: SearchSection) -> SearchControls:
    """Controls that hold for every search."""
    return SearchControls(
        include_domains=search.default_include_domains,
        exclude_domains=search.default_exclude_domains,
        published_after=search.default_published_after or None,
        published_before=search.default_published_before or None,
        country=search.default_country or None,
        language=search.default_language or None,
        safe_search=search.default_safe_search or None,
    )


def fetch_settings(config: Config, environ: Mapping[str, str]) -> FetchSettings:
    """Limits and exceptions of fetching."""
    return FetchSettings(
        max_bytes=config.fetch.max_bytes,
        max_redirects=config.fetch.max_redirects,
        private_networks=config.fetch.private_networks,
        private_hosts=config.fetch.private_hosts,
        nameservers=config.fetch.nameservers,
        images=config.fetch.images,
        ca_bundle=config.fetch.ca_bundle or None,
        proxy=proxy_settings(config.fetch, environ),
        robots=config.fetch.robots,
        cache=config.fetch.cache,
        stale_if_error=config.fetch.stale_if_error,
    )


def tool_settings(config: Config, notice: str | None) -> ToolSettings:
    """What a model sees; `notice` is said once per search answer."""
    return ToolSettings(
        search=config.tools.search,
        fetch=config.tools.fetch,
        max_queries=config.tools.max_queries,
        search_controls=config.tools.search_controls,
        fetch_arguments=config.tools.fetch_arguments,
        fetch_chars=config.tools.fetch_chars,
        search_chars=config.tools.search_chars,
        snippet_chars=config.tools.snippet_chars,
        search_notice=notice,
    )
