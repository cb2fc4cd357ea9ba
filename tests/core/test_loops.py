"""What is closed with the event loop that it belongs to."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from webseam.core.loops import ending_with_loop

pytestmark = pytest.mark.req("adapters:all:loops")


class Thing:
    """Counts how often it was closed, and takes a turn of the loop for it."""

    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        await asyncio.sleep(0)
        self.closed += 1


def test_it_is_closed_when_the_loop_ends() -> None:
    thing, kept = Thing(), []

    async def use() -> int:
        kept.append(await ending_with_loop(thing.close))
        return thing.closed

    assert asyncio.run(use()) == 0
    assert thing.closed == 1


def test_it_is_closed_earlier_and_then_not_again() -> None:
    thing, kept = Thing(), []

    async def use() -> None:
        held = await ending_with_loop(thing.close)
        kept.append(held)
        await held.aclose()
        assert thing.closed == 1
        await held.aclose()

    asyncio.run(use())
    assert thing.closed == 1


def test_it_is_closed_when_the_loop_ends_in_an_error() -> None:
    thing, kept = Thing(), []

    async def use() -> None:
        kept.append(await ending_with_loop(thing.close))
        raise ValueError("over")

    with pytest.raises(ValueError, match="over"):
        asyncio.run(use())
    assert thing.closed == 1


async def test_holding_it_lets_no_other_task_in_between() -> None:
    thing, order = Thing(), []

    async def take(name: str) -> AsyncGenerator[None, None]:
        order.append(name)
        held = await ending_with_loop(thing.close)
        order.append(name)
        return held

    held = await asyncio.gather(take("a"), take("b"))

    assert order == ["a", "a", "b", "b"]
    for one in held:
        await one.aclose()
