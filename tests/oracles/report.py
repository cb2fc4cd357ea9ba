"""`python -m oracles.report` (in `tests/`): what was compared, and every difference with its reason, as Markdown."""

import asyncio
import sys
from collections.abc import Iterator

from oracles.table import ORACLES
from support.comparing import (
    compare_choices,
    compare_home,
    compare_reading,
    compare_refusals,
    compare_sending,
    compare_streaming,
    refusals,
)
from support.fields import Verdict, shown
from support.oracle import Oracle


async def verdicts(oracle: Oracle) -> dict[str, Verdict]:
    """All comparisons of one vendor by name."""
    made = {f"sends, {one.name}": await compare_sending(oracle, one) for one in oracle.questions}
    made |= {f"reads, {one.name}": await compare_reading(oracle, one) for one in oracle.readings}
    if refusals(oracle.kind):
        made["refusals"] = await compare_refusals(oracle)
    made |= {f"streams, {one.name}": await compare_streaming(oracle, one) for one in oracle.streams}
    if oracle.home is not None:
        made["base URL"] = compare_home(oracle)
    if oracle.choices or oracle.values:
        made["choices"] = compare_choices(oracle)
    return made


def lines(oracle: Oracle, made: dict[str, Verdict]) -> Iterator[str]:
    """One heading per vendor; a difference that several comparisons share stands once."""
    fields = sum(one.fields for one in made.values())
    yield f"## {oracle.kind} beside {oracle.sdk}: {len(made)} comparisons of {fields} fields\n"
    told: set[str] = set()
    for name, verdict in made.items():
        for one in verdict.found:
            line = f"- {one.field}: ours {shown(one.ours)}, the SDK's {shown(one.theirs)}. {one.why}"
            if line not in told:
                told.add(line)
                yield line
        yield from (f"- FAULT ({name}) {fault}" for fault in verdict.faults)
    yield ""


async def main() -> None:
    """Ask everybody, one after the other."""
    total = [0, 0]
    for oracle in ORACLES:
        made = await verdicts(oracle)
        total = [total[0] + len(made), total[1] + sum(one.fields for one in made.values())]
        sys.stdout.write("\n".join(lines(oracle, made)) + "\n")
    vendors = len({oracle.kind for oracle in ORACLES})
    sys.stdout.write(f"{vendors} vendors, {total[0]} comparisons, {total[1]} fields\n")


if __name__ == "__main__":
    asyncio.run(main())
