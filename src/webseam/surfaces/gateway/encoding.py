"""Results as JSON; the body of a page that is kept is written once, and copied from then on."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from webseam.core.limits import GATEWAY_ENCODED_BYTES
from webseam.core.plain import plain_fields, to_plain
from webseam.core.snapshots import body_bytes
from webseam.core.types import Body, FetchResult
from webseam.surfaces.gateway.reply import to_json

_OVERHEAD: Final = 1_000  # of the objects around a body and its JSON


@dataclass(frozen=True, slots=True)
class _Written:
    body: Body
    text: msgspec.Raw
    size: int


class Encoder:
    """Writes results; holds at most `max_bytes` of bodies and their JSON, and those used longest ago go first.

    A body is found by being the very same object, which one tenant's page never is of another's.
    """

    def __init__(self, *, max_bytes: int = GATEWAY_ENCODED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[int, _Written] = OrderedDict()
        self._bytes = 0

    @property
    def held(self) -> int:
        """Bytes that it holds."""
        return self._bytes

    def json(self, result: Any) -> bytes:
        """A result of the seam, or of a tool, in JSON as `to_plain` has it."""
        if not isinstance(result, FetchResult) or result.cache is None:
            return to_json(to_plain(result))
        return to_json(plain_fields(result, {"body": self._written(result.body)}))

    def _written(self, body: Body) -> msgspec.Raw:
        kept = self._kept.get(id(body))  # what is kept lives, so that no other object has its id
        if kept is not None:
            self._kept.move_to_end(id(body))
            return kept.text
        text = memoryview(to_json(to_plain(body))).tobytes()  # msgspec leaves up to half as much room behind its own
        written = msgspec.Raw(text)
        self._keep(_Written(body, written, _OVERHEAD + len(text) + body_bytes(body)))
        return written

    def _keep(self, written: _Written) -> None:
        if written.size > self._max_bytes:
            return
        self._kept[id(written.body)] = written
        self._bytes += written.size
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1].size
