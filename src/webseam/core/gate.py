"""Permission as the seam sees it: one question per search and per URL hop, answered by the host."""

from dataclasses import dataclass
from typing import Literal, Protocol

from webseam.core.errors import Code, WebError


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequest:
    """What is about to leave: a query, or a URL in canonical form (`redirect`: the next hop of a fetch)."""

    kind: Literal["search", "fetch", "redirect", "extract"]
    target: str
    autonomous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer. An "ask" with nobody to ask is a denial, so there is no third state here."""

    allowed: bool
    reason: str | None = None


class Gate(Protocol):
    """Decides each request; it may wait for a person, inside the call's deadline."""

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """Return the verdict; raise nothing for a denial."""
        ...


def denied(verdict: Verdict) -> WebError:
    """The error of a refusal."""
    reason = verdict.reason or "The permission policy does not allow this."
    return WebError(Code.DENIED, reason)
