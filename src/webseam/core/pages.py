"""Answers of web servers kept for later fetches (RFC 9111): what is kept, and the protocol of who keeps it."""

from dataclasses import dataclass
from typing import Protocol

from webseam.core.deadline import Clock

Headers = tuple[tuple[str, str], ...]
"""Header fields in the order they came; a name may stand more than once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """One answer as it was received: the body in its content coding, so that every view is made of it anew.

    `stored_at` is on the clock of the store. `age` is how old the answer was by then, `lifetime` how old it may get
    before its server is asked again; both in seconds. `proxied` says that a proxy dialled.
    """

    status: int
    headers: Headers
    body: bytes
    stored_at: float
    age: float = 0.0
    lifetime: float = 0.0
    proxied: bool = False


class PageStoreError(Exception):
    """The store cannot be used now; the message says why, in one clause without the store's place."""


class PageStore(Protocol):
    """Keeps pages by key, within bounds of its own. Safe for concurrent use."""

    clock: Clock
    """Seconds that `stored_at` is told in. A clock that several processes share may jump."""

    async def get(self, key: str, /) -> StoredPage | None:
        """What is kept under `key`; None also for what is kept but damaged.

        Raises:
            PageStoreError: the store cannot be read.
        """
        ...

    async def put(self, key: str, page: StoredPage, /) -> None:
        """Keep `page` in the place of what was there; one larger than the whole store is not kept.

        Raises:
            PageStoreError: the store cannot be written.
        """
        ...

    async def drop(self, key: str, /) -> None:
        """Forget what is kept under `key`.

        Raises:
            PageStoreError: the store cannot be written.
        """
        ...
