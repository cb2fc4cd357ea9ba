"""A pool of processes that run jobs on bytes, can be killed in the middle of one, and end with us."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from math import inf
from typing import Any, Final, Literal, TypeAlias

from webseam.content.frames import packed
from webseam.content.worker_process import Worker, started
from webseam.core.deadline import Deadline
from webseam.core.limits import WORKER_COUNT, WORKER_JOBS, WORKER_MEMORY_BYTES, WORKER_QUEUE, WORKER_SECONDS

Failure: TypeAlias = Literal["timeout", "memory", "crash", "start", "busy", "closed"]


class WorkerFailed(Exception):  # noqa: N818 - a job that ended otherwise, not a fault of ours
    """A job without a result.

    `reason`: `timeout` (its time or deadline), `memory`, `crash` (it raised, or its process died), `start` (no process
    could be started that takes it), `busy` (too many jobs wait), `closed` (the pool).
    """

    def __init__(self, reason: Failure) -> None:
        super().__init__(reason)
        self.reason: Final = reason


class Workers:
    """Runs jobs in worker processes; owns them until `aclose`.

    Belongs to one event loop. A worker starts when a job needs one, and serves `jobs` jobs at most. There are at most
    `count` of them; further jobs wait in order, within their deadlines, and are refused when `queue` jobs wait.

    Args:
        count: worker processes.
        memory: address space of each in bytes, where the platform can hold it to that.
        jobs: after how many a worker is replaced.
        queue: jobs that may wait.
    """

    def __init__(
        self,
        *,
        count: int = WORKER_COUNT,
        memory: int = WORKER_MEMORY_BYTES,
        jobs: int = WORKER_JOBS,
        queue: int = WORKER_QUEUE,
    ) -> None:
        self._memory = memory
        self._jobs = jobs
        self._queue = queue
        self._waiting = 0
        self._free = asyncio.Semaphore(count)
        self._idle: list[Worker] = []
        self._living: set[Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def run(
        self, job: str, args: dict[str, Any], body: bytes, *, deadline: Deadline, seconds: float = WORKER_SECONDS
    ) -> tuple[dict[str, Any], bytes]:
        """The head and the bytes that a job of `webseam.content.jobs` makes of its arguments and `body`.

        Waiting and working end with `deadline`; the work, with the start of a process if need be, has `seconds`.
        Cancelling kills the worker that runs the job, and no other.

        Raises:
            WorkerFailed: there is no result.
        """
        if self._closed:
            raise WorkerFailed("closed")
        try:
            async with asyncio.timeout(_timeout(deadline)), self._turn(), asyncio.timeout(seconds):
                return await self._run(args | {"job": job, "seconds": min(seconds, deadline.remaining)}, body)
        except TimeoutError as exc:
            raise WorkerFailed("timeout") from exc
        except MemoryError as exc:
            raise WorkerFailed("memory") from exc
        except (OSError, EOFError, ValueError, OverflowError) as exc:
            raise WorkerFailed(self._broken("crash")) from exc

    async def aclose(self) -> None:
        """End every worker and wait until none is left; jobs that run, wait or come later fail as `closed`."""
        self._closed = True
        for worker in tuple(self._living):
            self._end(worker)
        await asyncio.gather(*self._ending)

    def _broken(self, how: Failure) -> Failure:
        return "closed" if self._closed else how

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for a worker to be free.

        Raises:
            WorkerFailed: too many do, or the pool was closed meanwhile.
        """
        if self._waiting >= self._queue:
            raise WorkerFailed("busy")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            if self._closed:
                raise WorkerFailed("closed")
            yield
        finally:
            self._free.release()

    async def _run(self, head: dict[str, Any], body: bytes) -> tuple[dict[str, Any], bytes]:
        """One job, in a worker that is there or a new one.

        Raises:
            OSError, EOFError, ValueError: the worker died, or answered nonsense.
            WorkerFailed: the job failed.
        """
        worker = await self._taker(packed(head, body))
        with self._ended_on_failure(worker):  # by cancellation too: it is busy with what nobody waits for
            answer, out = await worker.answer()
            if "failure" in answer:
                raise WorkerFailed("memory" if answer["failure"] == "memory" else "crash")
        if worker.served < self._jobs and not self._closed:
            self._idle.append(worker)
        else:
            self._end(worker)
        return answer, out

    async def _taker(self, message: bytes) -> Worker:
        """A worker that has read the job whole: one that is there, or a new one.

        Raises:
            OSError, EOFError, ValueError: the new one died, or talks nonsense.
            WorkerFailed: no worker could be started.
        """
        while (worker := self._idle_worker()) is not None:
            with suppress(OSError, EOFError), self._ended_on_failure(worker):  # it died while idle: another takes it
                await worker.give(message)
                return worker
        try:
            worker = await self._new_worker()
        except OSError as exc:
            raise WorkerFailed(self._broken("start")) from exc
        with self._ended_on_failure(worker):
            try:
                await worker.give(message)
            except (OSError, EOFError) as exc:
                raise WorkerFailed(self._broken("start" if await worker.gave_up() else "crash")) from exc
        return worker

    @contextmanager
    def _ended_on_failure(self, worker: Worker) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._end(worker)
            raise

    def _idle_worker(self) -> Worker | None:
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._end(worker)
        return None

    async def _new_worker(self) -> Worker:
        """A new worker.

        Raises:
            WorkerFailed: the pool was closed meanwhile.
            OSError: no process could be started.
        """
        worker = await started(self._memory)
        self._living.add(worker)
        if self._closed:
            self._end(worker)
            raise WorkerFailed("closed")
        return worker

    def _end(self, worker: Worker) -> None:
        """Kill a worker now; it is waited for in the background, and by `aclose`."""
        worker.kill()
        if worker not in self._living:
            return
        self._living.discard(worker)
        ending = asyncio.ensure_future(worker.gone())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


def _timeout(deadline: Deadline) -> float | None:
    return None if deadline.at == inf else deadline.remaining
