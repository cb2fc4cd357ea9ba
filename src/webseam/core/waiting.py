"""Work that often ends without waiting: what looks after it while it waits begins no sooner than that."""

from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Begun(Generic[T]):
    """Work that has run as far as it goes without waiting; what it raises by then is raised here.

    A timer that would be set and taken back without having had a chance to fire costs more than a short answer does.

    Args:
        work: what is begun.
    """

    __slots__ = ("_awaited", "_value", "_work")

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work: Coroutine[Any, Any, T] | None = work
        try:
            self._awaited = work.send(None)
        except StopIteration as done:
            self._work = None
            self._value: T = done.value

    @property
    def waits(self) -> bool:
        """Whether it waits for something."""
        return self._work is not None

    @property
    def value(self) -> T:
        """What it came to without waiting."""
        return self._value

    @coroutine
    def rest(self) -> Generator[Any, Any, T]:
        """What it comes to at last; to be awaited once, at once, by the task that began it."""
        work, awaited = self._work, self._awaited
        assert work is not None  # noqa: S101 - it waits
        while True:
            try:
                yield awaited
            except GeneratorExit:
                work.close()
                raise
            except BaseException as exc:  # noqa: BLE001 - a cancellation too is for `work` to hear
                try:
                    awaited = work.throw(exc)
                except StopIteration as done:
                    return done.value  # type: ignore[no-any-return] # of `work`
            else:
                value: T = yield from work  # goes on with None: a task sends nothing else
                return value
