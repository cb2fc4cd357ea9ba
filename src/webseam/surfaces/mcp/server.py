"""The tools as an MCP server: one object for every transport and for both eras of the protocol."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from webseam.core.limits import MCP_LIST_MILLISECONDS, MCP_TRACE_CHARS
from webseam.core.version import VERSION
from webseam.surfaces.mcp.ask import Asking
from webseam.surfaces.mcp.clients import reads_structure
from webseam.surfaces.mcp.progress import reporting
from webseam.surfaces.mcp.result import call_result, tool_of
from webseam.surfaces.mcp.runs import RunOf, process_run

if TYPE_CHECKING:
    from webseam.core.call import Call
    from webseam.tools.result import ToolResult
    from webseam.tools.run import Run

Context: TypeAlias = ServerRequestContext[Any, Any]
Answer: TypeAlias = types.CallToolResult | types.InputRequiredResult
Handler: TypeAlias = Callable[[Context, types.CallToolRequestParams], Awaitable[Answer]]

NAME: Final = "webseam"
TITLE: Final = "webseam: web search and fetch"
WEBSITE: Final = "https://github.com/webseam/webseam"
TRACE_KEYS: Final = ("traceparent", "tracestate", "baggage")
"""Keys of a request's `_meta` that hold the caller's trace (W3C Trace Context and Baggage), unprefixed in MCP."""


class Tools(Protocol):
    """What the server shows: `webseam.Toolset`, or something that opens one later."""

    def definitions(self, style: str) -> list[dict[str, Any]]:
        """The tools in a vendor's format, in their fixed order."""
        ...

    def prompt(self) -> str:
        """Guidance for the model."""
        ...

    async def call(
        self,
        name: str,
        args: object,
        *,
        call: "Call | None" = None,
        run: "Run | None" = None,
        timeout: float | None = None,
    ) -> "ToolResult":
        """Run one tool; every failure is a result."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """What a server offers besides: further tools, and the SDK's own `on_...` handlers for prompts and the like."""

    tools: tuple[tuple[types.Tool, Handler], ...] = ()
    handlers: Mapping[str, Any] = field(default_factory=dict)


NOTHING: Final = Extra()


def make_server(
    tools: Tools,
    *,
    extra: Extra = NOTHING,
    run: RunOf | None = None,
    structured: bool = True,
    listed: Callable[[], None] | None = None,
) -> Server[Any]:
    """A server for any number of transports and clients.

    Args:
        tools: what it shows and calls.
        extra: what it offers besides, after `tools`.
        run: whose memory and consent a request is under; one for all when None, as befits a single client.
        structured: whether answers hold data for the host beside the text, as far as the client keeps it from its
            model (`clients.TEXT_ALONE`); a failure holds its code in any case.
        listed: called when a client has asked for the list of tools.
    """
    mine = tools.definitions("mcp")
    others = [tool for tool, _ in extra.tools]
    listings = {kind: [*(tool_of(one, structured=kind) for one in mine), *others] for kind in (True, False)}
    handlers: dict[str, Handler] = dict.fromkeys(
        (one["name"] for one in mine), _handler(tools, run or process_run(), structured=structured)
    )
    handlers |= {tool.name: handler for tool, handler in extra.tools}
    schemas = {one.name: one.input_schema for one in listings[False]}

    async def list_tools(ctx: Context, _params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if listed is not None:
            listed()
        return types.ListToolsResult(tools=listings[structured and not reads_structure(ctx)])

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> Answer:
        handler = handlers.get(params.name)
        if handler is None:
            raise _unknown(handlers)
        return await handler(ctx, params)

    hint = CacheHint(ttl_ms=MCP_LIST_MILLISECONDS)
    return Server(
        NAME,
        version=VERSION,
        title=TITLE,
        website_url=WEBSITE,
        instructions=tools.prompt() or None,
        cache_hints={"tools/list": hint, "server/discover": hint},
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        **extra.handlers,
    )


def _handler(tools: Tools, run: RunOf, *, structured: bool) -> Handler:
    """One call of a tool of ours: asked, reported and traced as the client can do it."""

    async def handle(ctx: Context, params: types.CallToolRequestParams) -> Answer:
        seat = run(ctx)
        with Asking(ctx, params, lasting=seat.personal) as asking:
            async with reporting(ctx) as progress:
                from webseam.core.call import Call  # noqa: PLC0415 - the list of tools goes without

                call = Call(progress=progress, tags=trace_tags(ctx.meta))
                result = await tools.call(
                    params.name, params.arguments or {}, call=call, run=seat.run, timeout=seat.seconds
                )
        questions = asking.questions() if result.is_error else None
        if questions is not None:
            return questions
        return call_result(result, structured=structured and not reads_structure(ctx))

    return handle


def trace_tags(meta: Mapping[str, Any] | None) -> dict[str, str]:
    """The caller's trace, as tags of the call; what is no printable text, or longer than any trace, is left out."""
    found = {key: meta.get(key) for key in TRACE_KEYS} if meta else {}
    return {
        key: value
        for key, value in found.items()
        if isinstance(value, str) and 0 < len(value) <= MCP_TRACE_CHARS and value.isascii() and value.isprintable()
    }


def _unknown(known: Sequence[str] | Mapping[str, Any]) -> MCPError:
    """The protocol's own error for a tool that is not there."""
    names = ", ".join(known) or "none"
    return MCPError(types.INVALID_PARAMS, f"Unknown tool. Tools that are on: {names}.")
