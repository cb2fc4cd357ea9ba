"""Limits of batches: many inputs in one run."""

from typing import Final

BATCH_CONCURRENCY: Final = 8
"""Calls of a batch in flight together unless asked otherwise: more than the converter keeps up with gains little."""

BATCH_CONCURRENCY_MAX: Final = 64
"""Most calls in flight together that may be asked for: each holds a page of up to `fetch.max_bytes` in memory."""

BATCH_PER_HOST: Final = 2
"""Calls to one host in flight together: fewer than the six connections that a browser opens to a site."""

BATCH_AHEAD: Final = 10_000
"""Inputs that wait at once; more are read from a pipe as these are done, so that one without an end fits in memory."""

BATCH_INPUT_CHARS: Final = 10_000_000
"""Longest line read from a pipe: it is held until it ends, and no URL comes near it."""

BATCH_PAUSE_SECONDS: Final = 60.0
"""Longest pause that a host gets which asks for one: `Retry-After` may name days, and a batch has to end."""

BATCH_LINE_BYTES: Final = 268_435_456
"""Longest line of a results file that is read back: above what the largest page is as JSON."""

BATCH_SHARDS: Final = 10_000
"""Most parts that a list may be split into: beyond, a part is a handful of lines and a process each."""

BATCH_TOLD_SECONDS: Final = 10.0
"""From one line about the progress of a batch to the next, where no terminal shows a bar: few enough for a log."""

RAY_BLOCK: Final = 64
"""Inputs that an actor on Ray takes at a time: what is lost at most when it is killed, and long enough to keep busy."""

RAY_ACTORS_MAX: Final = 1_000
"""Most actors that may be asked for: each holds pages, a converter and connections of its own."""

RAY_STORE_BYTES: Final = 500_000_000
"""Shared memory of a Ray that is started for one batch: results pass through it, a few blocks at a time."""

RAY_DIAL_SECONDS: Final = 5.0
"""For a Ray cluster to answer at all: Ray itself tries for minutes, and says nothing."""
