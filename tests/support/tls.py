"""A certificate authority for one test run, and servers that use it."""

import ssl
from pathlib import Path

import trustme


class Authority:
    """Issues certificates; `bundle` is its root as a file."""

    def __init__(self, folder: Path) -> None:
        self._ca = trustme.CA()
        self.bundle = folder / "roots.pem"
        self._ca.cert_pem.write_to_path(self.bundle)

    def server(self, *names: str, **options: object) -> ssl.SSLContext:
        """A server context with a certificate for `names`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ca.issue_cert(*names, **options).configure_cert(context)  # type: ignore[arg-type] # trustme's keywords
        return context
