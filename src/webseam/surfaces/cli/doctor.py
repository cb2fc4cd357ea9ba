"""`webseam doctor`: whether this installation can search and fetch; with `--live`, whether the vendors answer."""

import asyncio
import os
import platform
import sqlite3
from typing import Any, Final

import click

from webseam.core.errors import Code, WebError
from webseam.core.version import VERSION
from webseam.surfaces.cli.command import Command, usage
from webseam.surfaces.cli.doctor_live import Trial, examine, reported
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.providers import print_section, sections
from webseam.surfaces.cli.session import Session
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
)
SET_UP: Final = 3


@click.command("doctor", cls=Command, examples=EXAMPLES, short_help="Check this installation; with --live try vendors.")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--live", is_flag=True, help="Send one real search to each ID, or to every available provider.")
@click.option("--yes", is_flag=True, help="With --live: agree that calls with a key are billed.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def command(session: Session, /, ids: tuple[str, ...], *, live: bool, yes: bool, as_json: bool) -> int:
    """Check versions, configuration and selection; nothing is dialled. Exits 3 when a call would be refused.

    --live sends one real search for each provider and prints what came. A provider that answers with hits is recorded
    with the UTC day, and `providers --json` tells it as `seen_live`; where one does not, its failure is the exit code.
    Calls with a key are billed by the vendor.
    """
    if ids and not live:
        raise usage("Name providers only with --live.")
    if yes and not live:
        raise usage("--yes agrees to live calls. Add --live.")
    report = check_up(session)
    trials: tuple[Trial, ...] = ()
    if live and all(problem["code"] != Code.CONFIG_INVALID for problem in report["problems"]):
        trials = asyncio.run(examine(session, ids, agreed=yes))
        report["live"] = [one.to_dict() for one in trials]
    if as_json:
        session.out.json(report)
    else:
        print_report(session.out, report)
        reported(session.out, trials)
        for problem in report["problems"]:
            session.out.note(f"webseam: {problem['code']}: {problem['message']}")
    return SET_UP if report["problems"] else max((one.exit_code for one in trials), default=0)


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
            problems += [] if built.plan.problem is None else [built.plan.problem]
            parts = sections(built, seen)
            if built.plan.notice:
                session.out.note(built.plan.notice)
    told = [error.to_dict() for error in problems] + [part["error"] for part in parts.values() if "error" in part]
    return {"versions": versions(), "files": _files(session, loaded), "problems": told, **parts}


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


def print_report(out: Output, report: dict[str, Any]) -> None:
    """The same for people; problems go to stderr elsewhere."""
    found = report["versions"]
    fts5 = "with FTS5" if found["fts5"] else "without FTS5: no local index"
    out.data(f"webseam {found['webseam']}, Python {found['python']}, SQLite {found['sqlite']} {fts5}")
    out.data(f"configuration: {', '.join(report['files']) or 'no file, defaults only'}")
    for capability in CAPABILITIES:
        if capability in report:
            print_section(out, capability, {name: part for name, part in report[capability].items() if name != "error"})
    verdict = "calls would be refused" if report["problems"] else "ready"
    out.data(verdict)
