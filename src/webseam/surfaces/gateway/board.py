"""The recent calls of one gateway, in memory: whichever way the record of calls is kept, they can be looked at."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from math import inf

from webseam.core.copying import changed
from webseam.core.ledger import Entry
from webseam.core.limits import (
    ACTIVITY_KEPT,
    ACTIVITY_STREAMS,
    ACTIVITY_TENANT,
    ACTIVITY_TENANT_STREAMS,
    ACTIVITY_WAITING,
    GATEWAY_REFUSED_RETRY_SECONDS,
)
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.wiring.ledger import Feed, keyless
from webseam.wiring.observing import Hidden


@dataclass(frozen=True, slots=True)
class Kept:
    """A call that is over; `turn` counts all calls of the gateway."""

    turn: int
    entry: Entry


@dataclass(slots=True)
class _Own:
    """The calls of one tenant, the newest last; `gone` are here no longer, the last of which began at `until`."""

    calls: deque[Kept] = field(default_factory=deque)
    gone: int = 0
    until: float = -inf

    def drop(self) -> None:
        """Forget the oldest."""
        self.until = max(self.until, self.calls.popleft().entry.at)
        self.gone += 1


@dataclass(frozen=True, slots=True)
class _Reader:
    """Who reads along: the calls of `tenant`, or of all; `owner` is whose stream it is."""

    tenant: str | None
    owner: str
    feed: Feed


class Board:
    """The `LaterLedger` of a gateway: keeps the recent calls, tells who reads along, hands each on to the record.

    A tenant that is busy loses its own oldest calls; only where all together are too many do others lose some, those
    with the most first.

    Args:
        onward: takes entries without keys, for the record of calls; None where none is kept.
        text: whether queries and URLs are kept.
        hidden: what no entry may hold, as it is now.
        now: seconds since 1970.
        later: has work done in a moment, so that calls that sent nothing are looked through for keys together; None:
            each is at once.
        most: calls kept in all.
        most_each: calls kept of one tenant.
    """

    def __init__(
        self,
        *,
        onward: Callable[[Entry], None] | None,
        text: bool,
        hidden: Hidden,
        now: Callable[[], float],
        later: Callable[[Callable[[], None]], object] | None = None,
        most: int = ACTIVITY_KEPT,
        most_each: int = ACTIVITY_TENANT,
    ) -> None:
        self.text = text
        self.now = now
        self.began = now()
        self._onward = onward
        self._hidden = hidden
        self._later = later
        self._fresh: list[Entry | Callable[[], Entry]] = []
        self._most = most
        self._most_each = most_each
        self._turn = 0
        self._size = 0
        self._tenants: OrderedDict[str, _Own] = OrderedDict()
        self._lost = _Own()
        self._feeds: list[_Reader] = []
        self._closed = False

    # Calls come --------------------------------------------------------------------------------------

    def add(self, entry: Entry) -> None:
        """See `Ledger`; must be called in the event loop."""
        self._fresh.append(entry)
        self._settle_soon(now=entry.dispatched)  # a key that was sent may be another one in a moment

    def add_later(self, make: Callable[[], Entry]) -> None:
        """See `LaterLedger`; made together, entries take half the time that each does in the midst of calls."""
        self._fresh.append(make)
        self._settle_soon(now=False)

    def _settle_soon(self, *, now: bool) -> None:
        if now or self._later is None or self._feeds or self._closed:
            self.settle()
        elif len(self._fresh) == 1:
            self._later(self.settle)

    def settle(self) -> None:
        """Take the keys out of what came, keep it, and tell of it."""
        if not self._fresh:
            return
        fresh, self._fresh = self._fresh, []
        entries = [_ruled(one if isinstance(one, Entry) else one()) for one in fresh]
        for clean in keyless(entries, self._hidden()):
            self._keep(clean)
            for one in self._feeds:
                if one.tenant is None or one.tenant == clean.tenant:
                    one.feed.put(clean)
            if self._onward is not None:
                self._onward(clean)

    def _keep(self, entry: Entry) -> None:
        self._turn += 1
        tenant = entry.tenant or ""
        own = self._tenants.get(tenant)
        if own is None:
            own = self._tenants[tenant] = _Own()
        self._tenants.move_to_end(tenant)
        own.calls.append(Kept(self._turn, entry))
        if len(own.calls) > self._most_each:
            own.drop()
        else:
            self._size += 1
        if self._size > self._most:
            self._shrink()

    def _shrink(self) -> None:
        """Make room for a tenth, so that this is seldom done."""
        most = max(1, self._most * 9 // 10)
        level = max(1, _level([len(one.calls) for one in self._tenants.values()], most))
        for own in self._tenants.values():
            while len(own.calls) > level:
                own.drop()
        self._size = sum(len(one.calls) for one in self._tenants.values())
        while self._size > most:  # more tenants than calls: those that rested longest go
            _, own = self._tenants.popitem(last=False)
            self._size -= len(own.calls)
            while own.calls:
                own.drop()
            self._lost.gone += own.gone
            self._lost.until = max(self._lost.until, own.until)

    # And are looked at -------------------------------------------------------------------------------

    def recent(self, tenant: str | None) -> Iterator[Entry]:
        """The calls that are kept, the newest first: of one tenant, or of all."""
        self.settle()
        calls = (reversed(own.calls) for own in self._seen(tenant))
        return (one.entry for one in merge(*calls, key=lambda one: -one.turn))

    def kept(self, tenant: str | None) -> int:
        """How many are kept."""
        self.settle()
        return sum(len(own.calls) for own in self._seen(tenant))

    def gone(self, tenant: str | None) -> int:
        """How many are no longer kept."""
        self.settle()
        return sum(own.gone for own in self._seen(tenant)) + (self._lost.gone if tenant is None else 0)

    def whole_since(self, tenant: str | None) -> float:
        """From when on every call is here."""
        self.settle()
        gone = [own.until for own in (*self._seen(tenant), self._lost)]
        return max(self.began, *gone)

    def after(self, last: str, tenant: str | None) -> Sequence[Entry]:
        """The calls after the one of this id, the oldest first; none where it is not here."""
        found: list[Entry] = []
        for entry in self.recent(tenant):
            if entry.id == last:
                return found[::-1]
            found.append(entry)
        return ()

    def _seen(self, tenant: str | None) -> Iterable[_Own]:
        if tenant is None:
            return self._tenants.values()
        own = self._tenants.get(tenant)
        return () if own is None else (own,)

    # Live --------------------------------------------------------------------------------------------

    def subscribe(self, tenant: str | None, owner: str) -> Feed:
        """The calls from now on: of one tenant, or of all.

        Args:
            tenant: whose.
            owner: the tenant that reads, whose streams are counted.

        Raises:
            Problem: there are as many readers as may be.
        """
        own = sum(one.owner == owner for one in self._feeds)
        if len(self._feeds) >= ACTIVITY_STREAMS or own >= ACTIVITY_TENANT_STREAMS:
            raise Problem(
                GatewayCode.BUSY,
                "So many streams are read already that no other one is begun. Close one, or ask GET /v1/activity.",
                retry_after=GATEWAY_REFUSED_RETRY_SECONDS,
            )
        self.settle()  # for those who read already: a stream begins with the next call
        feed = Feed(self._left, ACTIVITY_WAITING)
        self._feeds.append(_Reader(tenant, owner, feed))
        if self._closed:
            feed.close()
        return feed

    def close(self) -> None:
        """End all streams, and every later one at once; what comes from now on is handed on at once."""
        self.settle()
        self._closed = True
        for one in self._feeds:
            one.feed.close()

    def _left(self, feed: Feed) -> None:
        self._feeds = [one for one in self._feeds if one.feed is not feed]


def _ruled(entry: Entry) -> Entry:
    """Where no rule is set nobody is asked: what left, or was answered, was allowed."""
    ran = entry.code is None or entry.dispatched
    return changed(entry, permission="allowed") if ran and entry.permission is None else entry


def _level(sizes: Sequence[int], most: int) -> int:
    """To which size all must be cut so that they are `most` together."""
    left, rest = most, len(sizes)
    for size in sorted(sizes):
        if size * rest > left:
            return left // rest
        left, rest = left - size, rest - 1
    return max(sizes, default=0)
