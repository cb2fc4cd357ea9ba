"""The contract's checks of time: abort and deadline end the call, and the connection with it."""

import asyncio
from dataclasses import replace
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.testing.stage import Answer, Stage, Subject, staged

SHORT: Final = 0.3
"""Seconds of the call that is meant to run out: enough for a request over loopback to leave."""


async def obeys_abort(subject: Subject) -> list[str]:
    """Before the request nothing leaves; while it is under way the connection is closed."""
    return [*await _aborted_before(subject), *await _aborted_during(subject)]


async def _aborted_before(subject: Subject) -> list[str]:
    abort = asyncio.Event()
    abort.set()
    async with staged(subject, subject.reply) as stage:
        answer = await stage.through_seam(abort=abort)
        found = _told(answer, Code.ABORTED, "a call aborted beforehand")
        if stage.server.connections:
            found.append("a call aborted beforehand reached the vendor")
    return found


async def _aborted_during(subject: Subject) -> list[str]:
    abort = asyncio.Event()
    async with staged(subject, replace(subject.reply, ending="held")) as stage:
        search = asyncio.create_task(stage.through_seam(abort=abort))
        held = asyncio.create_task(stage.server.held.wait())
        await asyncio.wait({search, held}, return_when=asyncio.FIRST_COMPLETED, timeout=subject.patience)
        held.cancel()
        abort.set()
        found = _told(await search, Code.ABORTED, "an abort while the vendor is asked")
        return found or await _hung_up(stage, "an abort")


async def obeys_deadline(subject: Subject) -> list[str]:
    """A vendor that never answers costs no more than the call's time."""
    async with staged(subject, replace(subject.reply, ending="held")) as stage:
        answer = await stage.through_seam(timeout=SHORT)
        found = _told(
            answer,
            Code.EXTRACT_TIMEOUT if subject.extracts else Code.SEARCH_TIMEOUT,
            "a vendor that does not answer in time",
        )
        if found or not stage.server.held.is_set():
            return found
        return await _hung_up(stage, "a deadline")


def _told(answer: Answer | WebError, code: Code, what: str) -> list[str]:
    if not isinstance(answer, WebError):
        return [f"{what} is told as a result"]
    return [] if answer.code == code else [f"{what} is told as {answer.code} instead of {code}"]


async def _hung_up(stage: Stage, what: str) -> list[str]:
    try:
        async with asyncio.timeout(stage.subject.patience):
            await stage.server.released.wait()
    except TimeoutError:
        return [f"{what} leaves the connection to the vendor open"]
    return []
