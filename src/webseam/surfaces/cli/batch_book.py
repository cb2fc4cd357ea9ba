"""The books of one batch: what is done and what is left, where its lines go, and how far it is."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from webseam.core.errors import EXIT_CODES
from webseam.core.limits import BATCH_TOLD_SECONDS
from webseam.surfaces.cli.output import CannotWriteError
from webseam.surfaces.cli.session import Session
from webseam.wiring.batch import Ended
from webseam.wiring.batch_entry import Entry, Outcome
from webseam.wiring.batch_file import Done, ResultsFile, open_results

if TYPE_CHECKING:
    from rich.progress import Progress

FAILED: Final = 5
SUCCESS: Final = range(200, 300)
_MINUTE: Final = 60
_HOUR: Final = 3_600
_SOON: Final = 100


@dataclass(slots=True)
class Tally:
    """Counts of a run, and the exit code that they come to.

    `total` are the distinct inputs so far, `before` those that stood in the file; `whole` says that no more arrive.
    """

    strict: bool = False
    total: int = 0
    repeated: int = 0
    before: int = 0
    ended: int = 0
    failed: int = 0
    whole: bool = False
    codes: set[int] = field(default_factory=set)

    def count(self, one: Done | Outcome) -> None:
        """One input that has ended, now or in the run before."""
        self.ended += 1
        code = self.code_of(one)
        if code:
            self.failed += 1
            self.codes.add(code)

    def code_of(self, one: Done | Outcome) -> int:
        """The exit code of one input, 0 where it did not fail."""
        if one.error is not None:
            return EXIT_CODES.get(one.error, FAILED)
        return FAILED if self.strict and one.status is not None and one.status not in SUCCESS else 0

    @property
    def exit_code(self) -> int:
        """0, the code that all failures share, or 5."""
        return next(iter(self.codes)) if len(self.codes) == 1 else FAILED if self.codes else 0


def progress_of(tally: Tally, seconds: float) -> str:
    """How far a batch is after so many seconds, in a line.

    The time to go comes with it once all of the input is there and a hundredth of it is done: before, it is a guess.
    """
    parts = [f"{tally.ended:,}/{tally.total:,}", rate_of(tally, seconds), f"{tally.failed:,} failed"]
    done = tally.ended - tally.before
    if tally.whole and done and done >= (tally.total - tally.before) / _SOON:
        parts.append(f"about {_duration(seconds * (tally.total - tally.ended) / done)} to go")
    return ", ".join(parts)


def rate_of(tally: Tally, seconds: float) -> str:
    """Inputs of this run in a second."""
    rate = (tally.ended - tally.before) / seconds if seconds > 0 else 0.0
    return f"{rate:,.1f}/s"


def _duration(seconds: float) -> str:
    left = round(seconds)
    if left >= _HOUR:
        return f"{left // _HOUR} h {left % _HOUR // _MINUTE} min"
    return f"{left // _MINUTE} min {left % _MINUTE} s" if left >= _MINUTE else f"{left} s"


class Book:
    """Takes inputs in and outcomes out, each once.

    Args:
        session: the run.
        file: where lines go; stdout when None.
        tally: counts.
        pulse: tell on stderr now and then how far it is, where no bar shows it.
        clock: seconds.
    """

    def __init__(
        self,
        session: Session,
        file: ResultsFile | None,
        tally: Tally,
        *,
        pulse: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session = session
        self._file = file
        self.tally = tally
        self._over = {} if file is None else {Entry(text=one.input, id=one.id): one for one in file.done}
        self._seen: set[Entry] = set()
        self._bar: Progress | None = None
        self._pulse = pulse
        self._clock = clock
        self._began = self._told = clock()

    def take(self, arrived: Sequence[Entry]) -> list[Entry]:
        """Those of the inputs that are still to do; the others are counted."""
        tally = self.tally
        fresh = [one for one in dict.fromkeys(arrived) if one not in self._seen]
        self._seen.update(fresh)
        tally.total += len(fresh)
        tally.repeated += len(arrived) - len(fresh)
        for one in (one for one in fresh if one in self._over):
            tally.before += 1
            tally.count(self._over[one])
        self._move()
        return [one for one in fresh if one not in self._over]

    def tell(self, one: Ended[Entry, Outcome]) -> None:
        """Write a line where it goes, and show a person how far the batch is.

        Raises:
            CannotWriteError: it cannot be written.
        """
        outcome = one.outcome
        self._put(outcome.text)
        self.tally.count(outcome)
        if self._session.verbose:
            told = outcome.error or (f"HTTP {outcome.status}" if outcome.status is not None else "done")
            pause = "" if outcome.pause is None else f", its host asks for a pause of {outcome.pause:g} s"
            self._session.out.note(f"{self.tally.ended}/{self.tally.total} {told}{pause}: {one.input.text}")
        self._move()

    def finish(self) -> int:
        """Say what was done; returns the exit code."""
        tally, out = self.tally, self._session.out
        if tally.repeated:
            out.note(f"given more than once, and done once: {tally.repeated}")
        kept = f", done before: {tally.before}" if tally.before else ""
        out.note(f"done: {tally.ended - tally.before}{kept}, failed: {tally.failed}")
        return tally.exit_code

    def _put(self, record: str) -> None:
        if self._file is None:
            self._session.out.line(record + "\n")
            return
        try:
            self._file.add(record)
        except OSError as exc:
            raise CannotWriteError(f"{self._file.path}: {exc.strerror}") from exc

    def _move(self) -> None:
        tally, now = self.tally, self._clock()
        if self._bar is not None:
            failed = f"{tally.failed} failed" if tally.failed else ""
            rate = rate_of(tally, now - self._began)
            self._bar.update(self._bar.task_ids[0], completed=tally.ended, total=tally.total, rate=rate, failed=failed)
        elif self._pulse and now - self._told >= BATCH_TOLD_SECONDS:
            self._told = now
            self._session.out.note(progress_of(tally, now - self._began))

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While it runs: a bar for a person who sees no lines, and what to do next for one who stops it."""
        bar = self._session.out.progress() if self._file is not None and not self._session.verbose else None
        try:
            if bar is None:
                yield
                return
            with bar:
                bar.add_task("", total=self.tally.total, completed=self.tally.ended, rate="", failed="")
                self._bar = bar
                yield
        except (asyncio.CancelledError, KeyboardInterrupt):
            way = "" if self._file is None else " Go on later with --resume."
            self._session.out.note(f"webseam: stopped after {self.tally.ended} of {self.tally.total}.{way}")
            raise


@contextmanager
def open_book(session: Session, options: dict[str, Any]) -> Iterator[Book]:
    """The books of a run with these flags; its file is closed at the end, and what was added is on the disk.

    Raises:
        WebError: `INVALID_ARGS` for a file that cannot be used.
        CannotWriteError: the file takes no more.
    """
    tally = Tally(strict=bool(options.get("fail")))
    with _results(session, options, tally) as file:
        book = Book(session, file, tally, pulse=bool(options.get("pulse")))
        with book.watched():
            yield book


@contextmanager
def _results(session: Session, options: dict[str, Any], tally: Tally) -> Iterator[ResultsFile | None]:
    if not options["output"]:
        yield None
        return
    path = session.cwd / options["output"]
    again = (lambda one: tally.code_of(one) != 0) if options["retry_failed"] else None
    file = open_results(path, resume=options["resume"], again=again)
    try:
        yield file
    finally:
        try:
            file.close()
        except OSError as exc:
            raise CannotWriteError(f"{path}: {exc.strerror}") from exc
