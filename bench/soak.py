"""Two replicas of the gateway and a real server between them, under load while one after the other breaks.

Replicas are killed and drained, the shared server crashes twice, vendors and pages answer with 429, 500, stalls and cut
bodies. Then the counts must agree: of clients, vendors, access logs and ledger. Exits with 1 on any loss; everything
stays on loopback.
"""

import argparse
import asyncio
import json
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Collection, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from soak_check import findings
from soak_course import STEPS, Course
from soak_facts import DAY, Bounded, Facts, Row
from soak_fleet import Replica, config_of, hand_out, processes
from soak_load import TENANTS, THRIFT, Load
from soak_origins import Origins
from soak_report import report
from soak_state import KINDS, PROGRAMS, state_program
from soak_subjects import subject_of

from webseam.wiring.tenants import Policy

SECONDS: Final = 60.0
SECONDS_LEAST: Final = 1.0
SECONDS_MOST: Final = 120.0
CLIENTS: Final = 24
CLIENTS_MOST: Final = 200
PAUSE: Final = 0.1
"""Seconds that a client rests after each request."""
THRIFTY: Final = 2
NO_SERVER: Final = "No {} is installed: install a server that is, such as Debian's redis-server."


async def soak(seconds: float, clients: int, folder: Path, program: str, steps: Collection[str] = STEPS) -> Facts:
    """One run; what it has shown.

    Args:
        seconds: about how long requests are sent; starts and ends of processes come on top.
        clients: how many at once, besides bursts.
        folder: where processes keep what they keep.
        program: the server that replicas share.
        steps: what breaks.
    """
    began = time.time()
    async with Origins() as origins, processes(folder, program) as (state, replicas):
        load = Load(origins=origins, replicas=replicas)
        course = Course(seconds=seconds, state=state, replicas=replicas, origins=origins, load=load, steps=steps)
        await _driven(course, clients)
        left = [told for one in replicas for told in await one.left()]
        left += await _connections_left(origins)
        rows, unrecorded = await asyncio.to_thread(recorded, replicas[0])
    return Facts(
        sent=course.load.sent,
        rows=rows,
        hits=origins.hits,
        logged=[number for one in replicas for number in logged(one.home)],
        deaths=course.deaths,
        drained=course.drained,
        outages=course.outages,
        bursts=course.load.bursts,
        bounded=Bounded(tenant=THRIFT, calls=course.bound, days=1 + int(time.time() // DAY - began // DAY)),
        growth=course.growth,
        unrecorded=unrecorded,
        leftovers=(*course.faults, *left),
    )


async def _driven(course: Course, clients: int) -> None:
    """Replicas started, broken under load, and ended."""
    load, replicas = course.load, course.replicas
    bounded = {THRIFT: Policy(calls_per_day=course.bound)}
    load.tokens = hand_out(replicas, dict.fromkeys(TENANTS, Policy()) | bounded)
    config = config_of(course.origins.url, course.state.url, when_away="local")
    await asyncio.gather(*(one.start(config) for one in replicas))
    async with load.session(), _watched(load), asyncio.TaskGroup() as group:
        for number in range(clients):
            group.create_task(load.client(number, PAUSE))
        for _ in range(THRIFTY):
            group.create_task(load.thrifty(1.0))
        await course.run()
        load.over = True
    await course.end()


@asynccontextmanager
async def _watched(load: Load) -> AsyncIterator[None]:
    watching = [asyncio.create_task(load.watch(one)) for one in load.replicas]
    try:
        yield
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


async def _connections_left(origins: Origins) -> list[str]:
    """Connections to vendors and pages that are open though no replica runs."""
    for _ in range(100):
        if not origins.open:
            return []
        await asyncio.sleep(0.1)
    return [f"{origins.open} connections to vendors and pages"]


# What was written down ---------------------------------------------------------------------------------


def recorded(replica: Replica) -> tuple[list[Row], int]:
    """The ledger of the fleet as `webseam usage` exports it, and how many calls it says are missing."""
    lines = replica.command("usage", "--export", "jsonl").splitlines()
    sums = json.loads(replica.command("usage", "--json"))
    return [_row(json.loads(line)) for line in lines], int(sums.get("lost", 0))


def _row(told: dict[str, object]) -> Row:
    tries: dict[str, int] = {}
    attempts = told.get("attempts")
    for one in attempts if isinstance(attempts, list) else []:
        if one["dispatched"]:
            tries[one["provider"]] = tries.get(one["provider"], 0) + 1
    names = {name: str(told.get(name) or "") for name in ("id", "tenant", "outcome", "code")}
    return Row(**names, subject=subject_of(str(told.get("target") or "")), tries=tries)


def logged(home: Path) -> Iterator[str]:
    """The ids of requests in the access logs of a replica, but for those that only looked."""
    for log in sorted(home.glob("*.log")):
        for line in log.read_text(encoding="utf-8").splitlines():
            told = json.loads(line) if line.startswith("{") and line.endswith("}") else {}
            if told.get("method") == "POST":
                yield told["request_id"]


async def _ended_in_order(run: Coroutine[Any, Any, Facts]) -> Facts:
    """A run that ends its processes on SIGTERM too, as asyncio has it for SIGINT."""
    task = asyncio.ensure_future(run)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await task


def main(argv: Sequence[str] | None = None) -> int:
    """Run, print, and say whether anything was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long requests are sent, from 1 to 120")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="how many send at once, from 1 to 200")
    parser.add_argument("--steps", default=",".join(STEPS), help="what breaks, with commas between (default: all)")
    parser.add_argument("--keep", type=Path, help="a new folder for what the processes wrote, to look into")
    parser.add_argument("--server", choices=KINDS, default="", help="which kind is shared (default: the first found)")
    given = parser.parse_args(argv)
    steps = given.steps.split(",")
    if not (SECONDS_LEAST <= given.seconds <= SECONDS_MOST and 1 <= given.clients <= CLIENTS_MOST):
        parser.error("--seconds must be from 1 to 120, --clients from 1 to 200")
    if unknown := set(steps) - set(STEPS):
        parser.error(f"--steps has {', '.join(sorted(unknown))}; there are {', '.join(STEPS)}")
    if "refuse" in steps and not {"drain", "kill"} <= set(steps):
        parser.error("--steps has refuse, which takes replicas that drain and kill have started anew")
    if given.keep is not None and given.keep.exists():
        parser.error("--keep names what is there already; a run keeps its files in a new folder")
    if (program := state_program(given.server)) is None:
        print(NO_SERVER.format(f"{given.server}-server" if given.server else " or ".join(PROGRAMS)), file=sys.stderr)
        return 2
    print(f"The shared server is {program}.", file=sys.stderr)
    if given.keep is not None:
        given.keep.mkdir(parents=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="webseam-soak-") as folder:
        facts = asyncio.run(
            _ended_in_order(soak(given.seconds, given.clients, given.keep or Path(folder), program, steps))
        )
    wrong = findings(facts)
    print("\n".join((*report(facts), "", *(f"LOSS: {one}" for one in wrong))))
    print(f"{'Something was lost' if wrong else 'Nothing was lost'} in {time.monotonic() - began:.0f} s.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
