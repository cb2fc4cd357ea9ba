"""What `fleet.url` and `fleet.prefix` may be."""

import re
from typing import Final
from urllib.parse import urlsplit

from webseam.core.limits import FLEET_PREFIX_CHARS

URL_FORM: Final = (
    "redis://, rediss://, valkey:// or valkeys:// with a host, or unix:///path; special characters of a password "
    "percent-encoded"
)
PREFIX_FORM: Final = "letters, digits, dot, dash, underscore; at most 64"

_SCHEMES: Final = ("redis", "rediss", "valkey", "valkeys")
_DATABASE: Final = re.compile(r"/?\d{0,5}", re.ASCII)
_PREFIX: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_.\-]{{0,{FLEET_PREFIX_CHARS - 1}}}")


def no_server(text: str) -> str | None:
    """What is wrong with a URL that leads to no server, in words: it may hold a password, so nothing of it is shown.

    What the client would take from a query, such as leaving out the check of a certificate, is not open here.
    """
    try:
        parts = urlsplit(text.strip())
        port, host = parts.port, parts.hostname
    except ValueError:
        return "what is no URL"
    if parts.query or parts.fragment:
        return "a URL with a query or fragment"
    if parts.scheme == "unix":
        return None if parts.path.startswith("/") and not parts.netloc else "a unix URL without an absolute path"
    if parts.scheme not in _SCHEMES or not host or port == 0:
        return "what is no URL of a server"
    return None if _DATABASE.fullmatch(parts.path) else "a URL whose path is no number of a database"


def no_prefix(text: str) -> str | None:
    """The text itself, when it is no prefix."""
    return None if not text.strip() or _PREFIX.fullmatch(text) else text
