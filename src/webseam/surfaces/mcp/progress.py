"""Progress notes of a call, where its client asked for them: how far an answer has come, and that it still comes."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.context import ServerRequestContext

from webseam.core.limits import MCP_PROGRESS_PATIENCE, MCP_PROGRESS_SECONDS

if TYPE_CHECKING:
    from webseam.core.call import Progress


class Teller:
    """Keeps what is to be told until the next note is due; the notes between are left out."""

    def __init__(self, ctx: ServerRequestContext[Any, Any]) -> None:
        self._ctx = ctx
        self._news = asyncio.Event()
        self._length = 0
        self._begun = time.monotonic()

    def told(self, text: str) -> None:
        """The answer has grown to `text`."""
        self._length = len(text)
        self._news.set()

    async def tell(self) -> None:
        """Send notes until cancelled: the first news at once, then one a second at most."""
        count = 0
        while True:
            grown = await self._wait()
            count += 1
            await self._ctx.session.report_progress(count, message=self._message(grown=grown))
            await asyncio.sleep(MCP_PROGRESS_SECONDS)

    async def _wait(self) -> bool:
        """Whether there is news, or else patience has ended."""
        try:
            async with asyncio.timeout(MCP_PROGRESS_PATIENCE):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True

    def _message(self, *, grown: bool) -> str:
        if grown:
            return f"{self._length:,} characters of the answer so far"
        return f"still working after {time.monotonic() - self._begun:.0f} s"


@asynccontextmanager
async def reporting(ctx: ServerRequestContext[Any, Any]) -> "AsyncIterator[Progress | None]":
    """Notes while the block runs; None where the client asked for none. The last note leaves before the answer does."""
    if ctx.meta is None or ctx.meta.get("progress_token") is None:
        yield None
        return
    teller = Teller(ctx)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(teller.tell())
        try:
            yield teller.told
        finally:
            task.cancel()
