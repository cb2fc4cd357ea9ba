"""`webseam compare`: one question to several vendors at once, their answers side by side."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import MAX_RESULTS_MAX
from webseam.surfaces.cli.command import Command, Seconds, output_option, usage
from webseam.surfaces.cli.compare_text import print_comparison
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.session import Session
from webseam.surfaces.cli.side_by_side import ask_each, usable_ids
from webseam.tools.compare import Comparison, Outcome, compare

EXAMPLES: Final = (
    'webseam compare "kelp farming permits"',
    "webseam compare --provider exa --provider brave --max-results 10 rust borrow checker",
    "webseam compare --json kelp | jq '.providers[] | {provider, hits, shared, cost}'",
)
FEWEST: Final = 2
DIFFERENT: Final = 5
"""Exit code when all failed and not alike: what a route of them would exit with."""


@click.command("compare", cls=Command, examples=EXAMPLES, short_help="Ask several vendors and compare.")
@click.argument("query", nargs=-1, required=True)
@click.option("--provider", "providers", multiple=True, metavar="ID", help="Ask this provider; repeatable.")
@click.option("-n", "--max-results", type=click.IntRange(1, MAX_RESULTS_MAX), help="At most so many sources of each.")
@click.option("--timeout", type=Seconds(), help="For all of them together.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@edge_options
@click.pass_obj
def command(session: Session, /, query: tuple[str, ...], **options: Any) -> int:
    """Ask several search providers at once and show their answers side by side.

    Without --provider every provider that is registered and available is asked; each call is billed as a search is. A
    provider that fails does not fail the others: its code stands in its line. Exits 0 when at least one answered.
    """
    ids = _ids(session, options["providers"])
    asked = ask_each(session, ids, " ".join(query), max_results=options["max_results"], seconds=options["timeout"])
    outcomes = asyncio.run(asked)
    comparison = compare(outcomes)
    if options["as_json"]:
        session.out.json(
            {
                "query": " ".join(query),
                "providers": [one.to_dict() for one in comparison.standings],
                "urls": [one.to_dict() for one in comparison.places],
            }
        )
    else:
        print_comparison(session.out, comparison)
    _tell(session, outcomes, as_json=options["as_json"])
    return _exit_code(comparison, outcomes)


def _ids(session: Session, named: Sequence[str]) -> tuple[str, ...]:
    """Whom to ask.

    Raises:
        WebError: `INVALID_ARGS` for fewer than two names, `WEB_PROVIDER_UNAVAILABLE` for fewer that can be asked.
    """
    given = tuple(dict.fromkeys(name.strip() for name in named if name.strip()))
    if named and len(given) < FEWEST:
        raise usage("A comparison needs at least two providers. Give --provider once more.")
    if given:
        return given
    usable = usable_ids(session)
    if len(usable) < FEWEST:
        raise WebError(
            Code.PROVIDER_UNAVAILABLE,
            f"A comparison needs at least two search providers, and {_counted(usable)}. Set a vendor's key, or name "
            "two with --provider; `webseam providers` lists them.",
        )
    return usable


def _counted(usable: tuple[str, ...]) -> str:
    return f"only {usable[0]} is available" if usable else "none is available"


def _tell(session: Session, outcomes: Sequence[Outcome], *, as_json: bool) -> None:
    """What failed and why, on stderr."""
    for one in outcomes:
        if isinstance(one.answer, WebError):
            session.out.failed(one.answer, as_json=as_json, provider=one.provider)
        elif one.answer.grounding == "ungrounded":
            session.out.note(f"{one.provider}: ungrounded: no search backs this answer")


def _exit_code(comparison: Comparison, outcomes: Sequence[Outcome]) -> int:
    if comparison.answered:
        return 0
    codes = {one.answer.exit_code for one in outcomes if isinstance(one.answer, WebError)}
    return codes.pop() if len(codes) == 1 else DIFFERENT
