"""Pages for `web_fetch`: fetch, convert and clean once, keep the text, and read on in exactly that text."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypeVar

from webseam.content.hygiene import clean
from webseam.core.call import Call, aborted, timed_out
from webseam.core.deadline import Bounded, Deadline
from webseam.core.limits import DIGESTS_KEPT, INLINE_CONVERSION_BYTES
from webseam.core.snapshots import MemorySnapshots, Snapshot, Snapshots, View, snapshot_key
from webseam.core.types import DocumentBody, FetchResult, HtmlBody
from webseam.core.web import Web
from webseam.tools.links import with_real_hosts
from webseam.tools.render_fetch import Reading
from webseam.tools.tame import tame_page

if TYPE_CHECKING:
    from webseam.content.convert import Converted


_T = TypeVar("_T")
_Run: TypeAlias = frozenset[tuple[str, str]]

_MARKDOWN: Final = frozenset({"text/markdown", "text/x-markdown"})


class PageConverter(Protocol):
    """Turns a page into one text; `webseam.content.convert.Converter` by default."""

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> "Converted":
        """The whole page as Markdown or plain text, within `deadline`."""
        ...


class Pages:
    """Reads pages through `web`, each from one snapshot for as long as that is kept.

    `web` and `snapshots` are the caller's; a converter that is not given is made at the first page, for `view`, and
    closed by `aclose`. One that is given makes its own view. A snapshot that was kept for another view is not used.
    """

    def __init__(
        self, web: Web, snapshots: Snapshots | None, converter: PageConverter | None, *, view: View = "page"
    ) -> None:
        self._web = web
        self._view: View = view
        kept = web.snapshots if snapshots is None else snapshots
        self._snapshots = MemorySnapshots(clock=web.clock) if kept is None else kept
        self._converter = converter
        self._own: _ClosingConverter | None = None
        self._digests: OrderedDict[tuple[_Run, str], str] = OrderedDict()

    async def read(self, url: str, offset: int, call: Call, *, finding: bool = False) -> Reading:
        """A page from its start is fetched; one read on, or searched, comes from its snapshot, by the rules of a fetch.

        What was last read of a page is remembered for each run (`Call.tags`), so that a run whose offset is for a text
        that another one has replaced is told so. Runs without tags are one.

        Raises:
            WebError: as `Web.fetch`; also for a conversion that did not end in time.
        """
        kept = self._kept(url) if offset > 0 or finding else None
        if kept is not None and kept.asked == self._view:
            await self._web.permit_fetch(url, final=kept.page.url, call=call)
            before = self._remember(url, kept, call)
            replaced = before is not None and before != kept.digest
            return Reading(snapshot=kept, again=replaced, changed=replaced)
        page = await self._web.fetch(url, call=call)
        snapshot = await self._snapshot(page, call)
        before = self._remember(url, snapshot, call)
        self._snapshots.put(url, snapshot)
        unknown = offset > 0 and before is None
        changed = None if unknown else before is not None and before != snapshot.digest
        return Reading(snapshot=snapshot, again=offset > 0, changed=changed)

    def _kept(self, url: str) -> Snapshot | None:
        """The snapshot; a replayed run finds none where the recorded one found none, such as one that was too old."""
        kept = self._snapshots.get(url)
        tape = self._web.tape
        if tape is None:
            return kept
        found = tape.draw(f"snapshot {_digest(url)}", lambda: "none" if kept is None else "kept")
        return None if found == "none" else kept

    async def aclose(self) -> None:
        """Close the converter that was made here; idempotent."""
        own, self._own = self._own, None
        if own is not None:
            await own.aclose()

    async def _snapshot(self, page: FetchResult, call: Call) -> Snapshot:
        scope = Bounded(call.deadline, call.abort)
        try:
            async with scope:
                converted = await self._use_converter().convert(page, deadline=call.deadline)
        except TimeoutError as exc:
            if not scope.fired:
                raise
            if call.aborted:
                raise aborted(dispatched=True, provider=page.provider) from exc
            raise timed_out("fetch", dispatched=True, provider=page.provider, attempts=page.attempts) from exc
        return await beside(partial(_cleaned, page, converted, self._view), len(converted.text))

    def _use_converter(self) -> PageConverter:
        if self._converter is not None:
            return self._converter
        if self._own is None:
            from webseam.content.convert import Converter  # noqa: PLC0415 - the HTML parser loads on first use

            self._own = Converter(pictures=False, view=self._view)
        return self._own

    def _remember(self, url: str, snapshot: Snapshot, call: Call) -> str | None:
        """Keep what this run reads of the page, under the URL asked and the final one; what it read before."""
        run = frozenset(call.tags.items())
        before = self._digests.get((run, snapshot_key(url)))
        for key in {snapshot_key(url), snapshot_key(snapshot.page.url)}:
            self._digests.pop((run, key), None)
            self._digests[run, key] = snapshot.digest
        while len(self._digests) > DIGESTS_KEPT:
            self._digests.popitem(last=False)
        return before


class _ClosingConverter(PageConverter, Protocol):
    async def aclose(self) -> None: ...


async def beside(work: Callable[[], _T], size: int) -> _T:
    """Do `work` on a text of `size`: in a thread when that is long, so that others on this loop need not wait for it.

    Five megabytes take half a second, hostile ones three.
    """
    return await asyncio.to_thread(work) if size > INLINE_CONVERSION_BYTES else work()


def _cleaned(page: FetchResult, converted: "Converted", asked: View) -> Snapshot:
    cleaned = clean(converted.text)
    text = _harmless(page, cleaned.text, made=converted.is_listing)
    page = replace(page, notes=page.notes + converted.notes) if converted.notes else page
    return Snapshot(
        page,
        text,
        _digest(text),
        removed=dict(cleaned.removed),
        hidden=converted.hidden,
        cut=converted.cut,
        fallback=converted.fallback,
        mostly_hidden=converted.mostly_hidden,
        metadata=converted.metadata,
        asked=asked,
        view=converted.view,
        left_out=converted.left_out,
    )


def _harmless(page: FetchResult, text: str, *, made: bool) -> str:
    """The text with links that lead where they seem to; what a converter of ours made has no pictures left."""
    if made or isinstance(page.body, HtmlBody):
        return with_real_hosts(text)
    is_markdown = isinstance(page.body, DocumentBody) or page.media_type in _MARKDOWN
    return tame_page(text) if is_markdown else text


def _digest(text: str) -> str:
    """Short fingerprint of a text; 64 bits tell two versions of one page apart."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
