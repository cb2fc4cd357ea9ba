"""What pages written to break converters cost: CPU, memory, output, growth with size, and whether all of it is there.

Each page is converted in a process of its own that has converted a small one before; at half its size too, so that a
growth of 2 is linear time. The pages are those of the tests.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from webseam.core.limits import WORKER_SECONDS

PROMISED_SECONDS: Final = 1.0
PROMISED_BYTES: Final = 200_000_000
_CASES: Final = Path(__file__).parents[1] / "tests" / "support" / "worst_cases.py"
_TELLING: Final = 0.02  # CPU seconds at half the size below which growth is noise


def measure() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The reports at half and at full size of each case."""
    command = [sys.executable, str(_CASES), "--halves"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - this project's file
        assert process.stdout is not None
        lines = map(json.loads, process.stdout)
        yield from zip(lines, lines, strict=True)


def _row(half: dict[str, Any], full: dict[str, Any]) -> str:
    if "died" in full:
        return f"| {full['id']} | {full['size']:,} | | | | | died with status {full['died']} |"
    growth = f"{full['cpu'] / half['cpu']:.1f}" if half.get("cpu", 0.0) > _TELLING else ""
    told = "all" if full["seen"] >= full["wanted"] else f"{full['seen']:,} of {full['wanted']:,}"
    told += ", cut" if full["cut"] else ""
    milliseconds = f"{full['cpu'] * 1e3:.0f}" + " (over)" * (full["cpu"] > PROMISED_SECONDS)
    memory = f"{full['grown'] / 1e6:.0f}" + " (over)" * (full["grown"] > PROMISED_BYTES)
    return (
        f"| {full['id']} | {full['size']:,} | {full['html'] / 1e6:.1f} | {full['markdown'] / 1e6:.1f} "
        f"| {milliseconds} | {growth} | {memory} | {told} |"
    )


def main() -> None:
    """Print the table."""
    print(f"worst cases: under {PROMISED_SECONDS:.0f} s and {PROMISED_BYTES / 1e6:.0f} MB promised; "
          f"a worker ends one after {WORKER_SECONDS:.0f} s")  # fmt: skip
    print("| page | of them | MB in | MB out | CPU ms | x at twice the size | MB of memory | text |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for half, full in measure():
        print(_row(half, full), flush=True)


if __name__ == "__main__":
    main()
