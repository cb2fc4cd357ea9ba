"""Extraction on this machine: the seam's own guarded fetch, and the main content of what came. No vendor, no key."""

import asyncio
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, PageReader, ProviderSpec
from webseam.core.types import (
    ExtractRequest,
    ExtractResult,
    FetchResult,
    HtmlBody,
    ImageBody,
    Note,
    PageMetadata,
    Usage,
)
from webseam.providers.wires.options import checked

if TYPE_CHECKING:
    from webseam.content.convert import Converted, Converter

_ERROR: Final = 400
_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


class LocalExtractOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.local]`. `view` "page" keeps the whole page instead of its main content."""

    view: Literal["main", "page"] = "main"


class LocalExtract:
    """Fetches as `web_fetch` does, by the same rules and permission, and reads the page as its article.

    Args:
        provider: its id.
        read: the seam's fetch; None makes it unavailable.
        view: what is asked of the page.
    """

    asks_gate = True  # the seam's fetch does, by its rules
    bills = False

    def __init__(self, provider: str, read: PageReader | None, view: Literal["main", "page"] = "main") -> None:
        self.id = provider
        self._read = read
        self._view: Literal["main", "page"] = view
        self._converters: dict[asyncio.AbstractEventLoop, Converter] = {}

    def available(self) -> bool:
        """Whether there is a seam to fetch through."""
        return self._read is not None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return None if self.available() else "it was built without a fetch to read through"

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """The text of the page; a page that is an error, a bot check or a picture is none.

        Raises:
            WebError: as `Web.fetch`; `WEB_PROVIDER_BLOCKED` for a bot check, `WEB_PROVIDER_ERROR` for an error page,
                `WEB_UNSUPPORTED_CONTENT_TYPE` for a picture.
        """
        if self._read is None:
            raise WebError(Code.PROVIDER_UNAVAILABLE, f"{self.id} has no fetch to read through.", provider=self.id)
        try:
            page = await self._read(request.url, call=call)
        except WebError as error:
            raise self._failed(error) from error
        self._check(page)
        converted = await self._use_converter().convert(page, deadline=call.deadline)
        said = converted.metadata or PageMetadata()
        return ExtractResult(
            provider=self.id,
            url=page.url,
            markdown=converted.text,
            title=said.title,
            author=said.author,
            published_at=said.published_at,
            truncated=page.truncated or converted.cut,
            usage=Usage(calls=1, cost=0.0, currency="USD"),
            notes=(*page.notes, *converted.notes, *_copied(page), *self._notes(page, converted)),
        )

    async def aclose(self) -> None:
        """End the converter's workers of the running loop; idempotent."""
        own = self._converters.pop(asyncio.get_running_loop(), None)
        if own is not None:
            await own.aclose()

    def _failed(self, error: WebError) -> WebError:
        """The fetch's error as that of this extraction, whose one try it was a part of."""
        return WebError(
            error.code,
            error.message,
            provider=self.id,
            dispatched=error.dispatched,
            retryable=error.retryable,
            retry_after=error.retry_after,
        )

    def _check(self, page: FetchResult) -> None:
        if any(note.code == "bot_challenge" for note in page.notes):
            raise self._none(Code.PROVIDER_BLOCKED, "its server sent a bot check instead")
        if page.status_code >= _ERROR:
            passing = page.status_code in _PASSING
            said = f"its server answers HTTP {page.status_code}"
            raise self._none(Code.PROVIDER_ERROR, said, retryable=passing, wait=page.retry_after)
        if isinstance(page.body, ImageBody):
            raise self._none(Code.UNSUPPORTED_CONTENT_TYPE, "it is a picture")

    def _none(self, code: Code, why: str, *, retryable: bool = False, wait: float | None = None) -> WebError:
        return WebError(
            code,
            f"There is no page to extract: {why}. Fetch it to see what came, or use another provider.",
            provider=self.id,
            dispatched=True,
            retryable=retryable,
            retry_after=wait,
        )

    def _notes(self, page: FetchResult, converted: "Converted") -> tuple[Note, ...]:
        if converted.fallback is not None:
            return (Note(code="bare_words", detail=converted.fallback),)
        whole = self._view == "main" and converted.view != "main" and isinstance(page.body, HtmlBody)
        return (Note(code="whole_page"),) if whole else ()

    def _use_converter(self) -> "Converter":
        loop = asyncio.get_running_loop()  # a converter's processes belong to one
        if loop not in self._converters:
            from webseam.content.convert import Converter  # noqa: PLC0415 - the HTML parser loads on first use

            self._converters = {one: own for one, own in self._converters.items() if not one.is_closed()}
            self._converters[loop] = Converter(pictures=False, view=self._view)
        return self._converters[loop]


def _copied(page: FetchResult) -> tuple[Note, ...]:
    """Whether the page came from the fetch's cache, unless its server said that it is still the same."""
    copy = page.cache
    if copy is None or (copy.revalidated and not copy.stale):
        return ()
    return (Note(code="stored_copy", detail=f"{copy.age:.0f} s old"),)


def _build(kit: Kit) -> LocalExtract:
    made = LocalExtract(kit.id, kit.read, checked(kit, LocalExtractOptions).view)
    kit.on_close(made.aclose)
    return made


SPEC: Final = ProviderSpec(
    kind="local",
    capability="extract",
    build=_build,
    options=LocalExtractOptions,
    keyless=True,
    summary="This machine's own fetch and the main content of the page: no vendor and no key.",
)
