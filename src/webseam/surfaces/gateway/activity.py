"""Recent and live calls for people who look: as a list, and as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import islice
from typing import Any, Final

from starlette.types import Message, Send

from webseam.core.ledger import Entry
from webseam.core.limits import ACTIVITY_CHECK_SECONDS, ACTIVITY_PING_SECONDS, ACTIVITY_SHOWN
from webseam.core.plain import to_plain
from webseam.surfaces.gateway.board import Board
from webseam.surfaces.gateway.reply import COMMON, REQUEST_ID, to_json
from webseam.wiring.ledger import Feed
from webseam.wiring.tenants import Holder

MEDIA_TYPE: Final = "text/event-stream"
_PING: Final = b": \n\n"
_UNBUFFERED: Final = ("x-accel-buffering", "no")
"""For nginx, which would hold events back."""


def seen_by(holder: Holder) -> str | None:
    """Whose calls a token may see: its tenant's; None is all."""
    return None if holder.policy.admin else holder.tenant


def record(entry: Entry, *, admin: bool) -> dict[str, Any]:
    """An entry as plain data; whose call it was is for admins. The token's id stays here."""
    plain: dict[str, Any] = to_plain(entry)
    plain.pop("run", None)
    if not admin:
        plain.pop("tenant", None)
    return plain


def recent(board: Board, holder: Holder) -> dict[str, Any]:
    """The recent calls that a token may see, the newest first; `missed` ones are kept no longer, or not shown."""
    whose = seen_by(holder)
    shown = list(islice(board.recent(whose), ACTIVITY_SHOWN))
    missed = board.gone(whose) + board.kept(whose) - len(shown)
    return {"records": [record(one, admin=holder.policy.admin) for one in shown], "missed": missed}


class Events:
    """The live calls of one reader, as server-sent events.

    Args:
        feed: the calls; closed when nothing is to come.
        before: calls to tell first, of which the newest `ACTIVITY_SHOWN` are told and the others counted.
        admin: whether it may see whose calls they were.
        holds: whether the reader may still read; asked before each call is told, and every second.
    """

    def __init__(self, feed: Feed, before: Sequence[Entry], *, admin: bool, holds: Callable[[], bool]) -> None:
        self._feed = feed
        self._before = before
        self._admin = admin
        self._holds = holds
        self._missed = 0

    async def pieces(self) -> AsyncIterator[bytes]:
        """What is written, piece by piece."""
        yield _PING
        shown = self._before[-ACTIVITY_SHOWN:]
        if left_out := len(self._before) - len(shown):
            yield _missing(left_out)
        for entry in shown:
            yield self._call(entry)
        silent = 0.0
        async for heard in self._heard():
            silent = silent + ACTIVITY_CHECK_SECONDS if heard is None else 0.0
            if heard is not None:
                yield self._told_missed() + self._call(heard)
            elif silent >= ACTIVITY_PING_SECONDS:
                silent = 0.0
                yield _PING

    async def _heard(self) -> AsyncIterator[Entry | None]:
        """Each call, and None for each second without one, while the reader may read."""
        entry: Entry | None
        while True:
            try:
                async with asyncio.timeout(ACTIVITY_CHECK_SECONDS):
                    entry = await anext(self._feed)
            except StopAsyncIteration:
                return
            except TimeoutError:
                entry = None
            if not self._holds():
                return
            yield entry

    def _told_missed(self) -> bytes:
        new = self._feed.missed - self._missed
        self._missed = self._feed.missed
        return _missing(new) if new else b""

    def _call(self, entry: Entry) -> bytes:
        return _event("call", record(entry, admin=self._admin), entry.id)


def _missing(calls: int) -> bytes:
    """The event for calls that are not told."""
    return _event("missed", {"missed": calls})


def _event(name: str, plain: dict[str, Any], number: str | None = None) -> bytes:
    """One event; JSON has no line break of its own."""
    told = b"" if number is None else b"id: " + number.encode("ascii", "replace") + b"\n"
    return b"event: " + name.encode() + b"\n" + told + b"data: " + to_json(plain) + b"\n\n"


def resumed(board: Board, holder: Holder, last: str) -> Sequence[Entry]:
    """What came after the event that a reader had last, the oldest first; nothing where that is not here."""
    return board.after(last, seen_by(holder)) if last else ()


def begin(request_id: str) -> Message:
    """The head of a stream."""
    told = (("content-type", MEDIA_TYPE), (REQUEST_ID, request_id), *COMMON, _UNBUFFERED)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in told]
    return {"type": "http.response.start", "status": 200, "headers": headers}


async def written(events: Events, send: Send) -> None:
    """Send all of it, and the end."""
    async for piece in events.pieces():
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b""})
