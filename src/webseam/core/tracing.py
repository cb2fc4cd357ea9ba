"""What a tracer is told: each tool call, each try at a provider and each HTTP request, with its begin and its end."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, TypeAlias

from webseam.core.errors import WebError
from webseam.core.types import (
    CacheFacts,
    Capability,
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
    Usage,
)
from webseam.core.url import Url

TRACE_TAGS = ("traceparent", "tracestate")
"""Tags of a call that name the caller's own span (W3C Trace Context): it becomes the parent of what the call does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStep:
    """A model's call of a tool. `name` is None where there is no such tool; `arguments` are as the model sent them."""

    name: str | None
    arguments: object = None
    tags: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderStep:
    """One try at one provider; a `nested` one gets a page for another provider, whose own step tells how it ended."""

    capability: Capability
    provider: str
    request: SearchRequest | FetchRequest | ExtractRequest
    tags: Mapping[str, str] = field(default_factory=dict)
    nested: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpStep:
    """One HTTP request; `resend` counts the redirects before it.

    It goes to a page's server, which a model may have chosen, or `to_vendor`, which the configuration chose. `url` has
    no credentials and no fragment; its path and query are as sent.
    """

    method: str
    url: str
    host: str
    port: int
    resend: int = 0
    to_vendor: bool = False


Step: TypeAlias = ToolStep | ProviderStep | HttpStep


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a step ended; what it does not know is None.

    `error` is a code of `WebError`, or an exception's class name. `text` is what the model reads of a tool's answer,
    `documents` the URLs of a search's hits.
    """

    error: str | None = None
    status_code: int | None = None
    text: str | None = None
    documents: tuple[str, ...] | None = None
    grounding: str | None = None
    usage: Usage | None = None
    cache: CacheFacts | None = None


class Span(Protocol):
    """A step that runs. Inside `with`, what begins in the same task is its child; leaving it ends the step."""

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def end(self, outcome: Outcome) -> None:
        """The step is over; only the first end counts."""
        ...


class Tracer(Protocol):
    """Follows the steps of calls; what it raises is a fault of the tracer and ends the call."""

    def begin(self, step: Step) -> Span:
        """A span for `step`, begun now below the one that runs."""
        ...

    def refused(self, code: str, kind: str) -> None:
        """A query or URL was refused, by the seam's checks or by the gate; `kind` is what was about to happen."""
        ...


@dataclass(frozen=True, slots=True)
class Trace:
    """The tracer of one call, and what that call asks for; `nested`: on behalf of another call's provider."""

    tracer: Tracer
    request: SearchRequest | FetchRequest | ExtractRequest
    nested: bool = False

    def provider(self, capability: Capability, provider: str, tags: Mapping[str, str]) -> Span:
        """The span of one try at a provider."""
        return self.tracer.begin(
            ProviderStep(capability=capability, provider=provider, request=self.request, tags=tags, nested=self.nested)
        )

    def http(self, method: str, url: Url, resend: int) -> Span:
        """The span of one HTTP request."""
        return self.tracer.begin(
            HttpStep(
                method=method,
                url=url.origin + url.path + url.query,
                host=url.name,
                port=url.port,
                resend=resend,
                to_vendor=not isinstance(self.request, FetchRequest),
            )
        )


def outcome_of(result: object, error: WebError | None) -> Outcome:
    """How a try ended."""
    if error is not None:
        return Outcome(error=error.code)
    match result:
        case SearchResult():
            documents = tuple(one.url for one in result.sources)
            return Outcome(documents=documents, grounding=result.grounding, usage=result.usage)
        case FetchResult():
            return Outcome(status_code=result.status_code, cache=result.cache)
        case ExtractResult():
            return Outcome(usage=result.usage)
    return Outcome()


def error_type(error: BaseException) -> str:
    """The code, or the class: what stands for an error where its message may not."""
    if isinstance(error, WebError):
        return error.code
    return "cancelled" if isinstance(error, asyncio.CancelledError) else type(error).__qualname__
