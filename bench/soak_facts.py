"""What a soak records: requests and what came of them, entries of the ledger, what was broken when."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

End: TypeAlias = Literal["result", "failure", "left", "lost", "untyped"]
"""How a request ended: answered; failed with one of our codes; its client left; its connection broke; anything else."""

CALL_SECONDS: Final = 6.0
"""What each call is given, so that a stall ends in an answer, and a waiter can take over from a leader that died."""
LEDGER_LOSS_SECONDS: Final = 1.0
"""What a process that is killed may lose of its record: docs/usage.md."""
DAY: Final = 86_400.0
PROVIDERS: Final = ("kelp", "dulse", "tavily", "http")
"""Vendors, and the page server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A request that reached a replica. Times are monotonic seconds.

    `subject` is what the request, the vendor and the page carry, and no other request of another tenant does;
    `strangers` are subjects of others that stood in the answer. `turned_away` counts replicas that took no connection
    before this one did.
    """

    id: str
    tenant: str
    kind: str
    subject: str
    replica: str
    began: float
    ended: float
    end: End
    status: int = 0
    code: str = ""
    why: str = ""
    strangers: tuple[str, ...] = ()
    turned_away: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An entry of the ledger: `tries` are those that may have left, by provider."""

    id: str
    tenant: str
    subject: str
    outcome: str
    code: str
    tries: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """A replica was killed. `lag` is how long it had taken for what takes no time, at most: machines are busy."""

    replica: str
    at: float
    lag: float = 0.0

    def may_lose(self, sent: Sent) -> bool:
        """Whether it was killed so soon after an answer of its own that the entry may be lost."""
        return self.replica == sent.replica and self.at - LEDGER_LOSS_SECONDS - self.lag <= sent.ended <= self.at


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """The shared server was away, and replicas went on as `when_away` has it."""

    since: float
    until: float
    when_away: str

    def touches(self, sent: Sent) -> bool:
        """Whether the request ran meanwhile."""
        return sent.began < self.until and sent.ended > self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst:
    """Many fetches of one page at once. `most` is how often its server may be asked."""

    subject: str
    many: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """Memory of a replica, in bytes: when it began to serve, in the middle of its time, and before its end.

    And its open files: warm, and before its end.
    """

    replica: str
    memory: tuple[int, int, int]
    files: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A tenant with so many calls a day; the run touched so many days."""

    tenant: str
    calls: int
    days: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a run has shown.

    `hits` counts what vendors and the page server were asked, by provider and subject. `logged` are the ids in the
    replicas' access logs. `unrecorded` is what the ledger says is missing in it. `leftovers` are processes and sockets
    that outlived the run.
    """

    sent: Sequence[Sent]
    rows: Sequence[Row]
    hits: Mapping[tuple[str, str], int]
    logged: Sequence[str] = ()
    deaths: Sequence[Death] = ()
    drained: Sequence[str] = ()
    outages: Sequence[Outage] = ()
    bursts: Sequence[Burst] = ()
    bounded: Bounded | None = None
    growth: Sequence[Growth] = ()
    unrecorded: int = 0
    leftovers: Sequence[str] = ()

    def ends(self) -> Counter[str]:
        """How many requests ended how."""
        return Counter(one.end for one in self.sent)

    def killed_under(self, sent: Sent) -> bool:
        """Whether its replica was killed while it ran."""
        return any(one.replica == sent.replica and sent.began <= one.at <= sent.ended for one in self.deaths)

    def killed_after(self, sent: Sent) -> bool:
        """Whether its replica was killed so soon after the answer that the entry may be lost."""
        return any(one.may_lose(sent) for one in self.deaths)

    def reached(self, sent: Sent) -> bool:
        """Whether a vendor or the page server was asked about its subject."""
        return any(self.hits.get((one, sent.subject)) for one in PROVIDERS)
