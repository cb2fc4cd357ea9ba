"""`webseam usage`: what was called, how it ended, and what it cost, as the record of calls tells it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from webseam.core.errors import Code, WebError
from webseam.core.limits import LEDGER_KEEP_DAYS_MOST
from webseam.surfaces.cli.command import Command, output_option
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    from webseam.core.ledger import By, LedgerStore, Span
    from webseam.wiring.config import Loaded

R = TypeVar("R")
EXAMPLES: Final = (
    "webseam usage",
    "webseam usage --since 7d --by day",
    "webseam usage --by tenant --json | jq '.rows[] | {key, costs}'",
    "webseam usage --since 2026-11-01 --export csv -o november.csv",
)
_BYS: Final = ("provider", "tenant", "tool", "code", "day", "outcome", "capability")
_SECONDS: Final = {"m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0}
_AGO: Final = re.compile(r"([0-9]{1,6})([mhdw])")


@dataclass(frozen=True, slots=True)
class When:
    """A moment, or a time before now, in seconds."""

    seconds: float
    ago: bool

    def at(self, now: float) -> float:
        """The moment in seconds since 1970."""
        return now - self.seconds if self.ago else self.seconds


class Moment(click.ParamType[When]):
    """A time ago such as `7d`, or a day or time in ISO 8601, in UTC unless it says otherwise."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> When:
        """The moment.

        Raises:
            click.BadParameter: anything else.
        """
        if isinstance(value, When):
            return value
        ago = _AGO.fullmatch(str(value))
        if ago is not None and (seconds := int(ago[1]) * _SECONDS[ago[2]]) <= LEDGER_KEEP_DAYS_MOST * _SECONDS["d"]:
            return When(seconds, ago=True)
        try:
            found = datetime.fromisoformat(str(value))
            return When((found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC).timestamp(), ago=False)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is no time such as 90m, 24h, 7d, 4w, 2026-03-02 or 2026-03-02T18:00.", param, ctx)


@click.command("usage", cls=Command, examples=EXAMPLES, short_help="Show what was called and what it cost.")
@click.option(
    "--since", type=Moment(), default="30d", show_default=True, help="From this time on: 24h, 7d, 2026-03-02."
)
@click.option("--until", type=Moment(), help="Before this time.")
@click.option("--by", type=click.Choice(_BYS), default="provider", show_default=True, help="One row for each of these.")
@click.option("--tenant", metavar="NAME", help="Only calls of this tenant of a gateway.")
@click.option("--export", type=click.Choice(["jsonl", "csv"]), help="The calls themselves instead of their sums.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def command(
    session: Session,
    *,
    since: When,
    until: When | None,
    by: "By",
    tenant: str | None,
    export: str | None,
    as_json: bool,
) -> int:
    """Show the recorded calls added up: how many, how they ended, what vendors said that they cost.

    `webseam serve` records calls by itself; all others are recorded when `ledger.keep` is "file" or "fleet". A cost is
    what the vendor reported; calls whose cost is not known are counted beside it, and never taken for free.
    """
    from webseam.core.ledger import Span  # noqa: PLC0415 - help goes without

    if export and as_json:
        raise WebError(Code.INVALID_ARGS, "--export has a format of its own. Leave --json out.")
    loaded, now = session.survey(), _now(session)
    span = Span(since=since.at(now), until=float("inf") if until is None else until.at(now), tenant=tenant)
    if not span.since < span.until:
        raise WebError(Code.INVALID_ARGS, "--until is not after --since, so no call can be between them.")
    if export:
        return _run(_exported(session, loaded, span, export))
    return _run(_shown(session, loaded, span, by, as_json=as_json))


async def _shown(session: Session, loaded: "Loaded", span: "Span", by: "By", *, as_json: bool) -> int:
    from webseam.surfaces.cli.usage_text import plain_sums, table  # noqa: PLC0415 - help goes without

    async with _opened(session, loaded) as store:
        sums = await store.sums(by, span)
        since = await store.whole_since()
    keep = loaded.config.ledger.keep
    if as_json:
        session.out.json({"recording": keep, **plain_sums(sums, by, span, since)})
        return 0
    if sums.whole.calls:
        session.out.data(table(sums, by))
    _tell_cut(session, span, since)
    if sums.lost:
        session.out.note(f"webseam: {sums.lost:,} calls could not be recorded at their time, and are in no sum.")
    if not sums.whole.calls:
        session.out.note(_nothing(loaded))
    elif keep == "off":
        session.out.note(f"webseam: calls are no longer recorded: ledger.keep is off in {loaded.places.user_file}.")
    return 0


def _tell_cut(session: Session, span: "Span", since: float) -> None:
    """Say so where the record had no room for all of this time."""
    if span.since < since:
        begin = datetime.fromtimestamp(since, UTC).isoformat(timespec="seconds")
        session.out.note(f"webseam: the record had no room for the calls before {begin}; they are missing here.")


def _nothing(loaded: "Loaded") -> str:
    if loaded.config.ledger.keep in ("file", "fleet"):
        return "webseam: no call was recorded in this time. --since 90d looks further back."
    return (
        "webseam: nothing was recorded: only `webseam serve` records calls unless you want it. To turn it on, write "
        f'[ledger] and below it keep = "file" into {loaded.places.user_file}.'
    )


async def _exported(session: Session, loaded: "Loaded", span: "Span", form: str) -> int:
    from webseam.surfaces.cli.usage_text import CSV_HEAD, csv_line, json_line  # noqa: PLC0415 - help goes without

    count = 0
    write: Callable[[Any], str] = csv_line if form == "csv" else json_line
    if form == "csv":
        session.out.line(CSV_HEAD)
    async with _opened(session, loaded) as store:
        async for entry in store.entries(span):
            session.out.line(write(entry))
            count += 1
        _tell_cut(session, span, await store.whole_since())
    if not count:
        session.out.note(_nothing(loaded))
    return 0


@asynccontextmanager
async def _opened(session: Session, loaded: "Loaded") -> AsyncIterator["LedgerStore"]:
    """The record that is kept; where none is kept now, the file of an earlier time.

    Raises:
        WebError: `WEB_CONFIG_INVALID`; `WEB_PROVIDER_ERROR` when the record cannot be read.
    """
    from webseam.core.ledger import LedgerError  # noqa: PLC0415 - help goes without
    from webseam.core.plugin import Seams  # noqa: PLC0415 - the same
    from webseam.stores.ledger import LedgerFile  # noqa: PLC0415 - the same
    from webseam.wiring.fleet import fleet_of  # noqa: PLC0415 - the same
    from webseam.wiring.ledger import for_gateway, ledger_path, store_of  # noqa: PLC0415 - the same

    loaded = for_gateway(loaded)
    shared = loaded.config.ledger.keep == "fleet"
    fleet = fleet_of(loaded.config, session.seams or Seams(), offline=False) if shared else None
    path = ledger_path(loaded)
    try:
        yield store_of(loaded, fleet) or LedgerFile(path)
    except LedgerError as exc:
        place = "The record of the fleet" if shared else str(path)
        raise WebError(Code.PROVIDER_ERROR, f"{place} cannot be read: {exc}.") from exc
    finally:
        if fleet is not None:
            await fleet.aclose()


def _now(session: Session) -> float:
    from webseam.core.plugin import Seams  # noqa: PLC0415 - help goes without

    return (session.seams or Seams()).now()


def _run(work: Coroutine[Any, Any, R]) -> R:
    return asyncio.run(work)
