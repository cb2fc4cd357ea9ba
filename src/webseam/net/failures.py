"""What went wrong on the wire, in words for a person; server-chosen text and addresses stay out."""

import asyncio
import errno
import ssl
from typing import Final

import aiohttp

from webseam.core.errors import Code, WebError
from webseam.net.guard import Hop

_ERRNO: Final[dict[int, str]] = {
    errno.ECONNREFUSED: "the connection was refused",
    errno.ECONNRESET: "the connection was reset",
    errno.EPIPE: "the connection was closed",
    errno.EHOSTUNREACH: "the host cannot be reached",
    errno.ENETUNREACH: "the network cannot be reached",
    errno.ETIMEDOUT: "the connection timed out",
    errno.EMSGSIZE: "the server sent more than a response may hold",
    errno.ESHUTDOWN: "the client was closed while it ran",
    errno.ECONNABORTED: "the connection was broken off",
    errno.ENETDOWN: "the network is down",
    errno.EPERM: "this machine does not allow the connection",
    errno.EMFILE: "this process has too many files and connections open",
    errno.ENFILE: "this machine has too many files and connections open",
    errno.ENOBUFS: "this machine has no room for another connection",
    errno.EADDRNOTAVAIL: "this machine has no address of the needed family",
}

_TLS: Final[tuple[tuple[str, str], ...]] = (
    ("self-signed", "the certificate is self-signed"),
    ("self signed", "the certificate is self-signed"),
    ("expired", "the certificate has expired"),
    ("not yet valid", "the certificate is not valid yet"),
    ("hostname mismatch", "the certificate is for another host"),
    ("ip address mismatch", "the certificate is for another address"),
    ("unable to get local issuer", "the certificate's issuer is not trusted here"),
    ("wrong version number", "the server does not speak TLS on this port"),
    ("http_request", "the server does not speak TLS on this port"),
    ("unsupported protocol", "the server offers only an old TLS version"),
    ("protocol version", "the server offers only an old TLS version"),
    ("internal error", "the server broke off the TLS handshake"),
)


def wire_error(exc: BaseException, hop: Hop, *, what: str) -> WebError:
    """The `WebError` of a transport failure; the guard's own verdict wins over what the client made of it."""
    if hop.verdict is not None:
        return hop.verdict
    if isinstance(exc, aiohttp.ClientHttpProxyError):
        return refused_by_proxy(exc.status, hop, what)
    cause, retryable = describe(hop.exhausted or exc)
    through = "" if hop.proxy is None else f" through the proxy of {hop.proxy}.proxy"
    return WebError(
        Code.PROVIDER_ERROR,
        f"{what}{through} failed: {cause}.",
        dispatched=hop.dispatch.sent,
        retryable=retryable,
    )


def cause_of(exc: BaseException) -> BaseException | None:
    """What an error of ours names as its cause: the client's own may hold our whole request, with a key in its URL."""
    return exc.__cause__ if isinstance(exc, aiohttp.ClientResponseError) else exc


def refused_by_proxy(status: int, hop: Hop, what: str) -> WebError:
    """The error of a proxy that does not let a request through; what it says of that is not passed on."""
    return WebError(
        Code.PROVIDER_ERROR,
        f"{what} failed: the proxy of {hop.proxy}.proxy refused it (HTTP {status}). Check the proxy and its user name "
        f"and password, or exempt the host with {hop.proxy}.no_proxy.",
        dispatched=hop.dispatch.sent,
        retryable=False,
    )


def malformed(fault: str, hop: Hop, what: str) -> WebError:
    """The error of an answer that the client took for one, though it is none."""
    return WebError(
        Code.PROVIDER_ERROR,
        f"{what} failed: the server's answer is not well-formed HTTP ({fault}).",
        dispatched=hop.dispatch.sent,
        retryable=False,
    )


def describe(exc: BaseException) -> tuple[str, bool]:
    """A phrase for the failure, and whether the same request may succeed later."""
    tls = _tls(exc)
    if tls is not None:
        return f"TLS error, {tls}", False
    if isinstance(exc, aiohttp.ConnectionTimeoutError | TimeoutError | asyncio.TimeoutError):
        return "no connection within the connect timeout", True
    if isinstance(exc, aiohttp.ServerDisconnectedError):
        return "the server closed the connection without an answer", True
    if isinstance(exc, aiohttp.ClientPayloadError):
        return "the body ended early or is not well framed", True
    if isinstance(exc, aiohttp.ClientResponseError | aiohttp.http_exceptions.HttpProcessingError):
        return "the server's answer is not well-formed HTTP", False
    if isinstance(exc, aiohttp.InvalidURL):
        return "the HTTP client does not accept this URL", False
    return _os_phrase(exc), True


def _os_phrase(exc: BaseException) -> str:
    seen: BaseException | None = exc
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in _ERRNO:
            return _ERRNO[seen.errno]
        seen = seen.__cause__ or seen.__context__
    if not isinstance(exc, aiohttp.ClientConnectorError):
        return "the connection broke"
    if isinstance(exc.os_error, ConnectionResetError):  # asyncio's, without a number: the stream ended in the handshake
        return "the server broke off the TLS handshake"
    return "none of the host's addresses accepts a connection"  # several, each with a reason of its own


def _tls(exc: BaseException) -> str | None:
    seen: BaseException | None = exc
    while seen is not None:
        if isinstance(seen, ssl.SSLError | ssl.CertificateError):
            text = str(seen).lower().replace("_", " ")
            return next((phrase for mark, phrase in _TLS if mark.replace("_", " ") in text), "the handshake failed")
        seen = seen.__cause__ or seen.__context__
    return None
