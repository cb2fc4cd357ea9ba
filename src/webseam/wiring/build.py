"""The composition root: a configuration becomes a `Web` with its providers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Seams
from webseam.core.selection import FanOut, Route
from webseam.core.tape import Tape
from webseam.core.tracing import Tracer
from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.tools.parameters import check_engine
from webseam.tools.run import Run
from webseam.wiring.caching import layers_of
from webseam.wiring.catalogue import Plan, Planned, Skipped, choice_of, make_plan
from webseam.wiring.config import Loaded
from webseam.wiring.fleet import Fleet, fleet_of
from webseam.wiring.inside import Inside
from webseam.wiring.ledger import Keeper, keeper_of
from webseam.wiring.observing import Hidden, Watched, secrets_of, watched_by
from webseam.wiring.offline import without_network
from webseam.wiring.permission import gate_of
from webseam.wiring.plugins import CAPABILITIES, Discover, Installed, load_plugins
from webseam.wiring.recording import OPEN, Edge, Recorder
from webseam.wiring.registering import register
from webseam.wiring.replaying import player_of
from webseam.wiring.room_settings import fetch_settings, host_rules, seam_settings
from webseam.wiring.tool_settings import tool_settings

REAL = Seams()

NOTICE: Final = "notice"
"""The draw that keeps `Plan.notice`: it depends on which keys are set, and a replay has none."""


@dataclass(frozen=True, slots=True)
class Built:
    """A `Web` and the plan it was built from; `notes` tell what a replayed file leaves out.

    `keeper` keeps the record of calls; a replay asks nobody, and has none. `hidden` tells what nobody may see. `fleet`
    is what other gateways share, one for each process; the `Web` closes it.
    """

    web: Web
    plan: Plan
    notes: tuple[str, ...] = ()
    keeper: Keeper | None = None
    hidden: Hidden = tuple
    fleet: Fleet | None = None


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
    register(web, plan, loaded, seams, fleet, offline=edge.offline)
    return Built(web, plan, keeper=keeper, hidden=watched.watch.hidden, fleet=fleet)


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
    web = _web(loaded, plan, seams=seams, gate=gate, watched=watched, tape=player, known={})
    return Built(web, plan, notes, hidden=watched.watch.hidden)


def _recorder(path: Path, loaded: Loaded, keyed: Callable[[], Sequence[Planned]], seams: Seams) -> Recorder:
    """The tape that writes."""
    secrets = secrets_of(loaded, keyed)
    return Recorder(path, choices=_choices(loaded), secrets=secrets, clock=seams.clock, now=seams.now)


def _known(plan: Plan, capabilities: Sequence[Capability]) -> dict[Capability, tuple[str, ...]]:
    """Ids that a configuration could name here."""
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {kind: tuple(one.id for one in entries if one.capability == kind) for kind in capabilities}
