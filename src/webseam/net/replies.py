"""What a fetch reads: an answer as it arrives, one that is kept while it is read, or one from a store."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from multidict import CIMultiDict

from webseam.core.leading import Led
from webseam.core.pages import StoredPage
from webseam.core.types import CacheFacts
from webseam.net.decoding import Read

if TYPE_CHECKING:
    from webseam.net.answer import Answer

Outcome: TypeAlias = Literal["answered", "given up"]
"""How a request ended: its server has said what it had to say, or the caller went away before that."""


class Reply(Protocol):
    """Status, headers and body of one answer, wherever it comes from."""

    @property
    def status(self) -> int:
        """The status code."""
        ...

    @property
    def headers(self) -> Mapping[str, str]:
        """The header fields; names are case-insensitive."""
        ...

    @property
    def proxied(self) -> bool:
        """Whether a proxy dialled."""
        ...

    @property
    def cache(self) -> CacheFacts | None:
        """How old it is, when it comes from a store."""
        ...

    @property
    def stored(self) -> StoredPage | None:
        """What is kept from now on, when it comes from a store."""
        ...

    def header(self, name: str) -> str | None:
        """First value of a header."""
        ...

    def listed(self, name: str) -> str | None:
        """All values of a header that is a list."""
        ...

    def body(self, cap: int) -> Read:
        """Reads the body piece by piece, b"" at its end."""
        ...

    def ended(self) -> bool:
        """Whether the body was read to its end."""
        ...

    def close(self) -> None:
        """Be done with it; more than once is no harm."""
        ...


class StoredReply:
    """A kept page, read as if it had just arrived; `kept` says whether it stays so."""

    def __init__(self, page: StoredPage, facts: CacheFacts, *, kept: bool = True) -> None:
        self.stored = page if kept else None
        self.status = page.status
        self.proxied = page.proxied
        self.cache = facts
        self._fields = page.headers
        self._left = page.body
        self._read = False

    @cached_property
    def headers(self) -> CIMultiDict[str]:
        """See `Reply`."""
        return CIMultiDict(self._fields)

    def header(self, name: str) -> str | None:
        """See `Reply`."""
        wanted = name.lower()  # seldom is more than one asked for, and that is found sooner than a mapping is made
        return next((value for one, value in self._fields if one.lower() == wanted), None)

    def listed(self, name: str) -> str | None:
        """See `Reply`."""
        return ", ".join(self.headers.getall(name, ())) or None

    def body(self, cap: int) -> Read:  # noqa: ARG002 - nothing arrives that would have to be stopped
        """See `Reply`."""
        return self._piece

    def ended(self) -> bool:
        """See `Reply`."""
        return self._read

    def close(self) -> None:
        """See `Reply`."""

    async def _piece(self) -> bytes:
        piece, self._left, self._read = self._left, b"", True
        return piece


@dataclass(slots=True)
class RecordedReply:
    """An answer whose body is remembered as it is read; `finish` is told how that ended, at the latest by `close`.

    `key` is where it would be kept, and `replaces` says that something is. `requested` and `received` are seconds
    since 1970. `led` is the lead among several processes, where there are such.
    """

    answer: "Answer"
    finish: Callable[[Outcome], None]
    key: str
    requested: float
    received: float
    replaces: bool
    led: Led | None = None
    pieces: list[bytes] = field(default_factory=list)
    cache: CacheFacts | None = None
    stored: None = None

    @property
    def status(self) -> int:
        """See `Reply`."""
        return self.answer.status

    @property
    def headers(self) -> Mapping[str, str]:
        """See `Reply`."""
        return self.answer.headers

    @property
    def proxied(self) -> bool:
        """See `Reply`."""
        return self.answer.proxied

    def header(self, name: str) -> str | None:
        """See `Reply`."""
        return self.answer.header(name)

    def listed(self, name: str) -> str | None:
        """See `Reply`."""
        return self.answer.listed(name)

    def body(self, cap: int) -> Read:
        """See `Reply`."""
        read = self.answer.body(cap)

        async def recorded() -> bytes:
            try:
                piece = await read()
            except asyncio.CancelledError:
                self.finish("given up")
                raise
            self.pieces.append(piece)
            return piece

        return recorded

    def ended(self) -> bool:
        """See `Reply`."""
        return self.answer.ended()

    def close(self) -> None:
        """See `Reply`."""
        self.answer.close()
        self.finish("answered")
