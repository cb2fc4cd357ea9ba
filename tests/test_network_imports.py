"""Who touches the network: `net/` alone, besides the servers of `surfaces/` and `testing/` (design 1; issue 4.8)."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

SOURCES: Final = Path(__file__).parents[1] / "src" / "webseam"
SOCKETS: Final = frozenset({"socket", "ssl", "socketserver", "asyncore", "asynchat", "select", "selectors"})
"""Modules that dial or listen."""

CLIENTS: Final = frozenset(
    {
        *("http.client", "http.server", "http.cookiejar", "urllib.request", "urllib.robotparser", "smtplib", "ftplib"),
        *("poplib", "imaplib", "nntplib", "telnetlib", "xmlrpc", "wsgiref", "asyncio.streams", "webbrowser"),
        *("aiohttp", "yarl", "httpx", "httpx2", "httpcore", "httpcore2", "requests", "urllib3", "niquests", "pycurl"),
        *("curl_cffi", "tornado", "httplib2", "websockets", "websocket", "h11", "h2", "treq", "grpc", "aiosmtplib"),
        *(
            "dns.query",
            "dns.asyncquery",
            "dns.resolver",
            "dns.asyncresolver",
            "aiodns",
            "pycares",
            "paramiko",
            "playwright",
            "selenium",
            "pyreqwest",
            "primp",
            "tls_client",
        ),
    }
)
"""Modules that speak a protocol of the network as a client, or bring a server of their own."""

DIALS: Final = frozenset(
    {
        *("open_connection", "open_unix_connection", "create_connection", "create_unix_connection"),
        *("create_datagram_endpoint", "sock_connect", "sock_sendto", "urlopen", "urlretrieve", "getaddrinfo"),
        *("gethostbyname", "gethostbyname_ex", "start_tls"),
    }
)
LISTENS: Final = frozenset({"start_server", "start_unix_server", "create_server", "create_unix_server", "sock_accept"})
DYNAMIC: Final = frozenset({"import_module", "__import__"})


def _modules(node: ast.AST) -> Iterator[str]:
    """What an import statement, or a call that imports by a literal name, brings in."""
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom() if node.module is not None and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Constant(value=str(module)), *_]):
            if name in DYNAMIC:
                yield module


def _within(module: str, listed: frozenset[str]) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:count]) in listed for count in range(1, len(parts) + 1))


def _used(node: ast.AST) -> str | None:
    """The name of a function reached as an attribute or imported by name."""
    return node.attr if isinstance(node, ast.Attribute) else None


def reaches(source: str, room: str) -> list[str]:
    """What in `source` touches the network though its room may not, as `line: what`."""
    dials, listens = room in ("net", "testing"), room in ("net", "testing", "surfaces")
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        for module in _modules(node):
            last = module.rpartition(".")[2]
            if (
                (_within(module, CLIENTS) and room != "net")
                or (_within(module, SOCKETS) and not listens)
                or (last in DIALS and not dials)
                or (last in LISTENS and not listens)
            ):
                found.append(f"{line}: {module}")
        used = _used(node)
        if (used in DIALS and not dials) or (used in LISTENS and not listens):
            found.append(f"{line}: {used}")
    return found


def _room(path: Path) -> str:
    parts = path.relative_to(SOURCES).parts
    return parts[0] if len(parts) > 1 else ""


FILES: Final = sorted(SOURCES.rglob("*.py"))


@pytest.mark.req("safety:imports:sockets")
def test_only_net_dials_and_only_servers_listen() -> None:
    found = {str(path.relative_to(SOURCES)): reaches(path.read_text(encoding="utf-8"), _room(path)) for path in FILES}

    assert {path: lines for path, lines in found.items() if lines} == {}
    assert {"net", "core", "content", "stores", "providers", "tools", "wiring", "surfaces", "testing"} <= {
        _room(path) for path in FILES
    }


@pytest.mark.req("safety:imports:sockets")
@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("core", "import socket"),
        ("core", "import ssl as tls"),
        ("content", "import urllib.request"),
        ("content", "from urllib import request"),
        ("content", "from urllib.request import urlopen"),
        ("stores", "import http.client"),
        ("stores", "from http import client"),
        ("providers", "import aiohttp"),
        ("providers", "def f():\n    from yarl import URL"),
        ("providers", "from asyncio import open_connection"),
        ("providers", "import asyncio\nasync def f():\n    await asyncio.open_connection('a', 1)"),
        ("providers", "async def f(loop):\n    await loop.create_connection(None, 'a', 1)"),
        ("tools", "import smtplib"),
        ("tools", "from ftplib import FTP"),
        ("tools", "import xmlrpc.client"),
        ("wiring", "import importlib\nimportlib.import_module('socket')"),
        ("wiring", "__import__('httpx')"),
        ("wiring", "import asyncio\nasyncio.start_server(None)"),
        ("surfaces", "import httpx"),
        ("surfaces", "import urllib.request"),
        ("surfaces", "import asyncio\nasyncio.open_connection('a', 1)"),
        ("surfaces", "import socket\nsocket.create_connection(('a', 1))"),
        ("testing", "import requests"),
        ("testing", "from dns import resolver"),
        ("", "import socketserver"),
    ],
)
def test_the_lint_sees_every_way_to_the_network(room: str, line: str) -> None:
    assert reaches(line, room) != []


@pytest.mark.req("safety:imports:sockets")
@pytest.mark.parametrize(
    ("room", "line"),
    [
        ("net", "import socket, ssl, aiohttp"),
        ("surfaces", "import asyncio\nasyncio.start_server(None)"),
        ("testing", "import asyncio, socket\nasyncio.open_connection('127.0.0.1', 1)"),
        ("testing", "import dns.message"),
        ("core", "from urllib.parse import quote"),
        ("providers", "from webseam.core.transport import Transport"),
        ("providers", "from http import HTTPStatus"),
    ],
)
def test_the_lint_lets_through_what_is_no_reach_for_the_network(room: str, line: str) -> None:
    assert reaches(line, room) == []
