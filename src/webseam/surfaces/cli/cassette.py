"""`webseam cassette show`: what a recording holds."""

from collections.abc import Mapping
from typing import Any, Final

import click

from webseam.core.errors import WebError
from webseam.core.text import one_line
from webseam.core.types import FetchResult, SearchResult
from webseam.stores.cassette import Cassette, read_cassette
from webseam.stores.cassette_entry import Entry
from webseam.surfaces.cli.command import Command, Lazy, complete_file, output_option
from webseam.surfaces.cli.session import Session

EXAMPLES: Final = ("webseam cassette show run.jsonl", "webseam cassette show --json run.jsonl | jq '.calls[].outcome'")

command = Lazy(name="cassette", help="Show what a recording holds.", table={}, examples=EXAMPLES)


@click.command("show", cls=Command, examples=EXAMPLES, short_help="Show the calls of a recording, in their order.")
@click.argument("file", shell_complete=complete_file)
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def show(session: Session, *, file: str, as_json: bool) -> int:
    """Show the calls of a recording: line, seconds, outcome, and what was asked. Dials nothing.

    What its file lacks, such as the cut last line of a session that was killed, is told on stderr.
    """
    cassette = read_cassette(session.cwd / file)
    for note in cassette.notes:
        session.out.note(note)
    if as_json:
        session.out.json(_plain(cassette))
        return 0
    for one in cassette.entries:
        session.out.data(f"{one.line:>5}  {one.seconds:7.3f} s  {_outcome(one):<30}  {_asked(one.call)}")
    session.out.note(f"calls: {len(cassette.entries)}, sessions: {cassette.sessions}")
    return 0


command.add_command(show)


def _plain(cassette: Cassette) -> dict[str, Any]:
    calls = [
        {"line": one.line, "at": one.at, "seconds": one.seconds, **one.call, "outcome": _outcome(one)}
        for one in cassette.entries
    ]
    return {"sessions": cassette.sessions, "calls": calls, "notes": list(cassette.notes)}


def _outcome(one: Entry) -> str:
    """A few words: what came, and how much of it."""
    match one.error or one.result:
        case WebError() as error:
            return error.code
        case SearchResult() as found:
            return f"{found.grounding}, {len(found.sources)} source{'' if len(found.sources) == 1 else 's'}"
        case FetchResult() as page:
            return f"HTTP {page.status_code}, {page.body.kind}"
        case None:
            return "cancelled"
        case _:
            return "extracted"


def _asked(call: Mapping[str, Any]) -> str:
    choice = next((f" [{name} {_named(call[name])}]" for name in ("provider", "route", "fanout") if name in call), "")
    request = call["request"]
    text = f"{call['capability']} {request.get('query') or request.get('url')}{choice}"
    return one_line(text, limit=len(text))


def _named(choice: Any) -> str:
    return choice if isinstance(choice, str) else ", ".join(choice)
