"""JSON as vendors really send it, read without letting one bad value spoil the rest."""

import json
from typing import Any, Final

import msgspec

_HIDDEN: Final = "[redacted]"
_KEY_CHARS: Final = (
    12  # a shorter key (`test`, of a server of one's own) may be a word of the answer, which is not ours to change
)


def read_json(body: bytes, secrets: tuple[str, ...] = ()) -> Any:
    """The value of `body`, in which no secret stands: a vendor that echoes our key must not pass it on.

    Half a surrogate pair (JavaScript cuts strings in the middle of one) and bytes that are no UTF-8 become U+FFFD;
    `NaN` and infinities become null.

    Raises:
        ValueError: no JSON.
        RecursionError: bottomless JSON.
    """
    body = body.removeprefix(b"\xef\xbb\xbf")  # RFC 8259 section 8.1 lets a reader skip it
    try:
        value = msgspec.json.decode(body)
    except ValueError:
        value = _mended(body)
    held = tuple(one for one in secrets if len(one) >= _KEY_CHARS and _may_hold(body, one))
    return _without(value, held) if held else value


def without_secrets(value: Any, secrets: tuple[str, ...]) -> Any:
    """The same for an answer that is no JSON, or was put together from pieces."""
    held = tuple(one for one in secrets if len(one) >= _KEY_CHARS)
    return _without(value, held) if held else value


def _mended(body: bytes) -> Any:
    """Strict reading failed, so this is rare: read leniently, and once more without the half pairs."""
    value = json.loads(body.decode("utf-8", "replace"), parse_constant=_nothing)
    whole = json.dumps(value, ensure_ascii=False).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return json.loads(whole, parse_constant=_nothing)


def _nothing(_name: str) -> None:
    return None


def _may_hold(body: bytes, secret: str) -> bool:
    """Any character may be escaped in JSON, so an escape anywhere is reason enough to look closely."""
    return b"\\" in body or secret.encode() in body


def _without(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, list):
        return [_without(one, secrets) for one in value]
    if isinstance(value, dict):
        return {_without(name, secrets): _without(one, secrets) for name, one in value.items()}
    return value
