"""Limits of the adapters: how a vendor's API takes what a tool answers."""

from typing import Final

CALLS_AT_ONCE: Final = 16
"""Calls of one model answer that run together; the rest wait. A page may take 5 MB, so this is 80 MB at most."""

API_IMAGE_CHARS: Final = 5_242_880
"""Base64 characters of a picture that is given to an API: the smallest bound among the three (Anthropic, 5 MiB)."""

API_IMAGE_SIDE: Final = 8_000
"""Pixels of a side of a picture that is given to an API: the smallest bound among the three (Anthropic)."""

ABORT_POLL_SECONDS: Final = 0.05
"""How often a blocking call looks at its host's abort signal: sooner than a person notices, 20 wake-ups a second."""
