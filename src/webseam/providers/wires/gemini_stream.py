"""Google's generateContent as it streams: chunks folded into the answer that would have come whole."""

from collections.abc import Mapping
from typing import Any, Final

from webseam.core.errors import WebError
from webseam.providers.wires.failures import PLAIN, ErrorFacts, codes_of, message_of, status_error
from webseam.providers.wires.rows import Row, count, items, mapping, status_told, text
from webseam.providers.wires.waits import named_wait

_LATE = ("usageMetadata", "promptFeedback", "modelVersion", "responseId")  # the last one counts


def told_fault(
    payload: Row, provider: str, *, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError | None:
    """The error that an `error` beside, or in the place of, an answer tells; None where there is none.

    One without a code, and without `candidates` beside it, is left to who reads the answer: the object may be none.
    """
    error = payload.get("error")
    code = count(mapping(error).get("code"))
    if code is None and not (error and "candidates" in payload):
        return None
    return status_error(
        provider,
        status_told(code) or 500,
        message_of(payload),
        codes=codes_of(payload),
        retry_after=named_wait(payload),
        answered=200,
        facts=facts,
        secrets=secrets,
    )


def first_candidate(payload: Row) -> Row:
    """The one answer that was asked for; empty when there is none."""
    return mapping(next(iter(items(payload.get("candidates"))), None))


def said_in(part: object) -> str:
    """The text of a part; thoughts say nothing to the reader."""
    row = mapping(part)
    said = row.get("text")
    return said if isinstance(said, str) and row.get("thought") is not True else ""


class GeminiFold:
    """The chunks of one answer, folded; see `streams.Fold`."""

    ends_at_done: Final = False

    def __init__(self, provider: str, facts: ErrorFacts = PLAIN) -> None:
        self._provider = provider
        self._facts = facts
        self._candidate: dict[str, Any] = {}
        self._grounding: dict[str, Any] = {}
        self._late: dict[str, Any] = {}
        self._seen = False
        self.text = ""

    @property
    def ended(self) -> bool:
        """With the reason to stop and what grounds the answer: no event of its own ends the stream.

        An answer that no search grounds is read to the end of the stream: its grounding might still come.
        """
        return self.complete and any(map(text, items(self._grounding.get("webSearchQueries"))))

    @property
    def complete(self) -> bool:
        """Whether the answer gave its reason to stop, or the prompt was blocked."""
        blocked = mapping(self._late.get("promptFeedback")).get("blockReason")
        return text(self._candidate.get("finishReason")) is not None or text(blocked) is not None

    def take(self, _name: str, data: Row) -> None:
        """One chunk."""
        fault = told_fault({"candidates": [], **data}, self._provider, facts=self._facts)
        if fault is not None:
            raise fault
        self._late.update({name: data[name] for name in _LATE if data.get(name) is not None})
        if not items(data.get("candidates")):
            return
        self._seen = True
        candidate = first_candidate(data)
        self.text += "".join(map(said_in, items(mapping(candidate.get("content")).get("parts"))))
        self._grounding.update(
            {name: value for name, value in mapping(candidate.get("groundingMetadata")).items() if value}
        )
        self._candidate.update({name: value for name, value in candidate.items() if value is not None})

    def payload(self) -> Mapping[str, Any]:
        """The answer as it would have come whole: its text as one part, which the offsets of a stream count in."""
        content = {"role": "model", "parts": [{"text": self.text}]}
        whole = {**self._candidate, "content": content, "groundingMetadata": self._grounding}
        return {**self._late, "candidates": [whole] if self._seen else []}
