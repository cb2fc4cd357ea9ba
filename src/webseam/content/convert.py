"""Pages to text: small ones where they stand, big ones in worker processes that can be killed."""

from dataclasses import dataclass
from typing import Any, Final

from webseam.content.frames import bytes_text, text_bytes
from webseam.content.hidden_html import Seen
from webseam.content.listings import Form, Listing, form_of, listing
from webseam.content.markdown import html_to_markdown, plain_body
from webseam.content.metadata import unpacked_metadata
from webseam.content.plain_text import plain_text
from webseam.content.workers import WorkerFailed, Workers
from webseam.core.deadline import Deadline
from webseam.core.limits import (
    CONVERSION_MEMORY_BYTES,
    CONVERSION_MEMORY_GROWTH,
    FEED_SECONDS,
    HIDDEN_MEMORY_GROWTH,
    HIDDEN_TIMES,
    INLINE_CONVERSION_BYTES,
    WORKER_COUNT,
    WORKER_MEMORY_BYTES,
    WORKER_SECONDS,
)
from webseam.core.snapshots import Engine, HiddenText, View
from webseam.core.types import DocumentBody, FetchResult, HtmlBody, Note, PageMetadata, PdfBody, TextBody

_REASONS: Final = {"timeout": "timeout", "busy": "timeout", "memory": "memory"}  # every other is a crash


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """Text of a page.

    `hidden` counts elements left out as invisible, `cut` says that the text was capped. `fallback` tells why the
    text is only the page's bare words: `timeout`, `memory` or `crash`. `metadata` is what the page says about itself.
    `view` is what the text is of, the page or its main content, beside which `left_out` characters are left out;
    `engine` told that apart.
    `is_listing` says that the text is Markdown made of a feed or sitemap, of which `notes` are.
    """

    text: str
    hidden: int = 0
    cut: bool = False
    fallback: str | None = None
    mostly_hidden: HiddenText | None = None
    metadata: PageMetadata | None = None
    view: View = "page"
    left_out: int = 0
    engine: Engine | None = None
    is_listing: bool = False
    notes: tuple[Note, ...] = ()


class Converter:
    """Converts pages to text; owns its worker processes until `aclose`.

    Belongs to one event loop. Workers start when first needed, at most `count`; further jobs wait for one.

    Args:
        count: worker processes.
        seconds: wall clock of one conversion in a worker, with the wait for it; Markdown has twice that to be looked
            through.
        memory: address space of a worker in bytes; on Linux a conversion has at most 44 bytes a character of its page,
            or 220 MB, besides.
        inline: HTML of at most this many characters is converted where it stands.
        pictures: whether pictures stay pictures; see `html_to_markdown`.
        view: `main` asks for the main content of HTML pages; see `html_to_markdown`.
        engine: what tells that apart; one that is not ours works in a worker alone.
    """

    def __init__(
        self,
        *,
        count: int = WORKER_COUNT,
        seconds: float = WORKER_SECONDS,
        memory: int = WORKER_MEMORY_BYTES,
        inline: int = INLINE_CONVERSION_BYTES,
        pictures: bool = True,
        view: View = "page",
        engine: Engine = "own",
    ) -> None:
        self._pictures = pictures
        self._view = view
        self._seconds = seconds
        self._engine: Engine = engine if view == "main" else "own"
        self._inline = inline if self._engine == "own" else -1
        self._workers = Workers(count=count, memory=memory)

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> Converted:
        """The text of a page, by `deadline`.

        A conversion that fails, or is killed for its time or memory, gives the page's bare words and says so in
        `fallback`; nothing is raised but cancellation, which kills the worker that runs the job.
        """
        if not isinstance(page.body, HtmlBody):
            form = form_of(page)
            if form is not None and isinstance(page.body, TextBody):
                return await self._listed(page, page.body.content, form, deadline.sooner(FEED_SECONDS))
            said = page.body.metadata if isinstance(page.body, PdfBody | DocumentBody) else None
            return Converted(text=plain_body(page), metadata=said)
        html = page.body.content
        try:
            if len(html) <= self._inline:
                made = html_to_markdown(html, url=page.url, pictures=self._pictures, view=self._view)
                return Converted(
                    text=made.text,
                    hidden=made.hidden,
                    cut=made.cut,
                    mostly_hidden=made.mostly_hidden,
                    metadata=made.metadata,
                    view=made.view,
                    left_out=made.left_out,
                    engine=made.engine,
                )
            return await self._in_worker(html, page.url, deadline.sooner(self._seconds))
        except WorkerFailed as exc:
            return _fallback(html, _REASONS.get(exc.reason, "crash"))
        except MemoryError:
            return _fallback(html, "memory")
        except (OSError, ValueError, KeyError, RuntimeError):
            return _fallback(html, "crash")

    async def _listed(self, page: FetchResult, text: str, form: Form, deadline: Deadline) -> Converted:
        """A feed or sitemap: small ones where they stand, but for XML feeds, whose parser is slow."""
        if form != "feed" and len(text) <= self._inline:
            made = listing(text, form, url=page.url)
            return Converted(text=text) if made is None else _of_listing(made)
        try:
            args = {"url": page.url, "form": form}
            head, body = await self._workers.run(
                "listing", args, text_bytes(text), deadline=deadline, seconds=FEED_SECONDS
            )
        except WorkerFailed as exc:
            return _fallback(text, _REASONS.get(exc.reason, "crash"))
        if "text" in head:
            return Converted(text=text)
        made = Listing(
            text=bytes_text(body),
            metadata=unpacked_metadata(head["metadata"]),
            left_out=head["left_out"],
            cut=head["cut"],
            malformed=head["malformed"],
        )
        return _of_listing(made)

    async def seen(self, text: str, *, deadline: Deadline) -> Seen:
        """What readers see of Markdown, looked through in a worker by `deadline`.

        Where that fails, or is killed for its time or memory, the text is given as it is and `fallback` says why;
        nothing is raised but cancellation, which kills the worker that runs the job.
        """
        args = {"memory": max(CONVERSION_MEMORY_BYTES, HIDDEN_MEMORY_GROWTH * len(text))}
        seconds = self._seconds * HIDDEN_TIMES
        try:
            head, body = await self._workers.run(
                "hidden", args, text_bytes(text), deadline=deadline.sooner(seconds), seconds=seconds
            )
            return Seen(text=bytes_text(body), **{name: head[name] for name in ("hidden", "is_open", "holds_most")})
        except WorkerFailed as exc:
            return Seen(text=text, fallback=_REASONS.get(exc.reason, "crash"))
        except MemoryError:
            return Seen(text=text, fallback="memory")

    async def aclose(self) -> None:
        """End every worker and wait until none is left; later conversions of big pages give bare words."""
        await self._workers.aclose()

    async def _in_worker(self, html: str, url: str, deadline: Deadline) -> Converted:
        args: dict[str, Any] = {"url": url, "pictures": self._pictures, "view": self._view, "engine": self._engine}
        if self._engine == "own":  # another has its libraries to load
            args["memory"] = max(CONVERSION_MEMORY_BYTES, CONVERSION_MEMORY_GROWTH * len(html))
        head, body = await self._workers.run(
            "markdown", args, text_bytes(html), deadline=deadline, seconds=self._seconds
        )
        return Converted(
            text=bytes_text(body),
            hidden=int(head["hidden"]),
            cut=bool(head["cut"]),
            mostly_hidden=head["mostly_hidden"],
            metadata=unpacked_metadata(head.get("metadata")),
            view=head["view"],
            left_out=int(head["left_out"]),
            engine=head["engine"],
        )


def _of_listing(made: Listing) -> Converted:
    notes = (Note(code="malformed_feed"),) if made.malformed else ()
    return Converted(text=made.text, cut=made.cut, metadata=made.metadata, is_listing=True, notes=notes)


def _fallback(html: str, reason: str) -> Converted:
    text, cut = plain_text(html)
    return Converted(text=text, cut=cut, fallback=reason)
