"""The conversion pool: small pages where they stand, big ones in worker processes that can be killed."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any, Final, Self

from webseam.content.frames import LENGTH_BYTES, packed, unpacked
from webseam.content.markdown import html_to_markdown, plain_body
from webseam.content.plain_text import plain_text
from webseam.core.deadline import Deadline
from webseam.core.limits import INLINE_CONVERSION_BYTES, WORKER_COUNT, WORKER_MEMORY_BYTES, WORKER_SECONDS
from webseam.core.snapshots import HiddenText
from webseam.core.types import FetchResult, HtmlBody

_COMMAND: Final = ("-P", "-m", "webseam.content.worker")  # -P: the folder one stands in must not shadow modules
_EXIT_SECONDS: Final = 5.0  # a killed process is gone in milliseconds
_PASSED_ON: Final = ("PATH", "PYTHON", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT", "LANG", "LC_", "TMP")


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """Text of a page.

    `hidden` counts elements left out as invisible, `cut` says that the text was capped. `fallback` tells why the
    text is only the page's bare words: `timeout`, `memory` or `crash`.
    """

    text: str
    hidden: int = 0
    cut: bool = False
    fallback: str | None = None
    mostly_hidden: HiddenText | None = None


class Converter:
    """Converts pages to text; owns its worker processes until `aclose`.

    Belongs to one event loop. Workers start when first needed, at most `count`; further jobs wait for one.

    Args:
        count: worker processes.
        seconds: wall clock of one conversion in a worker.
        memory: address space of a worker in bytes.
        inline: HTML of at most this many characters is converted where it stands.
        pictures: whether pictures stay pictures; see `html_to_markdown`.
    """

    def __init__(
        self,
        *,
        count: int = WORKER_COUNT,
        seconds: float = WORKER_SECONDS,
        memory: int = WORKER_MEMORY_BYTES,
        inline: int = INLINE_CONVERSION_BYTES,
        pictures: bool = True,
    ) -> None:
        self._pictures = pictures
        self._seconds = seconds
        self._memory = memory
        self._inline = inline
        self._free = asyncio.Semaphore(count)
        self._idle: list[_Worker] = []
        self._living: set[_Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def convert(self, page: FetchResult, *, deadline: Deadline) -> Converted:
        """The text of a page, by `deadline`.

        A conversion that fails, or is killed for its time or memory, gives the page's bare words and says so in
        `fallback`; nothing is raised but cancellation, which kills the worker that runs the job.
        """
        if not isinstance(page.body, HtmlBody):
            return Converted(text=plain_body(page))
        html = page.body.content
        try:
            if len(html) <= self._inline:
                made = html_to_markdown(html, url=page.url, pictures=self._pictures)
                return Converted(text=made.text, hidden=made.hidden, cut=made.cut, mostly_hidden=made.mostly_hidden)
            return await self._in_worker(html, page.url, deadline.sooner(self._seconds))
        except TimeoutError:
            return _fallback(html, "timeout")
        except MemoryError:
            return _fallback(html, "memory")
        except (OSError, EOFError, ValueError, KeyError, RuntimeError):
            return _fallback(html, "crash")

    async def aclose(self) -> None:
        """End every worker and wait until none is left; later conversions of big pages give bare words."""
        self._closed = True
        for worker in tuple(self._living):
            self._end(worker)
        await asyncio.gather(*self._ending)

    async def _in_worker(self, html: str, url: str, deadline: Deadline) -> Converted:
        job = {"job": "markdown", "url": url, "pictures": self._pictures}
        async with asyncio.timeout(None if deadline.at == inf else deadline.remaining), self._free:
            worker = self._idle_worker()
            if worker is not None:
                with suppress(OSError, EOFError):  # it may have died while it was idle: a new one tells
                    return await self._run(worker, job | {"seconds": deadline.remaining}, html)
            worker = await self._new_worker()
            return await self._run(worker, job | {"seconds": deadline.remaining}, html)

    async def _run(self, worker: "_Worker", job: dict[str, Any], html: str) -> Converted:
        """One job; the worker is idle again, or ended.

        Raises:
            OSError, EOFError, ValueError: as `_Worker.run`.
        """
        try:
            head, text = await worker.run(job, html)
        except BaseException:  # cancellation too: the worker is busy with what nobody waits for
            self._end(worker)
            raise
        if "failure" in head:
            self._end(worker)
            return _fallback(html, str(head["failure"]))
        self._idle.append(worker)
        return Converted(
            text=text, hidden=int(head["hidden"]), cut=bool(head["cut"]), mostly_hidden=head["mostly_hidden"]
        )

    def _idle_worker(self) -> "_Worker | None":
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._end(worker)
        return None

    async def _new_worker(self) -> "_Worker":
        """A new worker.

        Raises:
            RuntimeError: the converter is closed.
            OSError: no process could be started.
        """
        if self._closed:
            raise RuntimeError("the converter is closed")
        worker = await _Worker.start(self._memory)
        self._living.add(worker)
        if self._closed:  # meanwhile
            self._end(worker)
            raise RuntimeError("the converter is closed")
        return worker

    def _end(self, worker: "_Worker") -> None:
        """Kill a worker now; it is waited for in the background, and by `aclose`."""
        worker.kill()
        self._living.discard(worker)
        ending = asyncio.ensure_future(worker.gone())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


class _Worker:
    """One worker process and its two pipes."""

    __slots__ = ("_jobs", "_process", "_results")

    def __init__(self, process: Process, jobs: asyncio.StreamWriter, results: asyncio.StreamReader) -> None:
        self._process = process
        self._jobs = jobs
        self._results = results

    @classmethod
    async def start(cls, memory: int) -> Self:
        if not sys.executable:  # an embedded interpreter may not know its own
            raise OSError("no interpreter to run the worker with")
        process = await asyncio.create_subprocess_exec(
            sys.executable, *_COMMAND, str(memory), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment()
        )
        if process.stdin is None or process.stdout is None:
            raise OSError("the worker has no pipes")
        return cls(process, process.stdin, process.stdout)

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def run(self, head: dict[str, Any], body: str) -> tuple[dict[str, Any], str]:
        """One job.

        Raises:
            OSError, EOFError: the worker died.
            ValueError: the worker answered nonsense.
        """
        self._jobs.write(packed(head, body))
        await self._jobs.drain()
        return unpacked(await self._frame(), await self._frame())

    async def _frame(self) -> bytes:
        length = int.from_bytes(await self._results.readexactly(LENGTH_BYTES), "big")
        return await self._results.readexactly(length)

    def kill(self) -> None:
        """End the process; one that closed its results has ended itself, and is asyncio's to collect."""
        if self.alive and not self._results.at_eof():
            with suppress(ProcessLookupError):  # it ended between the look and the signal
                self._process.kill()
        self._jobs.close()

    async def gone(self) -> None:
        """Wait until the process has ended."""
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._process.wait()
        except TimeoutError:  # it closed its results, and stayed
            self._process.kill()
            await self._process.wait()


def _environment() -> dict[str, str]:
    """What Python needs to start; nothing else, so that no key is in reach of the code that reads pages."""
    return {name: value for name, value in os.environ.items() if name.upper().startswith(_PASSED_ON)}


def _fallback(html: str, reason: str) -> Converted:
    text, cut = plain_text(html)
    return Converted(text=text, cut=cut, fallback=reason)
