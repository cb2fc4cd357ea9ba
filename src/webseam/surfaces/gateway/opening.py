"""From a configuration to a gateway: for `webseam serve`, and for any other ASGI server."""

import json
import logging
from functools import lru_cache
from pathlib import Path

from webseam.core.plugin import Seams
from webseam.core.url import ascii_host
from webseam.surfaces.gateway.app import Gateway, Log
from webseam.surfaces.gateway.entry import Entry
from webseam.surfaces.gateway.exchange import Access
from webseam.surfaces.gateway.house import House
from webseam.surfaces.gateway.loading import load_modules
from webseam.wiring.build import REAL, Built, build
from webseam.wiring.config import Loaded, load
from webseam.wiring.ledger import for_gateway
from webseam.wiring.token_book import TokenBook
from webseam.wiring.tokens_file import TOKENS_FILE

_access = logging.getLogger("webseam.access")


def make_app(
    built: Built,
    loaded: Loaded,
    *,
    log: Log,
    hosts: frozenset[str] = frozenset(),
    open_here: bool = False,
    seams: Seams = REAL,
) -> Gateway:
    """The application over providers that are built; it closes them when its lifespan ends.

    All that its first calls need is loaded when this returns.

    Args:
        built: the providers.
        loaded: the configuration that they were built from.
        log: hears of each request when it is over.
        hosts: names under which it is reached, besides those of `serve.hosts`.
        open_here: take requests without a token while there is none; only for what this machine alone can reach.
        seams: clocks, for tests.
    """
    load_modules(loaded)
    book = TokenBook(tokens_path(loaded), now=seams.now)
    named = frozenset(filter(None, map(ascii_host, loaded.config.serve.hosts))) | hosts
    house = House(built, loaded, book=book, hosts=named, seams=seams)
    return Gateway(house, Entry(book, hosts=named, open_here=open_here), log=log)


def create_app() -> Gateway:
    """The application of the process's own configuration, for any ASGI server: every request needs a token.

    `granian --interface asgi --factory webseam.surfaces.gateway.opening:create_app`, or the same with `uvicorn`. Each
    request is logged to `webseam.access`.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    loaded = for_gateway(load())
    return make_app(build(loaded), loaded, log=to_logger)


def tokens_path(loaded: Loaded) -> Path:
    """Where the tokens of a configuration are."""
    return loaded.places.data / TOKENS_FILE


def to_logger(access: Access) -> None:
    """A request that is over, as a line of JSON."""
    _access.info(access_line(access))


def access_line(access: Access) -> str:
    """The line of the access log."""
    same = _of_many(access.tenant, access.method, access.route, access.status, access.code)
    return f'{{"request_id": {json.dumps(access.request_id)}, {same}, "ms": {round(access.seconds * 1_000, 1)}}}'


@lru_cache(maxsize=1_024)
def _of_many(tenant: str, method: str, route: str, status: int, code: str) -> str:
    """The part of a line that many requests share; what is not known is left out."""
    told = {"tenant": tenant, "method": method, "route": route, "status": status, "code": code}
    return json.dumps({name: value for name, value in told.items() if value != ""})[1:-1]
