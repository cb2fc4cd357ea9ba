"""The composition root: a configuration becomes a `Web` with its providers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.guarantees import Judge
from webseam.core.plugin import Kit, Seams
from webseam.core.providers import AnyProvider
from webseam.core.selection import FanOut, Route
from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.shared import TurnTaker
from webseam.core.tape import Tape
from webseam.core.text import one_line
from webseam.core.tracing import Tracer
from webseam.core.types import Capability, SearchControls
from webseam.core.web import Web
from webseam.tools.parameters import check_engine
from webseam.tools.run import Run
from webseam.wiring.caching import layers_of
from webseam.wiring.catalogue import Plan, Planned, Skipped, choice_of, make_plan
from webseam.wiring.config import Loaded
from webseam.wiring.fleet import Fleet, fleet_of, turns_of
from webseam.wiring.host_rates import host_turns_of
from webseam.wiring.inside import Inside
from webseam.wiring.ledger import Keeper, keeper_of
from webseam.wiring.members import Member
from webseam.wiring.observing import Watched, secrets_of, watched_by
from webseam.wiring.offline import without_network
from webseam.wiring.permission import gate_of
from webseam.wiring.plugins import CAPABILITIES, Discover, Installed, load_plugins
from webseam.wiring.pools import Pool
from webseam.wiring.provider_tables import Pooling
from webseam.wiring.proxies import proxy_settings, vendor_proxy_settings
from webseam.wiring.recording import OPEN, Edge, Recorder
from webseam.wiring.replaying import player_of
from webseam.wiring.schema import Config, SearchSection
from webseam.wiring.tool_settings import tool_settings
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
    """A `Web` and the plan it was built from; `notes` tell what a replayed file leaves out.

    `keeper` keeps the record of calls; a replay asks nobody, and has none.
    """

    web: Web
    plan: Plan
    notes: tuple[str, ...] = ()
    keeper: Keeper | None = None


def build(
    loaded: Loaded,
    *,
    seams: Seams = REAL,
    capabilities: Sequence[Capability] = CAPABILITIES,
    gate: Gate | None = None,
    run: Run | None = None,
    emit: Emit = silent,
    tracer: Tracer | None = None,
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
        tracer: follows every call; what `[telemetry]` asks for when None.
        discover: reads the installed entry points.
        lenient: build over a secrets file that cannot be used too: to look at, not to call.
        edge: a file to record into or to replay, or no network. A replay builds no provider.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    if not lenient:
        check_engine(loaded.config.tools.fetch_engine)
    gate = gate_of(loaded.config.permission, run, gate)
    if edge.replay is not None:
        return _replayed(loaded, edge.replay, seams, gate, watched_by(loaded, tuple, seams.now, emit, tracer))
    seams = without_network(seams) if edge.offline else seams
    fleet = fleet_of(loaded.config, seams, offline=edge.offline)

    def planned(kinds: Sequence[Capability]) -> Plan:
        return make_plan(loaded, _installed(loaded, kinds, discover), kinds)

    plan = planned(capabilities)
    if plan.problem is not None and not lenient:
        raise plan.problem

    @cache
    def keyed() -> Sequence[Planned]:
        """Of all capabilities: a page or a question may hold a key that this run has no use for."""
        return planned(CAPABILITIES).planned

    watched = watched_by(loaded, keyed, seams.now, emit, tracer)
    keeper = keeper_of(loaded, fleet, watched.watch.hidden, seams.now)
    if edge.record is not None or watched.heard or keeper is not None:
        keyed()  # now, not while a call runs
    tape: Tape | None = None if edge.record is None else _recorder(edge.record, loaded, keyed, seams)
    if tape is not None:
        tape.draw(NOTICE, lambda: plan.notice or "")
    layers = layers_of(loaded, plan, fleet, seams, offline=edge.offline)
    tape = Inside(tape, layers.each) if layers.each else tape
    web = _web(loaded, plan, seams=seams, gate=gate, watched=watched, tape=tape, known=_known(plan, capabilities))
    for close in layers.closing:
        web.at_close(close)
    if keeper is not None:
        web.ledger = keeper
        web.at_close(keeper.aclose)
    _register(web, plan, loaded, seams, fleet, offline=edge.offline)
    return Built(web, plan, keeper=keeper)


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
    watched: Watched,
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
        emit=watched.emit,
        watch=watched.watch,
        tracer=watched.tracer,
        overhear=watched.overhear,
        clock=seams.clock,
        tools=tool_settings(loaded.config, plan.notice),
        known=known,
        tape=tape,
        judge=host_rules(fetch_settings(loaded.config, loaded.environ)),
    )


def _choices(loaded: Loaded) -> dict[Capability, str | Route | FanOut | None]:
    return {one: choice_of(loaded, one) for one in CAPABILITIES}


def _replayed(loaded: Loaded, path: Path, seams: Seams, gate: Gate | None, watched: Watched) -> Built:
    """A `Web` that answers from the file; what it says once beside an answer is in there too."""
    choices = _choices(loaded)
    player, notes = player_of(path, choices)
    plan = Plan(planned=(), skipped=(), choices=choices, notice=player.draw(NOTICE, str) or None)
    return Built(_web(loaded, plan, seams=seams, gate=gate, watched=watched, tape=player, known={}), plan, notes)


def _recorder(path: Path, loaded: Loaded, keyed: Callable[[], Sequence[Planned]], seams: Seams) -> Recorder:
    """The tape that writes."""
    secrets = secrets_of(loaded, keyed)
    return Recorder(path, choices=_choices(loaded), secrets=secrets, clock=seams.clock, now=seams.now)


def _known(plan: Plan, capabilities: Sequence[Capability]) -> dict[Capability, tuple[str, ...]]:
    """Ids that a configuration could name here."""
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {kind: tuple(one.id for one in entries if one.capability == kind) for kind in capabilities}


def _register(web: Web, plan: Plan, loaded: Loaded, seams: Seams, fleet: Fleet | None, *, offline: bool) -> None:
    fetch = fetch_settings(loaded.config, loaded.environ)
    if offline and fetch.cache == "fleet":
        fetch = replace(fetch, cache="off")
    transport = LazyTransport(
        seams=seams, ca_bundle=fetch.ca_bundle, proxy=vendor_proxy_settings(loaded.config.search, loaded.environ)
    )
    web.at_close(transport.aclose)
    add: dict[Capability, Any] = {
        "search": web.register_search,
        "fetch": web.register_fetch,
        "extract": web.register_extract,
    }
    polite = host_turns_of(loaded.config.fetch.host_rate, fleet, seams)
    turns: dict[str, tuple[TurnTaker | None, ...]] = {}
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
                read=web.page_for,
                shared=fleet,
                host_turns=polite,
            )
            for source in one.secret.sources
        ]
        if one.pooling is None:
            provider = _made(one, kits[0])
        else:  # a key is one key, whichever of its vendor's capabilities is called
            own = turns.get(one.id) or _turns(one, one.pooling, seams, fleet)
            turns[one.id] = own
            provider = _pooled(one, kits, one.pooling, own)
        add[one.capability](provider)


def _turns(one: Planned, pooling: Pooling, seams: Seams, fleet: Fleet | None) -> tuple[TurnTaker | None, ...]:
    rate, sources = pooling.rate, one.secret.sources
    return tuple(None if rate is None else turns_of(fleet, rate, one.kind, source, seams) for source in sources)


def _pooled(
    one: Planned, kits: Sequence[Kit], pooling: Pooling, turns: Sequence[TurnTaker | None]
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


def host_rules(fetch: FetchSettings) -> Judge:
    """The rules of `fetch` for hosts and ports, for what plugins are asked and bring back.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a private network or host that does not parse.
    """
    from webseam.net.policy import AddressPolicy  # noqa: PLC0415 - the address tables load where calls are made

    return AddressPolicy.of(fetch).check_target


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
