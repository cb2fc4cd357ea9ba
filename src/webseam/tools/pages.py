"""Pages for `web_fetch`: fetch, convert and clean once, keep the text, and read on in exactly that text."""

import hashlib
from collections import OrderedDict
from typing import TYPE_CHECKING, Protocol

from webseam.content.hygiene import clean
from webseam.core.call import Call, aborted, timed_out
from webseam.core.deadline import Bounded, Deadline
from webseam.core.limits import DIGESTS_KEPT
from webseam.core.snapshots import MemorySnapshots, Snapshot, Snapshots, snapshot_key
from webseam.core.types import FetchResult, HtmlBody
from webseam.core.web import Web
from webseam.tools.links import with_real_hosts
from webseam.tools.render_fetch import Reading

if TYPE_CHECKING:
    from webseam.content.workers import Converted


class PageConverter(Protocol):
    """Turns a page into one text; `webseam.content.workers.Converter` by default."""

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> "Converted":
        """The whole page as Markdown or plain text, within `deadline`."""
        ...


class Pages:
    """Reads pages through `web`, each from one snapshot for as long as that is kept.

    `web` and `snapshots` are the caller's; a converter that is not given is made at the first page and closed by
    `aclose`.
    """

    def __init__(self, web: Web, snapshots: Snapshots | None, converter: PageConverter | None) -> None:
        self._web = web
        kept = web.snapshots if snapshots is None else snapshots
        self._snapshots = MemorySnapshots(clock=web.clock) if kept is None else kept
        self._converter = converter
        self._own: _ClosingConverter | None = None
        self._digests: OrderedDict[str, str] = OrderedDict()

    async def read(self, url: str, offset: int, call: Call) -> Reading:
        """A page from its start is fetched; one read on comes from its snapshot, after the rules of a fetch.

        Raises:
            WebError: as `Web.fetch`; also for a conversion that did not end in time.
        """
        kept = self._snapshots.get(url) if offset > 0 else None
        if kept is not None:
            await self._web.permit_fetch(url, final=kept.page.url, call=call)
            return Reading(snapshot=kept)
        page = await self._web.fetch(url, call=call)
        snapshot = await self._snapshot(page, call)
        before = self._remember(url, snapshot)
        self._snapshots.put(url, snapshot)
        unknown = offset > 0 and before is None
        changed = None if unknown else before is not None and before != snapshot.digest
        return Reading(snapshot=snapshot, again=offset > 0, changed=changed)

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
        cleaned = clean(converted.text)
        text = with_real_hosts(cleaned.text) if isinstance(page.body, HtmlBody) else cleaned.text
        return Snapshot(
            page,
            text,
            _digest(text),
            removed=dict(cleaned.removed),
            hidden=converted.hidden,
            cut=converted.cut,
            fallback=converted.fallback,
            mostly_hidden=converted.mostly_hidden,
        )

    def _use_converter(self) -> PageConverter:
        if self._converter is not None:
            return self._converter
        if self._own is None:
            from webseam.content.workers import Converter  # noqa: PLC0415 - the HTML parser loads on first use

            self._own = Converter(pictures=False)
        return self._own

    def _remember(self, url: str, snapshot: Snapshot) -> str | None:
        """Keep the page's digest; the one kept before."""
        key = snapshot_key(url)
        before = self._digests.pop(key, None)
        self._digests[key] = snapshot.digest
        if len(self._digests) > DIGESTS_KEPT:
            self._digests.popitem(last=False)
        return before


class _ClosingConverter(PageConverter, Protocol):
    async def aclose(self) -> None: ...


def _digest(text: str) -> str:
    """Short fingerprint of a text; 64 bits tell two versions of one page apart."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
