"""How a provider talks to its vendor: one bounded request, redirects refused; `net` implements it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from webseam.core.call import Call
from webseam.core.limits import VENDOR_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorRequest:
    """One request to a vendor's API. `secrets` are strings that must never appear in an error."""

    provider: str
    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    max_bytes: int = VENDOR_BYTES
    secrets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorResponse:
    """Status, headers (lower-case names) and the whole body, decoded from its content codings."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Transport(Protocol):
    """Sends vendor requests.

    A redirect (301, 302, 303, 307, 308) is `WEB_PROVIDER_ERROR` and its target is never contacted (dsh-46).
    The user agent is the product's. No cookies, no environment proxies, no netrc. `call.dispatch` is marked
    once the connection stands, just before the first byte.
    """

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        """Send and read one response.

        Raises:
            WebError: `WEB_PROVIDER_ERROR` naming the provider and the cause, for DNS, TCP, TLS and protocol
                failures, refused redirects and bodies over `max_bytes`. Time and abort come by cancellation.
        """
        ...
