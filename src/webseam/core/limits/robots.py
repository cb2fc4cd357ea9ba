"""Limits of reading and keeping robots.txt."""

from typing import Final

ROBOTS_BYTES: Final = 512_000
"""Bytes of a robots.txt that are parsed: the 500 KiB that RFC 9309 section 2.5 asks for; what follows is not read."""

ROBOTS_INLINE_CHARS: Final = 16_384
"""Rules of this length are parsed and matched where they stand: the costliest take 15 ms; 500 KiB of them take up to
0.7 s, in a thread (measured). Most sites have less than a tenth of it."""

ROBOTS_SECONDS: Final = 10.0
"""One request for a robots.txt: a third of a fetch's own time, so that a stalled one leaves time to say so."""

ROBOTS_KEPT_SECONDS: Final = 86_400.0
"""How long rules are kept (RFC 9309 section 2.4: at most 24 hours)."""

ROBOTS_FAILED_SECONDS: Final = 60.0
"""How long a robots.txt that could not be read is not asked for again: a minute lets a site recover."""

ROBOTS_KEPT: Final = 1_024
"""Authorities whose rules are kept; the one used longest ago goes first."""

ROBOTS_KEPT_CHARS: Final = 1_000_000
"""Length of all kept rules together: parsed, a character takes up to 56 bytes (measured)."""

ROBOTS_RULES_NAMED: Final = 200
"""Longest rules among which the one that refused is looked for, so that the refusal can name it: 8 ms."""

ROBOTS_RULE_CHARS: Final = 80
"""Characters of a rule in such a refusal; honest ones are far shorter."""
