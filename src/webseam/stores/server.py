"""The connection to a Valkey or Redis server: made on first use, bounded in time, left alone a moment when it fails."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError
from webseam.core.limits import FLEET_CONNECTIONS, FLEET_REST_SECONDS, FLEET_SECONDS
from webseam.core.shared import SharedError

SCHEMA: Final = "1"
"""Of keys and of what stands in them; it is a part of every key, so that another version sees none of it."""

MISSING: Final = 'State shared with other gateways needs the client: pip install "webseam[fleet]".'
_TLS: Final = ("rediss", "valkeys")


class Server:
    """Runs scripts on the server of `url`, for one event loop at a time; connects anew by itself.

    Args:
        url: `redis://`, `valkey://`, with TLS `rediss://`, `valkeys://`, or `unix://`; may hold user and password.
        prefix: stands in front of every key, so that several fleets share a server.
        seconds: most time for one step.
        clock: monotonic seconds.
        connections: most connections at once.
        refuse: a server that is away ends the call that needs it; else that call goes on without.
    """

    def __init__(
        self,
        url: str,
        *,
        prefix: str,
        seconds: float = FLEET_SECONDS,
        clock: Clock = time.monotonic,
        connections: int = FLEET_CONNECTIONS,
        refuse: bool = False,
    ) -> None:
        self._url = url
        self._prefix = prefix
        self._seconds = seconds
        self._clock = clock
        self._connections = connections
        self._room = asyncio.Semaphore(connections)
        self._refuse = refuse
        self._client: Any = None
        self._rests = float("-inf")
        self._why = ""
        self.failures = 0

    def __repr__(self) -> str:
        return "Server(...)"

    def key(self, kind: str, name: str) -> str:
        """A key of ours."""
        return f"{self._prefix}:{SCHEMA}:{kind}:{name}"

    async def run(self, script: str, keys: Sequence[str], *arguments: str | bytes | int) -> Any:
        """What the script returns.

        Raises:
            SharedError: the server cannot be used now; for a moment after a failure it is not even asked.
            WebError: `WEB_PROVIDER_UNAVAILABLE` instead, where it is to refuse; `WEB_CONFIG_INVALID` when the client is
                not installed.
        """
        async with self._room:  # the wait for others of this process is not the server's
            if self._clock() < self._rests:
                raise self._failed(self._why, rests=False)
            return await self._step(script, keys, arguments)

    async def _step(self, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any:
        client = self._client or self._open()
        try:
            async with asyncio.timeout(self._seconds):
                return await _evaluated(client, script, keys, arguments)
        except TimeoutError as exc:
            raise self._failed("the shared server does not answer in time") from exc
        except _errors() as exc:
            raise self._failed(_reason(exc), rests=not _is_about_keys(exc)) from exc

    async def aclose(self) -> None:
        """Close all connections; the next step opens new ones."""
        client, self._client = self._client, None
        self._room = asyncio.Semaphore(self._connections)
        if client is None:
            return
        try:
            await client.aclose()
        except _errors():  # it is away, and so is the connection
            return

    def _failed(self, why: str, *, rests: bool = True) -> SharedError | WebError:
        self.failures += 1
        if rests:
            self._rests, self._why = self._clock() + FLEET_REST_SECONDS, why
        return _refused(why) if self._refuse else SharedError(why)

    def _open(self) -> Any:
        check_installed()
        from valkey.asyncio import BlockingConnectionPool, Valkey  # noqa: PLC0415 - the client loads on first use

        tls = {"ssl_check_hostname": True} if urlsplit(self._url).scheme in _TLS else {}
        pool = BlockingConnectionPool.from_url(
            self._url,
            max_connections=self._connections,
            timeout=self._seconds,
            socket_timeout=None,  # a step has one: the client's own, `asyncio.wait_for`, swallows cancellations
            socket_connect_timeout=self._seconds,
            **tls,
        )
        self._client = Valkey.from_pool(pool)
        return self._client


async def _evaluated(client: Any, script: str, keys: Sequence[str], arguments: Sequence[str | bytes | int]) -> Any:
    """By digest; the script itself goes along when the server does not know it, such as after a restart."""
    from valkey.exceptions import NoScriptError  # noqa: PLC0415 - as above

    try:
        return await client.evalsha(_digest(script), len(keys), *keys, *arguments)
    except NoScriptError:
        return await client.eval(script, len(keys), *keys, *arguments)


@cache
def _digest(script: str) -> str:
    return hashlib.sha1(script.encode(), usedforsecurity=False).hexdigest()


@cache
def _errors() -> tuple[type[Exception], ...]:
    from valkey.exceptions import ValkeyError  # noqa: PLC0415 - as above

    return (ValkeyError, OSError)


def check_installed() -> None:
    """Look for the client without loading it.

    Raises:
        WebError: `WEB_CONFIG_INVALID`, naming the extra.
    """
    from importlib.util import find_spec  # noqa: PLC0415 - only a fleet asks

    if find_spec("valkey") is None:
        raise WebError(Code.CONFIG_INVALID, MISSING)


_REASONS: Final = {
    "AuthenticationError": "the shared server refuses the user name or password",
    "AuthorizationError": "the shared server refuses the user name or password",
    "NoPermissionError": "the shared server does not let this user run scripts on these keys",
    "BusyLoadingError": "the shared server is still loading its data",
    "OutOfMemoryError": "the shared server is full",
    "ReadOnlyError": "the shared server is a replica that cannot be written",
    "TimeoutError": "the shared server does not answer in time",
}


def _refused(why: str) -> WebError:
    return WebError(
        Code.PROVIDER_UNAVAILABLE,
        f"This call needs the state that gateways share, and {why}. Try again when it is back, or set "
        'fleet.when_away = "local" to go on with the limits of this process alone.',
        retryable=True,
        retry_after=FLEET_REST_SECONDS,
    )


def _is_about_keys(exc: BaseException) -> bool:
    """Whether the server works, and what lies under our keys is not ours."""
    return "WRONGTYPE" in str(exc) or "user_script" in str(exc)


def _reason(exc: BaseException) -> str:
    """One clause of ours: what the server or the system says may hold its address."""
    name = type(exc).__name__
    if "Authentication required" in str(exc) or "NOAUTH" in str(exc):
        return "the shared server wants a password"
    if name in _REASONS:
        return _REASONS[name]
    if "OOM" in str(exc):
        return _REASONS["OutOfMemoryError"]
    if isinstance(exc, OSError) or name == "ConnectionError":
        return "the shared server cannot be reached"
    return f"the shared server refuses the step ({name})"
