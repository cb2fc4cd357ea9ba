"""What came of an indexing run: one line per input, whatever happened to it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from webseam.core.errors import WebError
from webseam.core.text import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An input that was not taken in.

    `code` is a `WebError` code, or one of `http_status`, `empty`, `needs_javascript`, `not_text`, `duplicate`,
    `other_host`, `limit`, `malformed`, `truncated`, `outside`, `unreadable`, `other_type`. `message` is for people.
    """

    target: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """URLs taken in, and what was left out and why, each in the order of the inputs."""

    indexed: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


Outcome: TypeAlias = str | Skipped
"""The URL under which a page was taken in, or why it was not."""

Tell: TypeAlias = Callable[[str], None]
"""Gets one line for people each time an input is done."""


def report(outcomes: Iterable[Outcome]) -> IndexReport:
    """Sort outcomes into a report."""
    done = tuple(outcomes)
    return IndexReport(
        indexed=tuple(one for one in done if isinstance(one, str)),
        skipped=tuple(one for one in done if isinstance(one, Skipped)),
    )


def refused(target: str, error: WebError) -> Skipped:
    """An input that failed with an error."""
    return Skipped(target=target, code=error.code, message=error.message)


def tell(progress: Tell | None, outcome: Outcome) -> None:
    """Say what became of one input, on one line."""
    if progress is not None:
        told = f"skipped {outcome.target}: {outcome.message}" if isinstance(outcome, Skipped) else f"indexed {outcome}"
        progress(one_line(told, limit=1_000))


def utc_now() -> str:
    """Now, as `Document.indexed_at` wants it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
