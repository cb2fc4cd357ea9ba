"""Lines of a stream and the messages on them; what is no message is answered with an error of JSON-RPC. Pure."""

import json
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from typing import Any

import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from webseam.core.limits import MCP_MESSAGE_BYTES


@dataclass(slots=True)
class Lines:
    """Splits what arrives into lines; one over the cap is dropped up to its end, and told as None."""

    most: int = MCP_MESSAGE_BYTES
    _kept: bytearray = field(default_factory=bytearray)
    _dropping: bool = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that `data` ends."""
        *ended, rest = data.split(b"\n")
        lines = [self._ended(part) for part in ended]
        self._grow(rest)
        return lines

    def last(self) -> list[bytes | None]:
        """What stands without a line break when the input ends."""
        return [self._ended(b"")] if self._kept or self._dropping else []

    def _ended(self, part: bytes) -> bytes | None:
        self._grow(part)
        line = None if self._dropping else bytes(self._kept)
        self._kept.clear()
        self._dropping = False
        return line

    def _grow(self, part: bytes) -> None:
        if self._dropping or len(self._kept) + len(part) > self.most:
            self._dropping = True
            self._kept.clear()
        else:
            self._kept += part


def parsed(line: bytes | None) -> SessionMessage | types.JSONRPCError | None:
    """The message on a line, the error that answers what is none, or None for a blank line."""
    if line is None:
        return _complaint(types.INVALID_REQUEST, f"A message may have {MCP_MESSAGE_BYTES:,} bytes.")
    line = line.removeprefix(BOM_UTF8)  # RFC 8259 section 8.1: it may be ignored; some shells begin a pipe with it
    if not line.strip():
        return None
    try:
        message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _fault(line)
    if isinstance(message, types.JSONRPCNotification) and "id" in json.loads(line):
        return _complaint(types.INVALID_REQUEST, "The id of a request is a string or an integer.")
    return SessionMessage(message)


def _fault(line: bytes) -> types.JSONRPCError:
    """What is wrong with a line, by JSON-RPC 2.0 section 5.1."""
    try:
        decoded = json.loads(line)
    except (ValueError, RecursionError):
        return _complaint(types.PARSE_ERROR, "This line is not JSON.")
    if isinstance(decoded, list):
        return _complaint(types.INVALID_REQUEST, "MCP has no batches. Send one message a line.")
    return _complaint(types.INVALID_REQUEST, "This line is no JSON-RPC 2.0 message.", _asked(decoded))


def _asked(decoded: Any) -> str | int | None:
    """The id of a request that is none, as when a lone surrogate stands in it: whoever sent it waits for that id."""
    number = decoded.get("id") if isinstance(decoded, dict) and "method" in decoded else None
    if isinstance(number, str):
        return number if number.isprintable() else None  # a lone surrogate is not printable
    return number if type(number) is int else None


def _complaint(code: int, message: str, number: str | int | None = None) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=message))


def written(message: types.JSONRPCMessage) -> bytes:
    """A message as its line; an error about nothing that can be named keeps its `id: null`."""
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
