"""How webseam names itself to servers: its own name and a URL, never a browser's (design: fetch)."""

from typing import Final

from webseam.core.version import VERSION

USER_AGENT: Final = f"webseam/{VERSION} (+https://github.com/webseam/webseam)"
