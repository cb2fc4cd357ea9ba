"""What each run last read of a page: so that one whose offset is for another text is told so."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, TypeAlias
from weakref import ReferenceType, ref

from webseam.core.call import Call
from webseam.core.limits import DIGESTS_KEPT
from webseam.core.snapshots import snapshot_key
from webseam.core.tracing import TRACE_TAGS
from webseam.tools.run import Run

_SPAN_TAGS: Final = frozenset({*TRACE_TAGS, "baggage"})
"""These differ from call to call of one run (W3C Trace Context, W3C Baggage)."""

_Reader: TypeAlias = tuple[ReferenceType[Run] | None, frozenset[tuple[str, str]]]


class Digests:
    """Digests of pages by run (`Run` and `Call.tags`) and URL, the latest `DIGESTS_KEPT`."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[_Reader, str], str] = OrderedDict()
        self._last: _Reader = None, frozenset()

    def replace(self, call: Call, run: Run | None, url: str, others: Iterable[str], digest: str) -> str | None:
        """What this run read under `url` before; `digest` is what it reads now, under `url` and `others`."""
        tags = frozenset((name, value) for name, value in call.tags.items() if name not in _SPAN_TAGS)
        reader = self._same((None if run is None else ref(run), tags))
        before = self._kept.get((reader, snapshot_key(url)))
        for key in {snapshot_key(one) for one in (url, *others)}:
            self._kept.pop((reader, key), None)
            self._kept[reader, key] = digest
        while len(self._kept) > DIGESTS_KEPT:
            self._kept.popitem(last=False)
        return before

    def _same(self, reader: _Reader) -> _Reader:
        """An equal one that is in keys already, mostly: a reader of its own takes as much as the rest of an entry."""
        if reader != self._last:
            self._last = reader
        return self._last
