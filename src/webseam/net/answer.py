"""One answer of a server as it arrives: its head, checked; its body, piece by piece under a budget."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

from webseam.core.limits import FRAMING_BYTES, FRAMING_RATIO, HEADER_BYTES, HEADER_NAME_BYTES
from webseam.core.tracing import Outcome, Span
from webseam.net.decoding import Read
from webseam.net.failures import malformed, refused_by_proxy, wire_error
from webseam.net.guard import Hop

WIRE_ERRORS: Final = (
    aiohttp.ClientError,
    asyncio.TimeoutError,
    OSError,
    aiohttp.http_exceptions.HttpProcessingError,
)
"""What the client may raise for a failure on the wire; aiohttp's parser errors are no ClientError of their own."""

BODY_SLACK_BYTES: Final = 1_000_000
"""Framing, TLS records and trailers that may come on top of twice a body's cap."""

_PROXY_WANTS_A_NAME: Final = 407  # RFC 9110 section 15.5.8


@dataclass(slots=True)
class Answer:
    """Status and headers of one response, and its body as it arrives."""

    status: int
    headers: Mapping[str, str]
    response: aiohttp.ClientResponse
    hop: Hop
    what: str
    lost: asyncio.Future[None] | None = None
    payload: int = 0
    cache: None = None
    stored: None = None
    span: Span | None = None

    @property
    def proxied(self) -> bool:
        """Whether a proxy dialled."""
        return self.hop.proxy is not None

    def header(self, name: str) -> str | None:
        """First value of a header."""
        return self.headers.get(name)

    def listed(self, name: str) -> str | None:
        """All values of a header that is a list: its lines are one value (RFC 9110 section 5.3)."""
        return ", ".join(self.response.headers.getall(name, ())) or None

    def body(self, cap: int) -> Read:
        """Reads the body piece by piece as it arrives, b"" at its end; the caller stops at `cap`.

        The reader raises `WEB_PROVIDER_ERROR` when the body breaks off or is badly framed.
        """
        connection = self.response.connection
        if connection is not None and connection.protocol is not None:  # else it serves another already
            if self.hop.socket is not None:
                self.hop.socket.budget = 2 * cap + BODY_SLACK_BYTES
            self.lost = connection.protocol.closed
            if self.lost is not None:
                self.lost.add_done_callback(self._end)
        return self._piece

    def close(self) -> None:
        """Give the connection back when the body was read to its end; else close it, so that it is never reused."""
        if self.span is not None:
            self.span.end(Outcome(status_code=self.status))
        if self.lost is not None:
            self.lost.remove_done_callback(self._end)
        if self.ended():
            self.response.release()
        else:
            self.response.close()

    def _end(self, lost: asyncio.Future[None]) -> None:
        """Tell the reader that the connection is gone: aiohttp forgets to when a chunk was malformed (measured)."""
        content = self.response.content
        if not lost.cancelled():
            lost.exception()  # marks it as seen
        if not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError("malformed body"))

    def ended(self) -> bool:
        """Whether the body was read to its end."""
        return self.response.content.at_eof()

    async def _piece(self) -> bytes:
        try:
            piece = await self.response.content.readany()
        except WIRE_ERRORS as exc:
            error = wire_error(exc, self.hop, what=self.what)
            if self.span is not None:
                self.span.end(Outcome(error=error.code, status_code=self.status))
            raise error from exc
        self.payload += len(piece)
        if self.hop.received - self.payload > FRAMING_BYTES + FRAMING_RATIO * self.payload:
            raise malformed("its framing outweighs its body", self.hop, self.what)
        return piece


def check_head(response: aiohttp.ClientResponse, hop: Hop, what: str) -> None:
    """Refuse what aiohttp lets through though it is no answer to our request (RFC 9110, RFC 9112).

    Raises:
        WebError: `WEB_PROVIDER_ERROR`.
    """
    if hop.proxy is not None and response.status == _PROXY_WANTS_A_NAME:
        raise refused_by_proxy(response.status, hop, what)
    fault: str | None = None
    size, spaced, long = 0, False, False
    for name, value in response.raw_headers:
        size += len(name) + len(value) + 4
        long = long or len(name) > HEADER_NAME_BYTES
        spaced = spaced or name[-1:] in b" \t" or name[:1] in b" \t"
    if response.status < 200 or response.status > 999:  # noqa: PLR2004 - RFC 9110 section 15
        fault = f"status {response.status} is no final answer"
    elif size > HEADER_BYTES:
        fault = "its headers are too large"
    elif long:
        fault = "a header name is too long"
    elif spaced:
        fault = "a header name holds a space"
    elif response.headers.get("Transfer-Encoding", "chunked").strip().lower() != "chunked":
        fault = "its transfer coding is unknown"
    if fault is not None:
        raise malformed(fault, hop, what)
