"""The hostile web at a glance: `SCENARIOS`, one line each, in the order of their ids."""

from typing import Final

from webseam.testing.web.scenario import Scenario
from webseam.testing.web.table.bodies import BODIES
from webseam.testing.web.table.framing import FRAMING
from webseam.testing.web.table.heads import HEADS
from webseam.testing.web.table.redirects import REDIRECTS
from webseam.testing.web.table.statuses import STATUSES
from webseam.testing.web.table.texts import TEXTS
from webseam.testing.web.table.tls import TLS
from webseam.testing.web.table.types import TYPES

SCENARIOS: Final[tuple[Scenario, ...]] = (
    *REDIRECTS,
    *BODIES,
    *FRAMING,
    *HEADS,
    *STATUSES,
    *TYPES,
    *TEXTS,
    *TLS,
)
