"""`make fuzz`: seeded hostile input for everything a stranger's text meets on its way in, bounded in count and time.

    python tests/fuzz.py [--count N] [--wire N] [--tls N] [--seconds S] [--seed N]

Ends with 1 when anything was found; the same seed gives the same inputs. The suite runs a small slice of it.
"""

import argparse
import asyncio
import sys
import time

from support.fuzz import TARGETS, Report, run
from support.fuzz_tls import run_tls
from support.fuzz_wire import run_wire

COUNT = 1_000_000
"""Inputs for the parsers: about a minute."""

WIRE = 30_000
"""Answers over real sockets: about another."""

TLS = 4_000
"""Connections whose TLS or CONNECT is damaged: half a minute."""

SECONDS = 600.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz the fetcher with seeded hostile input.")
    parser.add_argument("--count", type=int, default=COUNT, help="inputs for the parsers")
    parser.add_argument("--wire", type=int, default=WIRE, help="answers over sockets")
    parser.add_argument("--tls", type=int, default=TLS, help="damaged TLS connections, half of them through a proxy")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="most seconds altogether")
    parser.add_argument("--seed", type=int, default=1, help="of the generator")
    return parser.parse_args()


def _tell(report: Report, started: float) -> None:
    seconds = time.monotonic() - started
    sys.stdout.write(
        f"{report.name:16}{report.ran:>10,} inputs{report.ran - report.refused:>10,} went through"
        f"{report.slowest * 1e3:>8.0f} ms the slowest{seconds:>7.0f} s  {len(report.found)} found\n"
    )
    for finding in report.found:
        sys.stdout.write(f"    {finding}\n")
    sys.stdout.flush()


def main() -> int:
    """Run all targets; the exit code says whether anything was found."""
    options = _options()
    until = time.monotonic() + options.seconds
    reports = []
    for target in TARGETS:
        started = time.monotonic()
        reports.append(run(target, seed=options.seed, count=int(options.count * target.share), until=until))
        _tell(reports[-1], started)
    started = time.monotonic()
    reports.append(asyncio.run(run_wire(seed=options.seed, count=options.wire, until=until)))
    _tell(reports[-1], started)
    started = time.monotonic()
    reports.append(asyncio.run(run_tls(seed=options.seed, count=options.tls, until=until)))
    _tell(reports[-1], started)
    found = sum(len(report.found) for report in reports)
    sys.stdout.write(f"{sum(report.ran for report in reports):,} inputs, seed {options.seed}: {found} found\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
