"""What the seam tells an observer, in order, free of secrets; an observer that raises stops the call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

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
    """The gate answered for a query or URL."""

    kind: str
    target: str
    allowed: bool
    reason: str | None = None


Event: TypeAlias = Selected | RequestRecorded | AttemptEnded | Redirected | AccessDecided
Emit: TypeAlias = Callable[[Event], None]


def silent(_event: Event) -> None:
    """The observer of nobody."""
