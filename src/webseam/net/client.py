"""The guarded HTTP client: one GET over a judged connection, headers checked, body streamed under a cap."""

import asyncio
import ssl
from collections.abc import Mapping
from dataclasses import dataclass

import aiohttp
from yarl import URL

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError, closed
from webseam.core.limits import FRAMING_BYTES, FRAMING_RATIO, HEADER_BYTES, HEADER_LINES, HEADER_NAME_BYTES
from webseam.core.url import Url
from webseam.net.addresses import Address, parse_address
from webseam.net.decoding import Read
from webseam.net.failures import cause_of, malformed, refused_by_proxy, wire_error
from webseam.net.guard import HOP, GuardedConnector, Hop, SocketFactory, plain_socket
from webseam.net.policy import AddressPolicy
from webseam.net.proxy import Proxies
from webseam.net.resolver import Resolver, look_up
from webseam.net.trust import tls_context

WIRE_ERRORS = (aiohttp.ClientError, asyncio.TimeoutError, OSError, aiohttp.http_exceptions.HttpProcessingError)
"""What the client may raise for a failure on the wire; aiohttp's parser errors are no ClientError of their own."""

READ_BUFFER_BYTES = 262_144
"""What the client buffers before it stops reading: a page of ordinary size arrives without a pause."""

BODY_SLACK_BYTES = 1_000_000
"""Framing, TLS records and trailers that may come on top of twice a body's cap."""


_PROXY_WANTS_A_NAME = 407  # RFC 9110 section 15.5.8


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

    @property
    def proxied(self) -> bool:
        """Whether a proxy dialled."""
        return self.hop.proxied

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
            raise wire_error(exc, self.hop, what=self.what) from exc
        self.payload += len(piece)
        if self.hop.received - self.payload > FRAMING_BYTES + FRAMING_RATIO * self.payload:
            raise malformed("its framing outweighs its body", self.hop, self.what)
        return piece


class GuardedClient:
    """HTTP/1.1 without cookies, environment, redirects or decompression; the guard decides every dial.

    Args:
        policy: what may be dialled; None trusts the operator's own endpoint.
        resolver: names to addresses.
        user_agent: sent with every request.
        connect_seconds: TCP and TLS of one address; name look-up has its own limit.
        dns_seconds: one look-up.
        ca_bundle: file of trusted roots instead of the system's store (`SSL_CERT_FILE` is honoured by the latter).
        make_socket: how sockets are made.
        headers: sent with every request, besides the user agent.
        proxies: which requests go through a proxy; the dial guard then holds the connection to the proxy itself.
    """

    def __init__(
        self,
        *,
        policy: AddressPolicy | None,
        resolver: Resolver,
        user_agent: str,
        connect_seconds: float,
        dns_seconds: float,
        ca_bundle: str | None = None,
        make_socket: SocketFactory = plain_socket,
        headers: Mapping[str, str] | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        self._proxies = proxies
        self._policy = policy
        self._resolver = resolver
        self._headers = {"User-Agent": user_agent, **(headers or {})}
        self._timeout = aiohttp.ClientTimeout(total=None, connect=None, sock_connect=connect_seconds, sock_read=None)
        self._dns_seconds = dns_seconds
        self._dial_seconds = dns_seconds + connect_seconds
        self._ca_bundle = ca_bundle
        self._make_socket = make_socket
        self._sessions: dict[asyncio.AbstractEventLoop, aiohttp.ClientSession] = {}
        self._closed = False
        self._tls: ssl.SSLContext | None = None

    async def send(
        self,
        method: str,
        url: Url,
        *,
        judged: Address | None,
        dispatch: Dispatch,
        what: str,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        once: bool = False,
    ) -> Answer:
        """Send one request; the caller closes the answer.

        Args:
            method: of HTTP.
            url: where to.
            judged: the address when the host is a literal, which the caller has held to the policy.
            dispatch: marked before the first byte leaves.
            what: names the request in errors, as the subject of a sentence.
            headers: besides those of every request.
            body: as it is.
            once: a request whose connection drops is not sent again, though its method would allow that.

        Raises:
            WebError: the guard's verdict, or `WEB_PROVIDER_ERROR` saying what failed.
        """
        target = client_url(url)
        proxy = None if self._proxies is None else self._proxies.choose(url)
        if proxy is not None:
            await self._judge_for_proxy(url, judged)
            judged = parse_address(proxy.host)
        place = proxy or url
        hop = Hop(
            host=place.name,
            port=place.port,
            policy=None if proxy is not None else self._policy,
            resolver=self._resolver,
            dns_seconds=self._dns_seconds,
            dispatch=dispatch,
            judged=() if judged is None else (judged,),
            proxied=proxy is not None,
        )
        token = HOP.set(hop)
        try:
            response = await (await self._session()).request(
                method,
                target,
                headers=headers,
                data=body,
                allow_redirects=False,
                ssl=self._trust(url if url.scheme == "https" else place),
                proxy=None if proxy is None else URL(proxy.href, encoded=True),
                max_field_size=HEADER_BYTES,
                max_headers=HEADER_LINES,
                middlewares=(_sent_once(hop, what),) if once else None,
            )
        except WIRE_ERRORS as exc:
            raise wire_error(exc, hop, what=what) from cause_of(exc)
        finally:
            HOP.reset(token)
        answer = Answer(response.status, response.headers, response, hop, what)
        try:
            _check_head(response, hop, what)
        except WebError:
            answer.close()
            raise
        return answer

    async def _judge_for_proxy(self, url: Url, judged: Address | None) -> None:
        """What goes through a proxy is dialled there; unless that is trusted with it, its name is judged here first.

        Raises:
            WebError: the policy's verdict, or that the name does not resolve here.
        """
        if judged is not None or self._policy is None or self._proxies is None or self._proxies.trusted:
            return
        try:
            self._policy.judge_all(url.name, await look_up(self._resolver, url.name, self._dns_seconds))
        except WebError as exc:
            exc.message += " If only the proxy can resolve names here, and judges them, set fetch.trust_proxy."
            raise

    async def aclose(self) -> None:
        """Close all connections; later requests are refused, so that none opens anew what nobody would close."""
        self._closed = True
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        if session is not None:
            await session.close()
        await self._forget_ended_loops()

    async def _session(self) -> aiohttp.ClientSession:
        """The session of the running loop: it and its connections belong to that loop alone."""
        if self._closed:
            raise closed()
        loop = asyncio.get_running_loop()
        session = self._sessions.get(loop)
        if session is None:
            session = self._sessions[loop] = self._make_session()
            await self._forget_ended_loops()
        return session

    async def _forget_ended_loops(self) -> None:
        for loop in [one for one in self._sessions if one.is_closed()]:
            await self._sessions.pop(loop).close()

    def _make_session(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            connector=GuardedConnector(self._make_socket, dial_seconds=self._dial_seconds),
            cookie_jar=aiohttp.DummyCookieJar(),
            headers=self._headers,
            auto_decompress=False,
            trust_env=False,
            timeout=self._timeout,
            requote_redirect_url=False,
            read_bufsize=READ_BUFFER_BYTES,
        )

    def _trust(self, url: Url) -> ssl.SSLContext | bool:
        if url.scheme != "https":
            return True
        if self._tls is None:
            self._tls = tls_context(self._ca_bundle)
        return self._tls


def _sent_once(hop: Hop, what: str) -> aiohttp.ClientMiddlewareType:
    """Errors become ours inside the client: its own make it repeat a GET whose connection drops (RFC 9112, 9.3.1)."""

    async def send(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
        try:
            return await handler(request)
        except WIRE_ERRORS as exc:
            raise wire_error(exc, hop, what=what) from cause_of(exc)

    return send


def client_url(url: Url) -> URL:
    """The URL as the client gets it: canonical, without fragment and the host's trailing dot.

    Raises:
        WebError: `WEB_INVALID_URL` when the client would see another host or port than we judged.
    """
    try:
        target = URL.build(
            scheme=url.scheme,
            host=url.host.removesuffix("."),
            port=url.port,
            path=url.path,
            query_string=url.query[1:],
            encoded=True,
        )
        same = target.raw_host == url.name and target.port == url.port
    except ValueError:
        same = False
    if not same:
        raise WebError(Code.INVALID_URL, "The HTTP client reads this URL differently, so it is not sent.")
    return target


def _check_head(response: aiohttp.ClientResponse, hop: Hop, what: str) -> None:
    """What aiohttp lets through though it is no answer to our request (RFC 9110, RFC 9112)."""
    if hop.proxied and response.status == _PROXY_WANTS_A_NAME:
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
