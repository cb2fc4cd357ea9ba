"""The header fields of a request, read once."""

from collections.abc import Iterable, Sequence
from typing import Final

_NONE: Final = ()


class HeaderFields:
    """Values by name, which is in lower case as ASGI has it; what one server splits others join, so nothing is joined.

    Args:
        raw: the `headers` of an ASGI scope.
    """

    __slots__ = ("_values",)

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in raw:
            self._values.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def getlist(self, name: str) -> Sequence[str]:
        """All values, in their order."""
        return self._values.get(name, _NONE)

    def get(self, name: str, default: str) -> str:
        """The first value."""
        found = self._values.get(name)
        return default if found is None else found[0]
