"""Arguments as a model sent them, past a framework that would judge them before our own check does."""

import json
from typing import Any


class Unread(dict[str, Any]):
    """Arguments that are no JSON object: empty for the framework, as sent for our own check."""

    __slots__ = ("sent",)

    def __init__(self, sent: object) -> None:
        super().__init__()
        self.sent = sent


class Unchecked:
    """Lets all arguments through: our own check tells the model what is wrong, and spends none of its retries."""

    def validate_json(self, sent: str | bytes | bytearray, **_options: Any) -> dict[str, Any]:
        """The object; what is none is kept as it was sent."""
        try:
            return self.validate_python(json.loads(sent))
        except (ValueError, RecursionError):
            return Unread(sent if isinstance(sent, str) else sent.decode("utf-8", "replace"))

    def validate_python(self, sent: object, **_options: Any) -> dict[str, Any]:
        """The same for arguments that were read already."""
        return sent if isinstance(sent, dict) else Unread(sent)
