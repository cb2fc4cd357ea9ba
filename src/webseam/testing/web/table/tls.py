"""TLS servers that are not what they say (RFC 8446, RFC 9525)."""

import ssl
from typing import Final

from webseam.testing.web.answers import page, to
from webseam.testing.web.certificates import early, expired, issued, old
from webseam.testing.web.plays import answers_bytes, holds, sends
from webseam.testing.web.relays import splinters
from webseam.testing.web.scenario import ADDRESS, FAILED, PAGE, SITE, TIMEOUT, row

_OK: Final = sends(page(b"<p>all well</p>"))
_URL: Final = f"https://{SITE}/"
_OLD: Final = b"\x15\x03\x01\0\2\2\x46"  # alert 70, protocol_version: what a server of TLS 1.0 says to a client of 1.2
_PLAIN: Final = b"HTTP/1.1 400 Bad Request\r\n\r\n"
_GARBAGE: Final = b"\x16\x03\x03\xff\xff" + b"x" * 70_000
_TWO: Final = sends(to(f"https://www.{SITE}/"))

# fmt: off
TLS: Final = (
    row("F01", "a certificate that expired", _OK, FAILED, "expired", url=_URL, certificate=expired(SITE), requests=0),
    row("F01", "a certificate of tomorrow", _OK, FAILED, "not valid yet", url=_URL, certificate=early(SITE), requests=0),
    row("F02", "a self-signed certificate", _OK, FAILED, "self-signed", url=_URL, certificate=lambda authority: authority.self_signed(), requests=0),
    row("F02", "an unknown authority", _OK, FAILED, "TLS error", url=_URL, certificate=lambda authority: authority.stranger(SITE), requests=0),
    row("F03", "another host's certificate", _OK, FAILED, "another host", url=_URL, certificate=issued("other.test"), requests=0),
    row("F05", "a wildcard two labels down", _OK, FAILED, "another host", url=f"https://a.b.{SITE}/", certificate=issued(f"*.{SITE}"), requests=0),
    row("F06", "an address in the certificate", _OK, PAGE, "all well", url=f"https://{ADDRESS}/", certificate=issued(ADDRESS)),
    row("F06", "an address that is not in it", _OK, FAILED, "another address", url=f"https://{ADDRESS}/", certificate=issued(SITE), requests=0),
    row("F07", "two hosts on one address, one in the certificate", _TWO, FAILED, "another host", url=_URL, certificate=issued(SITE), requests=1),
    row("F09", "TLS 1.0 only", answers_bytes(_OLD), FAILED, "old TLS version", url=_URL, requests=0),
    row("F10", "no TLS on port 443", answers_bytes(_PLAIN), FAILED, "does not speak TLS", url=_URL, requests=0),
    row("F10", "garbage as a handshake", answers_bytes(_GARBAGE), FAILED, "TLS", url=_URL, requests=0),
    row("F10", "a handshake broken off", answers_bytes(b""), FAILED, "broke off the TLS handshake", url=_URL, requests=0),
    row("F10", "a TLS alert on port 80", answers_bytes(_OLD), FAILED, "not well-formed"),
    row("F11", "a handshake that stalls", holds, TIMEOUT, url=_URL, requests=0, seconds=0.3),
    row("F12", "a handshake of TLS 1.3 in records of one byte", _OK, PAGE, "all well", url=_URL, certificate=issued(SITE), relay=splinters),
    row("F12", "a handshake of TLS 1.2 in records of one byte", _OK, PAGE, "all well", url=_URL, certificate=old(SITE), relay=splinters),
    row("F13", "a demand for our certificate", _OK, FAILED, url=_URL, certificate=lambda authority: authority.asking(SITE, verify_mode=ssl.CERT_REQUIRED), requests=0),
    row("F13", "a wish for our certificate", _OK, PAGE, "all well", url=_URL, certificate=lambda authority: authority.asking(SITE)),
    row("F14", "a chain of 0.2 MB", _OK, FAILED, "TLS error", url=_URL, certificate=lambda authority: authority.padded(SITE), requests=0),
)
