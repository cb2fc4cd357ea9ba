"""What a call amounts to, gathered while it runs: the seam's own calls, and the tool call around them if any."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, wraps
from time import perf_counter
from types import TracebackType
from typing import Any, TypeVar, cast

from webseam.core.call import Call, Dispatch
from webseam.core.copying import changed
from webseam.core.gate import AccessRequest, Gate, Verdict
from webseam.core.ids import timed_id
from webseam.core.ledger import UNKNOWN_TOOL, End, Entry, Ledger, Permitted
from webseam.core.limits import LEDGER_TRIES
from webseam.core.tally_facts import (
    Part,
    end_of,
    name_of,
    part_of,
    received_bytes,
    target_of,
    together,
    total,
    tried_of,
)
from webseam.core.types import Capability

F = TypeVar("F", bound=Callable[..., Any])


class Tally:
    """A call that runs. Its entry is made once; a part that ends later, for somebody else by then, has its own.

    `gated` says that a gate is asked of everything: where none is, what left, or was answered, was allowed.
    """

    __slots__ = (
        "_at",
        "_bytes",
        "_capability",
        "_ended",
        "_gated",
        "_ledger",
        "_parts",
        "_rulings",
        "_run",
        "_started",
        "_targets",
        "_tenant",
        "_tool",
    )

    def __init__(
        self,
        ledger: Ledger,
        capability: str | None,
        tags: Mapping[str, str],
        *,
        tool: str | None = None,
        gated: bool = True,
    ) -> None:
        self._ledger = ledger
        self._capability = capability
        self._tenant = tags.get("tenant")  # now, as the caller's mapping may serve its next call when this is over
        self._run = tags.get("run")
        self._tool = tool
        self._gated = gated
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
        is_wanted = self._ledger.text and not self._ended
        if is_wanted and isinstance(target, str) and len(self._targets) < LEDGER_TRIES:
            self._targets[target] = None

    def ruled(self, *, allowed: bool, rule: str | None) -> None:
        """The gate has answered."""
        if not self._ended and (len(self._rulings) < LEDGER_TRIES or not allowed):
            self._rulings.append((allowed, rule))

    def received(self, page: object) -> None:
        """A provider has read this page for its own answer."""
        if not self._ended:
            self._bytes = total([self._bytes, received_bytes(page)])

    def take(self, part: Part) -> None:
        """A part is over."""
        self._parts.append(part)

    def end(self, code: str | None, *, outcome: End | None = None) -> None:
        """The call is over; only the first end counts, and nothing that comes after it."""
        if self._ended:
            return
        self._ended = True
        elapsed = max(0, int((perf_counter() - self._started) * 1_000_000))
        later = getattr(self._ledger, "add_later", None)  # of a `LaterLedger`
        if later is None or any(one.dispatched or one.costs for one in self._parts):
            self._ledger.add(self._entry(code, outcome, elapsed))
        else:
            later(partial(self._entry, code, outcome, elapsed))

    def _entry(self, code: str | None, outcome: End | None, elapsed: int) -> Entry:
        parts = self._parts
        whole, ruling = together(parts), self._ruling()
        usage = whole.usage
        is_kept = not parts and self._tool not in (None, UNKNOWN_TOOL) and code is None
        return Entry(
            id=timed_id(self._at),
            at=self._at,
            elapsed=elapsed,
            capability=self._capability,
            outcome=outcome or end_of(code, parts),
            tool=self._tool,
            tenant=name_of(self._tenant),
            run=name_of(self._run),
            provider=name_of(whole.provider),
            code=name_of(code),
            dispatched=whole.dispatched,
            cache="kept" if is_kept else whole.cache,  # a tool that answered without any part had the page already
            bytes=total((self._bytes, whole.bytes)),
            calls=None if usage is None else total((usage.calls,)),
            input_tokens=None if usage is None else total((usage.input_tokens,)),
            output_tokens=None if usage is None else total((usage.output_tokens,)),
            costs=whole.costs,
            cost_known=whole.cost_known,
            permission=self._permission(ruling, ran=code is None or whole.dispatched),
            rule=None if ruling is None else name_of(ruling[1]),
            parts=len(parts) if self._tool is not None else 0,
            attempts=tuple([tried_of(one) for one in whole.attempts[:LEDGER_TRIES]]),
            target=target_of(self._targets),
        )

    def _ruling(self) -> tuple[bool, str | None] | None:
        """What decided: the first denial, else the first ruling."""
        return next((one for one in self._rulings if not one[0]), self._rulings[0]) if self._rulings else None

    def _permission(self, ruling: tuple[bool, str | None] | None, *, ran: bool) -> Permitted | None:
        if ruling is None:
            return None if self._gated or not ran else "allowed"
        return "allowed" if ruling[0] else "denied"


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
            if ledger.text:
                asked = args[0] if args else next((options[one] for one in ("query", "url") if one in options), None)
                running.tally.asked(getattr(asked, "query", None) or getattr(asked, "url", asked))
            options["call"] = running.call
            with running:
                running.result = await method(web, *args, **options)
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
        self.tally = Tally(ledger, capability, call.tags) if above is None or above.ended else above
        self._dispatch = Dispatch(above=call.dispatch, keeps=True, bills=call.dispatch.bills)
        asked = call.gate or gate
        ruled = None if asked is None else _Ruled(asked, self.tally)
        self.call = changed(call, dispatch=self._dispatch, gate=ruled, tally=self.tally)
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
            tally = Tally(tally._ledger, tally._capability, self.call.tags)  # noqa: SLF001 - a part of the same module
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
