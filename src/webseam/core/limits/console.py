"""Limits of what a gateway keeps and tells of itself: for the console, and for whoever looks."""

from typing import Final

ACTIVITY_KEPT: Final = 10_000
"""Recent calls that a gateway keeps in memory, for all tenants; the busiest lose their oldest first.

Ordinary ones take 7 MB. Were each as large as it may be, with fifty tries and a long query, they would take 290 MB.
"""

ACTIVITY_TENANT: Final = 1_000
"""Recent calls kept of one tenant: what a person would scroll through, and enough for a percentile."""

ACTIVITY_SHOWN: Final = 500
"""Recent calls in one answer: about 500 kB of JSON."""

ACTIVITY_STREAMS: Final = 200
"""Streams of live calls at once: each takes a socket, and each call is written to all that may see it."""

ACTIVITY_TENANT_STREAMS: Final = 10
"""Streams of one tenant: as many people look at once."""

ACTIVITY_WAITING: Final = 200
"""Calls that wait for a reader of a stream who is slow; it is told how many it has missed."""

ACTIVITY_PING_SECONDS: Final = 15.0
"""Time between two signs of life on a stream: proxies close one that is silent for 30 to 60 s."""

ACTIVITY_CHECK_SECONDS: Final = 1.0
"""Time between two looks whether the token of a silent stream still holds; one that tells of a call looks first."""

CONSOLE_FILE_BYTES: Final = 2_000_000
"""Largest file of the console: one that is larger was put there by mistake."""

USAGE_ENTRIES: Final = 100_000
"""Newest entries that one look at the usage adds up: a second of work beside the event loop for the file, and four in
slices for a stream of a fleet; the answer says where they begin."""

USAGE_LOOKS: Final = 4
"""Looks of one tenant at the usage that wait or run at once: they are made one by one, for all tenants."""

USAGE_HOURS_MOST: Final = 720
"""Longest time that one look at the usage covers: thirty days."""

USAGE_BUCKETS: Final = 48
"""Most buckets of that time, as many as a chart of 400 pixels can show apart; an hour has 30, a day 48."""

POLICY_NAMES: Final = 20
"""Names of a list that one sentence of the policy tells: a blocklist may have a hundred thousand."""
