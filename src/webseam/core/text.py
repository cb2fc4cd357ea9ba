"""Text that a server chose, made fit for one line of an error or label."""

import re
from typing import Final

from webseam.core.limits import MESSAGE_CHARS

_UNPRINTED: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+")
_KEYLIKE: Final = re.compile(
    r"(?i)((?:api[_-]?key|access[_-]?token|token|secret|authorization|bearer|key)[\"']?\s*[=:]?\s*[\"']?)"
    r"([A-Za-z0-9_\-.]{12,})"
)


def one_line(text: str, *, limit: int = MESSAGE_CHARS) -> str:
    """`text` on one line without control or invisible characters, at most `limit` code points, a cut marked."""
    line = " ".join(_UNPRINTED.sub(" ", text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "\u2026"


def redacted(text: str, secrets: tuple[str, ...] = ()) -> str:
    """`text` without the given secrets, nor anything that stands where a key would."""
    for secret in secrets:
        if len(secret) >= 4:  # noqa: PLR2004 - a shorter one would blank common words
            text = text.replace(secret, "[redacted]")
    return _KEYLIKE.sub(r"\1[redacted]", text)
