"""One worker process: how it is started, spoken to, and ended."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from webseam.content.frames import LENGTH_BYTES, TAKEN, unpacked_head

_SERVE: Final = "import sys; sys.path += sys.argv[2:]; from webseam.content.worker import main; main()"
_COMMAND: Final = ("-P", "-c", _SERVE)  # -P: the folder one stands in must not shadow modules
_HOME: Final = str(Path(__file__).parents[2])
_EXIT_SECONDS: Final = 5.0  # a killed process is gone in milliseconds
_PASSED_ON: Final = ("PATH", "PYTHON", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "DYLD_", "SYSTEMROOT", "LANG", "LC_", "TMP")


class Worker:
    """One worker process and its two pipes; `served` counts the jobs it has answered."""

    __slots__ = ("_jobs", "_most", "_process", "_results", "served")

    def __init__(
        self, process: Process, jobs: asyncio.StreamWriter, results: asyncio.StreamReader, *, most: int
    ) -> None:
        self._process = process
        self._jobs = jobs
        self._results = results
        self._most = most
        self.served = 0

    @property
    def alive(self) -> bool:
        """Whether it may still answer."""
        return self._process.returncode is None and not self._results.at_eof()

    async def give(self, message: bytes) -> None:
        """Hand a job over.

        Raises:
            OSError, EOFError: the worker died before it had read the job.
            ValueError: it talks nonsense.
        """
        self._jobs.write(message)
        await self._jobs.drain()
        if await self._results.readexactly(len(TAKEN)) != TAKEN:
            raise ValueError("the worker did not say that it took the job")

    async def answer(self) -> tuple[dict[str, Any], bytes]:
        """What became of the job.

        Raises:
            OSError, EOFError: the worker died.
            ValueError: it answered nonsense.
        """
        head, body = unpacked_head(await self._frame()), await self._frame()
        self.served += 1
        return head, body

    async def _frame(self) -> bytes:
        length = int.from_bytes(await self._results.readexactly(LENGTH_BYTES), "big")
        if length > self._most:
            raise ValueError("the worker names a length that it cannot hold")
        return await self._results.readexactly(length)

    def kill(self) -> None:
        """End the process; one that closed its results has ended itself, and is asyncio's to collect."""
        if self.alive:
            with suppress(ProcessLookupError):  # it ended between the look and the signal
                self._process.kill()
        self._jobs.close()

    async def gave_up(self) -> bool:
        """Whether the process ended with an error and not by a signal, as one does that cannot import its modules."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._process.wait()
        return (self._process.returncode or 0) > 0

    async def gone(self) -> None:
        """Wait until the process has ended and its pipes are closed."""
        try:
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._process.wait()
        except TimeoutError:  # it closed its results, and stayed
            self._process.kill()
            await self._process.wait()
        with suppress(OSError, TimeoutError):  # since Python 3.13 the wait above no longer includes the pipes
            async with asyncio.timeout(_EXIT_SECONDS):
                await self._results.read()
                await self._jobs.wait_closed()


async def started(memory: int) -> Worker:
    """A new worker process, with `memory` bytes of address space.

    Raises:
        OSError: it cannot be started.
    """
    frozen = getattr(sys, "frozen", False)  # then the executable is the program itself
    if not sys.executable or frozen:  # an embedded interpreter may not know its own
        raise OSError("no interpreter to run the worker with")
    process = await asyncio.create_subprocess_exec(
        sys.executable, *_COMMAND, str(memory), *_paths(), stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment()
    )
    if process.stdin is None or process.stdout is None:
        raise OSError("the worker has no pipes")
    return Worker(process, process.stdin, process.stdout, most=memory)


def _paths() -> list[str]:
    """Where this process finds modules, for one that may find fewer by itself: `sys.path` changed, or a zip file.

    They come last in its path, and the folder one stands in is none of them.
    """
    return list(dict.fromkeys([*(str(Path(path).absolute()) for path in sys.path if path), _HOME]))


def _environment() -> dict[str, str]:
    """What Python needs to start; nothing else, so that no key is in reach of the code that reads pages."""
    return {name: value for name, value in os.environ.items() if name.upper().startswith(_PASSED_ON)}
