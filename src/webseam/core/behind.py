"""Work behind a caller's back: what must still be told to others when the caller is on its way out."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from webseam.core.errors import WebError
from webseam.core.shared import SharedError


class Behind:
    """Tasks that nobody waits for till the end; a shared state that is away costs them their effect, nothing else."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def do(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin `work`."""
        task = asyncio.ensure_future(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Wait for what was begun; each step on shared state has a time of its own."""
        if self._tasks:
            await asyncio.wait([*self._tasks])


async def _quietly(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except (SharedError, WebError):  # told to whoever asks next
        return
