"""From what a vendor's file asks for to the request that leaves: URL, proof of who asks, and what must stay secret."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol
from urllib.parse import quote, quote_plus

from webseam.core.transport import VendorRequest
from webseam.providers.wires.account import Access
from webseam.providers.wires.asking import Ask


class Way(Protocol):
    """How a vendor is told who asks; see `Vendor` for the fields."""

    @property
    def key(self) -> Callable[[str], Mapping[str, str]] | None:
        """The header fields that prove it."""
        ...

    @property
    def key_param(self) -> str | None:
        """The query parameter that does, for vendors without a header."""
        ...

    @property
    def keyless(self) -> Mapping[str, str] | None:
        """The header fields that go without a key."""
        ...

    @property
    def fixed(self) -> Mapping[str, str]:
        """Header fields of every request."""
        ...


def bearer(key: str) -> dict[str, str]:
    """RFC 6750: what most vendors take."""
    return {"authorization": f"Bearer {key}"}


def basic(key: str) -> dict[str, str]:
    """RFC 7617: the key is a login and a password with a colon between them."""
    return {"authorization": f"Basic {b64encode(key.encode()).decode()}"}


def in_header(name: str) -> Callable[[str], dict[str, str]]:
    """The key in a header of the vendor's own."""
    return lambda key: {name: key}


def vendor_request(ask: Ask, access: Access, way: Way, *, provider: str, accept: str) -> VendorRequest:
    """The request, with the key where the vendor wants it and nowhere else."""
    proof = _proof(access, way)
    return VendorRequest(
        provider=provider,
        method=ask.method,
        url=_url(ask, access, way.key_param),
        headers={"accept": accept, **way.fixed, **ask.headers, **proof},
        json=ask.body(),
        form=ask.form,
        secrets=_secrets(access, proof),
    )


def _proof(access: Access, way: Way) -> Mapping[str, str]:
    if access.key is None:
        return way.keyless or {}
    return way.key(access.key) if way.key is not None else {}


def _url(ask: Ask, access: Access, key_param: str | None) -> str:
    url = access.url(ask.path) if ask.path else access.endpoint
    params = dict(ask.params)
    if access.key is not None and key_param is not None:
        params[key_param] = access.key
    query = replace(ask, params=params).query()
    return url + ("&" if "?" in url else "?") + query if query else url


def _secrets(access: Access, proof: Mapping[str, str]) -> tuple[str, ...]:
    """The key, its password alone, and the forms of it that leave: encoded for Basic authentication or for a query."""
    key = access.key
    if key is None:
        return ()
    derived = (value.rpartition(" ")[2] for value in proof.values())
    password = key.partition(":")[2]
    forms = (key, password, quote_plus(key), quote(key, ""), *(one for one in derived if len(one) >= len(key)))
    return tuple(dict.fromkeys(filter(None, forms)))
