"""`fetch.host_rate`: politeness to each host that pages are fetched from, over all gateways of a fleet."""

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from webseam.core.limits import RATED_HOSTS
from webseam.core.plugin import Seams
from webseam.core.shared import Rate, TurnTaker
from webseam.wiring.fleet import Fleet
from webseam.wiring.rates import Turns, parse_rate
from webseam.wiring.shared_turns import SharedTurns


class HostTurns:
    """The turns of each host, made when it is first asked for; the host used longest ago is forgotten first."""

    def __init__(self, make: Callable[[str], TurnTaker]) -> None:
        self._make = make
        self._known: OrderedDict[str, TurnTaker] = OrderedDict()

    def __call__(self, host: str) -> TurnTaker:
        """The turns of `host`."""
        turns = self._known.pop(host, None) or self._make(host)
        self._known[host] = turns
        if len(self._known) > RATED_HOSTS:
            self._known.popitem(last=False)
        return turns


def host_turns_of(text: str, fleet: Fleet | None, seams: Seams) -> HostTurns | None:
    """What `fetch.host_rate` asks for; None where it is blank."""
    rate = parse_rate(text)
    if rate is None:
        return None
    return HostTurns(partial(_of_fleet, fleet, rate) if fleet is not None else lambda _host: Turns(rate, seams.clock))


def _of_fleet(fleet: Fleet, rate: Rate, host: str) -> TurnTaker:
    return SharedTurns(fleet.rates, rate, lambda: f"host:{host}", clock=fleet.seams.clock, behind=fleet.behind)
