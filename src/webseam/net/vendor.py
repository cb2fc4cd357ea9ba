"""How providers reach their vendors: `core.transport.Transport` over the guarded client.

The endpoint is the operator's own configuration, so any address may answer; everything else holds: no redirect
is followed, nothing of the environment is used, bodies are bounded, failures name the provider.
"""

import json
from typing import Any

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import CONNECT_SECONDS, DNS_SECONDS
from webseam.core.transport import VendorRequest, VendorResponse
from webseam.core.url import Url
from webseam.net.addresses import parse_address
from webseam.net.agent import USER_AGENT
from webseam.net.client import Answer, GuardedClient
from webseam.net.decoding import decoded, decoders_for
from webseam.net.guard import SocketFactory, plain_socket
from webseam.net.redirects import REDIRECTS
from webseam.net.resolver import Resolver, SystemResolver


class VendorTransport:
    """See `core.transport.Transport`; one per `Web`, closed with it."""

    def __init__(
        self,
        *,
        user_agent: str | None = None,
        resolver: Resolver | None = None,
        socket_factory: SocketFactory | None = None,
        ca_bundle: str | None = None,
    ) -> None:
        self._resolver: Resolver = resolver or SystemResolver()
        self._client = GuardedClient(
            policy=None,
            resolver=self._resolver,
            user_agent=user_agent or USER_AGENT,
            connect_seconds=CONNECT_SECONDS,
            dns_seconds=DNS_SECONDS,
            ca_bundle=ca_bundle,
            make_socket=socket_factory or plain_socket,
        )

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        """See `Transport.send`."""
        url = Url.parse(request.url)
        body = _body(request.json)
        defaults = {"accept": "application/json", "accept-encoding": "gzip, deflate"}
        if body is not None:
            defaults["content-type"] = "application/json"
        headers = defaults | {name.lower(): value for name, value in request.headers.items()}
        what = f"The request to {request.provider}"
        try:
            answer = await self._client.send(
                request.method,
                url,
                judged=parse_address(url.host),
                dispatch=call.dispatch,
                what=what,
                headers=headers,
                body=body,
            )
        except WebError as exc:
            if exc.code != Code.FETCH_TIMEOUT:
                raise
            raise _unresolved(exc, what) from exc
        try:
            if answer.status in REDIRECTS:
                raise _redirected(request, answer.status)
            data = await _read(answer, request)
            known = {name.lower(): value for name, value in answer.headers.items()}
            return VendorResponse(status=answer.status, headers=known, body=data)
        finally:
            answer.close()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()
        if isinstance(self._resolver, SystemResolver):
            self._resolver.close()


def _body(value: Any) -> bytes | None:
    if value is None:
        return None
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError as exc:  # a lone surrogate, which argv and JSON can carry
        raise WebError(Code.INVALID_ARGS, "The text holds half a surrogate pair, which no vendor accepts.") from exc


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


async def _read(answer: Answer, request: VendorRequest) -> bytes:
    stack = decoders_for(answer.listed("Content-Encoding"))
    body = await decoded(answer.body(request.max_bytes), stack, cap=request.max_bytes, wire_cap=request.max_bytes)
    if body.truncated:
        raise WebError(
            Code.PROVIDER_ERROR,
            f"{request.provider} sent more than {request.max_bytes:,} bytes, which is not read.",
            provider=request.provider,
            dispatched=True,
            retryable=False,
        )
    if body.fault is not None or stack.unknown:
        raise WebError(
            Code.PROVIDER_ERROR,
            f"{request.provider} sent a body that cannot be decompressed.",
            provider=request.provider,
            dispatched=True,
        )
    return body.data
