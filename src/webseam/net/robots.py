"""robots.txt (RFC 9309): asked before a page's host is looked up, fetched once, kept for each authority.

A status of 4xx allows everything; a file that cannot be read (5xx, 429, no connection, no time) allows nothing.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar

from webseam.core.call import Call
from webseam.core.deadline import Clock
from webseam.core.errors import Code, WebError
from webseam.core.limits import (
    ROBOTS_INLINE_CHARS,
    ROBOTS_KEPT,
    ROBOTS_KEPT_CHARS,
    ROBOTS_KEPT_SECONDS,
    ROBOTS_SECONDS,
)
from webseam.core.url import Url
from webseam.net.policy import AddressPolicy
from webseam.net.politeness import HostTurns
from webseam.net.robots_file import PATH, UnreadableError, read_robots
from webseam.net.robots_rules import Rules, product_token

if TYPE_CHECKING:
    from webseam.net.client import GuardedClient

T = TypeVar("T")
Authority: TypeAlias = tuple[str, str, int]

_REMEDY: Final = "Where you have the site's permission, fetch.robots in your own configuration decides."


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one authority's robots.txt came to; `rules` None: it cannot be read, and `trouble` says why."""

    rules: Rules | None = None
    trouble: str = ""
    until: float

    @property
    def chars(self) -> int:
        """What it counts for in memory."""
        return 0 if self.rules is None else self.rules.chars


@dataclass(slots=True)
class Kept:
    """What was found, in the order of last use; bounded in number and in length."""

    found: dict[Authority, Found] = field(default_factory=dict)
    chars: int = 0

    def get(self, key: Authority, now: float) -> Found | None:
        """What was found and is not too old."""
        found = self._pop(key)
        if found is None or found.until <= now:
            return None
        self.put(key, found)
        return found

    def put(self, key: Authority, found: Found) -> None:
        """Keep it; what was used longest ago makes room."""
        self._pop(key)
        self.found[key] = found
        self.chars += found.chars
        while len(self.found) > ROBOTS_KEPT or self.chars > ROBOTS_KEPT_CHARS:
            self._pop(next(iter(self.found)))

    def _pop(self, key: Authority) -> Found | None:
        found = self.found.pop(key, None)
        self.chars -= 0 if found is None else found.chars
        return found


@dataclass(slots=True)
class _Flight:
    """One request that several calls may wait for; it ends when the last of them goes."""

    task: asyncio.Task[Found]
    waiting: int = 0


class Robots:
    """Keeps one client to what sites ask of it.

    Args:
        mode: `on` for every call, `autonomous` for those that no person asked for, `off` for none.
        policy: what may be dialled; it holds for robots.txt and each of its redirects too.
        user_agent: its product token is what a site's groups name.
        clock: monotonic seconds, for the age of what is kept.
        seconds: for each hop of one request, once it has its turn.
        host_turns: the turns of each host, which every request takes one of; None: none.
    """

    def __init__(
        self,
        mode: Literal["off", "on", "autonomous"],
        *,
        policy: AddressPolicy,
        user_agent: str,
        clock: Clock = time.monotonic,
        seconds: float = ROBOTS_SECONDS,
        host_turns: HostTurns | None = None,
    ) -> None:
        self._mode = mode
        self._policy = policy
        self._token = product_token(user_agent)
        self._clock = clock
        self._seconds = seconds
        self._host_turns = host_turns
        self._kept = Kept()
        self._flights: dict[tuple[asyncio.AbstractEventLoop, Authority], _Flight] = {}

    def binds(self, call: Call) -> bool:
        """Whether this call keeps to robots.txt."""
        return self._mode == "on" or (self._mode == "autonomous" and call.autonomous)

    async def check(self, url: Url, call: Call, client: "GuardedClient") -> None:
        """Return when `url` may be fetched; the call's deadline bounds it.

        Raises:
            WebError: `WEB_ROBOTS_DISALLOWED`; `WEB_BLOCKED_URL` when the host itself may not be dialled.
        """
        if url.path == PATH:  # RFC 9309 section 2.2.2: implicitly allowed
            return
        found = await self._find(url, call, client)
        if found.rules is None:
            raise _unread(url, found.trouble)
        if not await _stepped(found.rules, found.rules.allows, url):
            raise _disallowed(url, self._token, await _stepped(found.rules, found.rules.refusal, url))

    async def _find(self, url: Url, call: Call, client: "GuardedClient") -> Found:
        """What is known, or what a request comes to; where the call that sent it was at fault, others ask anew."""
        key = (url.scheme, url.name, url.port)
        place = asyncio.get_running_loop(), key
        while (found := self._kept.get(key, self._clock())) is None:
            flight = self._flights.get(place)
            leads = flight is None or flight.task.done()
            if flight is None or leads:
                flight = self._flights[place] = _Flight(asyncio.create_task(self._fetch(key, url, call, client)))
            try:
                found = await self._joined(place, flight)
            except WebError as exc:
                if leads or exc.code != Code.RATE_LIMITED:  # that one had less time to wait for a turn
                    raise
                continue
            if leads or found.until > self._clock():
                break
        return found

    async def _joined(self, place: tuple[asyncio.AbstractEventLoop, Authority], flight: _Flight) -> Found:
        """Wait with whoever asks for the same file; the last one to go ends the request."""
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                if self._flights.get(place) is flight:
                    del self._flights[place]
                flight.task.cancel()
                await asyncio.gather(flight.task, return_exceptions=True)

    async def _fetch(self, key: Authority, url: Url, call: Call, client: "GuardedClient") -> Found:
        try:
            text = await read_robots(
                url,
                call=call,
                client=client,
                policy=self._policy,
                seconds=self._seconds,
                host_turns=self._host_turns,
            )
            rules = await _parsed(text, self._token)
            found = Found(rules=rules, until=self._clock() + ROBOTS_KEPT_SECONDS)
        except UnreadableError as exc:
            found = Found(trouble=str(exc), until=self._clock() + exc.kept)
        self._kept.put(key, found)
        return found


async def _parsed(text: str, token: str) -> Rules:
    if len(text) <= ROBOTS_INLINE_CHARS:
        return Rules.parse(text, token)
    return await asyncio.to_thread(Rules.parse, text, token)


async def _stepped(rules: Rules, ask: Callable[[Url], T], url: Url) -> T:
    """Ask where it stands, or in a thread where the rules are long, so that the event loop goes on."""
    if rules.chars <= ROBOTS_INLINE_CHARS:
        return ask(url)
    return await asyncio.to_thread(ask, url)


def _unread(url: Url, trouble: str) -> WebError:
    return WebError(
        Code.ROBOTS_DISALLOWED,
        f"The robots.txt of {url.name} cannot be read ({trouble}), so nothing there may be fetched for now. "
        f"Try again in a minute, or use another source. {_REMEDY}",
        retryable=True,
    )


def _disallowed(url: Url, token: str, rule: str | None) -> WebError:
    named = "" if rule is None else f" ({rule})"
    return WebError(
        Code.ROBOTS_DISALLOWED,
        f"The robots.txt of {url.name} does not allow {token} to fetch this page{named}. Use another source. {_REMEDY}",
    )
