"""Anthropic's Messages wire as it streams: events folded into the message that would have come whole."""

from collections.abc import Mapping
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.providers.wires.failures import PLAIN, ErrorFacts, codes_of, message_of, status_error
from webseam.providers.wires.json_text import read_json
from webseam.providers.wires.rows import Row, count, items, mapping, status_told, text

_STATUSES: Final[Mapping[str, int]] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The HTTP status of each error type of the wire; any other is the vendor's own failure."""

_GROWING: Final[Mapping[str, str]] = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
}
"""The string field of a block that a delta adds to; each delta carries it under the same name."""


def told_fault(
    payload: Row, provider: str, *, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError | None:
    """The error that an object of type `error` tells, as an event or in a success; gateways leave the type out.

    An untyped one without a status, and without a `content` beside it, is left to who reads the answer: the object may
    be no message at all.
    """
    told = mapping(payload.get("error"))
    kind = text(told.get("type"))
    status = _STATUSES.get((kind or "").lower()) or status_told(told.get("code"))
    if payload.get("type") != "error" and not (payload.get("error") and (status or "content" in payload)):
        return None
    return status_error(
        provider,
        status or 500,
        message_of(payload.get("error")) or kind,
        codes=codes_of(payload),
        answered=200,
        facts=facts,
        secrets=secrets,
    )


class MessagesFold:
    """The events of one message, folded; see `streams.Fold`. Unknown events and deltas are passed over."""

    ends_at_done: Final = False

    def __init__(self, provider: str, facts: ErrorFacts = PLAIN) -> None:
        self._provider = provider
        self._facts = facts
        self._message: dict[str, Any] = {}
        self._usage: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, str] = {}
        self._apart = False
        self.ended = False
        self.text = ""

    @property
    def complete(self) -> bool:
        """Whether the message gave its reason to stop: only `message_stop` may still be missing."""
        return text(self._message.get("stop_reason")) is not None

    def take(self, name: str, data: Row) -> None:
        """One event; its `type` says what it is, and its name where it has none."""
        kind = text(data.get("type")) or ("error" if data.get("error") else name)
        fault = told_fault({"type": kind, **data}, self._provider, facts=self._facts)
        if fault is not None:
            raise fault
        if kind == "message_start":
            self._begin(mapping(data.get("message")))
        elif kind == "message_delta":
            self._end(mapping(data.get("delta")), mapping(data.get("usage")))
        elif kind == "message_stop":
            self.ended = True
        elif (index := count(data.get("index"))) is not None:
            self._take_block(kind, index, data)

    def payload(self) -> Mapping[str, Any]:
        """The message as it would have come whole."""
        content = [self._blocks[index] for index in sorted(self._blocks)]
        return {**self._message, "content": content, "usage": self._usage}

    def _begin(self, message: Row) -> None:
        self._message = dict(message)
        self._usage = dict(mapping(message.get("usage")))

    def _end(self, delta: Row, usage: Row) -> None:
        """Counts of a `message_delta` are totals, not increments."""
        self._message.update({name: value for name, value in delta.items() if value is not None})
        self._usage.update({name: value for name, value in usage.items() if value is not None})

    def _take_block(self, kind: str, index: int, data: Row) -> None:
        if kind == "content_block_start":
            block = dict(mapping(data.get("content_block")))
            self._blocks[index] = block
            if block.get("type") == "text":
                self._say(block.get("text"))
            else:
                self._apart = True
        elif kind == "content_block_delta" and index in self._blocks:
            self._grow(index, self._blocks[index], mapping(data.get("delta")))
        elif kind == "content_block_stop" and index in self._inputs:
            self._blocks[index]["input"] = _parsed(self._inputs.pop(index))

    def _grow(self, index: int, block: dict[str, Any], delta: Row) -> None:
        kind = text(delta.get("type")) or ""
        field = _GROWING.get(kind)
        if field is not None and isinstance(delta.get(field), str):
            block[field] = (text_of(block, field)) + delta[field]
            if field == "text":
                self._say(delta[field])
        elif kind == "input_json_delta" and isinstance(delta.get("partial_json"), str):
            self._inputs[index] = self._inputs.get(index, "") + delta["partial_json"]
        elif kind == "citations_delta":
            block["citations"] = items(block.get("citations"))
            block["citations"].append(delta.get("citation"))

    def _say(self, said: object) -> None:
        """Text goes on where the last text block ended; after anything else it starts a paragraph."""
        if not isinstance(said, str) or not said:
            return
        if self._apart and self.text:
            self.text = self.text.rstrip() + "\n\n"
        self.text += said
        self._apart = False


def text_of(block: Row, field: str) -> str:
    """A string of a block as it is, white space included; empty where there is none."""
    value = block.get(field)
    return value if isinstance(value, str) else ""


def _parsed(pieces: str) -> Any:
    """The input of a tool as its pieces spell it; a broken one is empty, as the block began."""
    try:
        return read_json(pieces.encode())
    except (ValueError, RecursionError):
        return {}
