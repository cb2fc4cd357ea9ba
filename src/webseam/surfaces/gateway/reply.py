"""An answer of the gateway, and how it leaves."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import msgspec
from starlette.types import Send

Headers: TypeAlias = tuple[tuple[str, str], ...]
"""Names in lower case."""

JSON: Final = "application/json"
REQUEST_ID: Final = "x-request-id"
_REQUEST_ID: Final = REQUEST_ID.encode()
NO_STORE: Final = "no-store"
NO_SNIFF: Final = ("x-content-type-options", "nosniff")
COMMON: Final[Headers] = (("cache-control", NO_STORE), NO_SNIFF)
"""On every answer that tells anything: it is for no cache on the way, and no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer, whole. `code` is the failure's, for the log; without a `media_type` there is no content."""

    status: int
    body: bytes
    media_type: str = JSON
    headers: Headers = ()
    code: str = ""
    cache: str = NO_STORE

    async def send(self, send: Send, request_id: str, *, bodiless: bool = False) -> None:
        """Send it; `bodiless` leaves the body out, as HEAD wants."""
        headers = [*_encoded(self.media_type, self.cache, self.headers), (_REQUEST_ID, request_id.encode("latin-1"))]
        if self.media_type:
            headers.append((b"content-length", str(len(self.body)).encode()))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if bodiless else self.body})


@lru_cache(100)
def _encoded(media_type: str, cache: str, more: Headers) -> tuple[tuple[bytes, bytes], ...]:
    """What is the same in many answers."""
    content = (("content-type", media_type),) if media_type else ()
    told = (*content, ("cache-control", cache), NO_SNIFF, *more)
    return tuple((name.encode("latin-1"), value.encode("latin-1")) for name, value in told)


def to_json(plain: Any) -> bytes:
    """Plain data as JSON in UTF-8; half a character, which others may have sent, becomes U+FFFD."""
    try:
        return msgspec.json.encode(plain)
    except UnicodeEncodeError:
        return msgspec.json.encode(_whole(plain))


def _whole(plain: Any) -> Any:
    if isinstance(plain, str):
        return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(plain, Mapping):
        return {_whole(name): _whole(value) for name, value in plain.items()}
    return [_whole(one) for one in plain] if isinstance(plain, list | tuple) else plain
