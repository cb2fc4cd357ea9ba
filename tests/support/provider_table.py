"""The tables of search providers in the documents, made from the specs that are built in."""

import re
import tomllib
from collections.abc import Iterable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

from webseam.core.plugin import ProviderSpec
from webseam.wiring.live import NEVER

ROOT: Final = Path(__file__).parents[2]
GROUP: Final = "webseam.search"
HOW: Final = "WEBSEAM_WRITE_DOCS=1 make docs"
PAGES: Final = (ROOT / "docs/providers/README.md", ROOT / "README.md")
MARKED: Final = re.compile(r"(?<=<!-- providers -->\n).*?(?=<!-- /providers -->)", re.DOTALL)

WORDS: Final = {
    "domains": {"include_domains", "exclude_domains"},
    "dates": {"published_after", "published_before"},
    "country": {"country"},
    "language": {"language"},
    "safe search": {"safe_search"},
}
ANSWERS: Final = {"never": "", "option": "option", "always": "yes"}
RESTS: Final = {"sdk": "the vendor's SDK", "documented": "its documentation", "recalled": "memory"}


def built_in() -> tuple[ProviderSpec, ...]:
    """The specs of the entry points in `pyproject.toml`, by name: what an installation of this tree would have."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"][GROUP]
    return tuple(EntryPoint(name=name, value=points[name], group=GROUP).load() for name in sorted(points))


def needs_no_key(spec: ProviderSpec) -> bool:
    """As `providers --json` tells it."""
    return spec.keyless or spec.key_optional or not spec.key_env


def controls_of(spec: ProviderSpec) -> str:
    """The controls in few words; half a pair stands under its own name."""
    left = set(spec.controls)
    told = [word for word, names in WORDS.items() if names <= left]
    for word in told:
        left -= WORDS[word]
    return ", ".join([*told, *(f"`{name}`" for name in sorted(left))])


def whole_table(specs: Iterable[ProviderSpec]) -> str:
    """A row for each kind."""
    head = "| id | what it is | key | works without | writes an answer | native controls | rests on | seen live |\n"
    return head + "|---" * 8 + "|\n" + "".join(map(_row, specs))


def _row(spec: ProviderSpec) -> str:
    cells = (
        f"`{spec.kind}`",
        spec.summary,
        " or ".join(f"`{name}`" for name in spec.key_env),
        "yes" if needs_no_key(spec) else "",
        ANSWERS[spec.answer],
        controls_of(spec),
        RESTS[spec.rests_on],
        NEVER,
    )
    return "".join(f"| {cell.replace('|', '/')} " for cell in cells).replace("|  ", "| ") + "|\n"


def short_table(specs: Iterable[ProviderSpec]) -> str:
    """Which kinds need what, in three lines."""
    known = tuple(specs)
    rows = {
        "works without a key": [one for one in known if needs_no_key(one)],
        "needs a key": [one for one in known if not needs_no_key(one)],
        "can write an answer beside its hits": [one for one in known if one.answer != "never"],
    }
    lines = (f"| {name} | {', '.join(f'`{one.kind}`' for one in ones) or 'none'} |\n" for name, ones in rows.items())
    return "| | ids |\n|---|---|\n" + "".join(lines)


def generated(page: Path, specs: Iterable[ProviderSpec]) -> str:
    """The page with the table that belongs into it, between its markers."""
    text = page.read_text(encoding="utf-8")
    table = short_table(specs) if page.parent == ROOT else whole_table(specs)
    fresh, count = MARKED.subn(lambda _found: table, text)
    if count != 1:
        raise ValueError(f"{page.name} must have one block between <!-- providers --> and <!-- /providers -->")
    return fresh
