"""What an extraction vendor's file gets and gives: a page in, a request out, an answer in, a text out. Values only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.guarantees import unusable_url
from webseam.core.text import one_line, redacted, shows
from webseam.core.types import ExtractResult, Note, Usage
from webseam.core.url import web_url, without_credentials
from webseam.net.policy import AddressPolicy
from webseam.providers.wires.clean import plain_text, unwrap
from webseam.providers.wires.failures import PLAIN, ErrorFacts, status_error, told_error
from webseam.providers.wires.json_api import lacking, misshapen
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.waits import seconds_to_wait

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

_PUBLIC: Final = AddressPolicy()
"""Without the exceptions of `fetch.private_*`: these are for this machine, and nobody else can reach what they open."""

_ERROR: Final = 400
_BLOCKING: Final = frozenset({401, 403, 429})
_PASSING: Final = frozenset({408, 425, 429, 500, 502, 503, 504})


def public_page(url: str, provider: str) -> str:
    """The URL as a vendor may be told it: no fragment, which no server is sent either, and no host of one's own.

    Nothing is resolved: a name that only looks public is told.

    Raises:
        WebError: `WEB_INVALID_URL`; `WEB_BLOCKED_URL` for credentials, private addresses and names, and ports of other
            protocols. Nothing has left.
    """
    parsed = web_url(url)
    try:
        _PUBLIC.check_target(parsed)
    except WebError as error:
        raise WebError(
            Code.BLOCKED_URL,
            f"The URL is no page of the public web, so {provider} is not told of it. Fetch it instead, or set "
            'extract.provider = "local".',
            provider=provider,
        ) from error
    return parsed.document


def same_page(url: str | None, asked: str) -> bool:
    """Whether a vendor's URL leads to the page asked for, but for the fragment."""
    try:
        return url is not None and web_url(url).document == asked
    except WebError:  # whatever it leads to
        return False


def _says(row: Row, fields: Iterable[str]) -> bool:
    """Whether one of these fields has text, by itself or in a list."""
    parts = (part for name in fields for part in (row.get(name), *items(row.get(name))))
    return any(text(part) is not None for part in parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[OptionsT]):
    """One extraction: the page's URL without its fragment, the options, and whether a key goes with it."""

    provider: str
    url: str
    options: OptionsT
    keyed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading(Generic[OptionsT]):
    """What came back: `payload` is JSON without secrets in it.

    `refusal` is the error that a status means which the vendor expects: `read` raises it unless it knows better.
    """

    page: Page[OptionsT]
    payload: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    facts: ErrorFacts = PLAIN
    secrets: tuple[str, ...] = field(default=(), repr=False)
    refusal: WebError | None = None

    @property
    def row(self) -> Row:
        """The payload as an object; empty when it is none."""
        return mapping(self.payload)

    def only(self, rows: Any, what: str, *texts: str, failed: WebError | None = None) -> Row:
        """The page in a list that holds one for each page asked for, and so should hold one.

        Of several it is the first with something in one of the fields `texts`, and of those one under the URL asked.

        Raises:
            WebError: `failed`, where the vendor tells of a failure and no row has a text; else `WEB_PROVIDER_ERROR`,
                with what the vendor says instead, when there is no such list, or it is empty.
        """
        found = [one for one in items(rows) if isinstance(one, dict)]
        best = max(found, key=lambda one: (_says(one, texts), self._is_asked(one.get("url"))), default=None)
        if failed is not None and (best is None or not _says(best, texts)):
            raise failed
        if not isinstance(rows, list):
            raise self.lacking(what)
        if best is None:
            raise self.unread("it sent nothing for it")
        return best

    def _is_asked(self, url: object) -> bool:
        return same_page(text(url), self.page.url)

    def told(self) -> WebError | None:
        """The error that the answer itself tells, with its status or as a quota or rate; None where it does not."""
        return told_error(
            self.payload, provider=self.page.provider, answered=self.status, facts=self.facts, secrets=self.secrets
        )

    def lacking(self, what: str) -> WebError:
        """The error of an answer without the part that makes it one."""
        if not isinstance(self.payload, dict):
            return misshapen(self.page.provider, f"a JSON {type(self.payload).__name__} where an object belongs")
        return self.told() or lacking(self.page.provider, self.payload, what, self.secrets)

    def fault(self, status: int, detail: str | None = None, *codes: str) -> WebError:
        """The error that an HTTP `status` of the vendor would have been, told inside a success."""
        return status_error(
            self.page.provider,
            status,
            detail,
            answered=self.status,
            codes=frozenset(code.lower() for code in codes),
            facts=self.facts,
            secrets=self.secrets,
        )

    def unread(self, why: str | None, *, answered: int | None = None, code: str = Code.PROVIDER_ERROR) -> WebError:
        """The error of a page that the vendor did not get, where it works itself.

        `answered` is the page's own status, which says nothing about our key: no `status` of the error.
        """
        provider = self.page.provider
        said = one_line(redacted(why, self.secrets)).rstrip(".") if why else ""
        known = f"it answers HTTP {answered}" if answered is not None else ""
        reasons = "; ".join(part for part in (known, said) if part) or "it gave no reason"
        blocked = answered in _BLOCKING and code == Code.PROVIDER_ERROR
        return WebError(
            Code.PROVIDER_BLOCKED if blocked else code,
            f"{provider} could not read the page: {reasons}. Try another provider, or another page.",
            provider=provider,
            dispatched=True,
            retryable=answered in _PASSING,
        )

    def pending(self) -> WebError:
        """The error of a page that the vendor is still at."""
        provider = self.page.provider
        wait = seconds_to_wait(self.status, self.headers, self.payload)
        return WebError(
            Code.PROVIDER_ERROR,
            f"{provider} has not read the page yet (HTTP {self.status}). Try again later, or use another provider.",
            provider=provider,
            dispatched=True,
            retryable=True,
            retry_after=wait,
        )

    def answered(self, status: int | None, why: str | None = None) -> None:
        """Hold the page to its own status, where the vendor tells it.

        Raises:
            WebError: see `unread`.
        """
        if status is not None and status >= _ERROR:
            raise self.unread(why, answered=status)

    def extracted(
        self,
        markdown: object,
        *,
        url: object = None,
        title: object = None,
        author: object = None,
        published_at: object = None,
        truncated: bool = False,
        remarks: Iterable[object] = (),
        notes: tuple[Note, ...] = (),
        usage: Usage | None = None,
    ) -> ExtractResult:
        """The page; what is no text is absent.

        Raises:
            WebError: `WEB_PROVIDER_ERROR` for an answer without text; `WEB_BLOCKED_URL` for a page that is not public.
        """
        if not isinstance(markdown, str) or not shows(markdown):
            raise self.unread("it found no text on it")
        said = tuple(Note(code="remark", detail=one_line(one)) for one in map(text, remarks) if one)
        return ExtractResult(
            provider=self.page.provider,
            url=self._final(text(url)),
            markdown=markdown,
            title=plain_text(title),
            author=plain_text(author),
            published_at=text(published_at),
            truncated=truncated,
            notes=notes + said,
            usage=usage or Usage(calls=1),
        )

    def _final(self, url: str | None) -> str:
        """Where the page came from, as far as the vendor says."""
        if url is None:
            return self.page.url
        provider = self.page.provider
        try:
            parsed = web_url(without_credentials(unwrap(url)))
        except WebError as error:
            raise unusable_url(provider, url) from error
        try:
            _PUBLIC.check_target(parsed)
        except WebError as error:
            raise WebError(
                Code.BLOCKED_URL,
                f"{provider} was led to a page that is not of the public web, so its text is not used. Use another "
                "source.",
                provider=provider,
                dispatched=True,
            ) from error
        return parsed.href
