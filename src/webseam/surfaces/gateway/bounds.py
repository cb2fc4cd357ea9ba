"""What all tokens of a gateway may have in memory together."""

from collections.abc import Iterable

from webseam.core.limits import GATEWAY_RUNS_BYTES
from webseam.tools.run import Run


def forget_oldest(runs: Iterable[Run], most: int = GATEWAY_RUNS_BYTES) -> None:
    """Have runs forget their URLs, the first ones first, until all of them together hold no more than `most` bytes."""
    known = tuple(runs)
    held = sum(one.held for one in known)
    for one in known:
        if held <= most:
            return
        held -= one.held
        one.forget()
