"""`webseam batch`: a file of URLs or queries in, a line of JSON for each out, by this process or by a Ray cluster."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import BATCH_CONCURRENCY, BATCH_CONCURRENCY_MAX, BATCH_PER_HOST, BATCH_SHARDS, RAY_ACTORS_MAX
from webseam.surfaces.cli.arriving import arriving, entries_in
from webseam.surfaces.cli.batch import answer_each, check_file_flags
from webseam.surfaces.cli.batch_kinds import EXTRACT, FETCH, SEARCH, Kind
from webseam.surfaces.cli.command import FILE, RUN_OPTIONS, Command, Lazy, usage
from webseam.surfaces.cli.session import STDIN, Session
from webseam.wiring.batch_entry import Entry, Shard, entries_of

EXAMPLES: Final = (
    "webseam batch fetch urls.txt -o pages.jsonl --resume",
    "webseam batch search queries.jsonl -o hits.jsonl --provider exa",
    "webseam batch fetch urls.txt -o part3.jsonl --shard 3/16",
    "webseam batch fetch urls.txt -o pages.jsonl --engine ray",
)
_OF: Final = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)

command = Lazy(
    name="batch",
    help="""Fetch, search or extract for every line of a file, and go on after a stop.

    A line is a URL or a query, or a JSON object with `url` or `query` and an `id` that stands in the results.""",
    table={},
    examples=EXAMPLES,
)


class Part(click.ParamType[Shard]):
    """`3/16`: the third of sixteen parts."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Shard:
        """The part.

        Raises:
            click.BadParameter: there is no such part.
        """
        found = _OF.fullmatch(str(value))
        index, count = (int(found[1]), int(found[2])) if found else (0, 0)
        if not 1 <= index <= count <= BATCH_SHARDS:
            self.fail(f"{value!r} is no part such as 3/16, of at most {BATCH_SHARDS:,}.", param, ctx)
        return Shard(index=index, count=count)


_NOT_HERE: Final = MappingProxyType({"per_host": None, "offset": 0, "raw": False})
"""What a command for one input takes and a batch, or one without hosts, does not."""

_WORKERS: Final = click.IntRange(1, BATCH_CONCURRENCY_MAX)
_INPUT: Final = click.Argument(["source"], metavar="INPUT")
_OUT: Final = (
    click.Option(["-o", "--output"], **FILE, help="Write lines to FILE instead of stdout."),
    click.Option(["--resume"], is_flag=True, help="Go on with FILE where it is, do nothing in it again."),
    click.Option(["--retry-failed"], is_flag=True, help="With --resume: do again what failed."),
    click.Option(["--concurrency"], type=_WORKERS, metavar="N", help=f"So many at once; else {BATCH_CONCURRENCY}."),
)
_PER_HOST: Final = click.Option(
    ["--per-host"], type=_WORKERS, metavar="N", help=f"So many at once of one host; else {BATCH_PER_HOST}."
)
_SCALE: Final = (
    click.Option(["--shard"], type=Part(), metavar="I/N", help="Only the I-th of N parts, the same on every machine."),
    click.Option(
        ["--shard-by"], type=click.Choice(["input", "host"]), help="With --shard: split by input, or keep hosts whole."
    ),
    click.Option(["--engine"], type=click.Choice(["local", "ray"]), default="local", help="This process, or Ray."),
    click.Option(
        ["--actors"], type=click.IntRange(1, RAY_ACTORS_MAX), metavar="N", help="With --engine ray; else one a CPU."
    ),
)


def _command(kind: Kind, summary: str, text: str) -> Command:
    """A command of `batch`: what its single command takes for each input, and what a batch takes."""

    @click.pass_obj
    def run(session: Session, /, source: str, **options: Any) -> int:
        return _run(session, kind, source, options)

    own = [one for one in kind.single.params if one.name in kind.options]
    edge = [one for one in kind.single.params if one.name in RUN_OPTIONS]
    per_host = () if kind is SEARCH else (_PER_HOST,)
    return Command(
        kind.name,
        params=[_INPUT, *_OUT, *per_host, *own, *_SCALE, *edge],
        callback=run,
        help=text,
        short_help=summary,
        examples=kind.examples,
    )


_READS: Final = """INPUT is a file, or `-` for standard input: a {what} per line, or a JSON object with `{field}` and
an `id`, a string or a number. Each distinct line gives one of results, as it ends: an object with `input`, the `id`
where there is one, and what came of it, or its `error`.

With -o FILE, --resume goes on with what is in FILE, whatever ended the run before; without a FILE it begins. Exit code:
0, that of all failures, or 5. -v tells every ten seconds how far it is."""

for _kind, _summary, _what in (
    (FETCH, "Fetch every URL of a list.", "URL"),
    (SEARCH, "Search for every query of a list.", "query"),
    (EXTRACT, "Extract the text of every URL of a list.", "URL"),
):
    _text = f"{_summary}\n\n{_READS.format(what=_what, field=_kind.field)}"
    command.add_command(_command(_kind, _summary, _text))


def _run(session: Session, kind: Kind, source: str, options: dict[str, Any]) -> int:
    options = {**_NOT_HERE, **options, "pulse": session.verbose}
    session = replace(session, verbose=False)
    check_file_flags(options)
    _check_scale(options)
    kind.check(options)
    if options["output"] is not None:
        session.check_file(options["output"])
    inputs = _inputs(session, kind, source, _shard(options))
    if options["engine"] == "ray":
        from webseam.surfaces.cli.batch_ray import answer_on_ray  # noqa: PLC0415 - only a run on Ray pays for it

        return answer_on_ray(session, kind, inputs, options)
    return asyncio.run(_answer(session, kind, inputs, options))


async def _answer(session: Session, kind: Kind, inputs: AsyncIterator[Sequence[Entry]], options: dict[str, Any]) -> int:
    built = session.build(kind.capabilities, kind.settings(options))
    for notice in kind.notices(built):
        session.out.note(notice)
    async with built.web as web:
        return await answer_each(session, inputs, kind.work(web, options), options, host=kind.host)


def _check_scale(options: dict[str, Any]) -> None:
    if options["shard_by"] and options["shard"] is None:
        raise usage("--shard-by says how --shard splits. Add --shard.")
    if options["actors"] and options["engine"] != "ray":
        raise usage("--actors are Ray's. Add --engine ray.")


def _shard(options: dict[str, Any]) -> Shard:
    shard: Shard = options["shard"] or Shard()
    return replace(shard, by_host=options["shard_by"] == "host")


async def _inputs(session: Session, kind: Kind, source: str, shard: Shard) -> AsyncIterator[Sequence[Entry]]:
    """The inputs of this part: those of a file at once, those of standard input as they arrive."""
    lines = arriving(session.stdin) if source == STDIN else _lines_of(session, source)
    async for some in lines:
        yield list(shard.part(entries_of(some, kind.field)))


async def _lines_of(session: Session, name: str) -> AsyncIterator[Sequence[str]]:
    try:
        with (session.cwd / name).open(encoding="utf-8") as file:
            lines = entries_in(file)
    except UnicodeDecodeError as exc:
        raise WebError(Code.INVALID_ARGS, f"{name}: is not UTF-8 text. Convert it first.") from exc
    except (OSError, ValueError) as exc:
        why = exc.strerror if isinstance(exc, OSError) else "not a possible path"
        raise WebError(Code.INVALID_ARGS, f"{name}: cannot be read ({why}). Give a file, or `-`.") from exc
    if not lines:
        raise WebError(Code.INVALID_ARGS, f"{name}: is empty. Give one entry per line.")
    yield lines
