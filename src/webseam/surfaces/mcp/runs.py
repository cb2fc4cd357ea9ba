"""Whose memory and consent a request is under: what one client's person allowed never holds for another client.

On stdio the process is one run. Over HTTP a session of the handshake era is one. The stateless era has no sessions: all
its requests, which hold the same token or come from the same machine, are one run, so that budgets bound them; and
since several people may stand behind it, "always" is not offered there.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mcp.server.context import ServerRequestContext
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from webseam.core.limits import MCP_SESSIONS
from webseam.surfaces.mcp.ask import ask_client

if TYPE_CHECKING:
    from webseam.tools.run import Run

_SESSION: Final = "mcp-session-id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """The run of a request; `personal` says that one client alone is behind it.

    `seconds` are what the client gives the call; None leaves it the configured time.
    """

    run: "Run"
    personal: bool
    seconds: float | None = None


RunOf: TypeAlias = Callable[[ServerRequestContext[Any, Any]], Seat]


def _new() -> "Run":
    from webseam.tools.run import Run  # noqa: PLC0415 - the start of the server goes without

    return Run(ask=ask_client)


def process_run() -> RunOf:
    """One run for all requests: for a server with a single client."""
    seats: list[Seat] = []

    def seat(_ctx: ServerRequestContext[Any, Any]) -> Seat:
        if not seats:
            seats.append(Seat(run=_new(), personal=True))
        return seats[0]

    return seat


def session_runs(most: int = MCP_SESSIONS) -> RunOf:
    """A run for each HTTP session, the `most` recent ones, and one for all requests without a session."""
    shared = process_run()
    sessions: OrderedDict[str, Seat] = OrderedDict()

    def seat(ctx: ServerRequestContext[Any, Any]) -> Seat:
        key = _session_of(ctx)
        if key is None:
            return Seat(run=shared(ctx).run, personal=False)
        if key not in sessions:
            sessions[key] = Seat(run=_new(), personal=True)
        sessions.move_to_end(key)
        while len(sessions) > most:
            sessions.popitem(last=False)
        return sessions[key]

    return seat


def _session_of(ctx: ServerRequestContext[Any, Any]) -> str | None:
    """The session that the transport has checked; in the stateless era the header is anybody's to write."""
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS or ctx.request is None:
        return None
    found: str | None = ctx.request.headers.get(_SESSION)
    return found
