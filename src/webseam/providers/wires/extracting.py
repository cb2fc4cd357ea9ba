"""An extract provider made of a vendor's description: what to ask, how to prove who asks, what the answer says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

import msgspec

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.plugin import Kit
from webseam.core.types import ExtractRequest, ExtractResult
from webseam.providers.wires.account import Account
from webseam.providers.wires.asking import Ask
from webseam.providers.wires.failures import PLAIN, ErrorFacts
from webseam.providers.wires.json_api import JsonApi, decoded, succeeded
from webseam.providers.wires.options import checked
from webseam.providers.wires.reading import Page, Reading, public_page
from webseam.providers.wires.sending import bearer, vendor_request

_ACCEPTED: Final = 202
"""The work is not done (RFC 9110 section 15.3.3): what comes with it names a job, and no page."""

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)


def _base_url(options: msgspec.Struct) -> str:
    base_url: str = getattr(options, "base_url")  # noqa: B009 - most vendors' options have it
    return base_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Extractor(Generic[OptionsT]):
    """An extraction vendor, described.

    Args:
        ask: the request for a page. Pure.
        read: the text in an answer. Pure; raises `reading.unread(...)` for a page that the vendor did not get, and
            `reading.fault(...)` for an error of its own told in a success.
        place: the base URL; by default the option `base_url`.
        expected: statuses besides success that `read` judges; see `Reading.refusal`.
        key: the header fields that prove who asks.
        key_param: the query parameter that does, for vendors without a header.
        keyless: the header fields that go without a key; None where a key is needed.
        fixed: header fields of every request.
        facts: what the vendor's failures mean beyond HTTP's own words.
    """

    ask: Callable[[Page[OptionsT]], Ask]
    read: Callable[[Reading[OptionsT]], ExtractResult]
    place: Callable[[OptionsT], str] = _base_url
    expected: frozenset[int] = frozenset()
    key: Callable[[str], Mapping[str, str]] | None = bearer
    key_param: str | None = None
    keyless: Mapping[str, str] | None = None
    fixed: Mapping[str, str] = field(default_factory=dict)
    facts: ErrorFacts = PLAIN


class VendorExtract(Generic[OptionsT]):
    """The provider of a described vendor; see `ExtractProvider`. Only public URLs are told, and taken."""

    def __init__(self, kit: Kit, vendor: Extractor[OptionsT], options: type[OptionsT]) -> None:
        self.id = kit.id
        self._vendor = vendor
        self._options = checked(kit, options)
        self._account = Account(kit, vendor.place(self._options), key_optional=vendor.keyless is not None)
        self._api = JsonApi(kit, vendor.facts)

    @property
    def bills(self) -> bool:
        """Whether a call goes to somebody's account."""
        return not self._account.goes_keyless()

    def available(self) -> bool:
        """Whether the base URL parses and, where one is needed, a key is set."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """See `ExtractProvider.extract`."""
        url = public_page(request.url, self.id)
        access = await self._account.take(call)
        page = Page(provider=self.id, url=url, options=self._options, keyed=access.key is not None)
        asked = vendor_request(
            self._vendor.ask(page), access, self._vendor, provider=self.id, accept="application/json"
        )
        response = await self._api.exchange(asked, call=call, expected=self._vendor.expected)
        refusal = None if succeeded(response.status) else self._api.failure(response, asked.secrets)
        try:
            payload = decoded(response, self.id, asked.secrets)
        except WebError as unreadable:
            raise refusal or unreadable from unreadable.__cause__
        reading = Reading(
            page=page,
            payload=payload,
            status=response.status,
            headers=response.headers,
            facts=self._vendor.facts,
            secrets=asked.secrets,
            refusal=refusal,
        )
        try:
            return self._vendor.read(reading)
        except WebError as unreadable:
            if response.status != _ACCEPTED:
                raise
            raise reading.pending() from unreadable


def extractor(vendor: Extractor[OptionsT], options: type[OptionsT]) -> Callable[[Kit], VendorExtract[OptionsT]]:
    """What a `ProviderSpec` builds with."""
    return lambda kit: VendorExtract(kit, vendor, options)
