"""OpenAI's Responses wire as it streams: events folded into the response that would have come whole."""

import re
from collections.abc import Mapping
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.providers.wires.failures import PLAIN, ErrorFacts, codes_of, message_of, status_error
from webseam.providers.wires.rows import Row, count, items, mapping, text

_STATUSES: Final[Mapping[str, int]] = {
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "too_many_requests": 429,
    "invalid_api_key": 401,
    "invalid_prompt": 400,
    "invalid_request_error": 400,
    "content_filter": 400,
    "bio_policy": 400,
    "data_residency_mismatch": 400,
    "misalignment_policy_violation": 400,
    "model_not_found": 404,
    "vector_store_timeout": 504,
}
"""The HTTP status of each error code of the wire; any other word is the vendor's own failure."""

_STATUS: Final = re.compile(r"[45]\d\d", re.ASCII)  # as gateways write it; the error classes of RFC 9110 section 15
_FAILED: Final = frozenset({"failed", "cancelled"})
_TERMINAL: Final = frozenset({"completed", "incomplete", *_FAILED})


def told_fault(
    payload: Row, provider: str, *, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError | None:
    """The error that a response, or an event of type `error`, tells in a success; None where it tells none.

    An `error` without an `output` beside it is left to who reads the answer: the object may be no response at all.
    """
    is_event = payload.get("type") == "error"
    told = payload.get("error") or (payload if is_event else None)
    if text(payload.get("status")) not in _FAILED and not (told and (is_event or "output" in payload)):
        return None
    row = mapping(told)
    return status_error(
        provider,
        _status_of(row.get("code")) or _status_of(row.get("type")) or 500,
        message_of(told) or text(row.get("code")) or text(payload.get("status")),
        codes=codes_of({"error": told}),
        answered=200,
        facts=facts,
        secrets=secrets,
    )


def _status_of(code: object) -> int | None:
    """The HTTP status that a code stands for: a word of the wire, or the status itself."""
    word = str(code).lower() if isinstance(code, str | int) else ""
    return _STATUSES.get(word) or (int(word) if _STATUS.fullmatch(word) else None)


class ResponsesFold:
    """The events of one response, folded; see `streams.Fold`. Unknown events and padding are passed over."""

    ends_at_done: Final = False

    def __init__(self, provider: str, facts: ErrorFacts = PLAIN) -> None:
        self._provider = provider
        self._facts = facts
        self._response: dict[str, Any] = {}
        self._done: dict[int, Any] = {}
        self._begun: dict[int, dict[int, dict[str, Any]]] = {}
        self._last: tuple[int, int] | None = None
        self.ended = False
        self.text = ""

    @property
    def complete(self) -> bool:
        """Never before the terminal event: it alone says how the response ended."""
        return self.ended

    def take(self, name: str, data: Row) -> None:
        """One event; its `type` says what it is, and its name where it has none."""
        kind = text(data.get("type")) or name
        if kind == "error" or ("error" in data and "type" not in data):
            self._fail({**data, "type": "error"})
        elif (status := kind.removeprefix("response.")) in _TERMINAL:
            self._end(status, mapping(data.get("response")))
        elif (index := count(data.get("output_index"))) is not None:
            self._take_item(kind, index, data)

    def payload(self) -> Mapping[str, Any]:
        """The response as it would have come whole; of one that broke off, its finished items and what was said."""
        return {**self._response, "output": items(self._response.get("output")) or self._collected()}

    def _end(self, status: str, response: Row) -> None:
        self._response = {"status": status, **response}
        if text(self._response["status"]) in _FAILED:
            self._fail({**self._response, "type": "response"})
        self.ended = True

    def _fail(self, told: Row) -> None:
        """The error tells what failed; what had come until then is kept, and is no failure."""
        self._response = {name: value for name, value in self._response.items() if name not in ("status", "error")}
        fault = told_fault(told, self._provider, facts=self._facts)
        if fault is not None:
            raise fault

    def _take_item(self, kind: str, index: int, data: Row) -> None:
        if kind == "response.output_item.done":
            self._done[index] = data.get("item")
        elif kind == "response.output_text.delta" and isinstance(said := data.get("delta"), str) and said:
            self._part(index, data)["text"] += said
            self._say((index, count(data.get("content_index")) or 0), said)
        elif kind == "response.output_text.annotation.added":
            self._part(index, data)["annotations"].append(data.get("annotation"))

    def _part(self, index: int, data: Row) -> dict[str, Any]:
        """The part of an unfinished message that an event is about."""
        parts = self._begun.setdefault(index, {})
        empty = {"type": "output_text", "text": "", "annotations": []}
        return parts.setdefault(count(data.get("content_index")) or 0, empty)

    def _say(self, place: tuple[int, int], said: str) -> None:
        """The text of another part, or message, starts a paragraph."""
        if self._last not in (None, place):
            self.text = self.text.rstrip() + "\n\n"
        self._last = place
        self.text += said

    def _collected(self) -> list[Any]:
        """The finished items in order, and unfinished messages as far as they had come."""
        begun = {index: _message([parts[at] for at in sorted(parts)]) for index, parts in self._begun.items()}
        found = {**begun, **self._done}
        return [found[index] for index in sorted(found)]


def _message(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "message", "status": "in_progress", "content": parts}
