"""What the suite's findings mean: pure functions over the checks that it wrote down."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_STAMP: Final = re.compile(r"^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$")
_BAD: Final = ("FAILURE", "WARNING")
"""A warning is a breach of a SHOULD: it needs a reason like any other."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario's checks by id; an id that came more than once has its worst status."""

    name: str
    checks: Mapping[str, str]

    @property
    def bad(self) -> tuple[str, ...]:
        return tuple(check for check, status in self.checks.items() if status in _BAD)

    @property
    def good(self) -> tuple[str, ...]:
        return tuple(check for check, status in self.checks.items() if status == "SUCCESS")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came out as it should, and what did not; `stale` are exceptions that are none."""

    passed: tuple[str, ...]
    excepted: tuple[str, ...]
    unexpected: tuple[str, ...]
    stale: tuple[str, ...]
    checks: int

    @property
    def clean(self) -> bool:
        return not self.unexpected and not self.stale


def scenario_of(folder: str) -> str:
    """The scenario that a folder of results is named for.

    Raises:
        ValueError: the folder is no such thing.
    """
    found = _STAMP.match(folder)
    if found is None:
        raise ValueError(f"{folder} is no folder of the suite's results.")
    return found[1]


def scenario(name: str, checks: Sequence[Mapping[str, Any]]) -> Scenario:
    """Fold the checks of one scenario."""
    worst: dict[str, str] = {}
    for one in checks:
        before = worst.get(one["id"], "")
        worst[one["id"]] = min(before or one["status"], one["status"], key=_rank)
    return Scenario(name, worst)


def _rank(status: str) -> int:
    order = ("FAILURE", "WARNING", "SUCCESS")
    return order.index(status) if status in order else len(order)


def judge(scenarios: Sequence[Scenario], exceptions: Mapping[str, str]) -> Verdict:
    """Hold what was found to the exceptions: `scenario` excuses all of it, `scenario:check` that check alone.

    A scenario in which no check succeeded has shown nothing, so it has failed.
    """
    used: set[str] = set()
    passed: list[str] = []
    excepted: list[str] = []
    unexpected: list[str] = []
    for one in scenarios:
        failed = one.bad or (() if one.good else ("nothing-succeeded",))
        keys = {check: _excuse(one.name, check, exceptions) for check in failed}
        used.update(key for key in keys.values() if key is not None)
        unexpected += [f"{one.name}:{check}" for check, key in keys.items() if key is None]
        (excepted if failed else passed).append(one.name)
    return Verdict(
        passed=tuple(passed),
        excepted=tuple(name for name in excepted if not any(bad.startswith(f"{name}:") for bad in unexpected)),
        unexpected=tuple(unexpected),
        stale=tuple(sorted(set(exceptions) - used)),
        checks=sum(len(one.good) for one in scenarios),
    )


def _excuse(name: str, check: str, exceptions: Mapping[str, str]) -> str | None:
    return next((key for key in (name, f"{name}:{check}") if key in exceptions), None)
