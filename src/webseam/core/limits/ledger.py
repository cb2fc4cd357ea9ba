"""Limits of the record of calls."""

from typing import Final

LEDGER_SECONDS: Final = 0.5
"""How long an entry may wait to be written with others: a crash loses no more than a second, the writing included."""

LEDGER_BATCH: Final = 1_000
"""Entries written at once: some 20 ms of work, 40 on a slow disk, in which other processes wait for the file."""

LEDGER_QUEUE: Final = 10_000
"""Entries that wait while the record cannot be written, about 10 MB; further ones are counted as lost."""

LEDGER_BUSY_SECONDS: Final = 2.0
"""How long one write waits for other processes: theirs take milliseconds."""

LEDGER_RETRY_SECONDS: Final = 30.0
"""Longest rest between two tries to write to a record that cannot be written; the first is one second."""

LEDGER_CLOSE_SECONDS: Final = 5.0
"""How long closing waits for what is still to be written; what is left then is lost, and said so."""

LEDGER_FEED: Final = 1_000
"""Entries kept for a reader of the live feed that is slow; it is told how many it has missed."""

LEDGER_TEXT_CHARS: Final = 2_048
"""Characters of the queries and URLs of one entry, where they are kept: as long as one URL may be."""

LEDGER_NAME_CHARS: Final = 128
"""Characters of a name, code or rule in an entry: ours have at most 40, those of a plugin or host may be anything."""

LEDGER_TRIES: Final = 50
"""Tries kept of one entry: ten queries over a route of five."""

LEDGER_UNITS_MOST: Final = 1_000_000_000_000
"""Tokens, calls or bytes of one entry that are believed: a vendor's number beyond is a fault, and sums must fit."""

LEDGER_COST_MOST: Final = 1_000_000.0
"""Cost of one call that is believed, in whole units of its currency; it is summed in billionths, in 64 bits."""

LEDGER_KEEP_DAYS: Final = 90
"""How long entries are kept where nothing else is configured: a quarter's bill can be looked into."""

LEDGER_KEEP_DAYS_MOST: Final = 3_650
"""Longest time that entries may be kept: ten years, as books are."""

LEDGER_PRUNE_SECONDS: Final = 3_600.0
"""Time between two looks for entries that are too old."""

LEDGER_STREAM_ENTRIES: Final = 200_000
"""Entries on the shared server, about 100 MB of its memory; the oldest go first."""

LEDGER_PAGE: Final = 1_000
"""Entries read at once."""
