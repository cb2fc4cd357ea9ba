"""Batches on the command line: a line of JSON for each input, to stdout or to a file that a later run goes on with."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import BATCH_CONCURRENCY, BATCH_CONCURRENCY_MAX, BATCH_PER_HOST
from webseam.surfaces.cli.batch_book import Book, open_book
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.output import to_json
from webseam.surfaces.cli.session import Session
from webseam.wiring.batch import Pace, run_batch
from webseam.wiring.batch_entry import Entry, Outcome, host_of_entry

F = TypeVar("F", bound=Callable[..., Any])

_WORKERS = click.IntRange(1, BATCH_CONCURRENCY_MAX)
_OPTIONS: Final = (
    click.option("--jsonl", is_flag=True, help="One JSON object a line for each input as it ends, errors too."),
    click.option(
        "--concurrency", type=_WORKERS, metavar="N", help=f"With --jsonl: so many at once; else {BATCH_CONCURRENCY}."
    ),
    click.option(
        "--per-host",
        type=_WORKERS,
        metavar="N",
        help=f"With --jsonl: so many at once of one host; else {BATCH_PER_HOST}.",
    ),
    click.option("--resume", is_flag=True, help="With --jsonl -o FILE: go on with FILE, do nothing in it again."),
    click.option("--retry-failed", is_flag=True, help="With --resume: do again what failed."),
)
_ONLY_HERE: Final = ("concurrency", "per_host", "resume", "retry_failed")


def batch_options(function: F) -> F:
    """The options of a command that can do many inputs in one run."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_batch(options: dict[str, Any]) -> None:
    """Refuse flags that would do nothing.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if options["jsonl"] and options["as_json"]:
        raise usage("--jsonl has errors among its lines, --json has them on stderr. Give one of them.")
    given = next((name for name in _ONLY_HERE if options[name]), None)
    if given is not None and not options["jsonl"]:
        raise usage(f"--{given.replace('_', '-')} is for batches. Add --jsonl.")
    check_file_flags(options)


def check_file_flags(options: dict[str, Any]) -> None:
    """Refuse flags about a file without one.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if options["resume"] and not options["output"]:
        raise usage("--resume goes on with a file. Add -o FILE.")
    if options["retry_failed"] and not options["resume"]:
        raise usage("--retry-failed is about what stands in a file. Add --resume.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one input came to: `record` goes out with the input before it; `error` is a code, `status` a page's.

    `pause` is for how many seconds its host asks to be left alone.
    """

    record: dict[str, Any]
    error: str | None = None
    status: int | None = None
    pause: float | None = None


def failure(error: WebError) -> Line:
    """An error as a line."""
    return Line(record={"error": error.to_dict()}, error=error.code)


Work: TypeAlias = Callable[[str], Awaitable[Line]]


def written(work: Work) -> Callable[[Entry], Awaitable[Outcome]]:
    """The work on an input, and its line of results as text."""

    async def one(entry: Entry) -> Outcome:
        return outcome_of(entry, await work(entry.text)) if entry.fault is None else outcome_of_fault(entry)

    return one


def outcome_of_fault(entry: Entry) -> Outcome:
    """The line of results of a line that holds no input."""
    return outcome_of(entry, failure(WebError(Code.INVALID_ARGS, entry.fault or "This line holds no input.")))


def outcome_of(entry: Entry, line: Line) -> Outcome:
    """The line of results: the input first, then its id where it has one."""
    head = to_json({"input": entry.text})[:-1]
    own = "" if entry.id is None else f', "id": {entry.id}'
    rest = to_json(line.record)[1:]
    text = f"{head}{own}{', ' if line.record else ''}{rest}"
    return Outcome(text=text, error=line.error, status=line.status, pause=line.pause)


def pace_of(options: dict[str, Any]) -> Pace:
    """The bounds that the flags set."""
    return Pace(concurrency=options["concurrency"] or BATCH_CONCURRENCY, per_host=options["per_host"] or BATCH_PER_HOST)


async def answer_each(
    session: Session,
    inputs: AsyncIterator[Sequence[Entry]],
    work: Work,
    options: dict[str, Any],
    *,
    host: Callable[[Entry], str | None] = host_of_entry,
) -> int:
    """Do each distinct input once and write its line; returns the exit code.

    Args:
        session: the run.
        inputs: what to do, as it arrives; what is there twice is done once.
        work: does one; its failures are lines.
        options: those of `batch_options`, and `output` and `fail`.
        host: whose input it is, for `--per-host`.

    Raises:
        WebError: `INVALID_ARGS` for a results file or inputs that cannot be used.
        CannotWriteError: a line cannot be written; what stands in the file stays.
    """
    first = await anext(inputs)  # what cannot be read is told before a file is made
    with open_book(session, options) as book:
        left = _left(first, inputs, book)
        await run_batch(
            left, written(work), ended=book.tell, pace=pace_of(options), host=host, pause=lambda one: one.pause
        )
    return book.finish()


async def _left(
    first: Sequence[Entry], rest: AsyncIterator[Sequence[Entry]], book: Book
) -> AsyncIterator[Sequence[Entry]]:
    """The inputs that are still to do, each once; the others are counted."""
    arrived: Sequence[Entry] | None = first
    while arrived is not None:
        yield book.take(arrived)
        arrived = await anext(rest, None)
    book.tally.whole = True
