"""What a vendor's file gets and gives: a question in, a request out, an answer in, a result out. Values only."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Generic, Literal, TypeAlias, TypeVar
from urllib.parse import quote_plus, urlencode

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.types import ControlStatus, Grounding, SafeSearch, SearchResult, Source, Usage
from webseam.providers.wires.controls import Checked
from webseam.providers.wires.failures import PLAIN, ErrorFacts, codes_of, message_of, status_error, told_error
from webseam.providers.wires.json_api import lacking, misshapen
from webseam.providers.wires.rows import Row, mapping, sources

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)
Param: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[OptionsT]):
    """One search: the request in canonical form, the options, whether a key goes with it, and the day it is (UTC)."""

    provider: str
    query: str
    max_results: int | None
    controls: Checked
    safe_search: SafeSearch | None
    options: OptionsT
    keyed: bool
    today: date

    def wanted(self, most: int, usual: int | None = None) -> int | None:
        """How many hits to ask for: the request's bound, else `usual`, never more than the vendor gives."""
        bound = self.max_results or usual
        return min(bound, most) if bound else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One request below the provider's base URL.

    None in `params`, and at the top of `json`, is left out. `form` makes the body a form. `path` may be empty.
    `wanted` is how many hits the whole search is to bring, for a vendor that gives them page by page; it is not sent.
    """

    path: str = ""
    method: Literal["GET", "POST"] = "POST"
    params: Mapping[str, Param] = field(default_factory=dict)
    json: Mapping[str, Any] | list[Any] | None = None
    form: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    wanted: int | None = None

    def body(self) -> Any:
        """The JSON that is sent."""
        if isinstance(self.json, Mapping):
            return {name: value for name, value in self.json.items() if value is not None}
        return self.json

    def query(self) -> str:
        """The query string, without a question mark; booleans as `true` and `false`."""
        pairs = [(name, _shown(value)) for name, value in self.params.items() if value is not None]
        return urlencode(pairs, quote_via=quote_plus)


def _shown(value: Param) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(Generic[OptionsT]):
    """What came back: `payload` is JSON without secrets in it, or text for a vendor that sends text.

    `broken` is set when a stream broke off: `payload` then holds what had come until there. `refusal` is the error that
    a status means which the vendor expects: `read` raises it unless the answer tells that it found nothing.
    """

    question: Question[OptionsT]
    payload: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    facts: ErrorFacts = PLAIN
    secrets: tuple[str, ...] = field(default=(), repr=False)
    broken: bool = False
    refusal: WebError | None = None

    @property
    def row(self) -> Row:
        """The payload as an object; empty when it is none."""
        return mapping(self.payload)

    def rows(self, *path: str) -> list[Any]:
        """The list at `path`.

        Raises:
            WebError: `WEB_PROVIDER_ERROR`, with what the vendor says instead, when there is no list.
        """
        inner: Any = self.payload
        for name in path:
            inner = mapping(inner).get(name)
        if not isinstance(inner, list):
            raise self.lacking(".".join(path))
        return inner

    def listed(self, part: Any, *path: str) -> list[Any]:
        """The list at `path` inside a part of the payload, empty where null or nothing stands in its place.

        Raises:
            WebError: `WEB_PROVIDER_ERROR` where anything else does: that is no search without hits.
        """
        for name in path:
            if part is not None and not isinstance(part, dict):
                raise self.lacking(".".join(path))
            part = mapping(part).get(name)
        if part is not None and not isinstance(part, list):
            raise self.lacking(".".join(path))
        return part or []

    def left_out(self, *path: str) -> bool:
        """Whether there is nothing at `path` and no word of an error either: how some vendors find nothing."""
        inner: Any = self.payload
        for name in path:
            inner = mapping(inner).get(name)
        return inner is None and message_of(self.payload) is None

    def lacking(self, what: str) -> WebError:
        """The error of an answer without the part that makes it one."""
        provider = self.question.provider
        if not isinstance(self.payload, dict):
            return misshapen(provider, f"a JSON {type(self.payload).__name__} where an object belongs")
        return self.told() or lacking(provider, self.payload, what, self.secrets)

    def told(self) -> WebError | None:
        """The error that the answer itself tells, with its status or as a quota or rate; None where it does not."""
        facts, secrets = self.facts, self.secrets
        provider = self.question.provider
        return told_error(self.payload, provider=provider, answered=self.status, facts=facts, secrets=secrets)

    def fault(self, status: int, detail: str | None = None, *codes: str, retry_after: float | None = None) -> WebError:
        """The error that an HTTP `status` would have been, told inside a success; `codes` are the vendor's words."""
        return status_error(
            self.question.provider,
            status,
            detail,
            answered=self.status,
            codes=frozenset(code.lower() for code in codes),
            retry_after=retry_after,
            facts=self.facts,
            secrets=self.secrets,
        )

    def refused(self, detail: str) -> WebError:
        """The error of a refusal in words alone, told inside a success: nothing says what status it would have been."""
        known = self.told()
        if known is not None:
            return known
        told = one_line(redacted(detail, self.secrets)).rstrip(".")
        message = f"{self.question.provider} refused the call: {told}. Change the request, or try again later."
        return WebError(Code.PROVIDER_ERROR, message, provider=self.question.provider, dispatched=True)

    def engines_failed(self, detail: str | None = None) -> WebError:
        """The error of a search whose engines all failed: zero hits of theirs say nothing about the web."""
        return self._ended(Code.UPSTREAM_FAILED, "the search engines behind it failed", detail)

    def blocked(self, detail: str | None = None) -> WebError:
        """The error of a bot check where hits should be."""
        return self._ended(Code.PROVIDER_BLOCKED, "it answered with a bot check", detail)

    def _ended(self, code: Code, what: str, detail: str | None) -> WebError:
        provider = self.question.provider
        told = f" ({one_line(redacted(detail, self.secrets)).rstrip('.')})" if detail else ""
        message = f"{provider} could not search: {what}{told}. Try again later, or use another provider."
        status = None if self.refusal is None else self.status
        return WebError(code, message, provider=provider, dispatched=True, status=status)

    def nothing(self, usage: Usage, *, notices: tuple[str, ...] = ()) -> SearchResult:
        """A search that ran and found nothing, for a vendor that says so in the words of an error."""
        return SearchResult(provider=self.question.provider, notices=notices, usage=usage)

    def _names_an_error(self) -> bool:
        return any(self.row.get(name) for name in ("error", "errors")) or self.row.get("success") is False

    def result(
        self,
        rows: Iterable[object],
        read: Callable[[Row], Source | None],
        *,
        grounding: Grounding = "searched",
        content: str | None = None,
        truncated: bool = False,
        notices: tuple[str, ...] = (),
        usage: Usage | None = None,
        controls: Mapping[str, ControlStatus] | None = None,
    ) -> SearchResult:
        """A result of these rows; what is no hit is dropped and counted, and says nothing without a search.

        Raises:
            WebError: instead of no hits at all, where the answer names an error; see `nothing`.
        """
        dropped: Counter[str] = Counter()
        found = sources(rows, read, dropped)
        if not found and content is None and self._names_an_error():
            raise self.told() or self.fault(self.status, message_of(self.payload), *codes_of(self.payload))
        if grounding == "ungrounded" and found:
            dropped["ungrounded"] += len(found)
            found = ()
        return SearchResult(
            provider=self.question.provider,
            grounding=grounding,
            content=content,
            sources=found,
            truncated=truncated,
            dropped=dropped,
            notices=notices,
            usage=usage,
            controls=controls or {},
        )
