"""The vocabulary: what goes in and out of the seam, as frozen keyword-only values. Absent is None or empty."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Capability: TypeAlias = Literal["search", "fetch", "extract"]
Grounding: TypeAlias = Literal["searched", "ungrounded"]
ControlStatus: TypeAlias = Literal["native", "enforced", "unsupported"]
SafeSearch: TypeAlias = Literal["off", "moderate", "strict"]
CharsetSource: TypeAlias = Literal["bom", "header", "meta", "utf-8", "detected", "default"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchControls:
    """Provider-neutral limits on a search; every one is optional.

    `country` is ISO 3166-1 alpha-2, `language` BCP 47, the dates ISO 8601 days (`2026-03-02`).
    Domains are host names; a domain includes its subdomains.
    """

    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    published_after: str | None = None
    published_before: str | None = None
    country: str | None = None
    language: str | None = None
    safe_search: SafeSearch | None = None

    def asked(self) -> tuple[str, ...]:
        """Names of the controls that are set, in declaration order."""
        return tuple(name for name in self.__slots__ if getattr(self, name))


NO_CONTROLS = SearchControls()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """One question. `max_results` None means: as many as the provider gives."""

    query: str
    max_results: int | None = None
    controls: SearchControls = NO_CONTROLS


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One citeable hit. `published_at` is the vendor's own string, not parsed."""

    url: str
    title: str | None = None
    snippet: str | None = None
    published_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a call cost, in the vendor's own units; None where the vendor did not report it."""

    calls: int | None = None
    cost: float | None = None
    currency: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at one provider: `dispatched` is True when a request byte may have left the process.

    `free` is True for a failed one that did and that nobody is charged for, such as the fetch of a page; else None.
    """

    provider: str
    outcome: Literal["ok", "ungrounded", "failed", "skipped"]
    code: str | None = None
    dispatched: bool = False
    elapsed: float = 0.0
    free: bool | None = None

    @property
    def may_be_billed(self) -> bool:
        """Whether it failed after it may have reached somebody who charges for it."""
        return self.outcome == "failed" and self.dispatched and not self.free

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is absent."""
        plain: dict[str, Any] = {"provider": self.provider, "outcome": self.outcome}
        if self.code is not None:
            plain["code"] = self.code
        plain |= {"dispatched": self.dispatched, "elapsed": round(self.elapsed, 4)}
        return plain if self.free is None else plain | {"free": self.free}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """An answer and its evidence.

    `grounding` is `searched` only on evidence that a search succeeded. An `ungrounded` result has no
    sources; URLs that came with it are counted in `dropped`. `truncated` says that sources were left out,
    or that the vendor cut its answer short. `cache` says that the answer was kept from an earlier search. `notes` are
    facts about this search: `shared_state_away` (what gateways share could not be used).
    """

    provider: str
    grounding: Grounding = "searched"
    content: str | None = None
    sources: tuple[Source, ...] = ()
    truncated: bool = False
    dropped: Mapping[str, int] = field(default_factory=dict)
    controls: Mapping[str, ControlStatus] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    usage: Usage | None = None
    raw: Any = None
    cache: "CacheFacts | None" = None
    notes: "tuple[Note, ...]" = ()

    def _repr_html_(self) -> str:
        """A card for a notebook; everything that others wrote is text in it."""
        from webseam.core.html import search_card  # noqa: PLC0415 - it knows these types, and only notebooks ask for it

        return search_card(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """One page: its URL and nothing else (dsh-4)."""

    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlBody:
    """HTML as decoded, verbatim; whoever reads it parses it, once."""

    content: str
    kind: Literal["html"] = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextBody:
    """Text as decoded, verbatim: plain, Markdown, JSON, XML, feeds; `FetchResult.media_type` says which."""

    content: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfBody:
    """Text of a PDF, a string per page read; `page_count` counts all pages of the file.

    `metadata` is what the file says about itself.
    """

    pages: tuple[str, ...]
    page_count: int
    kind: Literal["pdf"] = "pdf"
    metadata: "PageMetadata | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentBody:
    """An office document, already Markdown; `metadata` is what the file says about itself."""

    content: str
    kind: Literal["document"] = "document"
    metadata: "PageMetadata | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBody:
    """A picture as received; width and height in pixels, both 0 where its first bytes do not tell them."""

    data: bytes
    width: int
    height: int
    kind: Literal["image"] = "image"


Body: TypeAlias = HtmlBody | TextBody | PdfBody | DocumentBody | ImageBody


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A fact about a page that a reader should know; `code` is stable, `detail` for people.

    Codes today: `decode_errors` (detail: how many), `unknown_charset`, `unknown_coding`, `incomplete`,
    `bot_challenge`, `needs_javascript`, `meta_refresh` (detail: the target), `empty`, `partial_content`,
    `type_mismatch`, `no_text_layer` (a PDF without text),
    `unmapped_fonts` (a PDF that does not say what its characters mean), `unreadable_pages` (detail: how many),
    `malformed_feed` (a feed or sitemap whose XML is broken),
    `unclosed_html` (what is hidden in Markdown is never closed, and hid the rest),
    `unchecked_html` (Markdown shown with what readers would not see; detail: `timeout`, `memory` or `crash`),
    `proxied` (a proxy resolved the name and dialled),
    `markdown_alternate` and `llms_txt` (detail: the URL that the `Link` header names),
    `shared_state_away` (what gateways share could not be used: the limits of this process alone held).
    """

    code: str
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMetadata:
    """What a page says about itself, to be believed as little as its text; absent means that the page does not say it.

    `published_at` and `modified_at` are the page's own strings, not parsed. `language` is BCP 47. URLs are absolute
    http(s) without credentials: `canonical_url` names the page, `image_url` its lead picture, `feeds` its feeds,
    `markdown_url` the same page as Markdown, `llms_txt_url` a guide to the site for models, `refresh_url` where the
    page asks to go on to.
    """

    title: str | None = None
    description: str | None = None
    author: str | None = None
    published_at: str | None = None
    modified_at: str | None = None
    language: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    image_url: str | None = None
    feeds: tuple[str, ...] = ()
    markdown_url: str | None = None
    llms_txt_url: str | None = None
    refresh_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheFacts:
    """Where a page or answer came from, when not straight from its server or vendor; `age` in seconds."""

    age: float
    stale: bool = False
    revalidated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """One hop that was followed."""

    status_code: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResult:
    """A page. Any HTTP status is a result; an error means it could not be safely retrieved or represented.

    `url` is final, fragment kept. `received_bytes` counts bytes on the wire. `truncated` says that the byte
    cap cut the body, or that a PDF or document has more than was read. `retry_after` is in seconds.
    """

    provider: str
    url: str
    status_code: int
    body: Body
    truncated: bool = False
    media_type: str | None = None
    charset: str | None = None
    charset_source: CharsetSource | None = None
    received_bytes: int = 0
    redirects: tuple[Redirect, ...] = ()
    retry_after: float | None = None
    cache: CacheFacts | None = None
    notes: tuple[Note, ...] = ()
    attempts: tuple[Attempt, ...] = ()

    def _repr_html_(self) -> str:
        """A card for a notebook; everything that others wrote is text in it."""
        from webseam.core.html import fetch_card  # noqa: PLC0415 - it knows these types, and only notebooks ask for it

        return fetch_card(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractRequest:
    """One page to be read by an extractor."""

    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractResult:
    """What an extractor made of a page; absent metadata is None, never guessed.

    `url` is final where the extractor tells it, else the one asked. `markdown` is the extractor's own, verbatim, never
    blank. `published_at` is its string, not parsed. `truncated` says that it has less than the extractor found.
    `notes` are those of a page (`Note`), and `whole_page` (no main content could be told apart), `bare_words` (the
    conversion failed; detail: why), `excerpts` (passages, not the whole text), `stored_copy` (the vendor had read the
    page before; detail: when, if it tells), `remark` (detail: the vendor's words).
    """

    provider: str
    url: str
    markdown: str
    title: str | None = None
    author: str | None = None
    published_at: str | None = None
    truncated: bool = False
    notes: tuple[Note, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    usage: Usage | None = None

    def _repr_html_(self) -> str:
        """A card for a notebook; everything that others wrote is text in it."""
        from webseam.core.html import extract_card  # noqa: PLC0415 - it knows these types, and only notebooks ask for it

        return extract_card(self)
