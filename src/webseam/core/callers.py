"""What a caller leaves open in a call, filled in: deadline, gate, observer; and the trace of whoever follows it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from webseam.core.call import NEVER, Call, Dispatch, overheard
from webseam.core.copying import changed
from webseam.core.deadline import Clock, Deadline
from webseam.core.events import Emit, observed, silent
from webseam.core.gate import Gate
from webseam.core.tracing import Trace, Tracer
from webseam.core.types import ExtractRequest, FetchRequest, SearchRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Callers:
    """What holds for the calls of one `Web` that bring none of their own; see its arguments."""

    gate: Gate | None
    emit: Emit
    watch: Callable[[Emit], Emit] | None
    overhear: Callable[[str], object] | None
    clock: Clock

    def whole(
        self,
        call: Call | None,
        request: SearchRequest | FetchRequest | ExtractRequest,
        seconds: float,
        abort: asyncio.Event | None,
        tracer: Tracer | None,
    ) -> Call:
        """The call with all that was left open; a deadline in `call` wins over `seconds`."""
        trace = None if tracer is None else Trace(tracer, request)
        if call is None:
            return Call(
                deadline=Deadline.after(seconds, clock=self.clock),
                abort=abort,
                gate=self.gate,
                emit=observed(self.watcher(None)),
                trace=trace,
            )
        deadline = Deadline.after(seconds, clock=self.clock) if call.deadline is NEVER else call.deadline
        return changed(
            call if self.overhear is None else overheard(call, self.overhear),
            deadline=deadline,
            abort=call.abort if abort is None else abort,
            gate=call.gate or self.gate,
            emit=observed(self.watcher(call)),
            dispatch=Dispatch(above=call.dispatch),
            trace=trace,
        )

    def watcher(self, call: Call | None) -> Emit:
        """Who is told of this call."""
        emit = self.emit if call is None or call.emit is silent else call.emit
        return emit if self.watch is None else self.watch(emit)
