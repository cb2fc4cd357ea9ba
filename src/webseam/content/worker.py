"""The worker process: `python -m webseam.content.worker [BYTES]`, jobs on stdin, results on stdout, ends with stdin.

It ends with its parent: an idle one because stdin ends, a busy one because Linux kills it, elsewhere its job's alarm.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import BinaryIO, Final

from webseam.content.frames import TAKEN, packed, read_frame, unpacked_head
from webseam.content.jobs import JOBS
from webseam.core.limits import WORKER_MEMORY_BYTES, WORKER_SECONDS

_ALARM_GRACE: Final = 1.0  # seconds after which the worker ends itself; its parent kills earlier
_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_TELLING_BYTES: Final = 8_000_000  # beyond the cap, to tell that it was reached: freed memory may be in pieces


def main() -> None:
    """Serve jobs until stdin ends; the first argument is the address space allowed, in bytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to handle; stdin ends with it
    _die_with_parent()
    _no_core_file()
    jobs, results = sys.stdin.buffer, _private_stdout()
    most = int(sys.argv[1]) if len(sys.argv) > 1 else WORKER_MEMORY_BYTES
    _memory_cap(most)()
    with suppress(BrokenPipeError):  # nobody reads any more: the parent is gone
        _serve(jobs, results, most)


def _serve(jobs: BinaryIO, results: BinaryIO, most: int) -> None:
    """Answer jobs until there are no more.

    Raises:
        BrokenPipeError: nobody reads the answers.
    """
    raise_cap = _memory_cap(most + _TELLING_BYTES)
    while (head := read_frame(jobs)) is not None and (body := read_frame(jobs)) is not None:
        results.write(TAKEN)
        results.flush()
        parts = [body]
        del body  # the job lets go of it once it is read: a page stands in memory often enough
        results.write(_answer(head, parts, most, raise_cap))
        results.flush()


def _answer(head: bytes, parts: list[bytes], most: int, raise_cap: Callable[[], None]) -> bytes:
    """The result of one job, or what went wrong with it; `parts` holds its body, and gives it away.

    The first thing on the way out of a job without memory is `raise_cap`, which needs none. An exception that leaves a
    block at whose place CPython has no ready number (over 256) makes one, and where there is no memory for it the
    interpreter tries again for ever.
    """
    try:
        return _done(head, parts, most)
    except MemoryError:
        raise_cap()  # so that this much can be told
        return packed({"failure": "memory"}, b"")
    except Exception as exc:  # noqa: BLE001 - whatever a page provokes must not end the worker; the parent is told
        raise_cap()
        return packed({"failure": "crash", "error": type(exc).__name__}, b"")
    finally:
        _arm(0)


def _done(head: bytes, parts: list[bytes], most: int) -> bytes:
    job = unpacked_head(head)
    _memory_cap(min(most, _mapped(most) + int(job.get("memory", most))))()
    _arm(float(job.get("seconds", WORKER_SECONDS)) + _ALARM_GRACE)
    return packed(*JOBS[job["job"]](job, parts.pop()))


def _die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends, even while it is busy with a job (Linux only)."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - Linux only

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _private_stdout() -> BinaryIO:
    """Stdout for results alone: whatever prints goes to stderr."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return results


def _memory_cap(size: int) -> Callable[[], None]:
    """What caps the address space, where the platform can, and needs no memory for it."""
    try:
        import resource  # noqa: PLC0415 - absent on Windows
    except ImportError:
        return _nothing
    now, hard = resource.getrlimit(resource.RLIMIT_AS)
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
        resource.setrlimit(resource.RLIMIT_AS, (now, hard))
    except (ValueError, OSError):  # some macOS releases refuse any value; the wall clock still holds
        return _nothing
    return partial(resource.setrlimit, resource.RLIMIT_AS, (most, hard))


def _nothing() -> None:
    """Where there is no cap to set."""


def _no_core_file() -> None:
    """A crash leaves none, where the platform would write one."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - absent on Windows

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _mapped(unknown: int) -> int:
    """The address space that this process has now, in bytes; `unknown` where only Linux would tell."""
    try:
        with open("/proc/self/statm", "rb") as told:  # noqa: PTH123 - pathlib takes ten times as long to import
            return int(told.read().split()[0]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return unknown


def _arm(seconds: float) -> None:
    """Let the process be killed after `seconds`; 0 takes that back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
