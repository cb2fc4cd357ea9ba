"""`[fleet]`: the state that several gateways share on one Valkey or Redis server."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Protocol

from webseam.core.behind import Behind
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams
from webseam.core.shared import Rate, TurnTaker
from webseam.core.tape import Asked
from webseam.core.types import Note
from webseam.stores.server import Server, check_installed
from webseam.stores.server_pages import ServerPages
from webseam.stores.server_shared import ServerBudgets, ServerFlights, ServerRates
from webseam.wiring.inside import Live
from webseam.wiring.rates import Turns
from webseam.wiring.schema import Config
from webseam.wiring.shared_turns import SharedTurns, name_of_key

AWAY: Final = Note(code="shared_state_away")


class Seen(Protocol):
    """A source of a key."""

    def seen(self) -> str | None:
        """The key as it is known now."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleet:
    """What the gateways of a fleet have in common; see `webseam.core.shared.Shared`."""

    server: Server
    pages: ServerPages
    flights: ServerFlights
    rates: ServerRates
    budgets: ServerBudgets
    seams: Seams
    behind: Behind = field(default_factory=Behind)

    def turns(self, rate: Rate, kind: str, source: Seen) -> TurnTaker:
        """The turns of one key over all gateways."""
        name = partial(_name, kind, source)
        return SharedTurns(self.rates, rate, name, clock=self.seams.clock, behind=self.behind)

    def searches(self, seconds: float, max_bytes: int) -> ServerPages:
        """Where answers to searches are kept."""
        return ServerPages(self.server, kind="search", seconds=seconds, max_bytes=max_bytes, clock=self.seams.clock)

    async def noted(self, _asked: Asked, live: Live, call: Call, /) -> Any:
        """What `live` answers; it says so when the shared state was away meanwhile."""
        before = self.server.failures
        result = await live(call)
        return result if self.server.failures == before else replace(result, notes=(*result.notes, AWAY))

    async def aclose(self) -> None:
        """Tell what is still to be told, and close all connections."""
        await self.behind.aclose()
        await self.server.aclose()


def fleet_of(config: Config, seams: Seams, *, offline: bool) -> Fleet | None:
    """The fleet that is configured; nothing is dialled yet. A run that is offline has none.

    Raises:
        WebError: `WEB_CONFIG_INVALID` without the client, or for a cache that needs a fleet where there is none.
    """
    section = config.fleet
    if not section.url:
        _refuse_lone(config)
        return None
    check_installed()
    if offline:
        return None
    server = Server(section.url.strip(), prefix=section.prefix, clock=seams.clock, refuse=section.when_away == "refuse")
    return Fleet(
        server=server,
        pages=ServerPages(server, clock=seams.clock),
        flights=ServerFlights(server),
        rates=ServerRates(server),
        budgets=ServerBudgets(server),
        seams=seams,
    )


def _refuse_lone(config: Config) -> None:
    for name, mode in (("search.cache", config.search.cache), ("fetch.cache", config.fetch.cache)):
        if mode == "fleet":
            raise WebError(
                Code.CONFIG_INVALID,
                f'{name} = "fleet" keeps on the server that gateways share: set fleet.url to it, or choose "disk".',
            )


def turns_of(fleet: Fleet | None, rate: Rate, kind: str, source: Seen, seams: Seams) -> TurnTaker:
    """The turns of one key: over all gateways, or of this process alone."""
    return Turns(rate, seams.clock) if fleet is None else fleet.turns(rate, kind, source)


def _name(kind: str, source: Seen) -> str:
    return name_of_key(kind, source.seen() or "")
