"""The contract's checks of failures: each is a `WebError` that says what happened, and holds no key."""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from webseam.core.errors import Code, WebError
from webseam.core.types import ExtractResult
from webseam.testing.stage import Answer, Stage, Subject, staged
from webseam.testing.vendor_server import Ending, Reply, VendorServer

UNREADABLE: Final = frozenset({Code.PROVIDER_ERROR, Code.PROVIDER_BLOCKED, Code.UPSTREAM_FAILED})
"""Codes for a success that is none: what came, a challenge in its place, or the vendor's own engines."""

ADVICE_SECONDS: Final = 17


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a status must become; `retryable` None leaves it open."""

    codes: frozenset[str]
    retryable: bool | None


STATUSES: Final[Mapping[int, Verdict]] = {
    401: Verdict(codes=frozenset({Code.PROVIDER_ERROR}), retryable=False),
    402: Verdict(codes=frozenset({Code.QUOTA_EXHAUSTED}), retryable=False),
    403: Verdict(codes=frozenset({Code.PROVIDER_ERROR, Code.PROVIDER_BLOCKED, Code.QUOTA_EXHAUSTED}), retryable=None),
    429: Verdict(codes=frozenset({Code.RATE_LIMITED}), retryable=True),
    500: Verdict(codes=frozenset({Code.PROVIDER_ERROR, Code.UPSTREAM_FAILED}), retryable=True),
    503: Verdict(codes=frozenset({Code.PROVIDER_ERROR, Code.UPSTREAM_FAILED}), retryable=True),
}
KEY_STATUSES: Final = frozenset({401, 402, 429})
"""What a pool of keys goes on from to the next key: the error must say which it was."""


async def tells_statuses(subject: Subject) -> list[str]:
    """The status decides the code; a vendor that echoes the key in its message does not get it shown."""
    found: list[str] = []
    for status, verdict in STATUSES.items():
        reply = Reply.json(
            {"error": {"message": f"no entry with {subject.key}"}},
            status=status,
            headers={"retry-after": str(ADVICE_SECONDS)} if status == 429 else {},  # noqa: PLR2004 - RFC 6585
        )
        asked = subject.codes.get(status)
        wanted = verdict if asked is None else Verdict(codes=frozenset({asked}), retryable=None)
        found.extend(await _status_breaches(subject, reply, wanted))
    return found


async def _status_breaches(subject: Subject, reply: Reply, wanted: Verdict) -> list[str]:
    what = f"HTTP {reply.status}"
    async with staged(subject, reply) as stage:
        answer = await stage.through_seam()
        found = list(failure_breaches(stage, answer, what, wanted.codes))
    if not isinstance(answer, WebError):
        return found
    if wanted.retryable is not None and answer.retryable is not wanted.retryable:
        found.append(f"{what} is told with retryable={answer.retryable}")
    if answer.code == Code.RATE_LIMITED and answer.retry_after != ADVICE_SECONDS:
        found.append(f"{what} with Retry-After: {ADVICE_SECONDS} is told with retry_after={answer.retry_after}")
    if reply.status in KEY_STATUSES and answer.status != reply.status:
        found.append(f"{what} is told with status={answer.status}, and a pool of keys goes by it")
    return found


async def tells_unreadable_answers(subject: Subject) -> list[str]:
    """A 200 that is no answer is an error, never an empty result."""
    page = f"<!doctype html><title>Sign in</title><p>{subject.key}".encode()
    bodies = {
        "a page of HTML with HTTP 200": Reply(headers={"content-type": "text/html"}, body=page),
        "an empty body with HTTP 200": Reply(headers={"content-type": "application/json"}),
        "broken JSON with HTTP 200": Reply(headers={"content-type": "application/json"}, body=b'{"results": [{"ur'),
    }
    found: list[str] = []
    for what, reply in bodies.items():
        async with staged(subject, reply) as stage:
            found.extend(failure_breaches(stage, await stage.through_seam(), what, UNREADABLE))
    return found


async def tells_broken_connections(subject: Subject) -> list[str]:
    """A connection that ends early is an error; of a stream the part that came may be an answer, marked as cut."""
    found: list[str] = []
    endings: dict[Ending, str] = {"dropped": "a connection dropped before the answer", "cut": "an answer cut short"}
    for ending, what in endings.items():
        async with staged(subject, replace(subject.reply, ending=ending)) as stage:
            answer = await stage.through_seam()
            if not isinstance(answer, WebError) and answer.truncated and ending == "cut":
                continue
            found.extend(failure_breaches(stage, answer, what, UNREADABLE))
            if len(stage.server.requests) > len(subject.greeting) + 1:
                found.append(f"after {what} it sent the request again, which may be billed twice")
    return found


async def refuses_redirects(subject: Subject) -> list[str]:
    """A redirect is an error, and where it leads gets neither the key nor a connection."""
    found: list[str] = []
    for status in (302, 307):
        async with VendorServer() as elsewhere:
            moved = Reply(status=status, headers={"location": f"{elsewhere.url}/moved"})
            async with staged(subject, moved) as stage:
                answer = await stage.through_seam()
                found.extend(failure_breaches(stage, answer, f"HTTP {status}", frozenset({Code.PROVIDER_ERROR})))
            if elsewhere.connections:
                found.append(f"it follows a redirect (HTTP {status})")
    return found


def failure_breaches(
    stage: Stage, answer: Answer | WebError, what: str, codes: frozenset[Code] | frozenset[str]
) -> Iterator[str]:
    """What is wrong with how a failure was told."""
    if not isinstance(answer, WebError):
        held = (
            f"text: {answer.markdown[:40]!r}" if isinstance(answer, ExtractResult) else f"{len(answer.sources)} sources"
        )
        yield f"{what} is told as a result with {held}"
        return
    for name in stage.witness.strays:
        yield f"{what} makes it raise {name}, which is no WebError"
    if answer.code not in codes:
        yield f"{what} is told as {answer.code} instead of {' or '.join(sorted(codes))}"
    if not answer.dispatched:
        yield f"{what} is told as if no request had left"
    if answer.provider != stage.subject.id:
        yield f"{what} is blamed on {answer.provider!r} instead of {stage.subject.id!r}"
    yield from _leaks(answer, stage.subject.key, what)


def _leaks(error: WebError, key: str, what: str) -> Iterator[str]:
    """Wherever an error may be printed, the key must not be: its text, its data, its causes."""
    told = "\n".join([json.dumps(error.to_dict()), *(f"{one} {one!r}" for one in _chain(error))])
    spellings = {key, quote(key, safe=""), b64encode(key.encode()).decode()}
    if any(one in told for one in spellings):
        yield f"{what} puts the key into the error or its causes"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, its causes and what was handled when each was raised."""
    waiting: list[BaseException | None] = [error]
    seen: set[int] = set()
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            yield one
            waiting += [one.__cause__, one.__context__]
