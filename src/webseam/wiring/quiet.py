"""How a section of the configuration shows itself where it may hold a password: in tracebacks, logs and notebooks."""

from typing import Final

import msgspec

_MAY_HOLD_A_PASSWORD: Final = frozenset({"proxy", "url"})


def quiet_repr(section: msgspec.Struct) -> str:
    """As a struct's own, without the URLs that may hold credentials; `webseam config show` shows them masked."""
    shown = (
        f"{name}={'...' if name in _MAY_HOLD_A_PASSWORD and value else repr(value)}"
        for name, value in msgspec.structs.asdict(section).items()
    )
    return f"{type(section).__name__}({', '.join(shown)})"
