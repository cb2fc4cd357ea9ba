"""Answers that come piece by piece: events folded into the one body that would have come whole."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, Protocol

from webseam.core.call import Call, Progress
from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.transport import VendorRequest, VendorResponse, VendorStream
from webseam.providers.wires.json_api import JsonApi, decoded
from webseam.providers.wires.json_text import read_json, without_secrets
from webseam.providers.wires.rows import Row
from webseam.providers.wires.sse import EventReader, ServerEvent

_DONE: Final = "[DONE]"  # the last event of OpenAI's older wires; it is no JSON
_BLANK: Final = b"\xef\xbb\xbf \t\r\n"
_NO_EVENT: Final = (b"{", b"[", b"<")  # JSON and HTML; no field of an event starts like them

_SLICE: Final = 65_536
"""Bytes that are parsed before others get their turn: about 10 ms of the smallest events (measured)."""


class Fold(Protocol):
    """Collects one stream of one wire."""

    @property
    def text(self) -> str:
        """The answer's text so far."""
        ...

    @property
    def ended(self) -> bool:
        """Whether the terminal event came: what follows is not read."""
        ...

    @property
    def ends_at_done(self) -> bool:
        """Whether `[DONE]` is this wire's own end; on others a gateway adds it, whatever came before."""
        ...

    @property
    def complete(self) -> bool:
        """Whether nothing is missing should the stream close now."""
        ...

    def take(self, name: str, data: Row) -> None:
        """One event.

        Raises:
            WebError: the event is an error.
        """
        ...

    def payload(self) -> Any:
        """The body as it would have come whole; of a stream that broke off, what had come."""
        ...


@dataclass(slots=True)
class Told:
    """Progress over the rounds of one answer: what earlier rounds said stays in front."""

    progress: Progress
    before: str = ""
    text: str = ""

    def __call__(self, text: str) -> None:
        """Text of this round so far."""
        self.text = self.before + text
        self.progress(self.text)

    def turn(self) -> None:
        """This round is over; another may follow."""
        self.before = self.text.rstrip() + "\n\n" if self.text else ""


async def run(fold: Fold, api: JsonApi, request: VendorRequest, *, call: Call) -> tuple[Any, WebError | None]:
    """Read a stream into `fold`, telling `call.progress` the text each time it grows.

    Ends at the terminal event and hangs up. Gives the payload, and the error of a stream that broke off: it is not
    raised, so that the caller can keep what came. A vendor that answers with plain JSON after all is taken at its word,
    whatever it calls it.

    Raises:
        WebError: nothing came: the connection failed, the status is no success, or the body is no stream. `WEB_ABORTED`
            and `WEB_SEARCH_TIMEOUT` at the next event, also when all of them are here already.
    """
    async with api.streamed(request, call=call) as stream, aclosing(stream.pieces()) as pieces:
        first = await _opening(pieces)
        if _is_plain(first, stream):
            body = b"".join([first, *[piece async for piece in pieces]])
            whole = VendorResponse(status=stream.status, headers=stream.headers, body=body)
            return decoded(whole, api.provider, request.secrets), None
        try:
            error = None if await _read(fold, first, pieces, request, call) else _unfinished(api.provider)
        except WebError as exc:
            call.check()  # the caller's own end is no failure of the stream
            error = _without_key(exc, request.secrets)
        return without_secrets(fold.payload(), request.secrets), error  # a key may come in pieces


async def _opening(pieces: AsyncGenerator[bytes]) -> bytes:
    """What comes until something is said."""
    first = bytearray()
    async for piece in pieces:
        first += piece
        if piece.strip(_BLANK):
            break
    return bytes(first)


def _is_plain(first: bytes, stream: VendorStream) -> bool:
    said = first.lstrip(_BLANK)
    return said.startswith(_NO_EVENT) or not (said or "event-stream" in stream.headers.get("content-type", "").lower())


async def _read(fold: Fold, first: bytes, pieces: AsyncGenerator[bytes], request: VendorRequest, call: Call) -> bool:
    """Whether the stream came to its own end."""
    told, screen = "", _Screen(request.secrets)
    async with aclosing(_events(first, pieces)) as events:
        async for event in events:
            call.check()
            if event.data == _DONE:
                return fold.complete or fold.ends_at_done
            data = _data(event, request.secrets)
            if data is None:
                continue
            fold.take(event.name, data)
            if call.progress is not None and fold.text != told:
                told = fold.text
                call.progress(screen.shown(told))
            if fold.ended:
                return True
    return fold.complete


class _Screen:
    """Hides a key in a text that grows, looking through each part once: the whole each time is quadratic (measured)."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = secrets
        self._overlap = max(map(len, secrets), default=0)
        self._seen = 0
        self._echoed = False

    def shown(self, text: str) -> str:
        """The text so far, as it may be told."""
        recent = text[max(0, self._seen - self._overlap) :]
        self._seen = len(text)
        self._echoed = self._echoed or without_secrets(recent, self._secrets) != recent
        return str(without_secrets(text, self._secrets)) if self._echoed else text


def _unfinished(provider: str) -> WebError:
    return WebError(
        Code.PROVIDER_ERROR,
        f"The answer of {provider} ended before it was complete. Try again.",
        provider=provider,
        dispatched=True,
        retryable=True,
    )


async def _events(first: bytes, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[ServerEvent]:
    """The events of `first` and of what follows it."""
    reader = EventReader()
    piece: bytes | None = first
    while piece is not None:
        for start in range(0, len(piece), _SLICE):
            for event in reader.feed(piece[start : start + _SLICE]):
                yield event
            await asyncio.sleep(0)
        piece = await anext(pieces, None)
    for event in reader.end():
        yield event


def _data(event: ServerEvent, secrets: tuple[str, ...]) -> Row | None:
    """The event's JSON object; a keep-alive or a broken event is passed over."""
    try:
        value = read_json(event.data.encode(), secrets)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _without_key(error: WebError, secrets: tuple[str, ...]) -> WebError:
    """An event's error, told without a key however short: one that is no secret in an answer is one in an error."""
    error.message = redacted(error.message, secrets)
    error.args = (error.code, error.message)
    return error


def broke_off(error: WebError, secrets: tuple[str, ...]) -> str:
    """The notice that goes with an answer that is kept though its stream failed."""
    return f"The answer broke off: {one_line(redacted(error.message, secrets))}"
