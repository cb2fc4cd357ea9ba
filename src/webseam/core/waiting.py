"""Work that often ends without waiting: what looks after it while it waits begins no sooner than that."""

from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def when_waiting(begin: Callable[[], object], work: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """What `work` comes to; `begin` is called once, as soon as it waits for something.

    A timer that would be set and taken back without having had a chance to fire costs more than a short answer does.
    """
    try:
        awaited = work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return] # of `work`
    begin()
    while True:
        try:
            try:
                sent = yield awaited
            except GeneratorExit:
                work.close()
                raise
            except BaseException as exc:  # noqa: BLE001 - a cancellation too is for `work` to hear
                awaited = work.throw(exc)
            else:
                awaited = work.send(sent)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return] # of `work`
