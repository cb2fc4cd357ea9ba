"""The clients of a soak: bounded many at once, over all replicas that take calls; every request is accounted for."""

import asyncio
import itertools
import json
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
from soak_answers import OK, Answer, gone, judged
from soak_facts import CALL_SECONDS, Burst, Sent
from soak_fleet import Replica
from soak_origins import Origins
from soak_subjects import new_subject

CLIENT_SECONDS: Final = 60.0
"""When a client has waited long enough to say that there was no answer."""
NOBODY_SECONDS: Final = 60.0
READY_SECONDS: Final = 10.0
"""When a replica that does not say whether it is ready is not."""
LEAVING_SECONDS: Final = 0.4
"""When a client that leaves has waited long enough: the request has arrived, and a slow page has not."""
_POLL: Final = 0.05
_LOOK: Final = 0.002
_MODERN: Final = "2026-07-28"
_META: Final = {
    "io.modelcontextprotocol/protocolVersion": _MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
BURST_TENANT: Final = "alga"
TENANTS: Final = ("alga", "brine", "coral")
THRIFT: Final = "thrift"
"""The tenant whose calls of a day are bounded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What a request is: a path, or a tool over MCP, about a page of a kind or about nothing but its subject.

    A client that `leaves` waits for no answer that takes long.
    """

    kind: str
    path: str
    page: str = ""
    tool: str = ""
    leaves: bool = False

    def argument(self, origin: str, subject: str) -> dict[str, str]:
        """The arguments."""
        if self.page:
            return {"url": f"{origin}/p/{self.page}/{subject}"}
        if "extract" in self.kind:
            return {"url": f"https://pages.example/{subject}"}
        return {"query": f"what about {subject}"}


SEARCH: Final = Ask(kind="search", path="/v1/search")
BURST: Final = Ask(kind="fetch", path="/v1/fetch", page="burst")
_PAGES: Final = ("plain", "moved", "slow", "fresh", "cut")
MIX: Final = (
    SEARCH,
    *(Ask(kind="fetch", path="/v1/fetch", page=page) for page in _PAGES),
    Ask(kind="extract", path="/v1/extract"),
    Ask(kind="tool search", path="/v1/tools/web_search"),
    *(Ask(kind="tool fetch", path="/v1/tools/web_fetch", page=page) for page in ("plain", "big", "moved")),
    Ask(kind="tool extract", path="/v1/tools/web_extract"),
    SEARCH,
    Ask(kind="mcp search", path="/mcp", tool="web_search"),
    Ask(kind="mcp fetch", path="/mcp", tool="web_fetch", page="plain"),
    Ask(kind="fetch", path="/v1/fetch", page="stall"),
    Ask(kind="leaving", path="/v1/fetch", page="stall", leaves=True),
    Ask(kind="tool leaving", path="/v1/tools/web_search", leaves=True),
    Ask(kind="leaving", path="/v1/fetch", page="slow", leaves=True),
)
"""What a client does in turn."""


@dataclass(slots=True)
class Load:
    """Sends requests and keeps what came of each."""

    origins: Origins
    replicas: Sequence[Replica]
    tokens: Mapping[str, str] = field(default_factory=dict)
    sent: list[Sent] = field(default_factory=list)
    bursts: list[Burst] = field(default_factory=list)
    over: bool = False
    _sessions: tuple[aiohttp.ClientSession, ...] = ()
    _turns: Iterator[int] = field(default_factory=itertools.count)
    _connected: Iterator[int] = field(default_factory=itertools.count)
    _last: dict[tuple[str, str], str] = field(default_factory=dict)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Clients of two kinds: with a connection for each request, and with connections that stay open."""
        async with _session(force_close=True) as one, _session(force_close=False) as other:
            self._sessions = one, other
            yield

    async def watch(self, replica: Replica) -> None:
        """What a load balancer does: send no more to a replica that is not ready."""
        patience = aiohttp.ClientTimeout(total=READY_SECONDS)
        while True:
            asked = time.monotonic()
            try:
                url = f"http://127.0.0.1:{replica.port}/readyz"
                async with self._sessions[0].get(url, timeout=patience) as got:
                    replica.takes = got.status == OK
                    replica.lag = max(replica.lag, time.monotonic() - asked)
            except (aiohttp.ClientError, OSError):
                replica.takes = False
            await asyncio.sleep(_POLL)

    async def client(self, number: int, pause: float) -> None:
        """One client: a request after the other, one in four about what its tenant has asked for just before."""
        tenant = TENANTS[number % len(TENANTS)]
        for turn in itertools.count(number):
            if self.over:
                return
            ask = MIX[turn % len(MIX)]
            family = tenant, ask.page or ("extract" if "extract" in ask.kind else "search")
            again = self._last.get(family) if turn % 4 == 0 else None
            subject = self._last[family] = again or new_subject()
            await self.send(ask, tenant, subject)
            await asyncio.sleep(pause)

    async def thrifty(self, pause: float) -> None:
        """A client of the tenant whose calls are bounded."""
        while not self.over:
            await self.send(SEARCH, THRIFT, new_subject())
            await asyncio.sleep(pause)

    async def spend(self, calls: int, at_once: int) -> None:
        """As many calls of that tenant, some at once."""
        room = asyncio.Semaphore(at_once)

        async def one() -> None:
            async with room:
                await self.send(SEARCH, THRIFT, new_subject())

        await asyncio.gather(*(one() for _ in range(calls)))

    async def burst(self, many: int, *, most: int = 1, first: Replica | None = None) -> None:
        """The same page for many at once, at all replicas; `first` is asked first."""
        subject = new_subject()
        sending = [asyncio.create_task(self.send(BURST, BURST_TENANT, subject, first=first))]
        asked = "http", subject
        while first and not self.origins.hits[asked] and not sending[0].done():  # noqa: ASYNC110 - another process
            await asyncio.sleep(_LOOK)
        sending += [asyncio.create_task(self.send(BURST, BURST_TENANT, subject)) for _ in range(many - 1)]
        await asyncio.gather(*sending)
        self.bursts.append(Burst(subject=subject, many=many, most=most))

    async def send(self, ask: Ask, tenant: str, subject: str, *, first: Replica | None = None) -> None:
        """One request, to `first` or whichever replica takes it."""
        turned_away = 0
        end = time.monotonic() + NOBODY_SECONDS
        while time.monotonic() < end:
            taking = [one for one in self.replicas if one.takes]
            if taking:
                replica = first or taking[next(self._turns) % len(taking)]
                if (sent := await self._sent(ask, tenant, subject, replica, turned_away)) is not None:
                    self.sent.append(sent)
                    return
                turned_away, first = turned_away + 1, None
            await asyncio.sleep(_POLL)
        raise RuntimeError("no replica took a request for a minute")

    async def _sent(self, ask: Ask, tenant: str, subject: str, replica: Replica, turned_away: int) -> Sent | None:
        """What came of it; None where no connection was taken."""
        number, incarnation, began = secrets.token_hex(8), replica.incarnation, time.monotonic()
        url = f"http://127.0.0.1:{replica.port}{ask.path}"
        body, headers = _told(ask, ask.argument(self.origins.url, subject), number, self.tokens[tenant])
        session = self._sessions[next(self._connected) // 2 % 2]
        patience = aiohttp.ClientTimeout(total=LEAVING_SECONDS if ask.leaves else CLIENT_SECONDS)
        try:
            async with session.post(url, data=body, headers=headers, timeout=patience) as got:
                answer = Answer(status=got.status, headers=dict(got.headers), body=await got.read())
            end = judged(answer, ask.kind, number, subject)
        except aiohttp.ClientConnectorError:
            return None
        except TimeoutError:
            end = gone(leaves=ask.leaves)
        except (aiohttp.ClientError, OSError) as exc:
            end = judged(None, ask.kind, number, subject, fault=type(exc).__name__)
        return Sent(
            id=number,
            tenant=tenant,
            kind=ask.kind,
            subject=subject,
            replica=incarnation,
            began=began,
            ended=time.monotonic(),
            end=end.end,
            status=end.status,
            code=end.code,
            why=end.why,
            strangers=end.strangers,
            turned_away=turned_away,
        )


def _session(*, force_close: bool) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(force_close=force_close, limit=0)
    return aiohttp.ClientSession(connector=connector)


def _told(ask: Ask, arguments: dict[str, str], number: str, token: str) -> tuple[bytes, dict[str, str]]:
    """Body and headers."""
    headers = {
        "Content-Type": "application/json",
        "Authorization": f"Bearer {token}",
        "X-Request-Id": number,
        "Webseam-Timeout": f"{CALL_SECONDS:g}",
    }
    if not ask.tool:
        return json.dumps(arguments).encode(), headers
    call: dict[str, Any] = {"name": ask.tool, "arguments": arguments, "_meta": _META}
    named = {"MCP-Protocol-Version": _MODERN, "Mcp-Method": "tools/call", "Mcp-Name": ask.tool}
    accept = {"Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
    return json.dumps(body).encode(), {**headers, **named, **accept}
