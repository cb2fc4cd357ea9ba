"""Results as JSON; what is the same in each answer of a page that is kept is written once, and copied from then on."""

from collections import OrderedDict
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Final

from webseam.core.limits import GATEWAY_ENCODED_BYTES
from webseam.core.plain import plain_fields, to_plain
from webseam.core.snapshots import body_bytes
from webseam.core.types import FetchResult
from webseam.surfaces.gateway.reply import to_json

_OVERHEAD: Final = 1_000  # of the objects around a body and its JSON
_OWN: Final = ("url", "redirects", "retry_after", "cache", "attempts")
"""What each answer of a kept page has of its own."""
_SAME: Final = tuple(one.name for one in fields(FetchResult) if one.name not in _OWN)
_facts = attrgetter(*_SAME)


@dataclass(frozen=True, slots=True)
class _Written:
    """The members that `facts` are, as JSON behind its opening brace."""

    facts: tuple[Any, ...]
    text: bytes
    size: int


class Encoder:
    """Writes results; holds at most `max_bytes` of bodies and their JSON, and those used longest ago go first.

    A body is found by being the very same object, which one tenant's page never is of another's; what else stands
    beside it is compared.
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
        """A result of the seam, or of a tool, in JSON as `to_plain` has it, its members in any order."""
        if type(result) is not FetchResult or result.cache is None:
            return to_json(to_plain(result))
        own = to_json(plain_fields(result, _OWN))
        return b"".join((memoryview(own)[:-1], b",", self._same(result)))

    def _same(self, page: FetchResult) -> bytes:
        place, facts = id(page.body), _facts(page)
        kept = self._kept.get(place)  # what is kept lives, so that no other object has its id
        if kept is not None and kept.facts == facts:
            self._kept.move_to_end(place)
            return kept.text
        text = memoryview(to_json(plain_fields(page, _SAME)))[1:].tobytes()
        self._keep(place, _Written(facts, text, _OVERHEAD + len(text) + body_bytes(page.body)))
        return text

    def _keep(self, place: int, written: _Written) -> None:
        replaced = self._kept.pop(place, None)
        self._bytes -= 0 if replaced is None else replaced.size
        if written.size > self._max_bytes:
            return
        self._kept[place] = written
        self._bytes += written.size
        while self._bytes > self._max_bytes:
            self._bytes -= self._kept.popitem(last=False)[1].size
