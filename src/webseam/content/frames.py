"""What passes between us and a conversion worker: length-prefixed frames, a JSON head and a body."""

import json
from typing import IO, Any, Final

LENGTH_BYTES: Final = 4
_ENCODING: Final = ("utf-8", "surrogatepass")  # a str of ours may hold a lone surrogate


def packed(head: dict[str, Any], body: str) -> bytes:
    """One message: head and body, each behind its length (four bytes, big-endian)."""
    parts = (json.dumps(head).encode(), body.encode(*_ENCODING))
    return b"".join(len(part).to_bytes(LENGTH_BYTES, "big") + part for part in parts)


def unpacked(head: bytes, body: bytes) -> tuple[dict[str, Any], str]:
    """The two parts of a message as values.

    Raises:
        ValueError: the head is no JSON object, or the body no text.
    """
    value = json.loads(head)
    if not isinstance(value, dict):
        raise ValueError("a frame's head is no object")  # noqa: TRY004 - one error for all broken frames
    return value, body.decode(*_ENCODING)


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame of a blocking stream; None at its end."""
    prefix = stream.read(LENGTH_BYTES)
    if len(prefix) < LENGTH_BYTES:
        return None
    length = int.from_bytes(prefix, "big")
    frame = stream.read(length)
    return frame if len(frame) == length else None
