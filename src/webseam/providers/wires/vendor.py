"""A search provider made of a vendor's description: what to ask, how to prove who asks, what the answer says.

A vendor's file holds its options, two pure functions and a `ProviderSpec`; everything that vendors share (key and
endpoint taken together, controls checked, errors mapped, streams folded, partial answers kept) happens here, once.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Generic, Literal, TypeVar

import msgspec

from webseam.core.call import Call
from webseam.core.errors import FINAL_CODES, TIMEOUT_CODES, Code, WebError
from webseam.core.plugin import Kit
from webseam.core.text import is_text
from webseam.core.transport import Transport, VendorRequest, VendorResponse
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.url import web_url
from webseam.providers.wires.account import Access, Account
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.controls import check, too_long
from webseam.providers.wires.failures import PLAIN, ErrorFacts
from webseam.providers.wires.json_api import JsonApi, decoded, succeeded
from webseam.providers.wires.json_text import without_secrets
from webseam.providers.wires.options import checked
from webseam.providers.wires.sending import basic, bearer, in_header, vendor_request
from webseam.providers.wires.streams import Fold, Told, broke_off, run

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

ROUNDS: Final = 5
"""Requests that one search may take where a vendor hands an unfinished answer back to be continued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Streaming(Generic[OptionsT]):
    """How a vendor streams; asked for only when the caller wants to see progress.

    `ask` turns the request for a whole answer into one for a stream.
    """

    fold: Callable[[str, ErrorFacts], Fold]
    ask: Callable[[Ask], Ask] = lambda ask: replace(ask, json={**_object(ask), "stream": True})


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor(Generic[OptionsT]):
    """A vendor, described.

    Args:
        ask: the request for a question. Pure; raises `WebError` for what the vendor cannot honour.
        read: the result of an answer. Pure; raises `answer.fault(...)` for an error told in a success.
        native: the controls that the vendor itself honours, by its options.
        key: the header fields that prove who asks.
        key_param: the query parameter that does, for vendors without a header.
        keyless: the header fields that go without a key; None where a key is needed.
        fixed: header fields of every request.
        facts: what the vendor's failures mean beyond HTTP's own words.
        one_list: it takes domains to include or to exclude, not both: with both asked, the seam holds the exclusion.
        query_chars: the longest query it takes, in characters.
        place: the base URL for a question, where that depends on it (a host for each language); for None the usual one.
            By default it is the option `base_url`.
        expected: statuses besides success that `read` judges, such as an HTTP 400 that means no hits; see
            `Answer.refusal`.
        reads: what the body is.
        lacks: what the options lack, as a sentence, or None; the provider is then unavailable.
        stream: how it streams; None where it does not.
        more: the request that continues an unfinished answer (`payload`), or None when it is finished.
        join: one payload out of those of several rounds.
        finish: a last step over the network, such as following a vendor's own redirect links.
    """

    ask: Callable[[Question[OptionsT]], Ask]
    read: Callable[[Answer[OptionsT]], SearchResult]
    native: Callable[[OptionsT], frozenset[str]] = lambda _options: frozenset()
    key: Callable[[str], Mapping[str, str]] | None = bearer
    key_param: str | None = None
    keyless: Mapping[str, str] | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)
    facts: ErrorFacts = PLAIN
    one_list: bool = False
    query_chars: int | None = None
    place: Callable[[OptionsT, Question[OptionsT] | None], str] | None = None
    expected: frozenset[int] = frozenset()
    reads: Literal["json", "text"] = "json"
    lacks: Callable[[OptionsT], str | None] = lambda _options: None
    stream: Streaming[OptionsT] | None = None
    more: Callable[[Ask, Any], Ask | None] = lambda _ask, _payload: None
    join: Callable[[Sequence[Any]], Any] = lambda payloads: payloads[-1]
    finish: Callable[[SearchResult, Question[OptionsT], Transport, Call], Awaitable[SearchResult]] | None = None


class VendorSearch(Generic[OptionsT]):
    """The provider of a described vendor; see `SearchProvider`.

    The options struct must have a field `base_url`.
    """

    def __init__(self, kit: Kit, vendor: Vendor[OptionsT], options: type[OptionsT]) -> None:
        self.id = kit.id
        self._transport = kit.transport
        self._now = kit.seams.now
        self._vendor = vendor
        self._options = checked(kit, options)
        self._lacks = vendor.lacks(self._options)
        base_url = (vendor.place or _place)(self._options, None)
        self._account = Account(kit, base_url, key_optional=vendor.keyless is not None)
        self._api = JsonApi(kit, vendor.facts)

    @property
    def native_controls(self) -> frozenset[str]:
        """The controls that the vendor itself honours."""
        return self._vendor.native(self._options)

    def available(self) -> bool:
        """Whether the options are complete, the base URL parses and, where one is needed, a key is set."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._lacks or self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """See `SearchProvider.search`."""
        self._check(request)
        access = await self._account.take(call)
        question = Question(
            provider=self.id,
            query=request.query,
            max_results=request.max_results,
            controls=check(request.controls, self.id),
            safe_search=request.controls.safe_search,
            options=self._options,
            keyed=access.key is not None,
            today=datetime.fromtimestamp(self._now(), UTC).date(),
        )
        if self._vendor.place is not None:
            access = replace(access, base=web_url(self._vendor.place(self._options, question)))
        result = await self._searched(question, access, call)
        if self._vendor.finish is not None:
            result = await self._vendor.finish(result, question, self._transport, call)
        return result

    async def _searched(self, question: Question[OptionsT], access: Access, call: Call) -> SearchResult:
        answers, error = await self._rounds(question, access, call)
        last = answers[-1]
        whole = (
            last if len(answers) == 1 else replace(last, payload=self._vendor.join([one.payload for one in answers]))
        )
        result = self._kept(replace(whole, broken=True), error) if error else self._vendor.read(whole)
        statuses = question.controls.one_sided if self._vendor.one_list else {}
        return replace(result, controls=statuses | dict(result.controls), raw=whole.payload if call.raw else None)

    async def _rounds(
        self, question: Question[OptionsT], access: Access, call: Call
    ) -> tuple[list[Answer[OptionsT]], WebError | None]:
        """The answers until one is finished, and what the last one broke off with."""
        told = None if call.progress is None else Told(call.tell)
        call = replace(call, progress=told)
        answers: list[Answer[OptionsT]] = []
        ask: Ask | None = self._vendor.ask(question)
        while ask is not None and len(answers) < ROUNDS:
            try:
                answer, error = await self._asked(ask, question, access, call)
            except WebError as exc:
                if not answers or exc.code in FINAL_CODES | TIMEOUT_CODES:
                    raise
                return answers, exc
            answers.append(answer)
            if error is not None:
                return answers, error
            ask = self._vendor.more(ask, answer.payload)
            if told is not None:
                told.turn()
        return answers, None

    async def _asked(
        self, ask: Ask, question: Question[OptionsT], access: Access, call: Call
    ) -> tuple[Answer[OptionsT], WebError | None]:
        streaming = self._vendor.stream if call.progress is not None else None
        request = self._request(streaming.ask(ask) if streaming else ask, access, streamed=streaming is not None)
        if streaming is not None:
            payload, error = await run(streaming.fold(self.id, self._vendor.facts), self._api, request, call=call)
            return self._answer(question, request, payload=payload, broken=error is not None), error
        response = await self._api.exchange(request, call=call, expected=self._vendor.expected)
        refusal = None if succeeded(response.status) else self._api.failure(response, request.secrets)
        try:
            payload = self._payload(response, request.secrets)
        except WebError as unreadable:
            raise refusal or unreadable from unreadable.__cause__
        facts = {"payload": payload, "status": response.status, "headers": response.headers, "refusal": refusal}
        return self._answer(question, request, **facts), None

    def _payload(self, response: VendorResponse, secrets: tuple[str, ...]) -> Any:
        if self._vendor.reads == "text":
            return without_secrets(response.body.decode("utf-8", "replace"), secrets)
        return decoded(response, self.id, secrets)

    def _answer(self, question: Question[OptionsT], request: VendorRequest, **facts: Any) -> Answer[OptionsT]:
        return Answer(question=question, facts=self._vendor.facts, secrets=request.secrets, **facts)

    def _kept(self, answer: Answer[OptionsT], error: WebError) -> SearchResult:
        """An answer broke off: what a proven search had given by then is one, marked; anything less is none.

        Raises:
            WebError: `error`.
        """
        try:
            result = self._vendor.read(answer)
        except WebError as unreadable:
            raise error from unreadable
        if result.grounding == "ungrounded" or not (result.sources or result.content):
            raise error
        notices = (*result.notices, broke_off(error, answer.secrets))
        return replace(result, truncated=True, notices=notices)

    def _check(self, request: SearchRequest) -> None:
        if self._lacks is not None:
            raise WebError(Code.CONFIG_INVALID, f"{self.id}: {self._lacks}", provider=self.id)
        if not is_text(request.query):  # who asks without the seam
            told = "The query holds half a character (a lone surrogate). Send it again as text."
            raise WebError(Code.INVALID_ARGS, told, provider=self.id)
        most = self._vendor.query_chars
        if most is not None and len(request.query) > most:
            raise too_long(self.id, len(request.query), most)

    def _request(self, ask: Ask, access: Access, *, streamed: bool) -> VendorRequest:
        accept = "text/event-stream" if streamed else "*/*" if self._vendor.reads == "text" else "application/json"
        return vendor_request(ask, access, self._vendor, provider=self.id, accept=accept)


def _place(options: msgspec.Struct, _question: object) -> str:
    base_url: str = getattr(options, "base_url")  # noqa: B009 - every vendor's options have it, by contract
    return base_url


def _object(ask: Ask) -> Mapping[str, Any]:
    return ask.json if isinstance(ask.json, Mapping) else {}


def provider(vendor: Vendor[OptionsT], options: type[OptionsT]) -> Callable[[Kit], VendorSearch[OptionsT]]:
    """What a `ProviderSpec` builds with."""
    return lambda kit: VendorSearch(kit, vendor, options)


__all__ = ["ROUNDS", "Streaming", "Vendor", "VendorSearch", "basic", "bearer", "in_header", "provider"]
