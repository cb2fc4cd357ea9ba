"""What belongs to one event loop, and must be closed before that loop is."""

from collections.abc import AsyncGenerator, Awaitable, Callable


async def ending_with_loop(close: Callable[[], Awaitable[None]]) -> AsyncGenerator[None, None]:
    """Have `close` run when the running loop shuts its generators down, as `asyncio.run` and `asyncio.Runner` do.

    Keep what this returns: its `aclose()` runs `close` earlier, and once; dropping it has the loop do so.
    """
    held = _held(close)
    await anext(held)
    return held


async def _held(close: Callable[[], Awaitable[None]]) -> AsyncGenerator[None, None]:
    try:
        yield
    finally:
        await close()
