"""A vendor whose answers depend on the key, a provider of each capability for it, and a loop whose time jumps."""

import asyncio
import selectors
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.events import Emit, silent
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.transport import VendorRequest, VendorResponse
from webseam.core.types import (
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
    Source,
    TextBody,
)
from webseam.core.web import Web
from webseam.providers.wires.account import Account
from webseam.providers.wires.failures import failure
from webseam.testing.vendor_server import Reply, VendorServer
from webseam.wiring.build import build

T = TypeVar("T")

KEYS = ("kelp-key-one-0001", "kelp-key-two-0002", "kelp-key-three-0003")
GOOD = Reply.json({"url": "https://kelp.test/"})


def refusal(status: int, **headers: str) -> Reply:
    """The vendor's refusal with this status."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply.json({"error": {"message": "Not now."}}, status=status, headers=named)


class KelpOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the vendor is."""

    base_url: str = "https://kelp.invalid"


class Kelp:
    """All three capabilities over one endpoint."""

    native_controls = frozenset({"language"})

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._kit = kit
        self._account = Account(kit, kit.options.base_url, key_optional=kit.id == "optional")

    def available(self) -> bool:
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        return self._account.unavailable_reason()

    async def _ask(self, call: Call) -> VendorResponse:
        access = await self._account.take(call)
        request = VendorRequest(
            provider=self.id,
            method="POST",
            url=access.url("ask"),
            headers={"Authorization": f"Bearer {access.key}"},
            json={},
            secrets=access.secrets,
        )
        response = await self._kit.transport.send(request, call=call)
        if response.status != 200:
            raise failure(response, provider=self.id, secrets=access.secrets)
        return response

    async def search(self, _request: SearchRequest, *, call: Call) -> SearchResult:
        answer = msgspec.json.decode((await self._ask(call)).body)
        return SearchResult(provider=self.id, sources=(Source(url=answer["url"]),))

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        await self._ask(call)
        return FetchResult(provider=self.id, url=request.url, status_code=200, body=TextBody(content="Kelp."))

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        await self._ask(call)
        return ExtractResult(provider=self.id, url=request.url, markdown="Kelp.")


SEARCH = ProviderSpec(kind="kelp", capability="search", build=Kelp, options=KelpOptions, key_env=("KELP_API_KEY",))
FETCH = ProviderSpec(kind="kelp", capability="fetch", build=Kelp, options=KelpOptions, key_env=("KELP_API_KEY",))
EXTRACT = ProviderSpec(kind="kelp", capability="extract", build=Kelp, options=KelpOptions, key_env=("KELP_API_KEY",))


def kelp() -> EntryPoints:
    """The entry points of the kelp kind, as an installation would hold them."""
    names = {"search": "SEARCH", "fetch": "FETCH", "extract": "EXTRACT"}
    return EntryPoints(
        EntryPoint(name="kelp", value=f"support.pools:{attribute}", group=f"webseam.{group}")
        for group, attribute in names.items()
    )


@asynccontextmanager
async def pooled(
    root: Path,
    table: str,
    *replies: Reply,
    seams: Seams | None = None,
    emit: Emit = silent,
    key: str = "kelp",
    **env: str,
) -> AsyncIterator[tuple[Web, VendorServer]]:
    """A `Web` built from `[providers.<key>]` with these lines, and the vendor behind it."""
    async with VendorServer(*replies) as server:
        lines = f"[search]\nprovider = '{key}'\n[fetch]\nprovider = '{key}'\n[providers.{key}]\nkind = 'kelp'\n"
        desk = Desk(root).user(f"{lines}base_url = '{server.url}'\n{table}\n").env(**env)
        built = build(desk.load(), seams=seams or Seams(), discover=kelp, emit=emit)
        async with built.web as web:
            yield web, server


def keys_used(server: VendorServer) -> list[str]:
    """The keys of the requests that came, in order."""
    return [(one.header("authorization") or "").removeprefix("Bearer ") for one in server.requests]


class SetKey:
    """A credential source that is always set."""

    def configured(self) -> bool:
        return True

    async def resolve(self) -> str:
        return KEYS[0]


# Time that jumps ---------------------------------------------------------------------------------------


class _Jumping(selectors.SelectSelector):
    """Where the loop would sleep till its next timer, time moves on instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0 if timeout is not None else None)
        if not ready and timeout:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time stands still while anything runs and jumps to the next timer when nothing does."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def in_jumping_time(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` on a loop of its own whose time jumps."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work)


def loop_time() -> float:
    """The running loop's own time, as a clock."""
    return asyncio.get_running_loop().time()
