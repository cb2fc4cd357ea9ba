"""Pages read for `webseam fetch`: one at a time or many, each a result or its error."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from webseam.content.json_text import pretty_json
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.snapshots import Snapshot
from webseam.core.types import FetchResult, TextBody
from webseam.core.web import Web
from webseam.surfaces.cli.session import Session
from webseam.tools.guarded import run_of
from webseam.tools.pages import Pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One page: the snapshot with its text, or the page alone for `--raw-body`, or the error."""

    url: str
    snapshot: Snapshot | None = None
    page: FetchResult | None = None
    error: WebError | None = None


class Reader:
    """Reads pages as the flags say; a failure is a value."""

    def __init__(self, web: Web, pages: Pages, options: dict[str, Any]) -> None:
        self._web = web
        self._pages = pages
        self._options = options

    def named(self, url: str) -> None:
        """A person named this URL: what the run's permission knows of it."""
        typed = run_of(self._web.gate)
        if typed is not None:
            typed.saw_url(url)

    async def read(self, url: str) -> Read:
        """One page, in the time that a page has."""
        seconds = self._options["timeout"] or self._web.settings.fetch_seconds
        call = Call(deadline=Deadline.after(seconds, clock=self._web.clock))
        try:
            if self._options["raw_body"]:
                return Read(url=url, page=await self._web.fetch(url, call=call))
            reading = await self._pages.read(url, 0, call)
        except WebError as error:
            return Read(url=url, error=error)
        snapshot = _laid_out(reading.snapshot) if self._options["pretty"] else reading.snapshot
        return Read(url=url, snapshot=snapshot, page=snapshot.page)


@asynccontextmanager
async def open_reader(session: Session, urls: Iterable[str], options: dict[str, Any]) -> AsyncIterator[Reader]:
    """The reader of one run, whose permission knows that a person named these URLs.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    choice = {"provider": options["provider"]} if options["provider"] else {}
    async with session.build(("fetch",), {"fetch": choice}).web as web:
        reader = reader_on(web, options)
        for url in urls:
            reader.named(url)
        yield reader


def reader_on(web: Web, options: dict[str, Any]) -> Reader:
    """The reader that works with this `Web`, and closes with it."""
    pages = Pages(web, None, None, view=options["view"] or web.tools.fetch_view, engine=web.tools.fetch_engine)
    web.at_close(pages.aclose)
    return Reader(web, pages, options)


def _laid_out(snapshot: Snapshot) -> Snapshot:
    """JSON with a line for each value; every offset is of that text."""
    kind = snapshot.page.media_type or ""
    is_json = isinstance(snapshot.page.body, TextBody) and (kind == "application/json" or kind.endswith("+json"))
    return replace(snapshot, text=pretty_json(snapshot.text)) if is_json else snapshot
