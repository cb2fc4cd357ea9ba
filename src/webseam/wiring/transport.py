"""The vendors' transport, made on the first request: building a `Web` imports no HTTP client."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from webseam.core.call import Call
from webseam.core.errors import closed
from webseam.core.plugin import Seams
from webseam.core.settings import NO_PROXY, ProxySettings
from webseam.core.transport import VendorRequest, VendorResponse, VendorStream
from webseam.net.proxy import Proxies

if TYPE_CHECKING:
    from webseam.net.vendor import VendorTransport


class LazyTransport:
    """`core.transport.Transport` over `net.vendor`, shared by all providers of one `Web`.

    Args:
        seams: the resolver and the socket factory that tests hand in.
        ca_bundle: trust for TLS besides the system's.
        proxy: which requests go through a proxy.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a proxy that is none.
    """

    def __init__(self, *, seams: Seams, ca_bundle: str | None = None, proxy: ProxySettings = NO_PROXY) -> None:
        self._seams = seams
        self._proxies = None if proxy == NO_PROXY else Proxies.of(proxy)
        self._ca_bundle = ca_bundle
        self._real: VendorTransport | None = None
        self._closed = False

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        """See `Transport.send`."""
        return await self._made().send(request, call=call)

    def stream(self, request: VendorRequest, *, call: Call) -> AbstractAsyncContextManager[VendorStream]:
        """See `Transport.stream`."""
        return self._made().stream(request, call=call)

    async def location(self, url: str, *, call: Call) -> str | None:
        """See `Transport.location`."""
        return await self._made().location(url, call=call)

    async def aclose(self) -> None:
        """Close what was opened; idempotent. Nothing is opened anew by a call that still runs."""
        self._closed = True
        real, self._real = self._real, None
        if real is not None:
            await real.aclose()

    def _made(self) -> "VendorTransport":
        if self._closed:
            raise closed()
        if self._real is None:
            from webseam.net.vendor import VendorTransport  # noqa: PLC0415 - the HTTP client loads on first use

            self._real = VendorTransport(
                resolver=self._seams.resolver,
                socket_factory=self._seams.socket_factory,
                ca_bundle=self._ca_bundle,
                proxies=self._proxies,
            )
        return self._real
