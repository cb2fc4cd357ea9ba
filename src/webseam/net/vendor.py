"""How providers reach their vendors: `core.transport.Transport` over the guarded client.

The endpoint is the operator's own configuration, so any address may answer; everything else holds: no redirect
is followed, nothing of the environment is used, bodies are bounded, failures name the provider. Through a configured
proxy only https goes, in a tunnel: the proxy sees names, never a key, a question or an answer.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from webseam.core.call import Call, Dispatch
from webseam.core.errors import Code, WebError, closed
from webseam.core.limits import CONNECT_SECONDS, DNS_SECONDS
from webseam.core.transport import VendorRequest, VendorResponse, VendorStream
from webseam.core.url import Url, web_url
from webseam.net.addresses import parse_address
from webseam.net.agent import USER_AGENT
from webseam.net.answer import Answer
from webseam.net.client import GuardedClient
from webseam.net.decoding import BodyBytes, BodyReader, Stack, decoders_for
from webseam.net.guard import SocketFactory, plain_socket
from webseam.net.policy import AddressPolicy
from webseam.net.proxy import Proxies
from webseam.net.redirects import REDIRECTS
from webseam.net.resolver import Resolver, SystemResolver


class VendorTransport:
    """See `core.transport.Transport`; one per `Web`, closed with it.

    Args:
        user_agent: sent with every request; the product's own when None.
        resolver: names to addresses; the system's when None.
        socket_factory: how sockets are made.
        ca_bundle: file of trusted roots instead of the system's store.
        proxies: which requests go through a proxy.
    """

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        resolver: Resolver | None = None,
        socket_factory: SocketFactory | None = None,
        ca_bundle: str | None = None,
        proxies: Proxies | None = None,
    ) -> None:
        self._proxies = proxies
        self._resolver: Resolver = resolver or SystemResolver()
        self._user_agent = user_agent or USER_AGENT
        self._make_socket = socket_factory or plain_socket
        self._ca_bundle = ca_bundle
        self._client = self._guarded(None)
        self._public_policy = AddressPolicy()
        self._public: GuardedClient | None = None
        self._closed = False

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        """See `Transport.send`."""
        async with self.stream(request, call=call) as response:
            return await response.whole()

    @asynccontextmanager
    async def stream(self, request: VendorRequest, *, call: Call) -> AsyncIterator[VendorStream]:
        """See `Transport.stream`."""
        url = Url.parse(request.url)
        self._refuse_unsealed(request, url)
        kind, body = _body(request)
        headers = {"accept": "application/json", "accept-encoding": "gzip, deflate"} | kind
        what = f"The request to {request.provider}"
        try:
            answer = await self._client.send(
                request.method,
                url,
                judged=parse_address(url.host),
                dispatch=call.dispatch,
                what=what,
                headers=headers | {name.lower(): value for name, value in request.headers.items()},
                body=body,
                once=True,  # a vendor may have billed the first one
                trace=call.trace,
            )
        except WebError as exc:
            if exc.code != Code.FETCH_TIMEOUT:
                raise
            raise _unresolved(exc, what) from exc
        try:
            if answer.status in REDIRECTS:
                raise _redirected(request, answer.status)
            yield _opened(answer, request)
        finally:
            answer.close()

    async def location(self, url: str, *, call: Call) -> str | None:
        """See `Transport.location`; the request is no part of what the vendor bills, so it marks nothing."""
        try:
            target = web_url(url)
            judged = self._public_policy.check_target(target)
            call.check()
            client = self._followed()
            answer = await client.send(
                "HEAD", target, judged=judged, dispatch=Dispatch(), what="The redirect", trace=call.trace
            )
        except WebError:
            return None
        try:
            found = answer.header("Location") if answer.status in REDIRECTS else None
            return web_url(found, base=target).href if found else None
        except WebError:
            return None
        finally:
            answer.close()

    async def aclose(self) -> None:
        """Close all connections; no request opens one anew."""
        self._closed = True
        await self._client.aclose()
        if self._public is not None:
            await self._public.aclose()

    def _followed(self) -> GuardedClient:
        """The client for addresses that a vendor wrote, made on first use."""
        if self._public is None:
            if self._closed:
                raise closed()
            self._public = self._guarded(self._public_policy)
        return self._public

    def _guarded(self, policy: AddressPolicy | None) -> GuardedClient:
        return GuardedClient(
            policy=policy,
            resolver=self._resolver,
            user_agent=self._user_agent,
            connect_seconds=CONNECT_SECONDS,
            dns_seconds=DNS_SECONDS,
            ca_bundle=self._ca_bundle,
            make_socket=self._make_socket,
            proxies=self._proxies,
        )

    def _refuse_unsealed(self, request: VendorRequest, url: Url) -> None:
        """Plain http is what a proxy reads, and may change.

        Raises:
            WebError: `WEB_CONFIG_INVALID`, before anything leaves.
        """
        if url.scheme != "https" and self._proxies is not None and self._proxies.choose(url) is not None:
            raise WebError(
                Code.CONFIG_INVALID,
                f"{request.provider} is asked over plain http, so the proxy of search.proxy would read its key. "
                f"Set an https base_url, or list its host in search.no_proxy to ask it directly.",
                provider=request.provider,
            )


@dataclass(frozen=True, slots=True)
class _Opened:
    """An answer whose body is still to come."""

    status: int
    headers: Mapping[str, str]
    request: VendorRequest
    stack: Stack
    reader: BodyReader = field(repr=False)

    async def pieces(self) -> AsyncGenerator[bytes]:
        """See `VendorStream.pieces`."""
        self._check(self.reader.result())  # an unknown coding: nothing that comes could be read
        while piece := await self.reader.next():
            yield piece
        self._check(self.reader.result())

    async def whole(self) -> VendorResponse:
        """See `VendorStream.whole`."""
        await self.reader.fill(None)
        body = self.reader.result()
        self._check(body)
        return VendorResponse(status=self.status, headers=self.headers, body=body.data)

    def _check(self, body: BodyBytes) -> None:
        if body.truncated:
            fault, retryable = f"sent more than {self.request.max_bytes:,} bytes, which is not read", False
        elif body.fault is not None or self.stack.unknown:
            fault, retryable = "sent a body that cannot be decompressed", None
        else:
            return
        raise WebError(
            Code.PROVIDER_ERROR,
            f"{self.request.provider} {fault}.",
            provider=self.request.provider,
            dispatched=True,
            retryable=retryable,
        )


def _opened(answer: Answer, request: VendorRequest) -> VendorStream:
    stack = decoders_for(answer.listed("Content-Encoding"))
    most = request.max_bytes
    reader = BodyReader(answer.body(most), stack, cap=most, wire_cap=most, at_end=answer.ended)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return _Opened(answer.status, headers, request, stack, reader)


def _body(request: VendorRequest) -> tuple[dict[str, str], bytes | None]:
    """The content type and the bytes."""
    try:
        if request.form is not None:
            return {"content-type": "application/x-www-form-urlencoded"}, urlencode(request.form).encode("ascii")
        if request.json is None:
            return {}, None
        return {"content-type": "application/json"}, _json(request.json)
    except UnicodeEncodeError as exc:  # a lone surrogate, which argv and JSON can carry
        raise WebError(Code.INVALID_ARGS, "The text holds half a surrogate pair, which no vendor accepts.") from exc


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _unresolved(error: WebError, what: str) -> WebError:
    """A look-up that took too long, told as a failure of the vendor: `WEB_FETCH_TIMEOUT` is about pages."""
    return WebError(
        Code.PROVIDER_ERROR,
        f"{what} failed: the name of its host did not resolve within {DNS_SECONDS:g} s.",
        dispatched=error.dispatched,
        retryable=True,
    )


def _redirected(request: VendorRequest, status: int) -> WebError:
    return WebError(
        Code.PROVIDER_ERROR,
        f"{request.provider} answered with a redirect (HTTP {status}), which is never followed with a key. "
        f"Check its base_url.",
        provider=request.provider,
        dispatched=True,
        retryable=False,
    )
