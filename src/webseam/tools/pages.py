"""Pages for `web_fetch`: fetch, convert and clean once, keep the text, and read on in exactly that text."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from webseam.content.hidden_html import Seen
from webseam.content.hygiene import clean
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.limits import INLINE_CONVERSION_BYTES
from webseam.core.loops import ending_with_loop
from webseam.core.snapshots import Engine, MemorySnapshots, Snapshot, Snapshots, View
from webseam.core.types import Attempt, DocumentBody, FetchResult, HtmlBody
from webseam.core.web import Web
from webseam.tools.digests import Digests
from webseam.tools.links import with_real_hosts
from webseam.tools.looking import Looker, seen_at_once, seen_notes, within
from webseam.tools.render_fetch import Reading
from webseam.tools.run import Run
from webseam.tools.tame import tame_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webseam.content.convert import Converted, Converter


_T = TypeVar("_T")

_MARKDOWN: Final = frozenset({"text/markdown", "text/x-markdown"})


class PageConverter(Protocol):
    """Turns a page into one text; `webseam.content.convert.Converter` by default."""

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> "Converted":
        """The whole page as Markdown or plain text, within `deadline`."""
        ...


class Pages:
    """Reads pages through `web`, each from one snapshot for as long as that is kept.

    `web` and `snapshots` are the caller's; a converter that is not given is made at the first page, for `view`, and
    closed by `aclose`. One that is given makes its own view. A snapshot that was kept for another view, or of which
    another engine told the main content apart, is not used.
    """

    def __init__(
        self,
        web: Web,
        snapshots: Snapshots | None,
        converter: PageConverter | None,
        *,
        view: View = "page",
        engine: Engine = "own",
    ) -> None:
        self._web = web
        self._view: View = view
        self._engine: Engine = engine
        kept = web.snapshots if snapshots is None else snapshots
        self._snapshots = MemorySnapshots(clock=web.clock) if kept is None else kept
        self._converter = converter
        self._looker = _looker(converter)
        self._own: dict[asyncio.AbstractEventLoop, tuple[Converter, AsyncGenerator[None, None]]] = {}
        self._digests = Digests()

    async def read(
        self, url: str, offset: int, call: Call, *, run: Run | None = None, finding: bool = False
    ) -> Reading:
        """A page from its start is fetched; one read on, or searched, comes from its snapshot, by the rules of a fetch.

        What was last read of a page is remembered for each run (`run` and `Call.tags`), so that a run whose offset is
        for a text that another one has replaced is told so. Calls without either are of one run.

        Raises:
            WebError: as `Web.fetch`; also for a conversion that did not end in time.
        """
        kept = self._kept(url) if offset > 0 or finding else None
        if kept is not None and kept.asked == self._view and kept.engine in (None, self._engine):
            await self._web.permit_fetch(url, final=kept.page.url, call=call)
            before = self._remember(url, kept, call, run)
            replaced = before is not None and before != kept.digest
            return Reading(snapshot=kept, again=replaced, changed=replaced)
        page = await self._web.fetch(url, call=call)
        snapshot = await self._snapshot(page, call)
        before = self._remember(url, snapshot, call, run)
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
        found = tape.draw(f"snapshot {digest_of(url)}", lambda: "none" if kept is None else "kept")
        return None if found == "none" else kept

    async def aclose(self) -> None:
        """Close the converter that was made here for the running loop; idempotent."""
        own = self._own.pop(asyncio.get_running_loop(), None)
        if own is not None:
            await own[1].aclose()

    async def _snapshot(self, page: FetchResult, call: Call) -> Snapshot:
        converter = await self._use_converter()
        work = converter.convert(page, deadline=call.deadline)
        converted = await within(call, work, of="fetch", provider=page.provider, attempts=page.attempts)
        size = len(converted.text)
        cleaned = await beside(partial(clean, converted.text), size)
        seen = Seen(text=cleaned.text)  # pages that were not sent as Markdown have no raw HTML left in them
        if page.media_type in _MARKDOWN:
            seen = await self.seen(cleaned.text, call, of="fetch", provider=page.provider, attempts=page.attempts)
        return await beside(partial(_snapshot, page, converted, cleaned.removed, seen, self._view), size)

    async def seen(self, text: str, call: Call, *, of: str, provider: str, attempts: tuple[Attempt, ...] = ()) -> Seen:
        """What readers see of Markdown that `provider` gave in a call `of` its kind; `text` is clean.

        A long text is looked through in a worker of the converter, or of an own one where that cannot do it.

        Raises:
            WebError: the deadline of the call passed, or it was aborted.
        """
        seen = seen_at_once(text)
        if seen is not None:
            return seen
        looker = self._looker or await self._own_converter()
        return await within(
            call, looker.seen(text, deadline=call.deadline), of=of, provider=provider, attempts=attempts
        )

    async def _use_converter(self) -> PageConverter:
        return await self._own_converter() if self._converter is None else self._converter

    async def _own_converter(self) -> "Converter":
        loop = asyncio.get_running_loop()  # a converter's processes belong to one, and end with it
        if loop not in self._own:
            from webseam.content.convert import Converter  # noqa: PLC0415 - the HTML parser loads on first use

            self._own = {one: own for one, own in self._own.items() if not one.is_closed()}
            made = Converter(pictures=False, view=self._view, engine=self._engine)
            self._own[loop] = made, await ending_with_loop(made.aclose)
        return self._own[loop][0]

    def _remember(self, url: str, snapshot: Snapshot, call: Call, run: Run | None) -> str | None:
        """Keep what this run reads of the page, under the URL asked and the final one; what it read before."""
        return self._digests.replace(call, run, url, [snapshot.page.url], snapshot.digest)


def _looker(converter: object) -> Looker | None:
    return converter if isinstance(converter, Looker) else None


async def beside(work: Callable[[], _T], size: int) -> _T:
    """Do `work` on a text of `size`: in a thread when that is long, so that others on this loop need not wait for it.

    Five megabytes take half a second.
    """
    return await asyncio.to_thread(work) if size > INLINE_CONVERSION_BYTES else work()


def _snapshot(
    page: FetchResult, converted: "Converted", removed: "Mapping[str, int]", seen: Seen, asked: View
) -> Snapshot:
    text = _harmless(page, seen.text, made=converted.is_listing)
    notes = (*converted.notes, *seen_notes(seen))
    page = replace(page, notes=page.notes + notes) if notes else page
    return Snapshot(
        page,
        text,
        digest_of(text),
        removed=dict(removed),
        hidden=converted.hidden + seen.hidden,
        cut=converted.cut,
        fallback=converted.fallback or seen.fallback,
        mostly_hidden="left_out" if seen.holds_most else converted.mostly_hidden,
        metadata=converted.metadata,
        asked=asked,
        view=converted.view,
        left_out=converted.left_out,
        engine=converted.engine,
    )


def _harmless(page: FetchResult, text: str, *, made: bool) -> str:
    """The text with links that lead where they seem to; what a converter of ours made has no pictures left."""
    if made or isinstance(page.body, HtmlBody):
        return with_real_hosts(text)
    is_markdown = isinstance(page.body, DocumentBody) or page.media_type in _MARKDOWN
    return tame_page(text) if is_markdown else text


def digest_of(text: str) -> str:
    """Short fingerprint of a text; 64 bits tell two versions of one page apart."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
