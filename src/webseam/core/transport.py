"""How a provider talks to its vendor: bounded requests, redirects refused; `net` implements it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from webseam.core.call import Call
from webseam.core.limits import VENDOR_BYTES


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorRequest:
    """One request to a vendor's API. `secrets` are strings that must never appear in an error.

    The body is `json`, or `form` as `application/x-www-form-urlencoded`, or none. What may hold a key is not shown.
    """

    provider: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    json: Any = None
    form: Mapping[str, str] | None = field(default=None, repr=False)
    max_bytes: int = VENDOR_BYTES
    secrets: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class VendorResponse:
    """Status, headers (lower-case names) and the whole body, decoded from its content codings."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class VendorStream(Protocol):
    """A response whose body is read as it arrives."""

    @property
    def status(self) -> int:
        """HTTP status."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """By lower-case name."""
        ...

    def pieces(self) -> AsyncGenerator[bytes]:
        """The body in pieces as they arrive, decoded from its content codings, at most `max_bytes` in all.

        Raises:
            WebError: `WEB_PROVIDER_ERROR` when the body breaks off, cannot be decoded or is too long.
        """
        ...

    async def whole(self) -> VendorResponse:
        """Everything that is left, for an answer that is no stream after all."""
        ...


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

    def stream(self, request: VendorRequest, *, call: Call) -> AbstractAsyncContextManager[VendorStream]:
        """Send, and read the response as it arrives; leaving the block closes it. Raises as `send`."""
        ...

    async def location(self, url: str, *, call: Call) -> str | None:
        """Where a redirect of a vendor's link service leads, read from `Location` alone; its target is not contacted.

        The URL came in an answer, so only public addresses are dialled. None where no redirect comes back, whatever
        the reason: the link itself still works for a reader.
        """
        ...
