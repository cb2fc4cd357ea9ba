"""What TLS trusts: the system's roots or a configured file, the host's own certificate, and no second handshake."""

import ssl

from webseam.core.errors import Code, WebError


def tls_context(ca_bundle: str | None) -> ssl.SSLContext:
    """A client context: TLS 1.2 or newer, HTTP/1.1, the host checked, no certificate of ours.

    Args:
        ca_bundle: file of trusted roots (PEM) instead of the system's store, which `SSL_CERT_FILE` moves.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the file cannot be read as certificates.
    """
    try:
        context = ssl.create_default_context(cafile=ca_bundle)
    except (OSError, ssl.SSLError) as exc:
        raise WebError(Code.CONFIG_INVALID, "fetch.ca_bundle cannot be read as a file of certificates (PEM).") from exc
    context.minimum_version = max(context.minimum_version, ssl.TLSVersion.TLSv1_2)  # some builds leave it to the system
    context.set_alpn_protocols(["http/1.1"])
    context.options |= ssl.OP_NO_RENEGOTIATION  # a TLS 1.2 server could have us shake hands for ever
    return context
