"""`webseam search`: ask once, or once per line of standard input."""

import asyncio
from collections.abc import Iterable
from typing import Any, Final, get_args

import click

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.limits import MAX_RESULTS_MAX
from webseam.core.plain import to_plain
from webseam.core.types import SafeSearch, SearchControls, SearchResult
from webseam.core.web import Web
from webseam.surfaces.cli.batch import Line, Work, failure
from webseam.surfaces.cli.command import Command, Day, Seconds, output_option, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.names import complete_providers
from webseam.surfaces.cli.search_text import print_hits, remarks
from webseam.surfaces.cli.session import STDIN, Session
from webseam.tools.guarded import run_of

EXAMPLES: Final = (
    'webseam search "kelp farming permits"',
    "webseam search --provider exa --max-results 3 rust borrow checker",
    "webseam search --include-domain gov.uk --after 2026-01-01 kelp",
    "webseam search --json kelp | jq -r '.sources[].url'",
    "webseam search --json - < queries.txt",
)


@click.command("search", cls=Command, examples=EXAMPLES, short_help="Search the web.")
@click.argument("query", nargs=-1, required=True)
@click.option("--provider", metavar="ID", shell_complete=complete_providers("search"), help="Ask this provider.")
@click.option("--route", metavar="IDS", help="Try these in order, separated by commas.")
@click.option("--fanout", metavar="IDS", help="Ask these at once and merge, separated by commas.")
@click.option(
    "-n", "--max-results", type=click.IntRange(1, MAX_RESULTS_MAX), metavar="N", help="At most so many sources."
)
@click.option("--include-domain", "include", multiple=True, metavar="DOMAIN", help="Only from here; repeatable.")
@click.option("--exclude-domain", "exclude", multiple=True, metavar="DOMAIN", help="Nothing from here; repeatable.")
@click.option("--after", type=Day(), help="Published on this day or later.")
@click.option("--before", type=Day(), help="Published on this day or earlier.")
@click.option("--country", metavar="CODE", help="ISO 3166-1 alpha-2, such as NO.")
@click.option("--language", metavar="TAG", help="BCP 47, such as nb.")
@click.option("--safe", type=click.Choice(get_args(SafeSearch)), help="Safe search.")
@click.option("--timeout", type=Seconds(), help="For the whole search, fallbacks included.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a query.")
@click.option("--raw", is_flag=True, help="With --json: keep the vendor's own answer.")
@edge_options
@click.pass_obj
def command(session: Session, /, query: tuple[str, ...], **options: Any) -> int:
    """Search the web. QUERY `-` reads one query per line from standard input.

    Hits go to stdout; who answered, and what was left out, to stderr. No hits is success with an empty stdout.
    """
    if options["raw"] and not options["as_json"]:
        raise usage("--raw shows the vendor's own answer in JSON. Add --json.")
    queries = session.lines() if query == (STDIN,) else [" ".join(query)]
    return asyncio.run(_search_all(session, queries, options))


async def _search_all(session: Session, queries: list[str], options: dict[str, Any]) -> int:
    built = session.build(("search",), {"search": search_choice(options)})
    if built.plan.notice:
        session.out.note(built.plan.notice)
    code = 0
    async with built.web as web:
        for query in queries:
            try:
                await _search(session, web, query, options)
            except WebError as error:
                about = {} if len(queries) == 1 else {"query": query}
                session.out.failed(error, as_json=options["as_json"], **about)
                code = code or error.exit_code
    return code


async def _search(session: Session, web: Web, query: str, options: dict[str, Any]) -> None:
    with session.out.status("searching ..."):
        result = await _ask(web, query, options)
    if options["as_json"]:
        session.out.json(to_plain(result))
    else:
        print_hits(session.out, result)
    _tell(session, result)


async def _ask(web: Web, query: str, options: dict[str, Any]) -> SearchResult:
    result = await web.search(
        query,
        max_results=options["max_results"],
        controls=_controls(options),
        call=Call(raw=options["raw"]),
        timeout=options["timeout"],
    )
    spent = run_of(web.gate)
    if spent is not None:
        spent.charge(result.usage)
    return result


def search_work(web: Web, options: dict[str, Any]) -> Work:
    """A query of a batch."""

    async def work(query: str) -> Line:
        try:
            return Line(record=to_plain(await _ask(web, query, options)))
        except WebError as error:
            return failure(error)

    return work


def _tell(session: Session, result: SearchResult) -> None:
    for line in remarks(result):
        session.out.note(line)


def search_choice(options: dict[str, Any]) -> dict[str, Any]:
    """The flag that names providers, as the setting it is.

    Raises:
        WebError: `INVALID_ARGS` for more than one.
    """
    given = {name: options[name] for name in ("provider", "route", "fanout") if options[name]}
    if len(given) > 1:
        raise usage(f"Give one of --provider, --route and --fanout, not {len(given)}.")
    return {name: value if name == "provider" else _split(value) for name, value in given.items()}


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _controls(options: dict[str, Any]) -> SearchControls:
    return SearchControls(
        include_domains=_all(options["include"]),
        exclude_domains=_all(options["exclude"]),
        published_after=options["after"],
        published_before=options["before"],
        country=options["country"],
        language=options["language"],
        safe_search=options["safe"],
    )


def _all(texts: Iterable[str]) -> tuple[str, ...]:
    """Every domain; a flag without one stays as it is, so that the seam refuses it instead of searching everywhere."""
    return tuple(part for text in texts for part in _split(text) or (text,))
