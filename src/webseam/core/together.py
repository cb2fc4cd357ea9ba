"""Several works at once that stand or fall together."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Results in the order of `works`; the first failure in time ends the others and is raised as itself.

    Returns when every work has ended, also after a failure or when the caller is cancelled. No TaskGroup: before
    Python 3.13 it leaves the cancellation count of its parent raised after a failure, and it wraps the failure.
    """
    failures: list[Exception] = []

    async def one(work: Coroutine[Any, Any, T]) -> T:
        try:
            return await work
        except Exception as exc:
            failures.append(exc)
            raise

    tasks = [asyncio.create_task(one(work)) for work in works]
    if not tasks:
        return []
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    if failures:
        raise failures[0]
    return [task.result() for task in tasks]
