"""One tool call under permission: its gate, the decisions it took, and what the run learns from it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.gate import AccessRequest, Gate, Verdict
from webseam.core.snapshots import Snapshot
from webseam.core.types import PageMetadata, SearchResult
from webseam.tools.extracts import ExtractReading
from webseam.tools.links import shown_url
from webseam.tools.mentions import urls_in
from webseam.tools.permission import Permission
from webseam.tools.result import ToolResult
from webseam.tools.run import Run

_HANDED_BACK: Final = re.compile(r"Fetch (\S+) instead\.$")
"""One URL to the end: its fragment may be the model's own, and so hold whatever reads like another one."""


@dataclass(slots=True)
class Guarded:
    """A gate that keeps its decisions, and the run that it is for; without a run nothing is remembered."""

    gate: Gate | None
    run: Run | None
    decisions: list[dict[str, Any]] = field(default_factory=list)

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """The gate's verdict, kept."""
        assert self.gate is not None  # noqa: S101 - `over` hands this to no call without a gate
        verdict = await self.gate(request)
        self.decisions.append(_plain(request, verdict))
        return verdict

    def over(self, call: Call) -> Call:
        """The call with this gate."""
        return call if self.gate is None else replace(call, gate=self)

    def told(self, result: ToolResult) -> ToolResult:
        """The result with the decisions in its meta, where there were any."""
        return replace(result, meta={**result.meta, "permission": self.decisions}) if self.decisions else result

    # What the run learns: URLs that others chose, never those that the model wrote -------------------

    def searched(self, result: SearchResult) -> None:
        """The URLs of the hits; those in a written answer could be the query's own, said again."""
        if self.run is None:
            return
        self.run.charge(result.usage)
        self.run.found(url for one in result.sources for url in (one.url, shown_url(one.url)))

    def read(self, asked: str, snapshot: Snapshot, structured: Any) -> None:
        """The page, where it says that it is, and the links in what is shown of it.

        Not all of the answer: our own words there may hold what the model wrote.
        """
        if self.run is None:
            return
        self.run.read([asked, snapshot.page.url])
        self.run.found(hop.url for hop in snapshot.page.redirects)
        self.run.found(_claimed(snapshot))
        self.run.found(urls_in("" if structured is None else structured["content"]))

    def extracted(self, asked: str, reading: ExtractReading, structured: Any) -> None:
        """The page and the links in what is shown of it; what a new extraction cost."""
        if self.run is None:
            return
        if not reading.kept:
            self.run.charge(reading.extract.result.usage)
        self.run.read([asked, reading.extract.result.url])
        self.run.found(urls_in("" if structured is None else structured["content"]))

    def refused(self, error: WebError) -> None:
        """The target of a redirect that is handed back, so that it can be asked for."""
        target = _HANDED_BACK.search(error.message) if error.code == Code.REDIRECT_BLOCKED else None
        if self.run is not None and target is not None:
            self.run.found([target[1]])


def guarded(call: Call, gate: Gate | None, run: Run | None, default: Run | None) -> Guarded:
    """The gate of the call, else the seam's; a `Permission` is held to the run that this call is said to be of."""
    if call.gate is not None:
        gate, default = call.gate, call.gate.run if isinstance(call.gate, Permission) else default
    chosen = default if run is None else run
    if isinstance(gate, Permission) and chosen is not None and gate.run is not chosen:
        return Guarded(gate.within(chosen), chosen)
    return Guarded(gate, chosen)


def run_of(gate: Gate | None) -> Run | None:
    """The run of the seam's own permission, where it has one."""
    return gate.run if isinstance(gate, Permission) else None


def _plain(request: AccessRequest, verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": request.kind, "target": request.target, "allowed": verdict.allowed}
    if verdict.rule is not None:
        told["rule"] = verdict.rule
    if verdict.reason is not None:
        told["reason"] = verdict.reason
    return told | ({"flags": list(verdict.flags)} if verdict.flags else {})


def _claimed(snapshot: Snapshot) -> Iterator[str]:
    said = snapshot.metadata or PageMetadata()
    yield from said.feeds
    for url in (said.canonical_url, said.image_url, said.markdown_url, said.llms_txt_url, said.refresh_url):
        if url is not None:
            yield url
    yield from (note.detail for note in snapshot.page.notes if note.detail is not None)
