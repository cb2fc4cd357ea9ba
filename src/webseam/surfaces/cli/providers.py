"""`webseam providers`: what would be used right now, and why each other provider would not."""

from collections.abc import Iterator
from typing import Any, Final

import click

from webseam.core.describe import Description
from webseam.core.errors import WebError
from webseam.core.selection import FanOut, Route
from webseam.surfaces.cli.command import Command
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.session import Session
from webseam.wiring.build import Built
from webseam.wiring.catalogue import Plan, named_ids
from webseam.wiring.layers import nearest
from webseam.wiring.plugins import CAPABILITIES

EXAMPLES: Final = ("webseam providers", "webseam providers --json | jq .search.selected")
_STYLES: Final = {"used": "bold green", "ready": "green", "unavailable": "red", "missing": "red", "off": "dim"}


@click.command("providers", cls=Command, examples=EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def command(session: Session, *, as_json: bool) -> int:
    """Show which providers are used, and why not the others.

    Nothing is dialled. `used` is what the next call takes; `ready` could be used; `unavailable` is registered but
    cannot run; `missing` is configured, but nothing installed has this id; `off` is installed and not registered. Keys
    are never shown, only where they come from.
    """
    built = session.build(CAPABILITIES, {}, lenient=True)
    report = {one.capability: section(one, built.plan) for one in built.web.describe() if _is_shown(one, built)}
    problem = built.plan.problem
    if as_json:
        notice = {} if built.plan.notice is None else {"notice": built.plan.notice}
        session.out.json(report | notice | ({} if problem is None else {"problem": problem.to_dict()}))
        return 0
    for capability, part in report.items():
        _print(session.out, capability, part)
    if built.plan.notice:
        session.out.note(built.plan.notice)
    if problem is not None:
        session.out.failed(problem, as_json=False)
    return 0


def _is_shown(one: Description, built: Built) -> bool:
    """A capability that nothing is installed for and nobody named is left out."""
    return bool(one.providers or one.choice or any(skip.capability == one.capability for skip in built.plan.skipped))


def section(one: Description, plan: Plan) -> dict[str, Any]:
    """One capability as plain data: the choice, what it selects or the error a call would get, every provider.

    The keyless default is the product's choice, not the user's: then `choice` is None.
    """
    by_default = plan.notice is not None and one.capability == "search"
    part: dict[str, Any] = {"choice": None if by_default else _choice(one), "selected": list(one.selected)}
    if one.error is not None:
        part["error"] = one.error.to_dict()
    part["providers"] = [*_registered(one, plan), *_missing(one, plan), *_off(one, plan)]
    return part


def _registered(one: Description, plan: Plan) -> Iterator[dict[str, Any]]:
    for state in one.providers:
        planned = next(item for item in plan.planned if (item.capability, item.id) == (one.capability, state.id))
        used = state.id in one.selected
        row: dict[str, Any] = {
            "id": state.id,
            "state": "used" if used else "ready" if state.available else "unavailable",
        }
        if planned.kind != state.id:
            row["kind"] = planned.kind
        try:
            place = planned.secret.place()
        except WebError as error:
            yield row | {"reason": error.message}
            continue
        if place is not None:
            row["key"] = place
        if not state.available:
            missing = planned.spec is not None and planned.spec.key_env and place is None
            remedy = f" {planned.secret.remedy()}" if missing else ""
            row["reason"] = f"{state.reason or 'its own check says so'}.{remedy}"
        yield row


def _missing(one: Description, plan: Plan) -> Iterator[dict[str, Any]]:
    """Configured ids that stand for nothing: a route goes past them, so here they must be seen."""
    registered = [state.id for state in one.providers]
    known = [*registered, *(skip.id for skip in plan.skipped if skip.capability == one.capability)]
    for name in named_ids(one.choice):
        if name not in registered:
            hint = nearest(name, known)
            yield {"id": name, "state": "missing", "reason": f"nothing installed has this id. {hint}".rstrip(". ")}


def _off(one: Description, plan: Plan) -> Iterator[dict[str, Any]]:
    for skip in plan.skipped:
        if skip.capability == one.capability:
            yield {"id": skip.id, "state": "off", "reason": skip.reason}


def _choice(one: Description) -> Any:
    match one.choice:
        case Route(ids):
            return {"route": list(ids)}
        case FanOut(ids):
            return {"fanout": list(ids)}
        case choice:
            return choice


def _print(out: Output, capability: str, part: dict[str, Any]) -> None:
    chosen = part["choice"]
    named = "nothing is configured" if chosen is None else f"configured: {_flat(chosen)}"
    rows = [(row["state"], _line(row)) for row in part["providers"]]
    if not out.styled:
        out.data(f"{capability} ({named})")
        for _, line in rows:
            out.data(line)
    else:
        console = out.console()
        console.print(f"{capability} ({named})", style="bold", soft_wrap=True)
        for state, line in rows:
            console.print(line, style=_STYLES[state], soft_wrap=True)
    if "error" in part:
        out.note(f"webseam: {part['error']['code']}: {part['error']['message']}")


def _flat(choice: Any) -> str:
    if isinstance(choice, str):
        return choice
    return "; ".join(f"{name} {', '.join(ids)}" for name, ids in choice.items())


def _line(row: dict[str, Any]) -> str:
    facts = [row[name] for name in ("reason",) if name in row]
    if "kind" in row:
        facts.insert(0, f"kind {row['kind']}")
    if "key" in row:
        facts.append(f"key from {row['key']}")
    return f"  {row['state']:<12}{row['id']:<20}{'; '.join(facts)}".rstrip()
