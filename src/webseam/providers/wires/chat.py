"""OpenAI's chat-completions wire, as vendors with a search behind it speak it: one body, whole or in chunks."""

from collections.abc import Mapping
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.core.types import Usage
from webseam.providers.wires.asking import Answer
from webseam.providers.wires.failures import PLAIN, ErrorFacts, codes_of, message_of, status_error
from webseam.providers.wires.rows import Row, count, items, mapping, status_told, text

_GIVEN_LATE: Final = ("usage", "search_results", "citations", "images", "related_questions")  # the last one counts

_CUT_SHORT: Final = frozenset({"length", "content_filter", "error"})


def message(payload: Row) -> Row:
    """The first choice's message; empty when there is none."""
    return mapping(mapping(next(iter(items(payload.get("choices"))), None)).get("message"))


def finish_reason(payload: Row) -> str | None:
    """Why the first choice ended."""
    return text(mapping(next(iter(items(payload.get("choices"))), None)).get("finish_reason"))


def incomplete(payload: Row) -> str | None:
    """Why the answer is not whole: no room, withheld, its model failed; None where it came to its own end."""
    reason = finish_reason(payload)
    return reason if reason in _CUT_SHORT else None


def prose(content: object) -> str | None:
    """The text of a message's content: a string, or parts of which those with text are joined."""
    if isinstance(content, list):
        parts = (one if isinstance(one, str) else mapping(one).get("text") for one in content)
        content = "".join(part for part in parts if isinstance(part, str))
    return text(content)


def usage_of(payload: Row, *, calls: int | None, cost: float | None) -> Usage:
    """Tokens as this wire counts them; what the vendor reports of searches and money comes from its own file."""
    usage = mapping(payload.get("usage"))
    return Usage(
        calls=calls,
        cost=cost,
        currency=None if cost is None else "USD",
        input_tokens=count(usage.get("prompt_tokens")),
        output_tokens=count(usage.get("completion_tokens")),
    )


def told_fault(
    payload: Row, provider: str, *, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError | None:
    """The error that an `error` object in a success, or in a chunk, tells; its `code` is an HTTP status or a word."""
    error = payload.get("error")
    if not error:
        return None
    return status_error(
        provider,
        status_told(mapping(error).get("code")) or 500,
        message_of(payload),
        codes=codes_of(payload),
        answered=200,
        facts=facts,
        secrets=secrets,
    )


def answer_fault(answer: Answer[Any]) -> WebError | None:
    """An error in a success, of the answer or of its choice; with neither status nor choice it is a foreign object."""
    row = answer.row
    told = row.get("error") or mapping(next(iter(items(row.get("choices"))), None)).get("error")
    if "choices" not in row and status_told(mapping(told).get("code")) is None:
        return None
    return told_fault({"error": told}, answer.question.provider, facts=answer.facts, secrets=answer.secrets)


class ChatFold:
    """Chunks of one answer, folded into the body that would have come whole."""

    ends_at_done: Final = True

    def __init__(self, provider: str, facts: ErrorFacts = PLAIN) -> None:
        self._provider = provider
        self._facts = facts
        self._annotations: list[Any] = []
        self._finish: str | None = None
        self._seen = False
        self._late: dict[str, Any] = {}
        self.text = ""

    @property
    def ended(self) -> bool:
        """Never by an event of its own: usage may follow the last words, and `[DONE]` ends the stream."""
        return False

    @property
    def complete(self) -> bool:
        """Whether the answer gave its reason to end."""
        return self._finish is not None

    def take(self, _name: str, data: Row) -> None:
        """One chunk."""
        for told in (data, mapping(next(iter(items(data.get("choices"))), None))):
            fault = told_fault(told, self._provider, facts=self._facts)
            if fault is not None:
                raise fault
        self._late.update({name: data[name] for name in _GIVEN_LATE if data.get(name) is not None})
        for choice in map(mapping, items(data.get("choices"))[:1]):
            self._seen = True
            delta = mapping(choice.get("delta"))
            said = delta.get("content")
            if isinstance(said, str) and said:
                self.text += said
            self._annotations += items(delta.get("annotations"))
            self._take_whole(mapping(choice.get("message")))
            self._finish = text(choice.get("finish_reason")) or self._finish

    def _take_whole(self, told: Row) -> None:
        """The message so far, which some send beside the pieces, or in their place (Perplexity)."""
        said = told.get("content")
        if isinstance(said, str) and said.startswith(self.text):
            self.text = said
        self._annotations = items(told.get("annotations")) or self._annotations

    def payload(self) -> Mapping[str, Any]:
        """The body as it would have come whole."""
        whole: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self._annotations:
            whole["annotations"] = self._annotations
        choices = [{"index": 0, "message": whole, "finish_reason": self._finish}] if self._seen else []
        return {"choices": choices, **self._late}
