"""What `webseam batch` can do for each line: fetch, search, extract, as the commands of these names do for one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import click

from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.surfaces.cli import extract, fetch, search
from webseam.surfaces.cli.batch import Work
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.page_read import reader_on
from webseam.surfaces.cli.page_view import asked_for
from webseam.wiring.batch_entry import Entry, host_of_entry, nobodys
from webseam.wiring.build import Built


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One of them.

    `single` is the command for one input, of which `options` are taken; `field` names an input in a JSON object.
    `settings` are the flags as configuration, `work` does one input, `host` tells whose it is, `check` refuses flags
    that exclude each other, `notices` are said once.
    """

    name: str
    field: str
    single: click.Command
    options: tuple[str, ...]
    capabilities: tuple[Capability, ...]
    settings: Callable[[dict[str, Any]], dict[str, Any]]
    work: Callable[[Web, dict[str, Any]], Work]
    check: Callable[[dict[str, Any]], object]
    notices: Callable[[Built], Iterable[str]]
    examples: tuple[str, ...]
    host: Callable[[Entry], str | None] = host_of_entry


def _fetch_settings(options: dict[str, Any]) -> dict[str, Any]:
    return {"fetch": {"provider": options["provider"]} if options["provider"] else {}}


def _check_fetch(options: dict[str, Any]) -> None:
    asked_for(options)
    fetch.check_body(options)


def _check_extract(options: dict[str, Any]) -> None:
    if options["provider"] and options["route"] is not None:
        raise usage("Give one of --provider and --route.")
    extract.extract_choice(options)


FETCH: Final = Kind(
    name="fetch",
    field="url",
    single=fetch.command,
    options=("provider", "chars", "find", "outline", "view", "pretty", "raw_body", "fail", "timeout"),
    capabilities=("fetch",),
    settings=_fetch_settings,
    work=lambda web, options: fetch.page_work(reader_on(web, options), asked_for(options)),
    check=_check_fetch,
    notices=lambda _built: (),
    examples=(
        "webseam batch fetch urls.txt -o pages.jsonl",
        "webseam batch fetch urls.txt -o pages.jsonl --resume --retry-failed",
        "webseam batch fetch urls.txt -o part3.jsonl --shard 3/16 --shard-by host",
        "webseam batch fetch urls.txt -o pages.jsonl --engine ray",
        "webseam batch fetch --view main - < urls.txt | jq -r .markdown",
    ),
)
SEARCH: Final = Kind(
    name="search",
    field="query",
    single=search.command,
    options=(
        *("provider", "route", "fanout", "max_results", "include", "exclude", "after", "before", "country"),
        *("language", "safe", "timeout"),
    ),
    capabilities=("search",),
    settings=lambda options: {"search": search.search_choice(options)},
    work=search.search_work,
    check=search.search_choice,
    notices=lambda built: filter(None, [built.plan.notice]),
    examples=(
        "webseam batch search queries.txt -o hits.jsonl --provider exa",
        "webseam batch search queries.jsonl -o hits.jsonl --resume --max-results 3",
    ),
    host=nobodys,
)
EXTRACT: Final = Kind(
    name="extract",
    field="url",
    single=extract.command,
    options=("provider", "route", "timeout"),
    capabilities=("fetch", "extract"),
    settings=lambda options: {"extract": extract.extract_choice(options)},
    work=extract.extract_work,
    check=_check_extract,
    notices=lambda built: filter(None, [extract.extract_notice(built)]),
    examples=(
        "webseam batch extract urls.txt -o texts.jsonl --provider local",
        "webseam batch extract urls.jsonl -o texts.jsonl --resume --route local,jina",
    ),
)
KINDS: Final = MappingProxyType({one.name: one for one in (FETCH, SEARCH, EXTRACT)})
