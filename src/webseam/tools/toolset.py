"""`Toolset`: what a host hands to its model, and the one place where a model's call becomes an answer."""

import asyncio
import hashlib
import json
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, TypeVar

from webseam.core.call import NEVER, Call, Dispatch, aborted
from webseam.core.deadline import Bounded, Clock, Deadline
from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import Snapshots
from webseam.core.tape import Tape
from webseam.core.tracing import Outcome, ToolStep, Tracer
from webseam.core.web import Web
from webseam.tools.arguments import read_arguments
from webseam.tools.booking import begun, told_of
from webseam.tools.calls import Asked, Calls
from webseam.tools.guarded import Guarded, guarded, run_of
from webseam.tools.pages import PageConverter, Pages
from webseam.tools.parameters import FETCH, check_settings
from webseam.tools.prompt import guidance
from webseam.tools.result import ToolResult, failed
from webseam.tools.run import Run
from webseam.tools.schema import definitions, enabled_tools
from webseam.tools.views import finished_view, pending_view

_log = logging.getLogger("webseam")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _HostTime:
    """The time that the host gave this one call."""

    seconds: float
    limit: Deadline

    def ended(self, call: Call, exc: TimeoutError) -> WebError:
        """What a `TimeoutError` out of `Bounded` means."""
        inner = exc.__cause__ if isinstance(exc.__cause__, WebError) else None
        if call.aborted and inner is not None and inner.code == Code.ABORTED:
            return inner
        if call.aborted:
            return aborted(dispatched=call.dispatch.sent)
        return self.over(call, inner)

    def over(self, call: Call, inner: WebError | None) -> WebError:
        """`TOOL_TIMEOUT`, with what is known of the work it ended."""
        return WebError(
            Code.TOOL_TIMEOUT,
            f"The tool did not end in the {self.seconds:g} s that the host allows. Try again, or ask for less.",
            provider=None if inner is None else inner.provider,
            dispatched=call.dispatch.sent or (inner is not None and inner.dispatched),
            attempts=() if inner is None else inner.attempts,
        )


class Toolset:
    """The model's tools over one `Web`.

    Args:
        web: the seam that answers.
        settings: which tools are on and what they show; `web.tools` when None.
        snapshots: where pages are kept for `offset`; `web.snapshots`, or memory, when None.
        converter: turns pages into text; made at the first page, and closed with this object, when None.
        run: the memory of the run that these tools serve: the seam's permission is held to it, and it is told what
            searches and pages show. The one of that permission when None; without either nothing is remembered.
        clock: monotonic seconds; the clock of `web` when None.
        nonce: draws the random text of a boundary; 128 bits.
        spans: whether a call is a step of its own for the tracer of `web`; False where the host has a span for it, as
            an MCP server does.
        told: makes of a failure the one that is told, in other words; as it is when None.

    Safe for concurrent calls within one event loop. Runs that share it name themselves, by `run` or in `Call.tags`:
    then each is told when another one has fetched anew the page that its offset is for. Tools are there because they
    are enabled, whatever the state of their providers, which shows only when a call runs.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for settings that no answer could honour.
    """

    def __init__(
        self,
        web: Web,
        *,
        settings: ToolSettings | None = None,
        snapshots: Snapshots | None = None,
        converter: PageConverter | None = None,
        run: Run | None = None,
        clock: Clock | None = None,
        nonce: Callable[[], str] = lambda: secrets.token_hex(16),
        spans: bool = True,
        told: Callable[[WebError], WebError] | None = None,
    ) -> None:
        self._web = web
        self._settings = web.tools if settings is None else settings
        check_settings(self._settings)
        view, engine = self._settings.fetch_view, self._settings.fetch_engine
        self._pages = Pages(web, snapshots, converter, view=view, engine=engine)
        self._calls = Calls(web, self._settings, self._pages)
        self.run = run_of(web.gate) if run is None else run
        self._clock = clock or web.clock
        self._nonce = nonce
        self._tracer = web.tracer if spans else None
        self._told = told
        self._tools = enabled_tools(self._settings)
        self._closing: list[Callable[[], Awaitable[None]]] = []
        self._kept: dict[str, Any] = {}
        self._taped_calls: Counter[str] = Counter()

    def definitions(self, style: str, *, strict: bool = False) -> list[dict[str, Any]]:
        """The enabled tools, `web_search` first, as plain dicts for `openai`, `anthropic`, `gemini` or `mcp`.

        Args:
            style: whose format.
            strict: every argument required, optional ones nullable: for the vendors' strict modes.

        Raises:
            WebError: `INVALID_ARGS` for an unknown style.
        """
        return definitions(self._settings, style, strict=strict)

    def prompt(self) -> str:
        """Guidance for the system prompt about the tools that are on; empty when none is."""
        return guidance(self._settings)

    def view(self, name: str, args: object, meta: object) -> dict[str, Any] | None:
        """What to show of a finished call, from its stored `meta` alone; None when that is absent or malformed."""
        return finished_view(name, args, meta)

    def pending_view(self, name: str, args: object) -> dict[str, Any] | None:
        """What to show of a call that runs: its kind and title; None for a name that is no tool of ours."""
        return pending_view(name, args)

    async def call(
        self,
        name: str,
        args: object,
        *,
        timeout: float | None = None,
        abort: asyncio.Event | None = None,
        call: Call | None = None,
        run: Run | None = None,
    ) -> ToolResult:
        """Run one tool; every failure comes back as an error result, and only cancellation leaves this method.

        Args:
            name: `web_search`, `web_fetch` or `web_extract`.
            args: the arguments as the model sent them: an object, or its JSON text.
            timeout: seconds that the host allows; when they are over the answer is `TOOL_TIMEOUT`, whatever else
                happened. The seam's own times hold besides.
            abort: ends the call with `WEB_ABORTED` when set.
            call: execution control; its deadline replaces the seam's default time.
            run: the run that this call is of, where one object serves several.
        """
        given = Call() if call is None else call
        own = replace(given, dispatch=Dispatch(above=given.dispatch, keeps=True))
        own = own if abort is None else replace(own, abort=abort)
        guard = guarded(own, self._web.gate, run, self.run)
        if self._web.ledger is None:
            return await self._called(name, args, timeout, own, guard)
        tally = begun(self._web.ledger, name, self._tools, own)
        with told_of(tally, guard) as ended:
            result = await self._called(name, args, timeout, replace(own, tally=tally), guard)
            ended(result)
        return result

    async def _called(self, name: str, args: object, timeout: float | None, own: Call, guard: Guarded) -> ToolResult:
        answer = partial(self._answered, name, args, timeout, own, guard)
        result = await (answer() if self._tracer is None else self._traced(self._tracer, name, args, own, answer))
        return guard.told(result)

    async def _traced(
        self, tracer: Tracer, name: str, args: object, own: Call, answer: Callable[[], Awaitable[ToolResult]]
    ) -> ToolResult:
        try:
            step = ToolStep(name=name if name in self._tools else None, arguments=args, tags=own.tags)
            with (span := tracer.begin(step)):
                result = await answer()
                span.end(Outcome(error=None if result.error is None else result.error["code"], text=result.text))
        except Exception as exc:  # noqa: BLE001 - the tracer's own fault; nothing but cancellation leaves `call`
            _log.exception("The tracer failed")
            return self._failed(_fault(exc, own), self._nonce, billed=name != FETCH)
        return result

    async def _answered(self, name: str, args: object, timeout: float | None, own: Call, guard: Guarded) -> ToolResult:
        tape = self._web.tape
        nonce = self._nonce if tape is None or not tape.keeps else self._taped(tape, name, args)
        try:
            return await self._within(
                self._host_time(timeout), partial(self._run, Asked(name, args, nonce, guard)), guard.over(own)
            )
        except WebError as error:
            guard.refused(error)
            error.dispatched = error.dispatched or own.dispatch.sent  # by another query of this call, too
            error.attempts = error.attempts or tuple(own.dispatch.tries)
            return self._failed(error, nonce, billed=name != FETCH)
        except Exception as exc:  # noqa: BLE001 - the promise of this method: nothing but cancellation leaves it
            _log.exception("A tool call failed unexpectedly")
            return self._failed(_fault(exc, own), nonce, billed=name != FETCH)

    def at_close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Run `close` once, before this object closes what it made; the last one added runs first."""
        self._closing.append(close)

    def kept(self, name: str, make: Callable[[], _T]) -> _T:
        """What a host keeps beside this object under `name`; one for all threads, from the first asking on.

        `make` may be called once too often, where threads ask at the same time.
        """
        kept: _T = self._kept.setdefault(name, make())
        return kept

    async def aclose(self) -> None:
        """Close what this object made for itself, in the running loop; the `Web` stays open."""
        for close in [self._closing.pop() for _ in range(len(self._closing))]:  # not what begins anew meanwhile
            await close()
        await self._pages.aclose()

    # Inside ------------------------------------------------------------------------------------------

    def _failed(self, error: WebError, nonce: Callable[[], str], *, billed: bool) -> ToolResult:
        """The result of a failure; where the tape takes no more, that is the failure to tell."""
        try:
            return failed(error if self._told is None else self._told(error), nonce, billed=billed)
        except WebError as unwritten:
            unwritten.dispatched, unwritten.attempts = error.dispatched, error.attempts
            return failed(unwritten, self._nonce, billed=billed)

    def _taped(self, tape: Tape, name: str, args: object) -> Callable[[], str]:
        """Nonces as a recording keeps them, under their tool call: what runs beside it does not matter."""
        asked = _digest(name, args)
        self._taped_calls[asked] += 1
        return partial(tape.draw, f"nonce {asked} {self._taped_calls[asked]}", self._nonce)

    def _host_time(self, seconds: float | None) -> _HostTime:
        if seconds is None:
            return _HostTime(inf, NEVER)
        if not 0 < seconds < inf:  # NaN fails it too
            message = f"timeout is {seconds}; it must be a positive, finite number of seconds."
            raise WebError(Code.INVALID_ARGS, message)
        return _HostTime(seconds, Deadline.after(seconds, clock=self._clock))

    async def _within(
        self, host: _HostTime, run: Callable[[Deadline, Call], Awaitable[ToolResult]], call: Call
    ) -> ToolResult:
        """The host's time and abort signal around everything; which of them ended it is told from the signals."""
        scope = Bounded(host.limit, call.abort)
        try:
            async with scope:
                result = await run(host.limit, call)
        except TimeoutError as exc:
            if not scope.fired:
                raise
            raise host.ended(call, exc) from exc
        if host.limit.expired:
            raise host.over(call, None)
        return result

    async def _run(self, asked: Asked, limit: Deadline, call: Call) -> ToolResult:
        parameters = self._tools.get(asked.name)
        if parameters is None:
            known = ", ".join(self._tools) or "none"
            raise WebError(Code.INVALID_ARGS, f"There is no such tool. Tools that are on: {known}.")
        values = read_arguments(asked.args, parameters)
        own = self._timed(call, limit, self._calls.seconds(asked.name))
        return await self._calls.run(values, own, asked)

    def _timed(self, call: Call, limit: Deadline, seconds: float) -> Call:
        """One deadline for the whole call: the caller's or the seam's, and never later than the host's."""
        own = Deadline.after(seconds, clock=self._clock) if call.deadline is NEVER else call.deadline
        return replace(call, deadline=own if limit is NEVER else own.sooner(limit.remaining))


def _digest(name: str, args: object) -> str:
    """A tool call's name in a recording, in which nothing of its arguments can be read."""
    try:
        told = args if isinstance(args, str) else json.dumps(args, sort_keys=True)
    except (TypeError, ValueError, RecursionError):  # no arguments that a tool takes; they are all refused alike
        told = type(args).__name__
    return hashlib.blake2b(f"{name} {told}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _fault(exc: BaseException, call: Call) -> WebError:
    error = WebError(
        Code.PROVIDER_ERROR,
        f"The tool failed unexpectedly ({type(exc).__name__}). This is a fault of ours or of a plugin; report it.",
        dispatched=call.dispatch.sent,
    )
    error.__cause__ = exc
    return error
