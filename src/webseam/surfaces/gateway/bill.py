"""What the calls of one token cost, as their entries tell: also those of a call that failed, or whose client left."""

from collections import Counter
from collections.abc import Callable

from webseam.core.ledger import NANO, Entry, LaterLedger
from webseam.core.types import Usage


class Bill:
    """The `LaterLedger` of one desk: hands entries on, and keeps what vendors reported in them till that is paid.

    An answer of several searches does not tell a cost where one of them has none; their entry tells those that are
    known.

    Args:
        onward: takes the entries.
    """

    def __init__(self, onward: LaterLedger) -> None:
        self._onward = onward
        self._owed: Counter[str] = Counter()

    @property
    def text(self) -> bool:
        """See `Ledger`."""
        return self._onward.text

    @property
    def now(self) -> Callable[[], float]:
        """See `Ledger`."""
        return self._onward.now

    @property
    def is_owed(self) -> bool:
        """Whether anything is to be paid."""
        return bool(self._owed)

    def add(self, entry: Entry) -> None:
        """See `Ledger`."""
        self._onward.add(entry)
        if entry.costs:
            self._owed.update(entry.costs)

    def add_later(self, make: Callable[[], Entry]) -> None:
        """See `LaterLedger`; what cost nothing is on no bill."""
        self._onward.add_later(make)

    def taken(self) -> list[Usage]:
        """What is to be paid, in each currency; from here on the caller's to pay."""
        owed, self._owed = self._owed, Counter()
        return [Usage(cost=cost / NANO, currency=currency) for currency, cost in owed.items()]
