"""`webseam doctor`: whether this installation can search and fetch; with `--live`, whether the vendors answer."""

import asyncio
import os
import platform
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.version import VERSION
from webseam.surfaces.cli.command import Command, output_option, usage
from webseam.surfaces.cli.doctor_around import lines_of, surroundings
from webseam.surfaces.cli.doctor_live import Trial, examine, reported
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.names import complete_providers
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.providers import print_section, sections
from webseam.surfaces.cli.session import Session
from webseam.tools.parameters import check_engine
from webseam.wiring.build import REAL, build
from webseam.wiring.config import Loaded
from webseam.wiring.live import read_sightings
from webseam.wiring.plugins import CAPABILITIES
from webseam.wiring.sources import project_file

EXAMPLES: Final = (
    "webseam doctor",
    "webseam doctor --json | jq .problems",
    "webseam doctor --live exa tavily",
    "webseam doctor --live --yes",
    "webseam doctor --live --yes --record trials.jsonl && webseam doctor --live --replay trials.jsonl",
)
SET_UP: Final = 3


@click.command("doctor", cls=Command, examples=EXAMPLES, short_help="Check this installation; with --live try vendors.")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_providers("search", "extract"))
@click.option("--live", is_flag=True, help="Make one real call to each ID, or to every available provider.")
@click.option("--yes", is_flag=True, help="With --live: agree that calls with a key are billed.")
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@edge_options
@click.pass_obj
def command(session: Session, /, ids: tuple[str, ...], *, live: bool, yes: bool, as_json: bool) -> int:
    """Check what works here and what does not, each with the next step. Exits 3 when a call would be refused.

    Versions, configuration files, keys by their source, selection, TLS and names, folders, extras. Nothing is dialled.

    --live makes one real call to each provider and prints what came: a search, or where it only extracts, the text of
    https://example.com/. A provider that answers with hits or a text is recorded with the UTC day, and `providers
    --json` tells it as `seen_live`; where one does not, its failure is the exit code. Calls with a key are billed by
    the vendor. With --replay the recorded calls are shown again, and nothing here is looked at.
    """
    if ids and not live:
        raise usage("Name providers only with --live.")
    if yes and not live:
        raise usage("--yes agrees to live calls. Add --live.")
    _check_edge(session, live=live)
    report = check_up(session) if session.replay is None else {"problems": [], "warnings": []}
    trials: tuple[Trial, ...] = ()
    if live and all(problem["code"] != Code.CONFIG_INVALID for problem in report["problems"]):
        trials = asyncio.run(examine(session, ids, agreed=yes))
        report["live"] = [one.to_dict() for one in trials]
    if as_json:
        session.out.json(report)
    else:
        _print(session, report, trials)
    return SET_UP if report["problems"] else max((one.exit_code for one in trials), default=0)


def _print(session: Session, report: dict[str, Any], trials: Sequence[Trial]) -> None:
    if session.replay is None:
        print_report(session.out, report)
    reported(session.out, trials)
    for problem in report["problems"]:
        session.out.note(f"webseam: {problem['code']}: {problem['message']}")
    for warning in report["warnings"]:
        session.out.note(f"webseam: {warning}")


def _check_edge(session: Session, *, live: bool) -> None:
    """Refuse the flags of a run that would do nothing here."""
    if session.record is not None and not live:
        raise usage("Without --live nothing is sent that could be recorded. Add --live, or leave out --record.")
    if session.replay is not None and not live:
        raise usage("Without --live nothing is sent that could be replayed. Add --live, or leave out --replay.")
    if session.offline and live and session.replay is None:
        raise usage("--live makes real calls and --offline refuses all network. Give one of them.")


def check_up(session: Session) -> dict[str, Any]:
    """What is installed, what is configured and what would be selected, as plain data; `problems` refuse a call."""
    loaded = session.survey()
    seen = read_sightings(loaded.places.data)
    if seen.fault is not None:
        session.out.note(f"webseam: {seen.fault}")
    problems = list(loaded.problems)
    parts: dict[str, Any] = {}
    if not problems:  # with a part of the configuration left out, the selection would be somebody else's
        try:
            built = build(loaded, seams=session.seams or REAL, capabilities=CAPABILITIES, lenient=True)
        except WebError as error:
            problems.append(error)
        else:
            parts = sections(built, seen)
            if built.plan.problem is not None:  # it is what every call gets; what else would be chosen is nobody's
                problems.append(built.plan.problem)
                parts = {name: {**part, "error": built.plan.problem.to_dict()} for name, part in parts.items()}
            if built.plan.notice:
                session.out.note(built.plan.notice)
    problems += _engine_missing(loaded)
    around = surroundings(loaded)
    problems += around.problems
    told = [error.to_dict() for error in problems]
    refusing = {error.message for error in problems}
    refusals = _refusals(parts, wants_extract=loaded.config.tools.extract)
    told += [error for error in refusals if error["message"] not in refusing]
    warnings = [one for one in around.warnings if one not in refusing]
    found = {"versions": versions(), "files": _files(session, loaded), **around.told}
    return {**found, "problems": told, "warnings": warnings, **parts}


def _engine_missing(loaded: Loaded) -> Iterator[WebError]:
    """What refuses every call, though a look at the providers gets past it."""
    try:
        check_engine(loaded.config.tools.fetch_engine)
    except WebError as error:
        yield error


def _refusals(parts: Mapping[str, Any], *, wants_extract: bool) -> Iterator[dict[str, Any]]:
    """The errors that calls would get. Of extraction once somebody wants it: two vendors' keys, set for their search,
    leave open which of them it is to be.
    """  # noqa: D205 - the reason is the summary
    for capability, part in parts.items():
        if "error" in part and (capability != "extract" or wants_extract or part["choice"] is not None):
            yield part["error"]


def versions() -> dict[str, Any]:
    """What runs here. Without FTS5 the local index cannot work; everything else can."""
    return {
        "webseam": VERSION,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "fts5": _has_fts5(),
    }


def _has_fts5() -> bool:
    database = sqlite3.connect(":memory:")
    try:
        database.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError:
        return False
    finally:
        database.close()
    return True


def _files(session: Session, loaded: Loaded) -> list[str]:
    """The configuration files that are there."""
    project = project_file(session.cwd, loaded.home)
    return [str(one) for one in (loaded.places.user_file, project) if one is not None and os.path.lexists(one)]


def _shortened(part: Mapping[str, Any], problems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A section without what is told once below, its error too, and without the many that nobody asked for.

    A row of a plugin that did not load says no more of it than where it belongs, and stays.
    """
    told = {problem["message"] for problem in problems}
    others = [row for row in part["providers"] if row.get("reason") not in told]
    rows = [row for row in others if row["state"] != "off" or "keyless" not in row]
    counts = {
        "see the problem below": len(part["providers"]) - len(others),
        "`webseam providers` says why": len(others) - len(rows),
    }
    more = [{"state": "off", "id": f"{count} more", "reason": why} for why, count in counts.items() if count]
    return {"choice": part["choice"], "providers": [*rows, *more]}


def print_report(out: Output, report: dict[str, Any]) -> None:
    """The same for people; problems go to stderr elsewhere."""
    found = report["versions"]
    fts5 = "with FTS5" if found["fts5"] else "without FTS5: no local index"
    out.data(f"webseam {found['webseam']}, Python {found['python']}, SQLite {found['sqlite']} {fts5}")
    out.data(f"configuration: {', '.join(report['files']) or 'no file, defaults only'}")
    for line in lines_of(report):
        out.data(line)
    for capability in CAPABILITIES:
        if capability in report:
            print_section(out, capability, _shortened(report[capability], report["problems"]))
    verdict = "calls would be refused" if report["problems"] else "ready"
    out.data(verdict)
