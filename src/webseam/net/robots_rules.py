"""What a robots.txt says about one page (RFC 9309 section 2.2): the groups that apply, and Protego's matching of them.

Groups are told apart here. Protego 0.7 takes part of a product token for the whole, misses one that is written with a
version, and needs agents times rules of time for a file (measured: 4 s for 60 kB; 10 MB/s here).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from webseam.core.limits import ROBOTS_RULE_CHARS, ROBOTS_RULES_NAMED
from webseam.core.text import one_line

if TYPE_CHECKING:
    from protego import Protego

    from webseam.core.url import Url

EVERYBODY: Final = "*"
_AGENT: Final = re.compile(r"(?i)user[-\s]*agent(?:[:\s](.*))?")
"""Written as sites write it: without a hyphen, or without a colon."""

_RULE: Final = re.compile(r"(?i)(?:allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)\b")
"""As Protego reads them. Any other record, such as a delay or a site map, ends no group (section 2.2.4)."""

_HOST: Final = "http://robots.invalid"
"""Protego wants a URL and looks at its path and query only."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that hold for one client on one authority; `lines` are what applies, in order, each once.

    `chars` is their length: what memory and matching are in proportion to.
    """

    lines: tuple[str, ...]
    chars: int
    matcher: "Protego"

    @classmethod
    def parse(cls, text: str, token: str) -> Self:
        """The rules for the client named `token`; whatever the file holds, nothing is raised. Linear in `text`."""
        lines = applicable(text, token)
        return cls(lines, sum(map(len, lines)), _matcher(lines))

    def allows(self, url: "Url") -> bool:
        """Whether the page may be fetched: the longest matching rule decides, and allows where two are as long."""
        return _allows(self.matcher, url)

    def refusal(self, url: "Url") -> str | None:
        """The rule that disallows the page, on one line; None where it is not among the longest ones."""
        longest = sorted(self.lines, key=len, reverse=True)[:ROBOTS_RULES_NAMED]
        found = next((line for line in longest if not _allows(_matcher((line,)), url)), None)
        return None if found is None else one_line(found, limit=ROBOTS_RULE_CHARS)


def product_token(user_agent: str) -> str:
    """The name by which a site's groups address this client: the first product without its version, lower case."""
    return next(iter(user_agent.partition("/")[0].lower().split()), "")


def applicable(text: str, token: str) -> tuple[str, ...]:
    """The lines of all groups that name `token`, else of all groups for `*` (RFC 9309 section 2.2.1)."""
    own: dict[str, None] = {}
    shared: dict[str, None] = {}
    named = False
    for agents, line in _grouped(text):
        if line is None:
            named = named or token in agents
        elif token in agents:
            own[line] = None
        elif EVERYBODY in agents:
            shared[line] = None
    return tuple(own if named else shared)


def _grouped(text: str) -> Iterator[tuple[frozenset[str], str | None]]:
    """Each rule line with the agents of its group; None for a line that adds an agent, rules or not."""
    agents: frozenset[str] = frozenset()
    heading: set[str] = set()
    for raw in text.splitlines():
        line = raw.partition("#")[0].strip()
        agent = _AGENT.fullmatch(line)
        if agent is None:
            if _RULE.match(line) is None:
                continue
            if heading:
                agents, heading = frozenset(heading), set()
            yield agents, line
        else:
            name = _agent(agent[1] or "")
            heading.add(name)
            yield frozenset((name,)), None


def _agent(value: str) -> str:
    """A group's product token: without version, comment or stray asterisks."""
    bare = next(iter(value.lstrip(": \t").partition("/")[0].lower().split()), "")
    return bare.strip("*") or (EVERYBODY if bare else "")


def _matcher(lines: tuple[str, ...]) -> "Protego":
    from protego import Protego  # noqa: PLC0415 - first use

    return Protego.parse("\n".join((f"User-agent: {EVERYBODY}", *lines)))


def _allows(matcher: "Protego", url: "Url") -> bool:
    return matcher.can_fetch(f"{_HOST}{url.path}{url.query}", EVERYBODY)
