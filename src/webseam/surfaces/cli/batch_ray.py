"""`webseam batch --engine ray`: what an actor opens, and the books that this process keeps."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.surfaces.cli.batch import outcome_of_fault, pace_of, written
from webseam.surfaces.cli.batch_book import open_book
from webseam.surfaces.cli.batch_kinds import KINDS, Kind
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.session import Session
from webseam.wiring.batch import Ended
from webseam.wiring.batch_entry import Entry, Outcome
from webseam.wiring.build import build
from webseam.wiring.config import Loaded, load
from webseam.wiring.ray_batch import RayRun, check_ray, run_on_ray
from webseam.wiring.recording import Edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Opens in an actor what this process would work with.

    The configuration travels as it was read here, literal keys included; variables do not: an actor reads its own.
    """

    kind: str
    loaded: Loaded = field(repr=False)
    options: dict[str, Any]
    offline: bool

    def __call__(self) -> AbstractAsyncContextManager[Callable[[Entry], Awaitable[Outcome]]]:
        """The work on one input, while it is open."""
        return self._opened()

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Callable[[Entry], Awaitable[Outcome]]]:
        kind = KINDS[self.kind]
        loaded = replace(self.loaded, environ=os.environ)
        built = build(loaded, capabilities=kind.capabilities, edge=Edge(offline=self.offline))
        async with built.web as web:
            yield written(kind.work(web, self.options))


def answer_on_ray(session: Session, kind: Kind, inputs: AsyncIterator[Sequence[Entry]], options: dict[str, Any]) -> int:
    """Do each distinct input once on Ray and write its line here; returns the exit code. Reads all input first.

    Raises:
        WebError: `INVALID_ARGS` for what only one process can do; see `answer_each` and `run_on_ray`.
        CannotWriteError: a line cannot be written.
    """
    if session.record is not None or session.replay is not None:
        raise usage("A recording is of one process. Leave out --engine ray, or --record and --replay.")
    loaded = load(arguments=kind.settings(options), environ=session.environ, cwd=session.cwd, silence=session.silence)
    _check_budget(loaded)
    for notice in kind.notices(session.build(kind.capabilities, kind.settings(options))):
        session.out.note(notice)
    check_ray()  # before a file is made
    entries = asyncio.run(_all(inputs))
    opening = Opening(kind=kind.name, loaded=replace(loaded, environ={}), options=options, offline=session.offline)
    run = RayRun(opening=opening, host=kind.host, pace=pace_of(options), actors=options["actors"])
    with open_book(session, options) as book:
        left = book.take(entries)
        book.tally.whole = True
        for one in (one for one in left if one.fault is not None):
            book.tell(Ended(input=one, outcome=outcome_of_fault(one)))
        run_on_ray([one for one in left if one.fault is None], run, ended=book.tell)
    return book.finish()


def _check_budget(loaded: Loaded) -> None:
    if loaded.config.permission.max_calls:
        raise WebError(
            Code.CONFIG_INVALID,
            "permission.max_calls is held to by one process, and Ray works in several. Leave out one of the two.",
        )


async def _all(inputs: AsyncIterator[Sequence[Entry]]) -> list[Entry]:
    return [one async for some in inputs for one in some]
