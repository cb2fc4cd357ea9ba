"""The text of a first configuration file: what was answered is set, the rest stands beside it as a comment."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from webseam.wiring.schema import settings
from webseam.wiring.setting_types import Path

CacheMode: TypeAlias = Literal["off", "memory", "disk"]

_USER: Final = """\
# webseam: your own settings. A line that begins with # shows a default; take the # away to change it.
# `webseam config show` prints every setting, its value and where it came from. A mistake is refused with its place.
"""
_PROJECT: Final = """\
# webseam: settings of this project. It may choose among what each user allows, and tighten; never widen.
# `webseam config show` prints every setting, its value and where it came from.
"""
_WORDS: Final[dict[Path, str]] = {
    ("search", "provider"): "Who searches: an id of `webseam providers`. Blank: the only vendor whose key is set.",
    ("search", "route"): "Or several, tried in order; each try is told in the result.",
    ("search", "keyless"): "Whether Exa's public endpoint is asked, without a key, when nothing else is there.",
    ("search", "timeout"): "Seconds for a whole search, every fallback included.",
    ("search", "max_results"): "Most sources of an answer.",
    ("fetch", "timeout"): "Seconds for a page, conversion included.",
    ("fetch", "private_networks"): "Private networks that may be read, as CIDR. Cloud metadata stays closed.",
    ("fetch", "private_hosts"): "Names that may resolve to private addresses.",
    ("fetch", "cache"): "Keep pages as HTTP allows: off, memory, or disk.",
    ("fetch", "robots"): "Whether robots.txt is kept to: off, on, or autonomous: when no person asked.",
    ("tools", "fetch_chars"): "Most characters of a page in one answer to a model.",
    ("permission", "unseen"): "URLs that nobody named and no result held: allow, ask or deny.",
    ("permission", "deny_hosts"): "Hosts never fetched, subdomains included.",
    ("secrets", "environment"): "Whether keys may come from the environment. Keep them with `webseam keys set ID`.",
}
_NOT_FOR_PROJECTS: Final = frozenset(
    {("fetch", "private_networks"), ("fetch", "private_hosts"), ("fetch", "cache"), ("secrets", "environment")}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a person chose; the defaults are the product's."""

    provider: str = ""
    keyless: bool = True
    networks: tuple[str, ...] = ()
    cache: CacheMode = "off"

    def chosen(self) -> dict[Path, Any]:
        """The settings that differ from their defaults."""
        answered: dict[Path, Any] = {
            ("search", "provider"): self.provider,
            ("search", "keyless"): self.keyless,
            ("fetch", "private_networks"): self.networks,
            ("fetch", "cache"): self.cache,
        }
        return {path: value for path, value in answered.items() if value != settings()[path].default}


def config_text(answers: Answers, *, project: bool) -> str:
    """The file: what is answered is set, other settings that people change are comments with their defaults."""
    chosen = answers.chosen()
    shown = [path for path in _WORDS if not (project and path in _NOT_FOR_PROJECTS)]
    parts = [_PROJECT if project else _USER]
    for section in dict.fromkeys(path[0] for path in shown):
        lines = (line for path in shown if path[0] == section for line in _lines(path, chosen))
        parts.append(f"[{section}]\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _lines(path: Path, chosen: dict[Path, Any]) -> Iterator[str]:
    yield f"# {_WORDS[path]}"
    value = chosen.get(path, settings()[path].default)
    yield f"{'' if path in chosen else '# '}{path[1]} = {_toml(value)}"


def _toml(value: Any) -> str:
    """JSON's strings, numbers, truth values and lists are TOML's too."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=True)
