"""Permission as the seam sees it: one question per search and per URL hop, answered by the host."""

from dataclasses import dataclass
from typing import Literal, Protocol

from webseam.core.errors import Code, WebError


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessRequest:
    """What is about to leave: a query, or a URL in canonical form (`redirect`: the next hop of a fetch).

    `kept` says that the page is here already: it is about to be shown again, and nothing leaves.
    """

    kind: Literal["search", "fetch", "redirect", "extract"]
    target: str
    autonomous: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The answer. An "ask" with nobody to ask is a denial, so there is no third state here.

    `code` is what a denial is raised as, and `retry_after` the seconds after which it may be otherwise. `rule` names
    what decided, and `flags` what is unusual about the target, for observers.
    """

    allowed: bool
    reason: str | None = None
    code: str = Code.DENIED
    rule: str | None = None
    flags: tuple[str, ...] = ()
    retry_after: float | None = None


class Gate(Protocol):
    """Decides each request; it may wait for a person, inside the call's deadline."""

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """Return the verdict; raise nothing for a denial."""
        ...


class Once:
    """A gate that is asked about each target once: the members of a route are one fetch, and one question."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._allowed: dict[tuple[str, str], Verdict] = {}

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """The gate's verdict, kept where it allows."""
        known = self._allowed.get((request.kind, request.target))
        verdict = await self._gate(request) if known is None else known
        if verdict.allowed:
            self._allowed[request.kind, request.target] = verdict
        return verdict


class Granted:
    """A gate that was asked about one page already, and knows the answer; everything else it is asked anew.

    For a provider that fetches the page it was allowed to extract: that is one question, and one call of a run.
    """

    def __init__(self, gate: Gate, target: str) -> None:
        self._gate = gate
        self._target = target

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """The verdict of the gate, or the allowance that it gave."""
        if request.kind == "fetch" and request.target == self._target:
            return Verdict(allowed=True, rule="extract")
        return await self._gate(request)


def denied(verdict: Verdict) -> WebError:
    """The error of a refusal."""
    reason = verdict.reason or "The permission policy does not allow this."
    return WebError(verdict.code, reason, retry_after=verdict.retry_after)
