"""Backends of shared state: one suite runs over each."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from support.redis import StateServer, any_server, installed, state_server
from support.shared import Backend, over_cells
from webseam.core.pages import PageStore
from webseam.stores.cells import MemoryCells
from webseam.stores.cells_disk import DiskCells
from webseam.stores.pages import MemoryPages
from webseam.stores.pages_disk import DiskPages
from webseam.stores.server import Server
from webseam.stores.server_pages import ServerPages
from webseam.stores.server_shared import ServerBudgets, ServerFlights, ServerRates

BACKENDS = ("memory", "disk", *(installed() or ("redis",)))
"""A server that is not installed takes no part; without any the tests of one say so."""
_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], StateServer]]:
    """One server of each kind for the whole session; tests differ by their prefix."""
    from contextlib import ExitStack  # noqa: PLC0415 - beside what it holds

    with ExitStack() as stack:
        started: dict[str, StateServer] = {}

        def get(name: str) -> StateServer:
            if name not in started:
                started[name] = stack.enter_context(state_server(tmp_path_factory.mktemp(name), name))
            return started[name]

        yield get


@pytest.fixture
async def opened(servers: Callable[[str], StateServer]) -> AsyncIterator[Callable[..., Server]]:
    """Connections to the servers, each closed at the end; the prefix is the test's own."""
    prefix = f"test{next(_NUMBERS)}"
    async with AsyncExitStack() as stack:

        def connect(name: str | None = None, **how: Any) -> Server:
            own = Server(servers(name or any_server()).url, **{"prefix": prefix, "seconds": 20.0, **how})
            stack.push_async_callback(own.aclose)
            return own

        yield connect


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, tmp_path: Path, opened: Callable[..., Server]) -> Backend:
    name = request.param
    if name in ("memory", "disk"):
        memory = MemoryCells()
        return over_cells(name, lambda: memory if name == "memory" else DiskCells(tmp_path / "shared.sqlite3"))

    def make() -> Backend:
        server = opened(name)
        return Backend(name, ServerFlights(server), ServerRates(server), ServerBudgets(server), make)

    return make()


@pytest.fixture(params=BACKENDS)
def make(request: pytest.FixtureRequest, tmp_path: Path, opened: Callable[..., Server]) -> Callable[..., PageStore]:
    """A page store of each kind."""

    def made(**bounds: Any) -> PageStore:
        if request.param == "memory":
            return MemoryPages(**bounds)
        if request.param == "disk":
            return DiskPages(tmp_path / "p.sqlite3", **bounds)
        return ServerPages(opened(request.param), **bounds)

    return made
