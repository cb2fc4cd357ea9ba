"""The entry of one tool call in the record of calls."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from webseam.core.call import Call
from webseam.core.ledger import UNKNOWN_TOOL, Ledger
from webseam.core.tally import Tally
from webseam.core.tracing import error_type
from webseam.tools.guarded import Guarded
from webseam.tools.parameters import CAPABILITIES
from webseam.tools.result import ToolResult


def begun(ledger: Ledger, name: object, tools: Collection[str], call: Call) -> Tally:
    """The entry of a call that begins; a name that is no tool's is a model's text, and is not kept."""
    known = name if isinstance(name, str) and name in tools else UNKNOWN_TOOL
    return Tally(ledger, CAPABILITIES.get(known), call.tags, tool=known)


@contextmanager
def told_of(tally: Tally, guard: Guarded) -> Iterator[Callable[[ToolResult], None]]:
    """Around a tool call: it is entered once, also when it is cancelled; gets the result, which is told as it is."""
    code: str | None = None

    def ended(result: ToolResult) -> None:
        nonlocal code
        code = None if result.error is None else str(result.error["code"])

    try:
        yield ended
    except BaseException as exc:
        code = error_type(exc)
        raise
    finally:
        for one in guard.decisions:
            tally.ruled(allowed=one["allowed"], rule=one.get("rule"))
        tally.end(code)
