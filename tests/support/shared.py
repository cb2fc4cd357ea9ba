"""One kind of shared state, and views of it."""

from collections.abc import Callable
from dataclasses import dataclass

from support.redis import StateServer
from webseam.core.shared import Budgets, Flights, Rates
from webseam.stores.cells import CellBudgets, CellFlights, CellRates, Cells


@dataclass
class Backend:
    """One kind of state. `again` is a second view of the same state, as another process has it."""

    name: str
    flights: Flights
    rates: Rates
    budgets: Budgets
    again: "Callable[[], Backend]"
    server: StateServer | None = None


def over_cells(name: str, cells: Callable[[], Cells]) -> Backend:
    """Cells as a backend; each view opens them anew."""
    own = cells()
    return Backend(name, CellFlights(own), CellRates(own), CellBudgets(own), lambda: over_cells(name, cells))
