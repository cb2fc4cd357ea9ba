"""`make conformance`: the suite against our server and against the fixture server, for both eras of the protocol.

Ends with 1 on a failure that has no exception, and on an exception that nothing needs.
"""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from conformance.exceptions import ERAS, EXTENSIONS, FIXTURE, PRODUCT, Exceptions
from conformance.machine import SUITE, SetUpError, suite_command
from conformance.served import NotServedError, served
from conformance.verdict import Scenario, Verdict, judge, scenario, scenario_of

SECONDS: Final = 300.0
"""For all scenarios of an era; they take two. Each has 30 of its own."""

FEWEST: Final[Mapping[str, int]] = {"2025-11-25": 33, "2026-07-28": 40}
"""Scenarios of the pinned version; fewer would mean that some were not run."""

TARGETS: Final = (
    ("webseam mcp --http", ("-m", "webseam", "mcp", "--http", "PORT"), PRODUCT),
    ("the fixture server", ("-m", "conformance.fixture_server", "PORT"), FIXTURE),
)


def run_suite(command: Sequence[str], url: str, era: str, folder: Path) -> list[Scenario]:
    """Run every scenario of an era.

    Raises:
        SetUpError: the suite did not run, or not all of it.
    """
    argv = [*command, "server", "--url", url, "--suite", "all", "--spec-version", era, "--output-dir", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 - the pinned suite
    found = [_read(one) for one in sorted(folder.glob("server-*/checks.json"))]
    if len(found) < FEWEST[era]:
        raise SetUpError(f"Only {len(found)} scenarios of {era} ran.\n{done.stdout[-2_000:]}{done.stderr[-2_000:]}")
    return found


def _read(file: Path) -> Scenario:
    return scenario(scenario_of(file.parent.name), json.loads(file.read_text(encoding="utf-8")))


def tell(title: str, era: str, verdict: Verdict, exceptions: Exceptions) -> None:
    """Counts, the reasons with how many they excuse, and whatever is wrong."""
    wrong = len({one.partition(":")[0] for one in verdict.unexpected})
    ran = len(verdict.passed) + len(verdict.excepted) + wrong
    counts = f"{len(verdict.passed)} pass, {len(verdict.excepted)} have exceptions, {wrong} fail"
    print(f"{title}, {era}: {ran} scenarios, {counts}; {verdict.checks} checks succeed")
    for reason, count in Counter(exceptions.values()).most_common():
        print(f"  {count:2} excepted: {reason}")
    for one in verdict.unexpected:
        print(f"  FAILED: {one}")
    for one in verdict.stale:
        print(f"  NO EXCEPTION ANY MORE, strike it from exceptions.py: {one}")


def _held(command: Sequence[str], home: Path) -> bool:
    clean = True
    for number, (title, arguments, tables) in enumerate(TARGETS):
        with served(arguments, home) as url:
            for era in ERAS:
                found = run_suite(command, url, era, home / f"{number}-{era}")
                verdict = judge(found, tables[era])
                tell(title, era, verdict, tables[era])
                clean = clean and verdict.clean
    return clean


def main() -> int:
    """Run all of it; the exit code."""
    try:
        command = suite_command()
        print(f"{SUITE[0]} {SUITE[1]}. {EXTENSIONS}")
        with TemporaryDirectory(prefix="webseam-conformance-") as home:
            clean = _held(command, Path(home))
    except (SetUpError, NotServedError) as exc:
        print(f"make conformance: {exc}", file=sys.stderr)
        return 1
    print("all as it should be" if clean else "not as it should be")
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
