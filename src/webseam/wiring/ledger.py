"""Who keeps the record of calls: takes entries without making a call wait, and writes them behind its back."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from itertools import islice
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Final, Literal, Self

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.ledger import Entry, LedgerError, LedgerStore
from webseam.core.limits import (
    LEDGER_BATCH,
    LEDGER_CLOSE_SECONDS,
    LEDGER_FEED,
    LEDGER_QUEUE,
    LEDGER_RETRY_SECONDS,
    LEDGER_SECONDS,
)
from webseam.stores.ledger_server import LedgerStream
from webseam.wiring.config import Loaded
from webseam.wiring.fleet import Fleet
from webseam.wiring.hiding import without
from webseam.wiring.schema import Config

_log: Final = logging.getLogger("webseam.ledger")
_FACTS: Final = attrgetter(*(one.name for one in fields(Entry)))


class Feed:
    """New entries as calls end: `async with keeper.subscribe() as feed: async for entry in feed: ...`.

    A reader that is slow misses the oldest ones; `missed` counts them. It ends when the record is closed.
    """

    def __init__(self, left: Callable[["Feed"], None], most: int = LEDGER_FEED) -> None:
        self.missed = 0
        self._left = left
        self._held: deque[Entry] = deque(maxlen=most)
        self._some = asyncio.Event()
        self._closed = False

    def put(self, entry: Entry) -> None:
        """A call is over."""
        if len(self._held) == self._held.maxlen:
            self.missed += 1
        self._held.append(entry)
        self._some.set()

    def close(self) -> None:
        """No more comes."""
        self._closed = True
        self._some.set()

    def __aiter__(self) -> AsyncIterator[Entry]:
        return self

    async def __anext__(self) -> Entry:
        while not self._held:
            if self._closed:
                raise StopAsyncIteration
            self._some.clear()
            await self._some.wait()
        return self._held.popleft()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        self._left(self)


class Keeper:
    """The `Ledger` of a configured `Web`: entries wait half a second, and are written together.

    A record that cannot be written ends no call: that is told once, entries wait, and what finds no more room is
    counted. A process that is killed loses what it took in its last second.

    Args:
        store: where they are written.
        text: whether queries and URLs are kept.
        hidden: what no entry may hold, as it is now.
        now: seconds since 1970.
    """

    def __init__(
        self,
        store: LedgerStore,
        *,
        text: bool = False,
        hidden: Callable[[], Iterable[str]] = tuple,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.text = text
        self.now = now
        self.told: Callable[[str], None] = _log.warning
        self._hidden = hidden
        self._waiting: deque[Entry] = deque()
        self._lost = 0
        self._batch: tuple[list[Entry], int] | None = None
        self._failing = False
        self._closed = False
        self._writer: asyncio.Task[None] | None = None
        self._feeds: list[Feed] = []

    # Entries come ------------------------------------------------------------------------------------

    def add(self, entry: Entry) -> None:
        """See `Ledger`; must be called in the event loop."""
        for clean in keyless([entry], self._hidden()):
            self.take(clean)

    def take(self, clean: Entry) -> None:
        """As `add`, for an entry without keys."""
        for feed in self._feeds:
            feed.put(clean)
        if self._closed or len(self._waiting) >= LEDGER_QUEUE:
            self._lost += 1
            return
        self._waiting.append(clean)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.get_running_loop().create_task(self._write_on())

    @property
    def waiting(self) -> tuple[Entry, ...]:
        """What is not written yet, the oldest first."""
        return tuple(self._waiting)

    @property
    def unrecorded(self) -> int:
        """Calls that found no room, of which the record does not know yet."""
        return self._lost

    def subscribe(self, most: int = LEDGER_FEED) -> Feed:
        """The entries of this process from now on, of which up to `most` wait for the reader."""
        feed = Feed(self._leave, most)
        self._feeds.append(feed)
        if self._closed:
            feed.close()
        return feed

    def _leave(self, feed: Feed) -> None:
        self._feeds = [one for one in self._feeds if one is not feed]

    # And are written ---------------------------------------------------------------------------------

    async def _write_on(self) -> None:
        """Write until nothing waits; a loop that ends without `aclose` has the rest written first."""
        rest = 1.0
        try:
            while self._waiting or self._lost:
                await asyncio.sleep(rest if self._failing else LEDGER_SECONDS)
                rest = min(LEDGER_RETRY_SECONDS, 2 * rest) if self._failing else 1.0
                await self._all_written()
        except asyncio.CancelledError:
            if not self._closed:
                await self._all_written()
            raise

    async def _all_written(self) -> None:
        while self._waiting or self._lost:
            if not await self._written():
                return

    async def _written(self) -> bool:
        """Write one batch; whether it could be. One that failed is tried as it was: it may have been taken."""
        self._batch = self._batch or ([*islice(self._waiting, LEDGER_BATCH)], self._lost)
        batch, lost = self._batch
        try:
            await self.store.append(batch, lost=lost)
        except LedgerError as exc:
            if not self._failing:
                self.told(f"webseam: the record of calls cannot be written: {exc}. Calls go on without it.")
            self._failing = True
            return False
        for _ in batch:
            self._waiting.popleft()
        self._lost -= lost
        self._batch = None
        self._failing = False
        return True

    async def aclose(self) -> None:
        """Write what waits, for a bounded time; what is left then is lost, which is told."""
        self._closed = True
        for feed in self._feeds:
            feed.close()
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.cancel()
            await asyncio.wait([writer])
        try:
            async with asyncio.timeout(LEDGER_CLOSE_SECONDS):
                await self._all_written()
        except TimeoutError:
            self._failing = True
        if self._waiting:
            self.told(f"webseam: {len(self._waiting):,} calls are missing in the record of calls.")


def keyless(entries: Sequence[Entry], secrets: Iterable[str]) -> Sequence[Entry]:
    """Each entry as `without` leaves it; most hold no secret, which is seen at one look for all of them."""
    known = tuple(secrets)
    if not known:
        return entries
    texts = "\0".join(text for one in entries for text in _texts(one))
    return [without(one, known) for one in entries] if any(secret in texts for secret in known) else entries


def _texts(entry: Entry) -> Iterator[str]:
    yield from (fact for fact in _FACTS(entry) if isinstance(fact, str))
    yield from entry.costs
    for one in entry.attempts:
        yield from (one.provider, one.code or "", one.outcome)


def ledger_path(loaded: Loaded) -> Path:
    """The file of the record, whether it is kept or not."""
    from webseam.stores.ledger import LEDGER_FILE  # noqa: PLC0415 - SQLite loads on first use

    named = loaded.config.ledger.file
    return Path(named) if named else loaded.places.data / LEDGER_FILE


def kept_by_gateway(config: Config) -> Literal["off", "file", "fleet"]:
    """Where a gateway keeps the record; calls that no gateway makes are recorded only where that is asked for."""
    if config.ledger.keep != "gateway":
        return config.ledger.keep
    return "fleet" if config.fleet.url else "file"


def for_gateway(loaded: Loaded) -> Loaded:
    """The configuration as a gateway is built from it."""
    section = msgspec.structs.replace(loaded.config.ledger, keep=kept_by_gateway(loaded.config))
    return replace(loaded, config=msgspec.structs.replace(loaded.config, ledger=section))


def store_of(loaded: Loaded, fleet: Fleet | None, now: Callable[[], float] = time.time) -> LedgerStore | None:
    """Where the configuration keeps the record; None for nowhere.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a record on the server of a fleet where there is none.
    """
    section = loaded.config.ledger
    if section.keep in ("off", "gateway"):
        return None
    if section.keep == "file":
        from webseam.stores.ledger import LedgerFile  # noqa: PLC0415 - SQLite loads on first use

        return LedgerFile(ledger_path(loaded), keep_days=section.keep_days, now=now)
    if not loaded.config.fleet.url:
        message = 'ledger.keep = "fleet" writes to the server that gateways share: set fleet.url, or choose "file".'
        raise WebError(Code.CONFIG_INVALID, message)
    return None if fleet is None else LedgerStream(fleet.server, keep_days=section.keep_days)


def keeper_of(
    loaded: Loaded, fleet: Fleet | None, hidden: Callable[[], Iterable[str]], now: Callable[[], float]
) -> Keeper | None:
    """Who keeps the record, where it is kept.

    Raises:
        WebError: as `store_of`.
    """
    store = store_of(loaded, fleet, now)
    return None if store is None else Keeper(store, text=loaded.config.ledger.text, hidden=hidden, now=now)
