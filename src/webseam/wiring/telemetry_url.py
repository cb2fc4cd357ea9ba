"""A URL as telemetry may show it."""

import re
from typing import Final

REDACTED: Final = "REDACTED"
"""The word of the HTTP conventions for what was taken out of `url.full`."""

_SECRET: Final = re.compile(
    r"key|token|secret|passw|pwd|auth|credential|signature|session|jwt|^(?:sig|code|pass|state|hmac|sid|cx)$",
    re.IGNORECASE,
)


def shown_url(url: str, *, content: bool) -> str:
    """`url` without its query's values: they are questions and keys.

    Args:
        url: without credentials and fragment.
        content: keep the values, all but those whose name says that they are secret.
    """
    base, mark, query = url.partition("?")
    if not query:
        return base + mark
    return f"{base}?{'&'.join(_part(part, content=content) for part in query.split('&'))}"


def _part(part: str, *, content: bool) -> str:
    name, equals, value = part.partition("=")
    if not part or (equals and not value):
        return part
    if not equals:  # a value without a name
        return part if content else REDACTED
    return part if content and not _SECRET.search(name) else f"{name}={REDACTED}"
