"""Gateways of one fleet: each a `Web` of its own from configuration, all on one server."""

import itertools
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any

from support.pools import KEYS, kelp
from support.redis import StateServer
from support.wiring import Desk
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Seams
from webseam.core.web import Web
from webseam.testing.vendor_server import Reply, VendorServer
from webseam.wiring.build import build

REAL = Seams()
HIT = Reply.json({"url": "https://kelp.test/"})
_NUMBERS = itertools.count()


def pages(server: StateServer, **fleet: Any) -> dict[str, Any]:
    """A configuration whose pages are kept on the server."""
    fetch = {"provider": "http", "cache": "fleet", "private_networks": ["127.0.0.0/8"]}
    return {"fleet": {"url": server.url, **fleet}, "fetch": fetch}


def searches(vendor: VendorServer, *, cache: str = "memory", **sections: Any) -> dict[str, Any]:
    """A configuration that searches with kelp and keeps the answers."""
    table = {"kind": "kelp", "base_url": vendor.url, "key": KEYS[0], **sections.pop("kelp", {})}
    search = {"provider": "kelp", "cache": cache, **sections.pop("search", {})}
    return {"search": search, "fetch": {"provider": "http"}, "providers": {"kelp": table}, **sections}


def installed_kinds() -> EntryPoints:
    """Everything that is installed, and the toy vendor."""
    groups = (entry_points(group=f"webseam.{kind}") for kind in ("search", "fetch", "extract"))
    return EntryPoints([*(one for group in groups for one in group), *kelp()])


@asynccontextmanager
async def gateway(
    root: Path,
    config: Mapping[str, Any],
    *,
    seams: Seams = REAL,
    emit: Emit = silent,
    gate: Gate | None = None,
    env: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Web]:
    """A `Web` of these settings; besides what is installed there is the vendor `kelp`."""
    desk = Desk(root / f"gateway{next(_NUMBERS)}").env(**env)
    loaded = desk.load(config)
    built = build(loaded, seams=seams, emit=emit, gate=gate, discover=installed_kinds)
    async with built.web as web:
        yield web
