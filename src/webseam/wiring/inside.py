"""What stands between the seam's edge and the providers: layers, each around the next, inside the tape if any."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from webseam.core.call import Call
from webseam.core.tape import Asked, Tape
from webseam.core.types import ExtractResult, FetchResult, SearchResult

R = TypeVar("R", SearchResult, FetchResult, ExtractResult)

Live: TypeAlias = Callable[[Call], Awaitable[Any]]
"""Asks whatever is further inside; what comes of it is of the capability that was asked for."""


class Layer(Protocol):
    """Answers by itself, or asks on and does something with the answer."""

    async def __call__(self, asked: Asked, live: Live, call: Call, /) -> Any:
        """The answer to `asked`.

        Raises:
            WebError: what `live` raises, mostly.
        """
        ...


class Inside:
    """A tape around layers: what is recorded is what the caller saw. The first layer is the outermost."""

    replays: Final = False

    def __init__(self, tape: Tape | None, layers: Sequence[Layer]) -> None:
        self.keeps = tape is not None
        self._tape = tape
        self._layers = tuple(layers)

    async def play(self, asked: Asked, live: Callable[[Call], Awaitable[R]], call: Call) -> R:
        """See `Tape`."""
        for layer in reversed(self._layers):
            live = partial(layer, asked, live)
        return await (live(call) if self._tape is None else self._tape.play(asked, live, call))

    def draw(self, name: str, live: Callable[[], str]) -> str:
        """See `Tape`."""
        return live() if self._tape is None else self._tape.draw(name, live)
