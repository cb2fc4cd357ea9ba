"""What a call amounts to, gathered while it runs: the seam's own calls, and the tool call around them if any."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from time import perf_counter
from types import TracebackType
from typing import Any, TypeVar, cast

from webseam.core.call import Call, Dispatch
from webseam.core.gate import AccessRequest, Gate, Verdict
from webseam.core.ledger import UNKNOWN_TOOL, End, Entry, Ledger
from webseam.core.limits import (
    LEDGER_TRIES,
)
from webseam.core.tally_facts import (
    Part,
    costs_of,
    end_of,
    name_of,
    once,
    part_of,
    received_bytes,
    shared_state,
    target_of,
    total,
    tried_of,
)
from webseam.core.types import Capability

F = TypeVar("F", bound=Callable[..., Any])


class Tally:
    """A call that runs. Its entry is made once; a part that ends later, for somebody else by then, has its own."""

    __slots__ = (
        "_at",
        "_bytes",
        "_call",
        "_capability",
        "_ended",
        "_ledger",
        "_parts",
        "_rulings",
        "_started",
        "_targets",
        "_tool",
    )

    def __init__(self, ledger: Ledger, capability: str | None, call: Call, *, tool: str | None = None) -> None:
        self._ledger = ledger
        self._capability = capability
        self._call = call
        self._tool = tool
        self._parts: list[Part] = []
        self._bytes: int | None = None
        self._rulings: list[tuple[bool, str | None]] = []
        self._targets: dict[str, None] = {}
        self._ended = False
        self._at = ledger.now()
        self._started = perf_counter()

    @property
    def ended(self) -> bool:
        """Whether its entry is made."""
        return self._ended

    def asked(self, target: object) -> None:
        """This query or URL was asked for; forgotten at once unless such texts are kept."""
        if self._ledger.text and isinstance(target, str) and len(self._targets) < LEDGER_TRIES:
            self._targets[target] = None

    def ruled(self, *, allowed: bool, rule: str | None) -> None:
        """The gate has answered."""
        if len(self._rulings) < LEDGER_TRIES or not allowed:
            self._rulings.append((allowed, rule))

    def received(self, page: object) -> None:
        """A provider has read this page for its own answer."""
        self._bytes = total([self._bytes, received_bytes(page)])

    def take(self, part: Part) -> None:
        """A part is over."""
        self._parts.append(part)

    def end(self, code: str | None, *, outcome: End | None = None) -> None:
        """The call is over; only the first end counts."""
        if self._ended:
            return
        self._ended = True
        self._ledger.add(self._entry(code, outcome))

    def _entry(self, code: str | None, outcome: End | None) -> Entry:
        parts, tags = self._parts, self._call.tags
        denials = [one for one in self._rulings if not one[0]]
        ruling = next(iter(denials or self._rulings), None)
        return Entry(
            id=secrets.token_hex(8),
            at=self._at,
            elapsed=max(0, int((perf_counter() - self._started) * 1_000_000)),
            capability=self._capability,
            outcome=outcome or end_of(code, parts),
            tool=self._tool,
            tenant=name_of(tags.get("tenant")),
            run=name_of(tags.get("run")),
            provider=name_of("+".join(once(one.provider for one in parts)) or None),
            code=name_of(code),
            dispatched=any(one.dispatched for one in parts),
            cache=shared_state(parts, kept=self._tool not in (None, UNKNOWN_TOOL) and code is None),
            bytes=total([self._bytes, *(one.bytes for one in parts)]),
            calls=total([one.usage and one.usage.calls for one in parts]),
            input_tokens=total([one.usage and one.usage.input_tokens for one in parts]),
            output_tokens=total([one.usage and one.usage.output_tokens for one in parts]),
            costs=costs_of(one.cost for one in parts if one.cost is not None),
            cost_known=all(one.cost_known for one in parts),
            permission=None if ruling is None else ("allowed" if ruling[0] else "denied"),
            rule=None if ruling is None else name_of(ruling[1]),
            parts=len(parts) if self._tool is not None else 0,
            attempts=tuple(tried_of(tried) for one in parts for tried in one.attempts[:LEDGER_TRIES])[:LEDGER_TRIES],
            target=target_of(self._targets),
        )


# The seam's own calls ----------------------------------------------------------------------------------


def booked(capability: Capability) -> Callable[[F], F]:
    """A method of `Web` whose calls are recorded where it has a `ledger`: by themselves, or below a tool call."""

    def around(method: F) -> F:
        @wraps(method)
        async def run(web: Any, *args: Any, **options: Any) -> Any:
            ledger: Ledger | None = web.ledger
            if ledger is None:
                return await method(web, *args, **options)
            running = _Running(ledger, capability, options.get("call") or Call(), web.gate)
            asked = args[0] if args else next((options[one] for one in ("query", "url") if one in options), None)
            running.tally.asked(getattr(asked, "query", None) or getattr(asked, "url", asked))
            with running:
                running.result = await method(web, *args, **{**options, "call": running.call})
            return running.result

        return cast("F", run)

    return around


def asked_of(call: Call, target: str) -> None:
    """A part of `call` that no provider is asked for wants this."""
    if call.tally is not None:
        call.tally.asked(target)


class _Running:
    """One search, fetch or extraction that runs; leaving it makes it a part."""

    __slots__ = ("_dispatch", "_own", "call", "result", "tally")

    def __init__(self, ledger: Ledger, capability: Capability, call: Call, gate: Gate | None) -> None:
        above = call.tally
        self._own = above is None or above.ended
        self.tally = Tally(ledger, capability, call) if above is None or above.ended else above
        self._dispatch = Dispatch(above=call.dispatch, keeps=True, bills=call.dispatch.bills)
        asked = call.gate or gate
        ruled = None if asked is None else _Ruled(asked, self.tally)
        self.call = replace(call, dispatch=self._dispatch, gate=ruled, tally=self.tally)
        self.result: Any = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._dispatch.ended(self._dispatch.tries)  # whoever stands above keeps them too
        part = part_of(self.result, error, self._dispatch)
        tally = self.tally
        if tally.ended:  # the tool call was over before this part of it
            tally = Tally(tally._ledger, tally._capability, self.call)  # noqa: SLF001 - a part of the same module
            self._own = True
        tally.take(part)
        if self._own:
            tally.end(part.code, outcome=part.outcome)


@dataclass(frozen=True, slots=True)
class _Ruled:
    """A gate whose decisions the tally hears."""

    gate: Gate
    tally: Tally

    async def __call__(self, request: AccessRequest, /) -> Verdict:
        """The gate's verdict."""
        try:
            verdict = await self.gate(request)
        except Exception:
            self.tally.ruled(allowed=False, rule=None)
            raise
        self.tally.ruled(allowed=verdict.allowed, rule=verdict.rule)
        return verdict
