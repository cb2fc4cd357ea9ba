"""A provider under test: built as wiring builds it, in front of a scripted vendor, behind the seam."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, cast

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.providers import ExtractProvider, SearchProvider
from webseam.core.settings import FetchSettings
from webseam.core.transport import VendorRequest, VendorResponse, VendorStream
from webseam.core.types import (
    NO_CONTROLS,
    ExtractRequest,
    ExtractResult,
    SearchControls,
    SearchRequest,
    SearchResult,
)
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.testing.vendor_server import Reply, VendorServer

Answer: TypeAlias = SearchResult | ExtractResult
Point: TypeAlias = Callable[[str], Mapping[str, Any]]
"""From the URL of a loopback server to the options that make the provider ask there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What is tested, and how: see `provider_contract`."""

    spec: ProviderSpec
    reply: Reply
    greeting: tuple[Reply, ...]
    options: Mapping[str, Any]
    point: Point
    key: str
    query: str
    codes: Mapping[int, str]
    keyless: bool | None
    patience: float

    @property
    def extracts(self) -> bool:
        """Whether `query` is the URL of a page to be extracted."""
        return self.spec.capability == "extract"

    @property
    def other(self) -> str:
        """Another question, or page."""
        return f"{self.query}/now" if self.extracts else f"{self.query} now"

    @property
    def id(self) -> str:
        """Another id than the kind's own: an id is the configuration's to choose."""
        return f"{self.spec.kind}-2"

    def script(self, *replies: Reply) -> tuple[Reply, ...]:
        """The replies, each after the greeting that the vendor's protocol begins with."""
        return tuple(one for reply in replies for one in (*self.greeting, reply))


@dataclass(slots=True)
class HeldKey:
    """A credential source whose key may change or go."""

    key: str | None

    def configured(self) -> bool:
        """Whether there is a key now."""
        return self.key is not None

    async def resolve(self) -> str:
        """The key, or the error that wiring would raise."""
        if self.key is None:
            raise WebError(Code.PROVIDER_CREDENTIAL_MISSING, "There is no key. Set one.")
        return self.key


@dataclass(slots=True)
class LoopbackTransport:
    """The real transport, held to one origin: a provider that asks elsewhere is told on instead of let out."""

    origin: str
    real: VendorTransport
    strayed: list[str] = field(default_factory=list)

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        """See `Transport.send`."""
        self._hold(request)
        return await self.real.send(request, call=call)

    def stream(self, request: VendorRequest, *, call: Call) -> AbstractAsyncContextManager[VendorStream]:
        """See `Transport.stream`."""
        self._hold(request)
        return self.real.stream(request, call=call)

    async def location(self, url: str, *, call: Call) -> str | None:
        """See `Transport.location`; links of an answer lead out, so none is followed."""
        del url, call
        return None

    def _hold(self, request: VendorRequest) -> None:
        if not request.url.startswith((self.origin + "/", self.origin + "?")) and request.url != self.origin:
            self.strayed.append(request.url.partition("?")[0])
            raise WebError(Code.PROVIDER_ERROR, "The contract lets nothing out but to its own server.")


@dataclass(slots=True)
class Witness:
    """The provider, with a note of every exception that left it and was no `WebError`."""

    provider: Any
    strays: list[str] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The provider's own."""
        own: str = self.provider.id
        return own

    @property
    def native_controls(self) -> frozenset[str]:
        """The provider's own."""
        found: frozenset[str] = getattr(self.provider, "native_controls", frozenset())
        return found

    def available(self) -> bool:
        """The provider's own."""
        usable: bool = self.provider.available()
        return usable

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """The provider's own, watched."""
        found: SearchResult = await self._watched(self.provider.search(request, call=call))
        return found

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """The provider's own, watched."""
        found: ExtractResult = await self._watched(self.provider.extract(request, call=call))
        return found

    async def _watched(self, work: Awaitable[Any]) -> Any:
        try:
            return await work
        except WebError:
            raise
        except Exception as exc:
            self.strays.append(type(exc).__name__)
            raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One provider, the vendor behind it and the seam before it."""

    subject: Subject
    server: VendorServer
    transport: LoopbackTransport
    witness: Witness
    secret: HeldKey
    web: Web

    async def directly(self) -> Answer:
        """The provider's own answer, before the seam holds it to anything.

        Raises:
            Exception: whatever the provider raises; TimeoutError when it does not end.
        """
        async with asyncio.timeout(self.subject.patience):
            if self.subject.extracts:
                return await self.witness.extract(ExtractRequest(url=self.subject.query), call=Call())
            return await self.witness.search(SearchRequest(query=self.subject.query), call=Call())

    async def through_seam(
        self,
        *,
        controls: SearchControls = NO_CONTROLS,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
    ) -> Answer | WebError:
        """What a caller of the seam gets, the error as a value."""
        seconds = timeout or self.subject.patience
        request = SearchRequest(query=self.subject.query, controls=controls)
        try:
            if self.subject.extracts:
                return await self.web.extract(self.subject.query, timeout=seconds, abort=abort)
            return await self.web.search(request, timeout=seconds, abort=abort)
        except WebError as error:
            return error


@asynccontextmanager
async def staged(subject: Subject, *replies: Reply) -> AsyncIterator[Stage]:
    """Build everything, and take it down again."""
    async with VendorServer(*subject.script(*replies)) as server:
        transport = LoopbackTransport(server.url, VendorTransport())
        secret = HeldKey(subject.key)
        web = Web()
        web.at_close(transport.real.aclose)
        async with web:
            provider = built(subject, transport, web, secret, subject.point(server.url))
            witness = Witness(provider)
            add: Any = web.register_extract if subject.extracts else web.register_search
            add(witness)
            yield Stage(subject=subject, server=server, transport=transport, witness=witness, secret=secret, web=web)


def built(
    subject: Subject, transport: LoopbackTransport, web: Web, secret: HeldKey, place: Mapping[str, Any]
) -> SearchProvider | ExtractProvider:
    """The provider as wiring would build it."""
    struct = subject.spec.options
    kit = Kit(
        id=subject.id,
        options=None if struct is None else _converted({**subject.options, **place}, struct),
        secret=secret,
        transport=transport,
        fetch=FetchSettings(),
        data_dir=Path(tempfile.gettempdir()),
        seams=Seams(),
        on_close=web.at_close,
    )
    return cast("SearchProvider | ExtractProvider", subject.spec.build(kit))


def _converted(options: Mapping[str, Any], struct: type) -> Any:
    from msgspec import convert  # noqa: PLC0415 - the scripted providers of this package go without

    return convert(options, struct)
