"""TLS of the hostile web: an authority of its own, and servers that hold the wrong certificate in every way.

Needs trustme, which the extra `testing` installs; it loads on first use.
"""

import datetime as dt
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeAlias

_DAY: Final = dt.timedelta(days=1)
LONG_CHAIN: Final = 300
"""Certificates in the long chain: 0.2 MB of them."""


class Authority:
    """Issues certificates.

    Args:
        folder: where `bundle`, the authority's root as a PEM file, is written.
    """

    def __init__(self, folder: Path) -> None:
        import trustme  # noqa: PLC0415 - of the extra; first use

        self._ca = trustme.CA()
        self._folder = folder
        self.bundle = folder / "roots.pem"
        self._ca.cert_pem.write_to_path(self.bundle)

    def server(self, *names: str, **options: Any) -> ssl.SSLContext:
        """A server context with a certificate for `names`; `options` are trustme's (`not_after`, `not_before`)."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ca.issue_cert(*names, **options).configure_cert(context)
        return context

    def stranger(self, *names: str) -> ssl.SSLContext:
        """The same by an authority that nobody trusts."""
        import trustme  # noqa: PLC0415 - of the extra; first use

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        trustme.CA().issue_cert(*names).configure_cert(context)
        return context

    def padded(self, *names: str) -> ssl.SSLContext:
        """A valid certificate at the head of a chain of `LONG_CHAIN` others."""
        leaf = self._ca.issue_cert(*names)
        chain = self._folder / "chain.pem"
        blocks = [leaf.cert_chain_pems[0].bytes(), *[self._ca.cert_pem.bytes()] * LONG_CHAIN]
        chain.write_bytes(leaf.private_key_pem.bytes() + b"".join(blocks))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        return context

    def self_signed(self) -> ssl.SSLContext:
        """A server that shows a root of its own as its certificate."""
        import trustme  # noqa: PLC0415 - of the extra; first use

        own = trustme.CA()
        path = self._folder / "self-signed.pem"
        path.write_bytes(own.private_key_pem.bytes() + own.cert_pem.bytes())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    def asking(self, *names: str, **facts: Any) -> ssl.SSLContext:
        """A valid certificate, on a server that asks for one too; `facts` are attributes of the context."""
        context = self.server(*names)
        context.load_verify_locations(self.bundle)
        for name, value in ({"verify_mode": ssl.CERT_OPTIONAL} | facts).items():
            setattr(context, name, value)
        return context


Certificate: TypeAlias = Callable[[Authority], ssl.SSLContext]


def issued(*names: str) -> Certificate:
    """A valid certificate for `names`."""
    return lambda authority: authority.server(*names)


def expired(name: str) -> Certificate:
    """One that ended yesterday."""
    now = dt.datetime.now(dt.UTC)
    return lambda authority: authority.server(name, not_before=now - 9 * _DAY, not_after=now - _DAY)


def early(name: str) -> Certificate:
    """One that begins tomorrow."""
    now = dt.datetime.now(dt.UTC)
    return lambda authority: authority.server(name, not_before=now + _DAY, not_after=now + 9 * _DAY)


def old(name: str) -> Certificate:
    """A valid one, on a server that speaks no TLS above 1.2: its certificate comes unencrypted."""

    def make(authority: Authority) -> ssl.SSLContext:
        context = authority.server(name)
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        return context

    return make


def only_h2(name: str) -> Certificate:
    """A server that knows no other protocol than h2."""

    def make(authority: Authority) -> ssl.SSLContext:
        context = authority.server(name)
        context.set_alpn_protocols(["h2"])
        return context

    return make
