"""What the seam tells an observer, in order, free of secrets; an observer that raises stops the call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from webseam.core.errors import WebError
from webseam.core.tracing import Tracer
from webseam.core.types import Attempt, Capability


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """A provider was picked for a call; `configured` is False when it was the only one available."""

    capability: Capability
    provider: str
    configured: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRecorded:
    """A vendor request is about to leave: its endpoint and exact JSON body, never headers or keys (dsh-68)."""

    provider: str
    endpoint: str
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptDispatched:
    """A request of this try may leave the process from here on, so it may be billed."""

    capability: Capability
    provider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A call was refused before any provider was chosen: its URL, query or controls cannot be asked for."""

    capability: Capability
    code: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptEnded:
    """One try at one provider is over."""

    capability: Capability
    attempt: Attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A fetch follows a redirect to `url`, which was judged anew."""

    provider: str
    status_code: int
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessDecided:
    """The gate answered for a query or URL; `rule` is what decided, `flags` what is unusual about the target."""

    kind: str
    target: str
    allowed: bool
    reason: str | None = None
    rule: str | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheFailed:
    """A cache, or what it shares with other gateways, could not be used, so the call goes on without it."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheAnswered:
    """A search was answered from what is kept, `age` seconds old: no provider is asked, so that no try follows."""

    capability: Capability
    age: float


Event: TypeAlias = (
    Selected
    | AttemptDispatched
    | RequestRecorded
    | AttemptEnded
    | Redirected
    | AccessDecided
    | Refused
    | CacheFailed
    | CacheAnswered
)
Emit: TypeAlias = Callable[[Event], None]


def silent(_event: Event) -> None:
    """The observer of nobody."""


class refusals:  # noqa: N801 - reads as the verb it is: `with refusals("fetch", emit):`
    """Tell what the checks before a call refuse; a class, because every call pays for it."""

    __slots__ = ("_capability", "_emit", "_tracer")

    def __init__(self, capability: Capability, emit: Emit, tracer: Tracer | None = None) -> None:
        self._capability: Capability = capability
        self._emit = emit
        self._tracer = tracer

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, WebError):
            if self._tracer is not None:
                self._tracer.refused(error.code, self._capability)
            self._emit(Refused(capability=self._capability, code=error.code, reason=error.message))


class Observer:
    """An observer of one call that remembers its own failure, so that no provider can take it for one of its own."""

    __slots__ = ("fault", "told")

    def __init__(self, emit: Emit) -> None:
        self.told = emit
        self.fault: Exception | None = None

    def __call__(self, event: Event) -> None:
        """Tell the observer; what it raises stops the call."""
        try:
            self.told(event)
        except Exception as exc:
            self.fault = exc
            raise


def observed(emit: Emit) -> Emit:
    """`emit` for one call, its failure remembered."""
    return emit if emit is silent or isinstance(emit, Observer) else Observer(emit)


def stop_if_failed(emit: Emit) -> None:
    """Raise again what the observer of this call raised, whatever a provider made of it (dsh-68)."""
    if isinstance(emit, Observer) and emit.fault is not None:
        raise emit.fault
