"""Limits of what a model sees, and of what is kept for it."""

from typing import Final

FETCH_ANSWER_CHARS: Final = 40_000
"""Characters of one fetch answer, about 10,000 tokens; the rest is reached by `offset`."""

TITLE_CHARS: Final = 300
"""Characters of a title, on one line."""

SHOWN_LINE_CHARS: Final = 300
"""Characters of a redirect hop, remark or note that a server chose, on one line of an answer."""

NONCE_DRAWS: Final = 8
"""Draws of a boundary's nonce before the caller's source is given up for the system's (128 bits never collide)."""

NOTABLE_REMOVALS: Final = 10
"""Removed invisible characters or hidden elements from which the answer says so; most pages have a few."""

DIGESTS_KEPT: Final = 1_024
"""Pages of which a `Toolset` remembers the digest, to say that a page changed; about 200 bytes each."""

SNAPSHOT_SECONDS: Final = 900.0
"""How long a fetched page is kept for `offset`; as long as a model works on one page."""

SNAPSHOT_BYTES: Final = 64_000_000
"""Memory all kept pages may use together; the oldest go first."""

FIND_PHRASES: Final = 8
"""Phrases of one `find`: each gets a share of the answer that still holds a passage."""

FIND_CHARS: Final = 2_000
"""Characters of a `find` argument: a few sentences."""

FIND_HITS_LOCATED: Final = 2_000
"""Places of one phrase that are located at a time; the others are counted, and reached by `offset`."""

FIND_PASSAGE_CHARS: Final = 1_000
"""Characters of one passage that `find` shows: a paragraph, or the part of it around the match."""

OUTLINE_LINES: Final = 20_000
"""Lines of one text looked at as headings: 0.1 s; five megabytes of hostile ones would take 7 s (measured)."""

OUTLINE_HEADINGS: Final = 500
"""Headings of an outline in the structured result: beyond it only the upper levels are told."""

INTERRUPT_SECONDS: Final = 0.1
"""How soon a blocking call beside a running loop notices that its task was cancelled by Ctrl-C: what feels instant."""
