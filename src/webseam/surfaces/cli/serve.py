"""`webseam serve`: the gateway, for many agents at once."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.url import ascii_host
from webseam.surfaces.cli.command import Command, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.server_log import ServerLog, warnings_told
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    import socket

    from webseam.surfaces.gateway.app import Gateway, Log
    from webseam.surfaces.gateway.exchange import Access
    from webseam.wiring.build import Built
    from webseam.wiring.config import Loaded

EXAMPLES: Final = (
    "webseam serve",
    "webseam serve --listen 9000 --strict",
    "webseam tokens create research && webseam serve --listen 0.0.0.0:8090 --allow-host gateway.example.com",
)
INSTALL: Final = 'The gateway needs packages that are not installed: pip install "webseam[serve]"'
_PACKAGES: Final = frozenset({"mcp", "mcp_types", "prometheus_client", "starlette", "uvicorn"})
_LOOPBACK: Final = "127.0.0.1"
_PORTS: Final = 65_536


@click.command("serve", cls=Command, examples=EXAMPLES, short_help="Serve search, fetch and the tools over HTTP.")
@click.option("--listen", metavar="[HOST:]PORT", help="Where to listen; 127.0.0.1:8090 by default.")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="A name that clients reach us by.")
@click.option("--strict", is_flag=True, help="Exit 3 at once when a capability could not answer.")
@edge_options
@click.pass_obj
def command(session: Session, *, listen: str | None, hosts: tuple[str, ...], strict: bool) -> int:
    """Serve search, fetch and the tools over HTTP: /v1/search, /v1/fetch, /v1/extract, /v1/tools and MCP at /mcp.

    /openapi.json tells the whole of it, docs/gateway.md explains it; a browser finds the console at /. On this
    machine's own address no token is needed until there is one (`webseam tokens create`); any other address needs one.

    SIGTERM and Ctrl-C end it once the calls that run have ended, after serve.drain_seconds at the latest.
    """
    with _installed():
        import webseam.surfaces.gateway.server  # noqa: F401, PLC0415 - half a second; help goes without
    loaded = _sound(session)
    named = _names(hosts)
    host, port = address(listen) if listen else _configured(loaded.config.serve.listen)
    here = _check_open(host, loaded)
    lines = ServerLog(session.out)
    session = replace(session, tell=lines.warning)
    built = _built(session, loaded, strict=strict)
    listening = _listening(host, port)
    log = lines.request if loaded.config.serve.access_log else _quiet
    app = _app(session, built, loaded, named, log=log, open_here=here)
    needs_token = not here or not app.house.book.is_unused()
    tell = partial(_tell, session, listening, needs_token=needs_token)
    try:
        with warnings_told(lines):
            asyncio.run(_run(app, listening, loaded.config.serve.drain_seconds, tell, session))
    finally:
        lines.flush()
    return 0


@contextmanager
def _installed() -> Iterator[None]:
    """What is loaded here needs the extra.

    Raises:
        WebError: `WEB_CONFIG_INVALID` where it is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[0] not in _PACKAGES:
            raise
        raise WebError(Code.CONFIG_INVALID, INSTALL) from exc


def address(listen: str) -> tuple[str, int]:
    """`PORT`, `HOST:PORT` or `[IPv6]:PORT`.

    Raises:
        WebError: `INVALID_ARGS` for anything else.
    """
    host, _, port = listen.strip().rpartition(":")
    if not _is_port(port) or (":" in host and not host.startswith("[")):
        raise usage(f"{listen!r} is no address. Give a port such as 8090, or 127.0.0.1:8090, or [::1]:8090.")
    return host.strip("[]") or _LOOPBACK, int(port)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(_PORTS)) and int(text) < _PORTS


def _configured(listen: str) -> tuple[str, int]:
    """The address of `serve.listen`.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for what is none.
    """
    try:
        return address(listen)
    except WebError as error:
        raise WebError(Code.CONFIG_INVALID, f"serve.listen: {error.message}") from error


def _names(hosts: Sequence[str]) -> frozenset[str]:
    """What clients send as Host for these names.

    Raises:
        WebError: `INVALID_ARGS` for what no client would.
    """
    found = {one: ascii_host(one) for one in hosts}
    for given, name in found.items():
        if name is None:
            raise usage(f"--allow-host {given!r}: give a host name such as gateway.example, no scheme, no port.")
    return frozenset(filter(None, found.values()))


def _sound(session: Session) -> "Loaded":
    """The configuration, every fault told.

    Raises:
        WebError: the first one.
    """
    loaded = session.survey()
    for problem in loaded.problems[1:]:
        session.out.failed(problem, as_json=False)
    if loaded.problems:
        raise loaded.problems[0]
    return loaded


def _check_open(host: str, loaded: "Loaded") -> bool:
    """Whether only this machine reaches the address.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when others do and there is no token.
    """
    from webseam.surfaces.gateway.opening import tokens_path  # noqa: PLC0415 - help goes without
    from webseam.surfaces.mcp.door import is_local  # noqa: PLC0415 - the same
    from webseam.wiring.token_book import TokenBook  # noqa: PLC0415 - the same

    if is_local(host):
        return True
    if TokenBook(tokens_path(loaded)).is_empty():
        raise WebError(
            Code.CONFIG_INVALID,
            f"{host} can be reached from other machines, so every request needs a token, and there is none. Make one "
            "with `webseam tokens create NAME`, or listen on 127.0.0.1.",
        )
    return False


def _built(session: Session, loaded: "Loaded", *, strict: bool) -> "Built":
    """The providers; a capability that could not answer is told.

    Raises:
        WebError: `WEB_CONFIG_INVALID`; with `strict` the first such reason.
    """
    from webseam.wiring.ledger import kept_by_gateway  # noqa: PLC0415 - help goes without
    from webseam.wiring.plugins import CAPABILITIES  # noqa: PLC0415 - the same

    built = session.build(CAPABILITIES, {"ledger": {"keep": kept_by_gateway(loaded.config)}})
    faults = [one.error for one in built.web.describe() if one.error is not None]
    if strict and faults:
        raise faults[0]
    for fault in faults:
        session.out.failed(fault, as_json=False)
    for notice in filter(None, (built.plan.notice, built.plan.extract_notice)):
        session.out.note(f"webseam: {notice}")
    return built


def _listening(host: str, port: int) -> "socket.socket":
    from webseam.surfaces.mcp.http import bound  # noqa: PLC0415 - help goes without

    return bound(host, port)


def _app(
    session: Session, built: "Built", loaded: "Loaded", hosts: frozenset[str], *, log: "Log", open_here: bool
) -> "Gateway":
    from webseam.surfaces.gateway.opening import make_app  # noqa: PLC0415 - help goes without
    from webseam.wiring.build import REAL  # noqa: PLC0415 - the same

    return make_app(built, loaded, log=log, hosts=hosts, open_here=open_here, seams=session.seams or REAL)


def _quiet(_access: "Access") -> None:
    """No log."""


def _tell(session: Session, listening: "socket.socket", *, needs_token: bool) -> None:
    host, port = listening.getsockname()[:2]
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    who = "every request needs a token" if needs_token else "this machine only, no token"
    session.out.note(f"webseam: gateway at {url} ({who})")
    session.out.flush()


async def _run(
    app: "Gateway", listening: "socket.socket", drain_seconds: float, tell: Callable[[], None], session: Session
) -> None:
    from webseam.surfaces.gateway.server import serve, set_aside  # noqa: PLC0415 - loaded already

    set_aside()
    ended: Any = await serve(app, listening, drain_seconds=drain_seconds, ready=tell)
    if not ended:
        session.out.note("webseam: calls still ran at the end, and were cancelled.")
