"""Politeness: a request waits for a turn of its host."""

from collections.abc import Callable
from math import ceil
from typing import TypeAlias

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import RATE_WAIT_SECONDS
from webseam.core.shared import TurnTaker
from webseam.core.text import one_line

HostTurns: TypeAlias = Callable[[str], TurnTaker]
"""The turns of each host."""


async def take_turn(turns: TurnTaker, host: str, call: Call) -> None:
    """Wait for the next turn of `host`, as long as a call may wait for one.

    Raises:
        WebError: `WEB_RATE_LIMITED` before anything leaves, when the turn comes too late.
    """
    if await turns.take(min(RATE_WAIT_SECONDS, call.deadline.remaining)) is not None:
        return
    wait = turns.wait()
    raise WebError(
        Code.RATE_LIMITED,
        f"{one_line(host)} is asked at most {turns.rate} (fetch.host_rate), and its next turn comes in {ceil(wait)} s. "
        "Try again then, or read another page.",
        retry_after=wait,
    )
