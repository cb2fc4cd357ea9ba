"""Roles: what the seam asks of a provider. A provider may come and go while calls run."""

from collections.abc import Coroutine
from typing import Protocol, TypeAlias, runtime_checkable

from webseam.core.call import Call
from webseam.core.types import (
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchRequest,
    SearchResult,
)


class Provider(Protocol):
    """What all three capabilities share.

    Optional attributes, read with a default:
        native_controls: frozenset of `SearchControls` field names that the vendor itself honours.
        asks_gate: True when a provider asks `Call.permit` for every hop itself, after its URL rules.
        bills: whether anybody is charged for its requests; True by default.
        unavailable_reason: method returning a sentence for people while `available()` is False.
    """

    @property
    def id(self) -> str:
        """Stable lower-case name, unique within its capability; configurable, so one vendor can be there twice."""
        ...

    def available(self) -> bool:
        """Cheap, synchronous, local: a credential source is set, the base URL parses. Never the network."""
        ...


class SearchProvider(Provider, Protocol):
    """Answers questions."""

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """Search once.

        Marks `call.dispatch` before the first byte leaves, honours `call.deadline` by cancellation, and raises
        only `WebError`. `truncated` says that the vendor's own answer was cut; the seam cuts to `max_results`.
        """
        ...


class FetchProvider(Provider, Protocol):
    """Retrieves pages."""

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        """Fetch once; any HTTP status is a result."""
        ...


class ExtractProvider(Provider, Protocol):
    """Reads pages through a vendor."""

    async def extract(self, request: ExtractRequest, *, call: Call) -> ExtractResult:
        """Extract once."""
        ...


AnyProvider: TypeAlias = SearchProvider | FetchProvider | ExtractProvider


def bills(provider: object) -> bool:
    """Whether anybody is charged for its requests; so it is said of one that does not tell."""
    return bool(getattr(provider, "bills", True))


def charging(provider: Provider, call: Call) -> Call:
    """The call, which knows from here on whether this provider bills."""
    call.dispatch.bills = bills(provider)
    return call


@runtime_checkable
class _Explains(Protocol):
    def unavailable_reason(self) -> str | None: ...


def is_available(provider: Provider) -> tuple[bool, str | None]:
    """`available()`, and why not; a provider whose check fails is unavailable and says so, breaking nobody else."""
    try:
        usable: object = provider.available()
        if usable is True:
            return True, None
        if isinstance(usable, Coroutine):
            usable.close()  # never awaited: the check is local and answers at once
            return False, "its available() is async, and must answer at once"
        if usable:
            return True, None
        return False, provider.unavailable_reason() if isinstance(provider, _Explains) else None
    except Exception as exc:  # noqa: BLE001 - a plugin's fault must not take the other providers down
        return False, f"its availability check failed ({type(exc).__name__})"
