"""What TLS trusts: the system's roots or a configured file, the host's own certificate, and no second handshake."""

import ssl
import sys

from webseam.core.errors import Code, WebError


def tls_context(ca_bundle: str | None) -> ssl.SSLContext:
    """A client context: TLS 1.2 or newer, HTTP/1.1, the host checked, no certificate of ours, no key log.

    As `ssl.create_default_context`, but for `SSLKEYLOGFILE`: a variable that some parent process left would write down
    the secrets of every connection, the ones that carry keys among them.

    Args:
        ca_bundle: file of trusted roots (PEM) instead of the system's store, which `SSL_CERT_FILE` moves.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be read as certificates.
    """
    try:
        context = _client_context(ca_bundle)
    except (OSError, ssl.SSLError) as exc:
        raise WebError(Code.CONFIG_INVALID, "fetch.ca_bundle cannot be read as a file of certificates (PEM).") from exc
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)  # some builds leave it to the system
    context.set_alpn_protocols(["http/1.1"])
    context.options |= ssl.OP_NO_RENEGOTIATION  # a TLS 1.2 server could have us shake hands for ever
    return context


def _client_context(ca_bundle: str | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # checks certificate and host by itself
    if ca_bundle:
        context.load_verify_locations(ca_bundle)
    else:
        context.load_default_certs(ssl.Purpose.SERVER_AUTH)
    if sys.version_info >= (3, 13):  # from then on the default context's own; RFC 5280
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VERIFY_X509_STRICT
    return context
