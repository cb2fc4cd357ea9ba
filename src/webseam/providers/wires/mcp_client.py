"""A small MCP client over streamable HTTP: initialize, initialized, tools/call (MCP specification 2025-06-18).

Answers come as JSON or as server-sent events, told apart by their Content-Type. A JSON-RPC error counts whether or not
it carries our id: servers that refuse early send null. A session opened without a key is kept for the next call, which
saves it two round trips; with a key each call opens its own, so that no key outlives its call (dsh-60).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.core.transport import VendorResponse
from webseam.providers.wires.failures import status_error
from webseam.providers.wires.json_api import JsonApi, decoded, misshapen
from webseam.providers.wires.json_text import read_json
from webseam.providers.wires.rows import Row, items, mapping, text
from webseam.providers.wires.sse import events

PROTOCOL_VERSION: Final = "2025-06-18"
"""The revision asked for; the server's answer decides what is spoken."""

_ACCEPT: Final = "application/json, text/event-stream"  # both are required (transports, "sending messages")
_REVISION: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_SESSION: Final = re.compile(r"[\x21-\x7e]{1,1024}")  # visible ASCII (transports, "session management")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnswer:
    """What a tool said: its text parts, and whether the server calls that a failure."""

    texts: tuple[str, ...]
    is_error: bool
    raw: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    """What the server gave at the handshake; it stands on every later request."""

    endpoint: str
    revision: str
    id: str | None

    @property
    def headers(self) -> dict[str, str]:
        named = {"mcp-protocol-version": self.revision}
        return named if self.id is None else named | {"mcp-session-id": self.id}


class McpClient:
    """Calls tools of MCP servers for one provider.

    Args:
        api: sends the requests and maps HTTP failures.
        client_version: told to the server.
    """

    __slots__ = ("_api", "_kept", "_version")

    def __init__(self, api: JsonApi, *, client_version: str) -> None:
        self._api = api
        self._version = client_version
        self._kept: _Session | None = None

    async def call_tool(
        self,
        endpoint: str,
        name: str,
        arguments: Mapping[str, Any],
        *,
        call: Call,
        headers: Mapping[str, str],
        secrets: tuple[str, ...] = (),
    ) -> ToolAnswer:
        """Call one tool, in a session that is opened first where none is kept.

        Raises:
            WebError: by HTTP status; `WEB_PROVIDER_ERROR` or `WEB_RATE_LIMITED` for JSON-RPC errors and answers
                that cannot be read. A tool's own failure is `ToolAnswer.is_error`.
        """
        line = _Line(self._api, endpoint, call, headers, secrets)
        parameters = {"name": name, "arguments": dict(arguments)}
        session, self._kept = (None if secrets else self._kept), None  # a session is kept only by a call that worked
        result = None
        if session is not None and session.endpoint == endpoint:
            result = await line.resume(session, "tools/call", parameters)
        if session is None or result is None:
            session = await line.open(self._version)
            result = await line.ask(session, "tools/call", parameters)
        self._kept = None if secrets else session
        parts = (mapping(part) for part in items(result.get("content")))
        said = tuple(part["text"] for part in parts if part.get("type") == "text" and text(part.get("text")))
        return ToolAnswer(texts=said, is_error=result.get("isError") is True, raw=result)


class _Line:
    """One call's way to one server: counts its requests and reads the answer to each."""

    def __init__(
        self, api: JsonApi, endpoint: str, call: Call, headers: Mapping[str, str], secrets: tuple[str, ...]
    ) -> None:
        self._api = api
        self._endpoint = endpoint
        self._call = call
        self._headers = dict(headers)
        self._secrets = secrets
        self._asked = 0

    async def open(self, client_version: str) -> _Session:
        """Shake hands, and say so."""
        client = {"name": "webseam", "version": client_version}
        hello = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        response = await self._request("initialize", hello, {})
        revision = self._answer(response).get("protocolVersion")
        if not isinstance(revision, str) or not _REVISION.fullmatch(revision):
            raise misshapen(self._api.provider, "an MCP handshake without a protocol version")
        given = response.headers.get("mcp-session-id")
        usable = given is not None and _SESSION.fullmatch(given) is not None
        session = _Session(endpoint=self._endpoint, revision=revision, id=given if usable else None)
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"}, session.headers)
        return session

    async def ask(self, session: _Session, method: str, parameters: Mapping[str, Any]) -> Row:
        """The result of one request."""
        return self._answer(await self._request(method, parameters, session.headers))

    async def resume(self, session: _Session, method: str, parameters: Mapping[str, Any]) -> Row | None:
        """The same in a session of an earlier call; None when the server has forgotten it (HTTP 404 says so)."""
        expired = frozenset({404}) if session.id is not None else frozenset[int]()
        response = await self._request(method, parameters, session.headers, expired)
        return None if response.status in expired else self._answer(response)

    async def _request(
        self,
        method: str,
        parameters: Mapping[str, Any],
        headers: Mapping[str, str],
        expected: frozenset[int] = frozenset(),
    ) -> VendorResponse:
        self._asked += 1
        message = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters}
        return await self._post(message, headers, expected)

    async def _post(
        self, message: Row, headers: Mapping[str, str], expected: frozenset[int] = frozenset()
    ) -> VendorResponse:
        return await self._api.post(
            self._endpoint,
            message,
            call=self._call,
            headers=self._headers | dict(headers),
            secrets=self._secrets,
            accept=_ACCEPT,
            expected=expected,
        )

    def _answer(self, response: VendorResponse) -> Row:
        """The result that answers the last request; notifications and the server's own requests are passed over."""
        for message in map(mapping, _messages(response, self._api.provider, self._secrets)):
            if isinstance(message.get("error"), dict) and message.get("id") in (self._asked, None):
                raise self._refused(message["error"])
            if message.get("id") == self._asked and isinstance(message.get("result"), dict):
                result: Row = message["result"]
                return result
        raise misshapen(self._api.provider, "no JSON-RPC answer to the request")

    def _refused(self, error: Row) -> WebError:
        said = one_line(redacted(text(error.get("message")) or "no reason given", self._secrets))
        return WebError(
            Code.RATE_LIMITED if tells_rate_limit(said) else Code.PROVIDER_ERROR,
            f"{self._api.provider} refused the call: {said.rstrip('.')}. Try again later, or use another provider.",
            provider=self._api.provider,
            dispatched=True,
        )


def tells_rate_limit(said: str) -> bool:
    """Whether an error text speaks of a rate limit: JSON-RPC and tool errors have no status that would say so."""
    return "rate limit" in said.lower()


_TOOL_STATUS: Final = re.compile(r"error \((\d{3})\): *(.*)", re.DOTALL)


def tool_failure(provider: str, answer: ToolAnswer, secrets: tuple[str, ...] = ()) -> WebError:
    """The error of a tool result that the server marks as one; an HTTP status told in its text decides the code."""
    said = " ".join(answer.texts)
    told = _TOOL_STATUS.search(said)
    status = int(told[1]) if told else 429 if tells_rate_limit(said) else 0
    if status:
        return status_error(provider, status, told[2] if told else said, secrets=secrets)
    detail = one_line(redacted(said, secrets)).rstrip(".") or "it gave no reason"
    return WebError(
        Code.PROVIDER_ERROR,
        f"The search tool of {provider} failed: {detail}. Change the query, or try again later.",
        provider=provider,
        dispatched=True,
    )


def _messages(response: VendorResponse, provider: str, secrets: tuple[str, ...]) -> Iterator[Any]:
    """JSON-RPC messages of a response, one or many; an event that is no JSON is passed over."""
    if "text/event-stream" not in response.headers.get("content-type", "").lower():
        whole = decoded(response, provider, secrets)
        yield from whole if isinstance(whole, list) else [whole]
        return
    for event in events(response.body):
        try:
            yield read_json(event.data.encode(), secrets)
        except (ValueError, RecursionError):
            continue
