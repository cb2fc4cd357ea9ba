"""Text that a server chose, made fit for one line of an error or label."""

import re
from typing import Final

from webseam.core.limits import MESSAGE_CHARS

_UNPRINTED: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_SHOWN: Final = re.compile(rf"[^\s\u2800{_UNPRINTED.pattern[1:-2]}]")
# A run of spaces is bounded, or a hostile one would cost quadratic time. Without `=` or `:` only a word with a digit in
# it is a key: "token authentication failed" stays readable.
_KEYLIKE: Final = re.compile(
    r"""(?ix)
    ((?:bearer|basic)[ ]{1,3})([\w\-.~+/=]{8,})
    |((?:key|token|secret|password|authorization)["']?\s{0,3}(?:[=:]\s{0,3}["']?|(?=[\w\-.~+/]{0,64}\d)))([\w\-.~+/=]{12,})
    """
)


def one_line(text: str, *, limit: int = MESSAGE_CHARS) -> str:
    """`text` on one line without control or invisible characters, at most `limit` code points, a cut marked."""
    if type(text) is str and len(text) <= limit and text.isascii() and text.isprintable() and " " not in text:
        return text  # one plain word, as most names are
    line = " ".join(_UNPRINTED.sub(" ", text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "\u2026"


def shows(text: str) -> bool:
    """Whether a reader would see anything of it: more than space, controls and characters without a picture."""
    return _SHOWN.search(text) is not None


def redacted(text: str, secrets: tuple[str, ...] = ()) -> str:
    """`text` without the given secrets, nor anything that stands where a key would."""
    for secret in secrets:
        if len(secret) >= 4:  # noqa: PLR2004 - a shorter one would blank common words
            text = text.replace(secret, "[redacted]")
    return _KEYLIKE.sub(lambda found: f"{found[1] or found[3]}[redacted]", text)


def is_text(text: str) -> bool:
    """Whether `text` can be written as UTF-8; a lone surrogate, which argv and JSON escapes can carry, cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
