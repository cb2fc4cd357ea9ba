"""Pages for `web_extract`: extracted and cleaned once, kept for a while, and read on in exactly that text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from sys import getsizeof

from webseam.content.hidden_html import Seen
from webseam.content.hygiene import clean
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.guarantees import no_text
from webseam.core.limits import SNAPSHOT_BYTES, SNAPSHOT_SECONDS
from webseam.core.shelf import Shelf
from webseam.core.snapshots import snapshot_key
from webseam.core.text import shows
from webseam.core.types import ExtractResult
from webseam.core.web import Web
from webseam.tools.digests import Digests
from webseam.tools.looking import seen_notes
from webseam.tools.pages import Pages, beside, digest_of
from webseam.tools.run import Run
from webseam.tools.tame import tame_page


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What an extractor gave, and the whole text that may be shown of it.

    `removed` counts the characters that hygiene took out by kind, `hidden` the comments and elements that no reader of
    the rendered text would see.
    """

    result: ExtractResult
    text: str
    digest: str
    removed: Mapping[str, int] = field(default_factory=dict)
    hidden: int = 0
    mostly_hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractReading:
    """An extract to be shown.

    `kept` says that nobody was asked for it now, `again` that it had to be extracted anew to be read on, `changed` that
    it differs from before, None that what was read before is not known here.
    """

    extract: Extract
    kept: bool = False
    again: bool = False
    changed: bool | None = False


class Extracts:
    """Reads pages through the extractors of `web`, each from one extract for as long as that is kept (15 minutes).

    They are kept in this process, apart from fetched pages: both may be of one URL, and differ.
    """

    def __init__(self, web: Web, pages: Pages) -> None:
        self._web = web
        self._pages = pages
        self._shelf: Shelf[Extract] = Shelf(seconds=SNAPSHOT_SECONDS, max_bytes=SNAPSHOT_BYTES, clock=web.clock)
        self._digests = Digests()

    async def read(self, url: str, offset: int, call: Call, *, run: Run | None = None) -> ExtractReading:
        """A page from its start is extracted; one that is read on comes from its extract, by the same rules.

        Raises:
            WebError: as `Web.extract`.
        """
        kept = self._kept(url) if offset > 0 else None
        if kept is not None:
            await self._web.permit_extract(url, final=kept.result.url, call=call)
            before = self._remember(url, kept, call, run)
            replaced = before is not None and before != kept.digest
            return ExtractReading(extract=kept, kept=True, again=replaced, changed=replaced)
        result = await self._web.extract(url, call=call)
        extract = await cleaned(result, self._pages, call)
        before = self._remember(url, extract, call, run)
        keys = {snapshot_key(url), snapshot_key(result.url)}
        self._shelf.put(keys, extract, getsizeof(extract.text))  # `result` holds the same text
        unknown = offset > 0 and before is None
        changed = None if unknown else before is not None and before != extract.digest
        return ExtractReading(extract=extract, again=offset > 0, changed=changed)

    def _kept(self, url: str) -> Extract | None:
        """The extract; a replayed run finds none where the recorded one found none, such as one that was too old."""
        kept = self._shelf.get(snapshot_key(url))
        tape = self._web.tape
        if tape is None:
            return kept
        found = tape.draw(f"extract {digest_of(url)}", lambda: "none" if kept is None else "kept")
        return None if found == "none" else kept

    def _remember(self, url: str, extract: Extract, call: Call, run: Run | None) -> str | None:
        return self._digests.replace(call, run, url, [extract.result.url], extract.digest)


async def cleaned(result: ExtractResult, pages: Pages, call: Call) -> Extract:
    """The text as it may be shown: nothing that a reader would not see, no picture that loads, no link in disguise.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` where nothing is left to show; the deadline passed, or the call was aborted.
    """
    size = len(result.markdown)
    made = await beside(partial(clean, result.markdown), size)
    seen = await pages.seen(made.text, call, of="extract", provider=result.provider, attempts=result.attempts)
    return await beside(partial(_extract, result, made.removed, seen), size)


def _extract(result: ExtractResult, removed: Mapping[str, int], seen: Seen) -> Extract:
    text = tame_page(seen.text).strip("\n")
    if not shows(text):
        raise _nothing_left(result)
    return Extract(
        result=replace(result, markdown=text, notes=result.notes + seen_notes(seen)),
        text=text,
        digest=digest_of(text),
        removed=dict(removed),
        hidden=seen.hidden,
        mostly_hidden=seen.holds_most,
    )


def _nothing_left(result: ExtractResult) -> WebError:
    """The error of a text that is made of what nobody would see."""
    error = no_text(result.provider)
    error.attempts, error.dispatched = result.attempts, any(one.dispatched for one in result.attempts)
    return error
