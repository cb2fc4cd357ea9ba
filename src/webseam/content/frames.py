"""What passes between us and a worker: length-prefixed frames, a JSON head and a body of bytes."""

import json
from typing import IO, Any, Final

LENGTH_BYTES: Final = 4
TAKEN: Final = b"\x01"
"""Sent by a worker as soon as it has read a job whole: a job that was not taken may be given to another."""

_ENCODING: Final = ("utf-8", "surrogatepass")  # a str of ours may hold a lone surrogate


def text_bytes(text: str) -> bytes:
    """A text as a frame's body."""
    return text.encode(*_ENCODING)


def bytes_text(body: bytes) -> str:
    """The text of a frame's body.

    Raises:
        ValueError: the body is no text.
    """
    return body.decode(*_ENCODING)


def packed(head: dict[str, Any], body: bytes) -> bytes:
    """One message: head and body, each behind its length (four bytes, big-endian).

    Raises:
        OverflowError: a part has 4 GiB or more.
    """
    parts = (json.dumps(head).encode(), body)
    return b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)


def unpacked_head(head: bytes) -> dict[str, Any]:
    """The head of a message.

    Raises:
        ValueError: it is no JSON object.
    """
    value = json.loads(head)
    if not isinstance(value, dict):
        raise ValueError("a frame's head is no object")  # noqa: TRY004 - one error for all broken frames
    return value


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame of a blocking stream; None at its end."""
    prefix = stream.read(LENGTH_BYTES)
    if len(prefix) < LENGTH_BYTES:
        return None
    length = int.from_bytes(prefix, "big")
    frame = stream.read(length)
    return frame if len(frame) == length else None
