"""Mistral's conversations as they stream: events folded into the response that would have come whole."""

from collections.abc import Mapping
from typing import Any, Final

from webseam.providers.wires.failures import PLAIN, ErrorFacts, status_error
from webseam.providers.wires.rows import Row, mapping, status_told, text


class ConversationFold:
    """The events of one response, folded; see `streams.Fold`. Entries stand in the order in which they began."""

    ends_at_done: Final = False

    def __init__(self, provider: str, facts: ErrorFacts = PLAIN) -> None:
        self._provider = provider
        self._facts = facts
        self._entries: dict[str, dict[str, Any]] = {}
        self._usage: Mapping[str, Any] = {}
        self._speaker = ""
        self.ended = False
        self.text = ""

    @property
    def complete(self) -> bool:
        """Only the last event says that nothing is missing."""
        return self.ended

    def take(self, name: str, data: Row) -> None:
        """One event. A tool that only started is no entry: a search that began is no search that ran."""
        kind = text(data.get("type")) or name
        if kind == "conversation.response.error":
            raise status_error(
                self._provider,
                status_told(data.get("code")) or 500,
                text(data.get("message")),
                answered=200,
                facts=self._facts,
            )
        if kind == "conversation.response.done":
            self._usage, self.ended = mapping(data.get("usage")), True
        elif kind == "tool.execution.done":
            self._entries[f"tool {data.get('id')}"] = {**data, "type": "tool.execution"}
        elif kind == "message.output.delta":
            self._say(f"message {data.get('id')}", data.get("content"))

    def payload(self) -> Mapping[str, Any]:
        """The response as it would have come whole."""
        return {"object": "conversation.response", "outputs": list(self._entries.values()), "usage": self._usage}

    def _say(self, entry: str, said: object) -> None:
        chunk = {"type": "text", "text": said} if isinstance(said, str) else mapping(said)
        message = self._entries.setdefault(entry, {"type": "message.output", "role": "assistant", "content": []})
        if chunk.get("type") != "text":
            message["content"].append(chunk)
        elif isinstance(more := chunk.get("text"), str) and more:
            _extend(message["content"], more)
            if self.text and entry != self._speaker:
                self.text = self.text.rstrip() + "\n\n"
            self._speaker = entry
            self.text += more


def _extend(content: list[dict[str, Any]], more: str) -> None:
    """Text goes on in the last chunk where that is text: pieces of a stream are no chunks of a whole answer."""
    if content and content[-1].get("type") == "text":
        content[-1]["text"] += more
    else:
        content.append({"type": "text", "text": more})
