"""A transport without any socket, for providers whose address cannot be moved to loopback."""

from collections.abc import Mapping
from typing import Any

from webseam.core.call import Call
from webseam.core.transport import VendorRequest, VendorResponse


class Canned:
    """Keeps what it was asked to send (`sent`) and answers each with one body; it neither streams nor redirects."""

    def __init__(self, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.sent: list[VendorRequest] = []
        self._reply = VendorResponse(status=200, headers=headers or {}, body=body)

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        call.dispatch.mark()
        self.sent.append(request)
        return self._reply

    def stream(self, request: VendorRequest, *, call: Call) -> Any:
        raise AssertionError(f"{request.provider} does not stream: {call}")

    async def location(self, url: str, *, call: Call) -> str | None:
        raise AssertionError(f"{url} is no redirect: {call}")
