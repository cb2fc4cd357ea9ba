"""One robots.txt over the network: each hop judged as a page is, its status read as RFC 9309 section 2.3.1 says."""

import asyncio
from typing import TYPE_CHECKING, Final

from webseam.core.call import Call, Dispatch
from webseam.core.errors import Code, WebError
from webseam.core.limits import MAX_REDIRECTS, ROBOTS_BYTES, ROBOTS_FAILED_SECONDS
from webseam.core.tracing import Trace
from webseam.core.url import Url
from webseam.net.decoding import BodyReader, decoders_for
from webseam.net.policy import AddressPolicy
from webseam.net.politeness import HostTurns, take_turn
from webseam.net.redirects import REDIRECTS, next_hop, same_site

if TYPE_CHECKING:
    from webseam.net.answer import Answer
    from webseam.net.client import GuardedClient

PATH: Final = "/robots.txt"

_HEADERS: Final = {"Accept": "text/plain, */*;q=0.1"}
_WHAT: Final = "The request for robots.txt"
_TOO_MANY_REQUESTS: Final = 429  # RFC 6585 section 4: a pause, not the absence of rules
_UNREACHABLE: Final = frozenset(map(str, (Code.PROVIDER_ERROR, Code.FETCH_TIMEOUT)))
_REFUSED: Final = frozenset(map(str, (Code.BLOCKED_URL, Code.INVALID_URL)))


class UnreadableError(Exception):
    """There is or may be a robots.txt, and it cannot be read: nothing is allowed (RFC 9309 section 2.3.1.4).

    `kept` is for how many seconds that holds for other calls too.
    """

    def __init__(self, why: str, *, kept: float = ROBOTS_FAILED_SECONDS) -> None:
        super().__init__(why)
        self.kept = kept


async def read_robots(
    page: Url,
    *,
    call: Call,
    client: "GuardedClient",
    policy: AddressPolicy,
    seconds: float,
    host_turns: HostTurns | None = None,
) -> str:
    """The robots.txt of the page's authority, "" where it has none; at most 500 KiB, whole lines.

    Redirects are followed across authorities, at most five; more are the same as none (section 2.3.1.2). The gate is
    asked for a hop to another host only: one that was allowed may not make this process ask one that was not. No
    dispatch is marked: the page's own request has not left. Each hop waits for a turn of its host; `seconds` bounds it
    from then on.

    Raises:
        UnreadableError: the server failed, asked to wait, did not answer in time, or led nowhere.
        WebError: what would be raised for the page itself, such as `WEB_BLOCKED_URL` for its host, or
            `WEB_RATE_LIMITED` when a turn comes too late.
    """
    url = Url.parse(page.origin + PATH)
    for followed in range(MAX_REDIRECTS + 1):
        if host_turns is not None:
            await take_turn(host_turns(url.host), url.host, call)
        try:
            async with asyncio.timeout(seconds):
                target, text = await _hop(url, client, policy, call.trace, followed)
        except TimeoutError as exc:
            raise UnreadableError(f"it did not come within {seconds:g} s") from exc
        if target is None:
            return text
        if target.name != url.name or not same_site(url, target):
            await _permit(call, target)
        url = target
    return ""


async def _hop(
    url: Url, client: "GuardedClient", policy: AddressPolicy, trace: Trace | None, followed: int
) -> tuple[Url | None, str]:
    """Where it redirects to, or the text."""
    answer = await _sent(url, client, policy, trace, followed)
    try:
        if answer.status not in REDIRECTS:
            return None, await _content(answer)
        return next_hop(url, answer.status, answer.header("Location"), followed=0, allowed=1), ""
    except WebError as exc:
        raise UnreadableError(_said(exc)) from exc
    finally:
        answer.close()


async def _sent(
    url: Url, client: "GuardedClient", policy: AddressPolicy, trace: Trace | None, followed: int
) -> "Answer":
    """Where the page's own host is refused, that is the page's verdict; behind a redirect it is the file's."""
    try:
        literal = policy.check_target(url)
        return await client.send(
            "GET",
            url,
            judged=literal,
            dispatch=Dispatch(),
            what=_WHAT,
            headers=_HEADERS,
            trace=trace,
            resend=followed,
        )
    except WebError as exc:
        if exc.code in _UNREACHABLE:
            raise UnreadableError(_said(exc)) from exc
        if not followed or exc.code not in _REFUSED:
            raise
        raise UnreadableError("it redirects to an address that is never fetched from") from exc


async def _content(answer: "Answer") -> str:
    if 400 <= answer.status < 500 and answer.status != _TOO_MANY_REQUESTS:  # noqa: PLR2004 - section 2.3.1.3
        return ""
    if not 200 <= answer.status < 300:  # noqa: PLR2004 - RFC 9110 section 15.3
        raise UnreadableError(f"HTTP {answer.status}")
    stack = decoders_for(answer.listed("Content-Encoding"))
    reader = BodyReader(answer.body(ROBOTS_BYTES), stack, cap=ROBOTS_BYTES, wire_cap=ROBOTS_BYTES, at_end=answer.ended)
    await reader.fill(None)
    body = reader.result()
    if stack.unknown is not None or body.fault is not None or not body.complete:
        raise UnreadableError("its content coding cannot be undone")
    whole = body.data
    if body.truncated:  # half a rule may say the opposite of the whole one
        whole = whole[: max(whole.rfind(b"\n"), whole.rfind(b"\r")) + 1]
    return whole.decode("utf-8-sig", errors="replace")


async def _permit(call: Call, target: Url) -> None:
    try:
        await call.permit("redirect", target.href)
    except WebError as exc:  # the verdict of one call's gate is not kept for others
        raise UnreadableError("it redirects to a site that the permission policy does not allow", kept=0.0) from exc


def _said(exc: WebError) -> str:
    """Why, as a part of a sentence."""
    return exc.message.removeprefix(f"{_WHAT} failed: ").rstrip(".")
