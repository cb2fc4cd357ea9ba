"""One request: what is asked of its headers, and what becomes of it when its client leaves."""

import asyncio
import re
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from starlette.types import Receive, Scope, Send

from webseam.core.ids import new_id
from webseam.core.limits import GATEWAY_REQUEST_ID_CHARS, GATEWAY_TIMEOUT_SECONDS, GATEWAY_WATCH_SECONDS
from webseam.core.waiting import Begun
from webseam.surfaces.gateway.body import ClientGoneError
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.problems import GatewayCode, Problem
from webseam.surfaces.gateway.reply import REQUEST_ID
from webseam.wiring.tenants import Holder

T = TypeVar("T")

TIMEOUT: Final = "webseam-timeout"
_REQUEST_ID: Final = re.compile(rf"[A-Za-z0-9._:/+=@\-]{{1,{GATEWAY_REQUEST_ID_CHARS}}}", re.ASCII)
_SECONDS: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """A line of the access log: nothing of what was asked for, and no token."""

    request_id: str
    tenant: str
    method: str
    route: str
    status: int
    code: str
    seconds: float


@dataclass(slots=True)
class Exchange:
    """A request on its way; what becomes known of it is told in the log. `status` is set once an answer has begun."""

    scope: Scope
    receive: Receive
    send: Send
    headers: HeaderFields
    id: str
    route: str = "other"
    holder: Holder | None = None
    status: int = 0
    code: str = ""

    @property
    def tenant(self) -> str:
        """Whose it is, once that is known."""
        return "" if self.holder is None else self.holder.tenant

    @property
    def is_admin(self) -> bool:
        """Whether whoever asks is known to be one who runs the gateway."""
        return self.holder is not None and self.holder.policy.admin

    @property
    def path(self) -> str:
        """The path below that which the server was told it is served under (ASGI's `root_path`)."""
        path, root = str(self.scope["path"]), self.scope.get("root_path")
        return path.removeprefix(root) if root else path

    @property
    def is_head(self) -> bool:
        """Whether the head of the answer is all that is wanted."""
        return bool(self.scope["method"] == "HEAD")


def check_framing(headers: HeaderFields, version: str) -> None:
    """Whether everybody on the way agrees where the request ends (RFC 9112 section 6.3).

    Behind a proxy that reads it in another way, the rest would be taken for the next tenant's request.

    Raises:
        Problem: `Transfer-Encoding` stands beside `Content-Length`, or in a request of HTTP/1.0.
    """
    if "transfer-encoding" in headers and ("content-length" in headers or version == "1.0"):
        raise Problem(
            GatewayCode.MALFORMED,
            "Send either Content-Length or Transfer-Encoding, this one in HTTP/1.1 alone.",
            headers=(("connection", "close"),),
        )


def request_id_of(headers: HeaderFields) -> str:
    """The client's own, where it is sane, else a new one."""
    given = headers.get(REQUEST_ID, "")
    return given if _REQUEST_ID.fullmatch(given) else new_id(16)


def seconds_of(headers: HeaderFields) -> float | None:
    """The time that the client gives the call; it can shorten the configured one.

    Raises:
        Problem: it is no number of seconds above 0, and at most 600.
    """
    given = headers.getlist(TIMEOUT)
    if not given:
        return None
    seconds = float(given[0]) if len(given) == 1 and _SECONDS.fullmatch(given[0]) else 0.0
    if not 0 < seconds <= GATEWAY_TIMEOUT_SECONDS:
        raise Problem(
            GatewayCode.MALFORMED,
            f"Webseam-Timeout must be seconds above 0 and at most {GATEWAY_TIMEOUT_SECONDS:g}, such as 2.5.",
        )
    return seconds


async def while_there(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """What `work` comes to; it is cancelled when the client leaves, and its sockets are closed.

    Raises:
        ClientGoneError: it has left.
    """
    begun = Begun(work)
    if not begun.waits:
        return begun.value
    watch = _Watch(receive)
    try:
        result = await begun.rest()
    except asyncio.CancelledError:
        if watch.over():
            raise ClientGoneError from None
        raise
    finally:
        left = watch.over()
    if left:
        raise ClientGoneError
    return result


class _Watch:
    """Looks for a client that leaves, once a call that waits takes longer than what is kept would."""

    def __init__(self, receive: Receive) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a call must run in a task")
        self._task = task
        self._receive = receive
        self._gone = False
        self._watching: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(GATEWAY_WATCH_SECONDS, self._watch)

    def _watch(self) -> None:
        self._watching = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            continue
        self._gone = True
        self._task.cancel()

    def over(self) -> bool:
        """End the watch; whether the client has left. Takes back our own cancellation, once."""
        self._timer.cancel()
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None
            if self._gone:
                self._task.uncancel()
        return self._gone
