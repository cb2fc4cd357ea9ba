"""The same batch on Ray Data: actors that hold what a batch works with do blocks of it, and this process is told.

Only what a worker imports is loaded there; Ray itself is imported by a run alone.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from webseam.core.errors import Code, WebError
from webseam.core.limits import RAY_BLOCK, RAY_DIAL_SECONDS, RAY_STORE_BYTES
from webseam.core.text import one_line
from webseam.net.reachable import check_listening
from webseam.wiring.batch import Ended, Pace, run_batch
from webseam.wiring.batch_entry import Entry, Outcome

if TYPE_CHECKING:
    import pyarrow as pa

Work: TypeAlias = Callable[[Entry], Awaitable[Outcome]]
Opening: TypeAlias = Callable[[], AbstractAsyncContextManager[Work]]
INSTALL: Final = 'Batches on Ray need a package that is not installed: pip install "webseam[ray]"'
ADDRESS: Final = "RAY_ADDRESS"
"""Ray's own variable for the cluster to use; without it Ray is started on this machine for one run."""

_QUIET: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DATA_LOG_LEVEL": "CRITICAL"}
"""Nothing is reported to anybody; what Ray tells of its plans goes to its log files, not between our lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RayRun:
    """How a batch goes on Ray.

    `opening` is called in each actor and must pickle: it opens what does one input. `host` tells whose input it is, and
    must pickle too. `pace` holds within one actor. `actors` None is one for each CPU of the cluster.
    """

    opening: Opening
    host: Callable[[Entry], str | None]
    pace: Pace
    actors: int | None = None


class Worker:
    """One actor: does a block of inputs at a time, several of them together, as any batch does."""

    def __init__(self, run: RayRun) -> None:
        self._run = run
        self._loop = asyncio.Runner()
        self._open = AsyncExitStack()
        self._work = self._loop.run(self._open.enter_async_context(run.opening()))

    def __del__(self) -> None:
        """Close what is open: an actor that has no more to do drops this, and asks for nothing else."""
        with self._loop:
            self._loop.run(self._open.aclose())

    def __call__(self, block: "pa.Table") -> "pa.Table":
        """The outcomes of a block, in the order they ended."""
        entries = {
            Entry(text=text, id=own): number
            for number, text, own in zip(*(block[name].to_pylist() for name in ("number", "text", "id")), strict=True)
        }
        ended: list[Ended[Entry, Outcome]] = []
        self._loop.run(
            run_batch(
                list(entries),
                self._work,
                ended=ended.append,
                pace=self._run.pace,
                host=self._run.host,
                pause=lambda one: one.pause,
            )
        )
        return _table([(entries[one.input], one.outcome) for one in ended])


def _table(rows: Sequence[tuple[int, Outcome]]) -> "pa.Table":
    import pyarrow as pa  # noqa: PLC0415 - comes with Ray Data

    return pa.table(
        {
            "number": pa.array([number for number, _ in rows], pa.int64()),
            "text": pa.array([one.text for _, one in rows], pa.large_string()),
            "error": pa.array([one.error for _, one in rows], pa.string()),
            "status": pa.array([one.status for _, one in rows], pa.int64()),
        }
    )


def run_on_ray(entries: Sequence[Entry], run: RayRun, *, ended: Callable[[Ended[Entry, Outcome]], None]) -> None:
    """Do all inputs and tell each, a block at a time.

    Uses the cluster that `RAY_ADDRESS` names, or starts a Ray on this machine that ends with the run. Blocks the
    calling thread. Whatever ends it early, this process leaves the cluster, which then ends what it did for us.

    Raises:
        WebError: `WEB_CONFIG_INVALID` without the extra `ray`, or where no Ray can be reached or started;
            `WEB_PROVIDER_ERROR` when Ray loses the work.
    """
    ray = _imported()
    if not entries:
        return
    with _joined(ray) as cpus, _told(ray):
        for number, outcome in _outcomes(ray, entries, run, run.actors or cpus):
            ended(Ended(input=entries[number], outcome=outcome))


def check_ray() -> None:
    """Tell early what would be told late.

    Raises:
        WebError: `WEB_CONFIG_INVALID`: Ray is not installed, or nobody answers where `RAY_ADDRESS` points.
    """
    host, _, port = os.environ.get(ADDRESS, "").removeprefix("ray://").rpartition(":")
    try:
        if host and port.isdecimal():  # else "auto", "local", or none
            check_listening(host.strip("[]"), int(port), seconds=RAY_DIAL_SECONDS)
    except (OSError, OverflowError) as exc:  # Ray itself would try for minutes
        raise WebError(Code.CONFIG_INVALID, f"Nobody answers at {ADDRESS}. Check it, or unset it.") from exc
    _imported()


def _imported() -> Any:
    """The package, quiet."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)  # read when Ray is imported, by it and by the processes it starts
    logging.getLogger("ray").setLevel(logging.ERROR)
    try:
        import ray  # noqa: PLC0415 - seconds
        import ray.data  # noqa: PLC0415 - the same
    except ImportError as exc:
        raise WebError(Code.CONFIG_INVALID, INSTALL) from exc
    return ray


@contextmanager
def _joined(ray: Any) -> Iterator[int]:
    """While this process is part of a cluster: how many CPUs that has."""
    named = os.environ.get(ADDRESS)
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    own = {"address": "local", "include_dashboard": False, "object_store_memory": RAY_STORE_BYTES}
    try:
        ray.init(**quiet, **({"address": named} if named else own))
    except Exception as exc:  # Ray raises what its transports do: OSError, RuntimeError, ValueError, errors of its own
        what = f"the cluster that {ADDRESS} names" if named else "Ray on this machine"
        raise WebError(Code.CONFIG_INVALID, f"{what} cannot be used: {one_line(str(exc), limit=300)}") from exc
    try:
        yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        ray.shutdown()


@contextmanager
def _told(ray: Any) -> Iterator[None]:
    """Ray's errors as ours."""
    try:
        yield
    except ray.exceptions.RayError as exc:
        cause = _root(exc)
        said = one_line(f"{type(cause).__name__}: {cause}", limit=300)
        raise WebError(Code.PROVIDER_ERROR, f"Ray lost the work. Go on later with --resume. ({said})") from exc


def _root(error: BaseException) -> BaseException:
    """What happened first: Ray wraps it several times."""
    inner: BaseException | None = getattr(error, "cause", None) or error.__cause__
    return error if inner is None else _root(inner)


def _outcomes(ray: Any, entries: Sequence[Entry], run: RayRun, actors: int) -> Iterator[tuple[int, Outcome]]:
    """Each input's number and outcome, once: a block that Ray did again is not told again."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    rows = [{"number": number, "text": one.text, "id": one.id} for number, one in enumerate(entries)]
    blocks = -(-len(rows) // RAY_BLOCK)
    results = ray.data.from_items(rows, override_num_blocks=blocks).map_batches(
        Worker,
        fn_constructor_args=(run,),
        compute=ray.data.ActorPoolStrategy(size=min(actors, blocks)),
        batch_size=None,
        batch_format="pyarrow",
    )
    told: set[int] = set()
    for block in results.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
        for row in block.to_pylist():
            number = row.pop("number")
            if number not in told:
                told.add(number)
                yield number, Outcome(**row)
