"""`Toolset`: what a host hands to its model, and the one place where a model's call becomes an answer."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from webseam.core.call import NEVER, Call, Dispatch, aborted
from webseam.core.deadline import Bounded, Clock, Deadline
from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.core.snapshots import Snapshots
from webseam.core.types import SearchResult
from webseam.core.web import Web
from webseam.tools.arguments import checked_queries, checked_url, read_arguments, search_controls
from webseam.tools.merge import ask_all, merged
from webseam.tools.pages import PageConverter, Pages
from webseam.tools.parameters import FETCH, check_settings
from webseam.tools.prompt import guidance
from webseam.tools.render_fetch import render_fetch
from webseam.tools.render_search import render_search
from webseam.tools.result import ToolResult, failed
from webseam.tools.schema import definitions, enabled_tools
from webseam.tools.views import finished_view, pending_view

_log = logging.getLogger("webseam")


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
        clock: monotonic seconds; the clock of `web` when None.
        nonce: draws the random text of a boundary; 128 bits.

    Safe for concurrent calls within one event loop. Tools are there because they are enabled, whatever the state of
    their providers, which shows only when a call runs.

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
        clock: Clock | None = None,
        nonce: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        self._web = web
        self._settings = web.tools if settings is None else settings
        check_settings(self._settings)
        self._pages = Pages(web, snapshots, converter)
        self._clock = clock or web.clock
        self._nonce = nonce
        self._tools = enabled_tools(self._settings)

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
    ) -> ToolResult:
        """Run one tool; every failure comes back as an error result, and only cancellation leaves this method.

        Args:
            name: `web_search` or `web_fetch`.
            args: the arguments as the model sent them: an object, or its JSON text.
            timeout: seconds that the host allows; when they are over the answer is `TOOL_TIMEOUT`, whatever else
                happened. The seam's own times hold besides.
            abort: ends the call with `WEB_ABORTED` when set.
            call: execution control; its deadline replaces the seam's default time.
        """
        given = Call() if call is None else call
        own = replace(given, dispatch=Dispatch(above=given.dispatch, keeps=True))
        own = own if abort is None else replace(own, abort=abort)
        try:
            return await self._within(self._host_time(timeout), name, args, own)
        except WebError as error:
            error.dispatched = error.dispatched or own.dispatch.sent  # by another query of this call, too
            error.attempts = error.attempts or tuple(own.dispatch.tries)
            return failed(error, self._nonce, billed=name != FETCH)
        except Exception as exc:  # noqa: BLE001 - the promise of this method: nothing but cancellation leaves it
            _log.exception("A tool call failed unexpectedly")
            return failed(_fault(exc, own), self._nonce, billed=name != FETCH)

    async def aclose(self) -> None:
        """Close what this object made for itself; the `Web` stays open."""
        await self._pages.aclose()

    # Inside ------------------------------------------------------------------------------------------

    def _host_time(self, seconds: float | None) -> _HostTime:
        if seconds is None:
            return _HostTime(inf, NEVER)
        if not 0 < seconds < inf:  # NaN fails it too
            message = f"timeout is {seconds}; it must be a positive, finite number of seconds."
            raise WebError(Code.INVALID_ARGS, message)
        return _HostTime(seconds, Deadline.after(seconds, clock=self._clock))

    async def _within(self, host: _HostTime, name: str, args: object, call: Call) -> ToolResult:
        """The host's time and abort signal around everything; which of them ended it is told from the signals."""
        scope = Bounded(host.limit, call.abort)
        try:
            async with scope:
                result = await self._run(name, args, host.limit, call)
        except TimeoutError as exc:
            if not scope.fired:
                raise
            raise host.ended(call, exc) from exc
        if host.limit.expired:
            raise host.over(call, None)
        return result

    async def _run(self, name: str, args: object, limit: Deadline, call: Call) -> ToolResult:
        parameters = self._tools.get(name)
        if parameters is None:
            known = ", ".join(self._tools) or "none"
            raise WebError(Code.INVALID_ARGS, f"There is no such tool. Tools that are on: {known}.")
        values = read_arguments(args, parameters)
        if name == FETCH:
            return await self._fetch(values, self._timed(call, limit, self._web.settings.fetch_seconds))
        return await self._search(values, self._timed(call, limit, self._web.settings.search_seconds))

    def _timed(self, call: Call, limit: Deadline, seconds: float) -> Call:
        """One deadline for the whole call: the caller's or the seam's, and never later than the host's."""
        own = Deadline.after(seconds, clock=self._clock) if call.deadline is NEVER else call.deadline
        return replace(call, deadline=own if limit is NEVER else own.sooner(limit.remaining))

    async def _search(self, values: dict[str, Any], call: Call) -> ToolResult:
        settings = self._settings
        given = values["queries"] if settings.max_queries > 1 else [values["query"]]
        queries = checked_queries(given, settings.max_queries)
        controls = search_controls(values)
        own = call if len(queries) == 1 else replace(call, progress=None)  # several answers would mix in one stream

        async def ask(query: str) -> SearchResult:
            return await self._web.search(query, controls=controls, call=own)

        if len(queries) == 1:
            result = await ask(queries[0])
        else:
            result = merged(queries, await ask_all(queries, ask), self._web.settings.max_results)
        return render_search(queries, result, settings, self._nonce)

    async def _fetch(self, values: dict[str, Any], call: Call) -> ToolResult:
        url = checked_url(values["url"])
        offset: int = values.get("offset", 0)
        reading = await self._pages.read(url, offset, call)
        return render_fetch(reading, offset, self._settings, self._nonce)


def _fault(exc: BaseException, call: Call) -> WebError:
    error = WebError(
        Code.PROVIDER_ERROR,
        f"The tool failed unexpectedly ({type(exc).__name__}). This is a fault of ours or of a plugin; report it.",
        dispatched=call.dispatch.sent,
    )
    error.__cause__ = exc
    return error
