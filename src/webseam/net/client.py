"""The guarded HTTP client: one request over a judged connection, or through a configured proxy."""

import ssl
from collections.abc import Mapping

import aiohttp
from yarl import URL

from webseam.core.call import Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.limits import HEADER_BYTES, HEADER_LINES
from webseam.core.tracing import Outcome, Trace, error_type
from webseam.core.url import Url
from webseam.net.addresses import Address, parse_address
from webseam.net.answer import WIRE_ERRORS, Answer, check_head
from webseam.net.failures import cause_of, wire_error
from webseam.net.guard import HOP, Hop, SocketFactory, plain_socket
from webseam.net.policy import AddressPolicy
from webseam.net.proxy import Proxies
from webseam.net.resolver import Resolver, look_up
from webseam.net.sessions import Sessions
from webseam.net.trust import tls_context


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
        self._dns_seconds = dns_seconds
        self._ca_bundle = ca_bundle
        self._sessions = Sessions(
            {"User-Agent": user_agent, **(headers or {})},
            connect_seconds=connect_seconds,
            dial_seconds=dns_seconds + connect_seconds,
            make_socket=make_socket,
        )
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
        trace: Trace | None = None,
        resend: int = 0,
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
            trace: gets a span from here until the answer is closed.
            resend: how many redirects led here, for that span.

        Raises:
            WebError: the guard's verdict, or `WEB_PROVIDER_ERROR` saying what failed.
        """
        span = None if trace is None else trace.http(method, url, resend)
        try:
            answer = await self._sent(
                method, url, judged=judged, dispatch=dispatch, what=what, headers=headers, body=body, once=once
            )
        except BaseException as exc:
            if span is not None:
                span.end(Outcome(error=error_type(exc)))
            raise
        answer.span = span
        return answer

    async def _sent(
        self,
        method: str,
        url: Url,
        *,
        judged: Address | None,
        dispatch: Dispatch,
        what: str,
        headers: Mapping[str, str] | None,
        body: bytes | None,
        once: bool,
    ) -> Answer:
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
            proxy=None if proxy is None or self._proxies is None else self._proxies.section,
        )
        token = HOP.set(hop)
        try:
            response = await (await self._sessions.here()).request(
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
            check_head(response, hop, what)
        except WebError:
            answer.close()
            raise
        return answer

    async def _judge_for_proxy(self, url: Url, judged: Address | None) -> None:
        """What goes through a proxy is dialled there; unless that is trusted with it, its name is judged here first.

        Raises:
            WebError: the policy's verdict, or that the name does not resolve here.
        """
        policy, proxies = self._policy, self._proxies
        if policy is None or proxies is None or (judged is None and proxies.trusted):
            return
        try:
            found = (judged,) if judged else await look_up(self._resolver, url.name, self._dns_seconds)
            prefixes = await (await self._sessions.nat64()).prefixes(self._resolver, found)
            policy.judge_all(url.name, found, prefixes)
        except WebError as exc:
            if judged is None:
                exc.message += " If only the proxy can resolve names here, and judges them, set fetch.trust_proxy."
            raise

    async def aclose(self) -> None:
        """Close all connections; later requests are refused, so that none opens anew what nobody would close."""
        await self._sessions.aclose()

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
        raise WebError(
            Code.INVALID_URL, "The HTTP client reads this URL differently, so it is not sent. Check its host."
        )
    return target
