"""Subjects: words that a soak's requests are about, told apart wherever they stand."""

import re
import secrets
from typing import Final

_SUBJECT: Final = re.compile(r"kelp-[0-9a-f]{12}-end")


def new_subject() -> str:
    """A word that stands nowhere else."""
    return f"kelp-{secrets.token_hex(6)}-end"


def subjects_in(text: str) -> tuple[str, ...]:
    """Those that stand in a text, each once."""
    return tuple(dict.fromkeys(_SUBJECT.findall(text)))


def subject_of(text: str) -> str:
    """The one that stands in a text; blank for none or several, which is no subject of anybody's."""
    found = subjects_in(text)
    return found[0] if len(found) == 1 else ""
