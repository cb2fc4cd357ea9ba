"""The composition root: a configuration becomes a `Web` with its providers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Kit, Seams
from webseam.core.providers import AnyProvider
from webseam.core.selection import FanOut, Route
from webseam.core.settings import FetchSettings, SeamSettings, ToolSettings
from webseam.core.tape import Tape
from webseam.core.text import one_line
from webseam.core.types import Capability, SearchControls
from webseam.core.web import Web
from webseam.tools.run import Run
from webseam.wiring.audit import audited
from webseam.wiring.catalogue import Plan, Planned, Pooling, Skipped, choice_of, make_plan
from webseam.wiring.config import Loaded
from webseam.wiring.hiding import hidden, proxy_secrets, told_options
from webseam.wiring.members import Member
from webseam.wiring.offline import without_network
from webseam.wiring.permission import gate_of
from webseam.wiring.plugins import CAPABILITIES, Discover, Installed, load_plugins
from webseam.wiring.pools import Pool
from webseam.wiring.proxies import proxy_settings, vendor_proxy_settings
from webseam.wiring.rates import Turns
from webseam.wiring.recording import OPEN, Edge, Recorder
from webseam.wiring.replaying import player_of
from webseam.wiring.schema import Config, SearchSection
from webseam.wiring.transport import LazyTransport

REAL = Seams()

NOTICE: Final = "notice"
"""The draw that keeps `Plan.notice`: it depends on which keys are set, and a replay has none."""


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
    """A `Web` and the plan it was built from; `notes` tell what a replayed file leaves out."""

    web: Web
    plan: Plan
    notes: tuple[str, ...] = ()


def build(
    loaded: Loaded,
    *,
    seams: Seams = REAL,
    capabilities: Sequence[Capability] = CAPABILITIES,
    gate: Gate | None = None,
    run: Run | None = None,
    emit: Emit = silent,
    discover: Discover = entry_points,
    lenient: bool = False,
    edge: Edge = OPEN,
) -> Built:
    """Build a `Web`; nothing is dialled and no HTTP client is imported.

    Args:
        loaded: the configuration.
        seams: what touches the outside.
        capabilities: what is needed; of the others only kinds with a table of their own are loaded and checked.
        gate: permission for calls that bring none, beside what the configuration sets.
        run: the memory that permission is held to.
        emit: observer for calls that bring none.
        discover: reads the installed entry points.
        lenient: build over a secrets file that cannot be used too: to look at, not to call.
        edge: a file to record into or to replay, or no network. A replay builds no provider.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    gate = gate_of(loaded.config.permission, run, gate)
    if edge.replay is not None:
        return _replayed(loaded, edge.replay, seams, gate, _watched(loaded, (), seams, emit))
    seams = without_network(seams) if edge.offline else seams

    def planned(kinds: Sequence[Capability]) -> Plan:
        return make_plan(loaded, _installed(loaded, kinds, discover), kinds)

    plan = planned(capabilities)
    if plan.problem is not None and not lenient:
        raise plan.problem
    # a page or a question may hold a key that this run has no use for
    written = edge.record is not None or loaded.config.log.file
    keyed = planned(CAPABILITIES).planned if written else ()
    emit = _watched(loaded, keyed, seams, emit)
    tape = None if edge.record is None else _recorder(edge.record, loaded, keyed, seams)
    if tape is not None:
        tape.draw(NOTICE, lambda: plan.notice or "")
    web = _web(loaded, plan, seams=seams, gate=gate, emit=emit, tape=tape, known=_known(plan, capabilities))
    _register(web, plan, loaded, seams)
    return Built(web, plan)


def _installed(loaded: Loaded, capabilities: Sequence[Capability], discover: Discover) -> Installed:
    """The plugins of `capabilities`, and of every kind with a table of its own."""
    return load_plugins(
        capabilities,
        also=[table.kind for table in loaded.config.providers.values()],
        disabled=loaded.config.plugins.disabled,
        only=loaded.environ.get("WEBSEAM_LOAD_PLUGINS", ""),
        discover=discover,
    )


def _web(
    loaded: Loaded,
    plan: Plan,
    *,
    seams: Seams,
    gate: Gate | None,
    emit: Emit,
    tape: Tape | None,
    known: Mapping[Capability, tuple[str, ...]],
) -> Web:
    """The seam without providers."""
    return Web(
        search=plan.choices.get("search"),
        fetch=plan.choices.get("fetch"),
        extract=plan.choices.get("extract"),
        settings=seam_settings(loaded.config),
        gate=gate,
        emit=emit,
        clock=seams.clock,
        tools=tool_settings(loaded.config, plan.notice),
        known=known,
        tape=tape,
    )


def _choices(loaded: Loaded) -> dict[Capability, str | Route | FanOut | None]:
    return {one: choice_of(loaded, one) for one in CAPABILITIES}


def _replayed(loaded: Loaded, path: Path, seams: Seams, gate: Gate | None, emit: Emit) -> Built:
    """A `Web` that answers from the file; what it says once beside an answer is in there too."""
    choices = _choices(loaded)
    player, notes = player_of(path, choices)
    plan = Plan(planned=(), skipped=(), choices=choices, notice=player.draw(NOTICE, str) or None)
    return Built(_web(loaded, plan, seams=seams, gate=gate, emit=emit, tape=player, known={}), plan, notes)


def _recorder(path: Path, loaded: Loaded, keyed: Sequence[Planned], seams: Seams) -> Recorder:
    """The tape that writes."""
    secrets = _secrets(loaded, keyed)
    return Recorder(path, choices=_choices(loaded), secrets=secrets, clock=seams.clock, now=seams.now)


def _watched(loaded: Loaded, keyed: Sequence[Planned], seams: Seams, emit: Emit) -> Emit:
    """The observer, with the audit file where there is one."""
    if not loaded.config.log.file:
        return emit
    return audited(emit, Path(loaded.config.log.file), seams.now, hidden(_secrets(loaded, keyed)))


def _secrets(loaded: Loaded, keyed: Sequence[Planned]) -> Callable[[], list[str]]:
    """All keys, proxies' passwords and headers that must not stand in a file, as they are at each call."""
    config = loaded.config
    ways = (proxy_settings(config.fetch, loaded.environ), vendor_proxy_settings(config.search, loaded.environ))
    fixed = [*proxy_secrets(ways), *(one for table in config.providers.values() for one in told_options(table.options))]
    sources = [source for one in keyed for source in one.secret.sources]
    return lambda: [*fixed, *filter(None, (source.known() for source in sources))]


def _known(plan: Plan, capabilities: Sequence[Capability]) -> dict[Capability, tuple[str, ...]]:
    """Ids that a configuration could name here."""
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {kind: tuple(one.id for one in entries if one.capability == kind) for kind in capabilities}


def _register(web: Web, plan: Plan, loaded: Loaded, seams: Seams) -> None:
    fetch = fetch_settings(loaded.config, loaded.environ)
    transport = LazyTransport(
        seams=seams, ca_bundle=fetch.ca_bundle, proxy=vendor_proxy_settings(loaded.config.search, loaded.environ)
    )
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
        max_pdf_bytes=config.fetch.max_pdf_bytes,
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
        fetch_view=config.tools.fetch_view,
        fetch_chars=config.tools.fetch_chars,
        fetch_tokens=config.tools.fetch_tokens,
        search_chars=config.tools.search_chars,
        search_tokens=config.tools.search_tokens,
        snippet_chars=config.tools.snippet_chars,
        search_notice=notice,
    )
