"""The demo's site on loopback, for commands that run an event loop of their own."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager

from webseam.surfaces.cli.demo_server import demo_site


@contextmanager
def demo_web() -> Iterator[str]:
    """Serve the demo's site from a thread; yields its URL."""
    loop = asyncio.new_event_loop()
    site = demo_site()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(site.__aenter__(), loop).result(10)
    finally:
        asyncio.run_coroutine_threadsafe(_closed(site), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _closed(site: AbstractAsyncContextManager[str]) -> None:
    await site.__aexit__(None, None, None)
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
