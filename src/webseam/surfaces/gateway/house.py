"""All desks of one gateway, over one set of providers."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, Final

from webseam.content.convert import Converter
from webseam.core.deadline import Deadline
from webseam.core.gate import Gate
from webseam.core.limits import (
    GATEWAY_DESKS,
    GATEWAY_RECORD_SECONDS,
    GATEWAY_RUNS_LOOK,
    GATEWAY_SNAPSHOT_BYTES,
    GATEWAY_SNAPSHOT_EACH,
    GATEWAY_SNAPSHOTS_BYTES,
)
from webseam.core.plugin import Seams
from webseam.core.settings import PermissionSettings, ToolSettings
from webseam.core.sharing import shared_web
from webseam.core.shelf import Room
from webseam.core.snapshots import MemorySnapshots
from webseam.core.types import FetchResult
from webseam.stores.cells import CellBudgets, CellRates, MemoryCells
from webseam.stores.cells_disk import CELLS_FILE, DiskCells
from webseam.surfaces.gateway.bill import Bill
from webseam.surfaces.gateway.board import Board
from webseam.surfaces.gateway.bounds import forget_oldest
from webseam.surfaces.gateway.desk import Desk
from webseam.surfaces.gateway.discretion import discreet, for_tenant
from webseam.surfaces.gateway.encoding import Encoder
from webseam.surfaces.gateway.meters import Meters
from webseam.surfaces.gateway.places import Places
from webseam.surfaces.gateway.rooms import McpRoom, ask_discreetly, ask_whoever_is_there
from webseam.surfaces.gateway.sessions import Sessions
from webseam.surfaces.gateway.usage_report import UsageReport
from webseam.tools.permission import Permission
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset
from webseam.wiring.build import Built
from webseam.wiring.config import Loaded
from webseam.wiring.permission import gate_of, permission_settings
from webseam.wiring.quotas import Counters, Quota
from webseam.wiring.tenants import LOCAL_TENANT, Holder, Policy
from webseam.wiring.token_book import TokenBook

LOCAL: Final = Holder(token="local", tenant=LOCAL_TENANT, policy=Policy(admin=True))  # noqa: S106 - the id of no token
"""Whoever uses a gateway that this machine alone can reach, while there is no token."""


def _in_a_moment(work: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(GATEWAY_RECORD_SECONDS, work)


class House:
    """Desks, each made when its token first comes, the `GATEWAY_DESKS` recent ones.

    Args:
        built: the providers; closed by `aclose`.
        loaded: the configuration that they were built from.
        book: the tokens.
        hosts: further names under which the gateway is reached.
        seams: clocks, for tests.
    """

    def __init__(self, built: Built, loaded: Loaded, *, book: TokenBook, hosts: frozenset[str], seams: Seams) -> None:
        self.book = book
        self.hosts = hosts
        self.meters = Meters()
        self.places = Places(told=self.meters.running)
        self.encoder = Encoder()
        self.web = built.web
        self.plan = built.plan
        self.keeper = built.keeper
        self.loaded = loaded
        self.board = Board(
            onward=None if built.keeper is None else built.keeper.take,
            text=loaded.config.ledger.text,
            hidden=built.hidden,
            now=seams.now,
            later=_in_a_moment,
        )
        self.web.ledger = self.board
        self.usage = UsageReport(self.board, built.keeper, loaded.config.ledger.keep_days)
        built.hidden()  # reads where keys are: now, and not while a call runs
        self._seams = seams
        self._fleet = built.fleet
        self._local = Counters(
            rates=CellRates(MemoryCells(now=seams.now)),
            budgets=CellBudgets(DiskCells(loaded.places.data / CELLS_FILE, now=seams.now)),
        )
        self._converter = _Converter(built.web.tools)
        self.snapshots = Room(GATEWAY_SNAPSHOTS_BYTES, each=GATEWAY_SNAPSHOT_EACH)
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._rooms: dict[str, McpRoom] = {}
        self.sessions = Sessions()
        self._looks = 0
        self._revision = book.revision
        self._leaving: set[asyncio.Task[None]] = set()

    def desk(self, holder: Holder) -> Desk:
        """The desk of a token, under the policy that its tenant has now."""
        if self._revision != self.book.revision:
            self._sweep()
        kept = self._desks.get(holder.token)
        if kept is None or (kept.holder is not holder and kept.holder != holder):
            self._leave(holder.token)
            kept = self._desks[holder.token] = self._made(holder, None if kept is None else kept.run)
            while len(self._desks) > GATEWAY_DESKS:
                self._leave(next(iter(self._desks)))
        self._desks.move_to_end(holder.token)
        self._looks += 1
        if self._looks % GATEWAY_RUNS_LOOK == 0:
            forget_oldest(desk.run for desk in self._desks.values())
        return kept

    def room(self, desk: Desk) -> McpRoom:
        """The MCP server of a desk."""
        token = desk.holder.token
        if token not in self._rooms:
            self._rooms[token] = McpRoom(desk, self.hosts, self.sessions)
        return self._rooms[token]

    async def aclose(self) -> None:
        """End all streams and sessions, then close the providers."""
        self.board.close()
        for token in tuple(self._desks):
            self._leave(token)
        if self._leaving:
            await asyncio.wait(self._leaving)
        await self._converter.aclose()
        await self.web.aclose()

    # Inside ------------------------------------------------------------------------------------------

    def _made(self, holder: Holder, run: Run | None) -> Desk:
        policy = holder.policy
        run = run or Run(ask=ask_whoever_is_there if policy.admin else ask_discreetly)
        quota = Quota(holder.tenant, policy, counters=self._counters(), local=self._local, now=self._seams.now)
        settings = policy.permission()
        own: Gate | None = quota if quota.counts else None
        if settings != PermissionSettings():
            own = Permission(settings, run=run, also=own)
        set_here = permission_settings(self.loaded.config.permission) != PermissionSettings()
        gate = gate_of(self.loaded.config.permission, run, own) if set_here else own
        web = shared_web(self.web, gate=gate, only=policy.providers)
        web.ledger = bill = Bill(self.board)
        snapshots = MemorySnapshots(max_bytes=GATEWAY_SNAPSHOT_BYTES, clock=self._seams.clock, room=self.snapshots)
        tools = Toolset(
            web,
            settings=web.tools if policy.admin else discreet(web.tools),
            snapshots=snapshots,
            converter=self._converter,
            run=run,
            told=None if policy.admin else for_tenant,
        )
        return Desk(
            holder=holder,
            web=web,
            snapshots=snapshots,
            tools=tools,
            run=run,
            quota=quota,
            meters=self.meters,
            places=self.places,
            ledger=bill,
        )

    def _counters(self) -> Counters:
        fleet = self._fleet
        return self._local if fleet is None else Counters(rates=fleet.rates, budgets=fleet.budgets)

    def _sweep(self) -> None:
        """Let go of tokens that are no more: their sessions end."""
        self._revision = self.book.revision
        tokens = self.book.tokens()
        known = {one.id for one in tokens}
        for token in tuple(self._desks):
            if token not in known and token != LOCAL.token:
                self._leave(token)
        self.meters.keep({one.tenant for one in tokens} | {LOCAL.tenant, ""})

    def _leave(self, token: str) -> None:
        """Forget a desk; calls of it that still run end by themselves."""
        desk = self._desks.pop(token, None)
        if desk is not None:
            desk.snapshots.clear()
        room = self._rooms.pop(token, None)
        if room is not None:
            self._behind(room.aclose())

    def _behind(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)


class _Converter:
    """The one converter of all desks, made at the first page: its worker processes serve everybody."""

    def __init__(self, settings: ToolSettings) -> None:
        self._settings = settings
        self._made: Converter | None = None

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> Any:
        """See `PageConverter`."""
        return await self._own().convert(page, deadline=deadline)

    async def seen(self, text: str, *, deadline: Deadline) -> Any:
        """See `Looker`."""
        return await self._own().seen(text, deadline=deadline)

    def _own(self) -> Converter:
        if self._made is None:
            self._made = Converter(pictures=False, view=self._settings.fetch_view, engine=self._settings.fetch_engine)
        return self._made

    async def aclose(self) -> None:
        """End its workers."""
        if self._made is not None:
            await self._made.aclose()
