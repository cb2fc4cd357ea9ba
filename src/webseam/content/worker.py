"""The conversion worker: `python -m webseam.content.worker [BYTES]`, jobs on stdin, results on stdout, ends with stdin.

A job arms an alarm that kills the process, so that a busy worker does not outlive a parent that was killed.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, Final

from webseam.content.frames import packed, read_frame, unpacked
from webseam.content.markdown import html_to_markdown
from webseam.core.limits import WORKER_MEMORY_BYTES, WORKER_SECONDS

_ALARM_GRACE: Final = 1.0  # seconds after which the worker ends itself; its parent kills earlier


def main() -> None:
    """Serve jobs until stdin ends; the first argument is the address space allowed, in bytes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to handle; stdin ends with it
    jobs, results = sys.stdin.buffer, _private_stdout()
    _limit_memory(int(sys.argv[1]) if len(sys.argv) > 1 else WORKER_MEMORY_BYTES)
    while (head := read_frame(jobs)) is not None and (body := read_frame(jobs)) is not None:
        answer = _answer(head, body)
        results.write(answer)
        results.flush()


def _answer(head: bytes, body: bytes) -> bytes:
    """The result of one job, or what went wrong with it."""
    try:
        job, text = unpacked(head, body)
        _arm(float(job.get("seconds", WORKER_SECONDS)) + _ALARM_GRACE)
        return packed(*_JOBS[job["job"]](job, text))
    except MemoryError:
        return packed({"failure": "memory"}, "")
    except Exception as exc:  # noqa: BLE001 - whatever a page provokes must not end the worker; the parent is told
        return packed({"failure": "crash", "error": type(exc).__name__}, "")
    finally:
        _arm(0)


def _markdown(job: dict[str, Any], html: str) -> tuple[dict[str, Any], str]:
    made = html_to_markdown(html, url=job["url"], pictures=bool(job.get("pictures", True)))
    return {"hidden": made.hidden, "cut": made.cut, "mostly_hidden": made.mostly_hidden}, made.text


_JOBS: Final[dict[str, Callable[[dict[str, Any], str], tuple[dict[str, Any], str]]]] = {"markdown": _markdown}


def _private_stdout() -> BinaryIO:
    """Stdout for results alone: whatever prints goes to stderr."""
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return results


def _limit_memory(size: int) -> None:
    """Cap the address space, where the platform can (not on Windows)."""
    try:
        import resource  # noqa: PLC0415 - absent on Windows
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = size if hard == resource.RLIM_INFINITY else min(size, hard)
    with suppress(ValueError, OSError):  # some macOS releases refuse any value; the wall clock still holds
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _arm(seconds: float) -> None:
    """Let the process be killed after `seconds`; 0 takes that back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
