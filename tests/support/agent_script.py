"""What a scripted model of any framework says, turn by turn, and all that it is given; its ids are always the same."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from support.scripted import Use
from webseam.tools.toolset import Toolset

Turns: TypeAlias = Sequence[Sequence[Use]]
"""What the model asks for, turn by turn; the calls of one turn go together."""

Start: TypeAlias = Callable[[Any], Awaitable[Any]]
"""Starts an agent in one of the ways that its framework has, and waits for its end."""

Loop: TypeAlias = Callable[[Toolset, Turns], Awaitable[list[str]]]
"""Runs an agent to its end; what its model was given at each turn, as JSON."""


class Script:
    """The next turn at each asking, told what the model was given; ids of calls are the same in every run."""

    def __init__(self, turns: Turns) -> None:
        self._turns = list(turns)
        self.heard: list[str] = []

    def next(self, given: object) -> list[tuple[str, Use]]:
        """The calls with their ids; none when the model is done."""
        self.heard.append(json.dumps(given, sort_keys=True))
        number = len(self.heard)
        uses = self._turns.pop(0) if self._turns else []
        return [(f"call_{number}_{place}", use) for place, use in enumerate(uses)]


def without(part: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The part of a message but for one field, which differs from run to run."""
    return {key: value for key, value in part.items() if key != name}
