"""Test doubles and the provider contract, for programs built on webseam and used by its own tests too.

Honest providers that follow a script, a vendor on loopback, and what every search and extract provider must do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from webseam.testing.fakes import STALLED, ManualClock, ScriptedExtract, ScriptedFetch, ScriptedSearch, Stalled

if TYPE_CHECKING:
    from webseam.testing.contract import provider_contract
    from webseam.testing.dns import DnsServer, DnsStep
    from webseam.testing.vendor_server import Reply, VendorCall, VendorServer

_HOMES = {
    "DnsServer": "webseam.testing.dns",
    "DnsStep": "webseam.testing.dns",
    "Reply": "webseam.testing.vendor_server",
    "VendorCall": "webseam.testing.vendor_server",
    "VendorServer": "webseam.testing.vendor_server",
    "provider_contract": "webseam.testing.contract",
}
"""What brings an HTTP client or server loads on first use: who plays a script goes without."""

__all__ = [
    "STALLED",
    "DnsServer",
    "DnsStep",
    "ManualClock",
    "Reply",
    "ScriptedExtract",
    "ScriptedFetch",
    "ScriptedSearch",
    "Stalled",
    "VendorCall",
    "VendorServer",
    "provider_contract",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)
