"""`webseam providers`: what would be used right now, and why each other provider would not."""

from collections.abc import Iterator
from typing import Any, Final

import click

from webseam.core.describe import Description
from webseam.core.errors import WebError
from webseam.core.plugin import ProviderSpec
from webseam.core.selection import FanOut, Route
from webseam.core.types import Capability
from webseam.surfaces.cli.command import Command, output_option
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.session import Session
from webseam.wiring.build import Built
from webseam.wiring.catalogue import Plan, Planned, Skipped, named_ids
from webseam.wiring.layers import nearest
from webseam.wiring.live import Sightings, read_sightings
from webseam.wiring.plugins import CAPABILITIES

EXAMPLES: Final = ("webseam providers", "webseam providers --json | jq .search.selected")
_STYLES: Final = {"used": "bold green", "ready": "green", "unavailable": "red", "missing": "red", "off": "dim"}


@click.command("providers", cls=Command, examples=EXAMPLES)
@output_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def command(session: Session, *, as_json: bool) -> int:
    """Show which providers are used, and why not the others.

    Nothing is dialled. `used` is what the next call takes; `ready` could be used; `unavailable` is registered but
    cannot run; `missing` is configured, but nothing installed has this id; `off` is installed and not registered. Keys
    are never shown, only where they come from.
    """
    built = session.build(CAPABILITIES, {}, lenient=True)
    seen = read_sightings(session.survey().places.data)
    report = sections(built, seen)
    problem = built.plan.problem
    if seen.fault is not None:
        session.out.note(f"webseam: {seen.fault}")
    if as_json:
        notices = {"notice": built.plan.notice, "extract_notice": built.plan.extract_notice}
        told = {name: notice for name, notice in notices.items() if notice is not None}
        session.out.json(report | told | ({} if problem is None else {"problem": problem.to_dict()}))
        return 0
    for capability, part in report.items():
        print_section(session.out, capability, part)
    for notice in filter(None, (built.plan.notice, built.plan.extract_notice)):
        session.out.note(notice)
    if problem is not None:
        session.out.failed(problem, as_json=False)
    return 0


def sections(built: Built, seen: Sightings) -> dict[str, dict[str, Any]]:
    """Every capability that has anything to tell."""
    return {one.capability: section(one, built.plan, seen) for one in built.web.describe() if _is_shown(one, built)}


def _is_shown(one: Description, built: Built) -> bool:
    """A capability that nothing is installed for and nobody named is left out."""
    return bool(one.providers or one.choice or any(skip.capability == one.capability for skip in built.plan.skipped))


def section(one: Description, plan: Plan, seen: Sightings) -> dict[str, Any]:
    """One capability as plain data: the choice, what it selects or the error a call would get, every provider.

    A default is the product's choice, not the user's: then `choice` is None.
    """
    by_default = {"search": plan.notice, "extract": plan.extract_notice}.get(one.capability) is not None
    part: dict[str, Any] = {"choice": None if by_default else _choice(one), "selected": list(one.selected)}
    if one.error is not None:
        part["error"] = one.error.to_dict()
    rows = [*_registered(one, plan), *_missing(one, plan), *_off(one, plan)]
    facts = _facts_by_id(one, plan)
    part["providers"] = [
        {
            **row,
            **facts.get(row["id"], {}),
            "seen_live": seen.day(row["id"], row.get("kind", row["id"]), one.capability),
        }
        for row in rows
    ]
    return part


def _facts_by_id(one: Description, plan: Plan) -> dict[str, dict[str, Any]]:
    """What each kind is; a provider that is built tells its own controls, which its options may change."""
    native = {state.id: state.native_controls for state in one.providers if state.available}
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {
        entry.id: facts_of(entry.spec, one.capability, native.get(entry.id))
        for entry in entries
        if entry.capability == one.capability
    }


def facts_of(spec: ProviderSpec | None, capability: Capability, native: frozenset[str] | None) -> dict[str, Any]:
    """What a kind is, for programs; of one that did not load no more is known than where it belongs."""
    if spec is None:
        return {"capability": capability}
    return {
        "capability": capability,
        "keyless": runs_keyless(spec),
        "answer": spec.answer,
        "controls": sorted(spec.controls if native is None else native),
        "rests_on": spec.rests_on,
    }


def runs_keyless(spec: ProviderSpec) -> bool:
    """Whether this kind answers without a key."""
    return spec.keyless or spec.key_optional or not spec.key_env


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
            row |= {"keys": planned.secret.count()} if len(planned.secret.sources) > 1 else {}
        if planned.pooling is not None and planned.pooling.rate is not None:
            row["rate"] = str(planned.pooling.rate)
        if not state.available:
            missing = planned.spec is not None and planned.spec.key_env and place is None
            remedy = f" {planned.secret.remedy()}" if missing else ""
            row["reason"] = f"{(state.reason or 'its own check says so').removesuffix('.')}.{remedy}"
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


def print_section(out: Output, capability: str, part: dict[str, Any]) -> None:
    """One capability for people."""
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
        facts.append(f"{_counted(row.get('keys'))} from {row['key']}")
    if "rate" in row:
        facts.append(f"{row['rate']} for each key" if "keys" in row else f"at most {row['rate']}")
    return f"  {row['state']:<12}{row['id']:<20}{'; '.join(facts)}".rstrip()


def _counted(keys: int | None) -> str:
    if keys is None:
        return "key"
    return f"{keys} key" if keys == 1 else f"{keys} keys"
