"""`webseam mcp`: the tools for any MCP client, over stdio or streamable HTTP."""

import asyncio
import gc
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import MCP_STOP_SECONDS
from webseam.surfaces.cli.command import Command, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.mcp_tools import tools_of
from webseam.surfaces.cli.server_log import ServerLog, warnings_told
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    from webseam.surfaces.mcp.late import LateTools

EXAMPLES: Final = (
    "webseam mcp",
    "webseam mcp --http 8080",
    "webseam mcp --http 0.0.0.0:8080 --token-file token --allow-host mcp.example.com",
    "claude mcp add webseam -- uvx --from 'webseam[mcp]' webseam mcp",
)
TOKEN_VARIABLE: Final = "WEBSEAM_MCP_TOKEN"  # noqa: S105 - the name of a variable
LOOPBACK: Final = "127.0.0.1"
BROKEN_PIPE: Final = 141
TERMINATED: Final = 143
_STDERR: Final = 2
_GRACE_SECONDS: Final = MCP_STOP_SECONDS + 0.4
"""From the client's end to ours: closing has its time, and whatever cannot be cancelled ends with the process."""


@click.command("mcp", cls=Command, examples=EXAMPLES, short_help="Serve the tools to an MCP client.")
@click.option("--http", "listen", metavar="[HOST:]PORT", help="Serve streamable HTTP at /mcp, on 127.0.0.1 by default.")
@click.option("--token-file", metavar="FILE", help="With --http: the bearer token that clients must send.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="With --http: a name clients reach us by.")
@click.option("--text-only", is_flag=True, help="No structured content: for clients that show it to the model.")
@click.option("--strict", is_flag=True, help="Exit 3 at once when a tool could not answer.")
@edge_options
@click.pass_obj
def command(
    session: Session,
    *,
    listen: str | None,
    token_file: str | None,
    hosts: tuple[str, ...],
    text_only: bool,
    strict: bool,
) -> int:
    """Serve the tools to an MCP client: over stdio, or with --http over streamable HTTP.

    Clients start it themselves: see docs/mcp.md for their configuration. What is wrong with the configuration is told
    on stderr, and every call is refused until it is mended; with --strict the server does not start.

    Over HTTP any other address than this machine's own needs a bearer token, from --token-file or WEBSEAM_MCP_TOKEN.
    """
    if listen is None:
        if token_file or hosts:
            raise usage("--token-file and --allow-host are for --http. Leave them out, or add it.")
        return _over_stdio(session, structured=not text_only, strict=strict)
    host, port = _address(listen)
    token = _token(session, token_file)
    return _over_http(session, host, port, token, hosts, structured=not text_only, strict=strict)


# Over stdio --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wire:
    """The client's two descriptors, which nothing else in this process knows."""

    source: int
    target: int


def _taken_wire() -> Wire:
    """Take stdin and stdout for the protocol: what anybody else prints goes to stderr, what they read is empty (R179).

    Raises:
        WebError: `INVALID_ARGS` where one of them is closed.
    """
    try:
        null = os.open(os.devnull, os.O_RDWR)
        if not _is_open(_STDERR):
            os.dup2(null, _STDERR)
        wire = Wire(os.dup(0), os.dup(1))  # no child inherits them (PEP 446)
        os.dup2(null, 0)
        os.dup2(_STDERR, 1)
        os.close(null)
    except OSError as exc:
        raise usage(f"Standard input or output cannot be used ({exc.strerror}). An MCP client opens both.") from exc
    return wire


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _over_stdio(session: Session, *, structured: bool, strict: bool) -> int:
    if session.stdin.isatty():
        session.out.note(
            "webseam: waiting for an MCP client, which starts this by itself: see docs/mcp.md. Ctrl-D ends."
        )
    wire = _taken_wire()
    with quick_start():
        tools = tools_of(session, strict=strict)
        from webseam.surfaces.mcp.server import make_server  # noqa: PLC0415 - half a second; help goes without

        server = make_server(tools, structured=structured, listed=tools.prepare_soon)
    return asyncio.run(_stdio_session(server, tools, wire))


async def _stdio_session(server: Any, tools: "LateTools", wire: Wire) -> int:
    """Until the client is gone, or SIGTERM."""
    from webseam.surfaces.mcp.stdio import serve_stdio  # noqa: PLC0415 - loaded already

    serving = asyncio.create_task(serve_stdio(server, source=wire.source, target=wire.target, ending=_end_of_patience))
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, serving.cancel)
    try:
        ended = await serving
    except asyncio.CancelledError:
        if not serving.cancelled() or _is_cancelled():
            raise  # Ctrl-C cancels this task, not that one
        return TERMINATED
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
        await _closed(tools)
    return 0 if ended else BROKEN_PIPE


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _closed(tools: "LateTools") -> None:
    try:
        async with asyncio.timeout(MCP_STOP_SECONDS):
            await tools.aclose()
    except TimeoutError:
        return  # what does not close in its time ends with the process


def _end_of_patience() -> None:
    """End the process in any case, also where a thread waits for something that cannot be cancelled, as for a name."""
    timer = threading.Timer(_GRACE_SECONDS, os._exit, args=(0,))
    timer.daemon = True
    timer.start()


# Over HTTP ---------------------------------------------------------------------------------------------


def _over_http(
    session: Session,
    host: str,
    port: int,
    token: str | None,
    hosts: Sequence[str],
    *,
    structured: bool,
    strict: bool,
) -> int:
    lines = ServerLog(session.out)
    session = replace(session, tell=lines.warning)
    with quick_start():
        tools = tools_of(session, strict=strict)
        from webseam.surfaces.mcp.door import Door  # noqa: PLC0415 - half a second; help goes without
        from webseam.surfaces.mcp.http import asgi_app, bound, check_open, url_of  # noqa: PLC0415 - the same
        from webseam.surfaces.mcp.runs import session_runs  # noqa: PLC0415 - the same
        from webseam.surfaces.mcp.server import make_server  # noqa: PLC0415 - the same

        check_open(host, token)
        door = Door(token=token, hosts=frozenset(one.lower() for one in hosts))
        app = asgi_app(make_server(tools, run=session_runs(), structured=structured), door=door)
    listening = bound(host, port)
    session.out.note(f"webseam: MCP at {url_of(listening)}")
    session.out.flush()
    with warnings_told(lines):
        asyncio.run(_http_session(app, tools, listening))
    return 0


async def _http_session(app: Any, tools: "LateTools", listening: Any) -> None:
    from webseam.surfaces.mcp.http import serve_http  # noqa: PLC0415 - loaded already

    tools.prepare()
    try:
        await serve_http(app, listening)
    finally:
        _end_of_patience()
        await _closed(tools)


def _address(listen: str) -> tuple[str, int]:
    """`PORT`, `HOST:PORT` or `[IPv6]:PORT`."""
    host, _, port = listen.rpartition(":")
    if not (port.isascii() and port.isdigit() and int(port) < 65_536) or (":" in host and not host.startswith("[")):  # noqa: PLR2004 - ports have 16 bits
        raise usage(f"{listen!r} is no address. Give a port such as 8080, or 127.0.0.1:8080, or [::1]:8080.")
    return host.strip("[]") or LOOPBACK, int(port)


def _token(session: Session, file: str | None) -> str | None:
    """The bearer token, from the file or the variable; never an argument, which other users could see."""
    if file is None:
        return session.environ.get(TOKEN_VARIABLE, "").strip() or None
    from webseam.wiring.sources import decoded, read_bounded  # noqa: PLC0415 - help goes without

    path = session.cwd / file
    token = decoded(path, read_bounded(path, private=True)).strip()
    if not token:
        raise usage(f"{path} is empty. Write the token into it.")
    return token


# Both --------------------------------------------------------------------------------------------------


@contextmanager
def quick_start() -> Iterator[None]:
    """No collection while modules load: they make no garbage, and looking for it is a tenth of the time to start.

    Raises:
        WebError: `WEB_CONFIG_INVALID` where the SDK is not installed.
    """
    gc.disable()
    try:
        yield
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise WebError(Code.CONFIG_INVALID, 'The MCP server needs the MCP SDK: pip install "webseam[mcp]"') from exc
    finally:
        gc.freeze()
        gc.enable()
