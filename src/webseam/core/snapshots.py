"""Fetched pages kept for a while, so that `offset` reads on in the same text: protocol, and the default in memory."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Literal, Protocol, TypeAlias, assert_never

from webseam.core.deadline import Clock
from webseam.core.errors import WebError
from webseam.core.limits import SNAPSHOT_BYTES, SNAPSHOT_SECONDS
from webseam.core.shelf import Room, Shelf
from webseam.core.types import Body, DocumentBody, FetchResult, HtmlBody, ImageBody, PageMetadata, PdfBody, TextBody
from webseam.core.url import Url

HiddenText: TypeAlias = Literal["shown", "left_out"]
View: TypeAlias = Literal["page", "main"]
Engine: TypeAlias = Literal["own", "trafilatura"]
"""What tells the main content of a page from the rest."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A page as fetched and the whole text made of it; `digest` tells two versions of a page apart.

    `removed` counts what hygiene took out by kind, `hidden` the elements a reader would not have seen; `cut` says
    that the conversion hit a limit, `fallback` why the text is only the page's bare words, or that of Markdown with
    what its readers would not see. `mostly_hidden` says that most of the page's text is hidden until a script reveals
    it, and whether it is shown all the same. `metadata` is what the page says about itself. `asked` is the view asked
    for, `view` the one that the text is of: the whole page, or its main content, beside which `left_out` characters of
    the page, white space not counted, are left out. `engine` told the main content apart, where the
    text is that.
    """

    page: FetchResult
    text: str
    digest: str
    removed: Mapping[str, int] = field(default_factory=dict)
    hidden: int = 0
    cut: bool = False
    fallback: str | None = None
    mostly_hidden: HiddenText | None = None
    metadata: PageMetadata | None = None
    asked: View = "page"
    view: View = "page"
    left_out: int = 0
    engine: Engine | None = None


class Snapshots(Protocol):
    """Keeps snapshots under the canonical URL asked and the final one, fragment off."""

    def get(self, url: str) -> Snapshot | None:
        """The snapshot kept for `url`, while it is fresh."""
        ...

    def put(self, url: str, snapshot: Snapshot) -> None:
        """Keep `snapshot` for `url` and for its final URL."""
        ...


def snapshot_key(url: str) -> str:
    """Canonical URL without its fragment (R168); a text that does not parse is its own key."""
    try:
        return Url.parse(url).document
    except WebError:
        return url


class MemorySnapshots:
    """Snapshots in this process: fresh for `seconds`, at most `max_bytes` of text and data, the oldest go first.

    Several may share a `room`, in which those that were read longest ago go first.
    """

    def __init__(
        self,
        *,
        seconds: float = SNAPSHOT_SECONDS,
        max_bytes: int = SNAPSHOT_BYTES,
        clock: Clock = time.monotonic,
        room: Room | None = None,
    ) -> None:
        self._shelf: Shelf[Snapshot] = Shelf(seconds=seconds, max_bytes=max_bytes, clock=clock, room=room)

    def get(self, url: str) -> Snapshot | None:
        """The snapshot kept for `url`, while it is fresh."""
        return self._shelf.get(snapshot_key(url))

    def put(self, url: str, snapshot: Snapshot) -> None:
        """Keep `snapshot` for `url` and for its final URL; one larger than the store is not kept."""
        self._shelf.put({snapshot_key(url), snapshot_key(snapshot.page.url)}, snapshot, _size(snapshot))

    def clear(self) -> None:
        """Forget all of them."""
        self._shelf.clear()


def _size(snapshot: Snapshot) -> int:
    return getsizeof(snapshot.text) + body_bytes(snapshot.page.body)


def body_bytes(body: Body) -> int:
    """Bytes that a body takes in memory; what came over the wire may have been compressed a thousandfold."""
    match body:
        case PdfBody():
            return sum(map(getsizeof, body.pages))
        case ImageBody():
            return getsizeof(body.data)
        case HtmlBody() | TextBody() | DocumentBody():
            return getsizeof(body.content)
        case _:
            assert_never(body)
