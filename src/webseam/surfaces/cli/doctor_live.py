"""The live part of the doctor: one real search for each provider, agreed to beforehand, recorded when it worked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import LIVE_MAX_RESULTS, LIVE_SECONDS
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.session import Session
from webseam.surfaces.cli.side_by_side import ask_each, usable_ids
from webseam.tools.compare import Outcome, Standing, compare
from webseam.wiring.catalogue import Planned
from webseam.wiring.live import record_sightings

QUERY: Final = "python programming language"
"""Harmless, and every engine in any country has hits for it."""

FAILED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of one live search; `recorded` is the UTC day under which it was noted."""

    standing: Standing
    error: WebError | None = None
    recorded: str | None = None

    @property
    def worked(self) -> bool:
        """Whether it proves that the vendor answers and that we read it: a search, with hits."""
        return self.error is None and self.standing.grounding == "searched" and self.standing.hits > 0

    @property
    def exit_code(self) -> int:
        """0, the error's, or 5 for an answer that proves nothing."""
        return 0 if self.worked else FAILED if self.error is None else self.error.exit_code

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        mine = self.standing.to_dict()
        kept = {name: mine[name] for name in ("provider", "code", "grounding", "hits", "elapsed", "cost", "currency")}
        error = {} if self.error is None else {"error": self.error.to_dict()}
        return {**kept, **error, "recorded": self.recorded}


async def examine(session: Session, named: Sequence[str], *, agreed: bool) -> tuple[Trial, ...]:
    """Try each provider once and record those that worked.

    Raises:
        WebError: `WEB_PROVIDER_UNAVAILABLE` when there is none to try, `INVALID_ARGS` for a blank id, and that or
            `WEB_DENIED` without consent.
    """
    given = tuple(dict.fromkeys(name.strip() for name in named))
    if not all(given):
        raise usage("A provider's id is blank. Leave it out, or name one: webseam doctor --live ID.")
    ids = given or usable_ids(session)
    if not ids:
        raise WebError(
            Code.PROVIDER_UNAVAILABLE,
            "No search provider is available to try. Set a vendor's key, or name one: webseam doctor --live ID.",
        )
    planned = _planned(session, ids)
    _consent(session, ids, keyed=[one.id for one in planned if one.secret.configured()], agreed=agreed)
    outcomes = await ask_each(session, ids, QUERY, max_results=LIVE_MAX_RESULTS, seconds=LIVE_SECONDS)
    trials = [_trial(one) for one in outcomes]
    kinds = {one.id: one.kind for one in planned}
    day = _record(session, {one.standing.provider: kinds[one.standing.provider] for one in trials if one.worked})
    return tuple(Trial(standing=one.standing, error=one.error, recorded=day if one.worked else None) for one in trials)


def _planned(session: Session, ids: Sequence[str]) -> list[Planned]:
    """What is behind the ids; one that stands for nothing is left out, its own call tells why."""
    plan = session.build(("search",), {"search": {"fanout": tuple(ids)}}).plan
    return [one for one in plan.planned if one.capability == "search" and one.id in ids]


def _consent(session: Session, ids: Sequence[str], *, keyed: Sequence[str], agreed: bool) -> None:
    session.out.note(f"This sends one real search to each of: {', '.join(ids)}.")
    if not keyed:
        return
    session.out.note(f"Calls with a key are billed by the vendor: {', '.join(keyed)}.")
    if agreed:
        return
    if not session.stdin.isatty():
        raise usage("Live calls with a key are billed. Add --yes to agree to them.")
    session.out.note("Go on? Type yes:")
    session.out.flush()
    if session.stdin.readline().strip().lower() not in ("y", "yes"):
        raise WebError(Code.DENIED, "Nothing was sent. Type yes, or add --yes, to send it.")


def _trial(outcome: Outcome) -> Trial:
    error = outcome.answer if isinstance(outcome.answer, WebError) else None
    return Trial(standing=compare([outcome]).standings[0], error=error)


def _record(session: Session, seen: dict[str, str]) -> str | None:
    """Note who answered; a record that cannot be written is told and changes nothing else."""
    if not seen:
        return None
    try:
        return record_sightings(session.survey().places.data, seen)
    except OSError as exc:
        session.out.note(f"webseam: nothing was recorded: {exc.strerror or type(exc).__name__}")
        return None


def reported(out: Output, trials: Sequence[Trial]) -> None:
    """A line for each trial on stdout, and what failed on stderr."""
    for one in trials:
        out.data(f"  {one.standing.code or _found(one):<36}{one.standing.provider:<20}{_told(one)}".rstrip())
        if one.error is not None:
            out.failed(one.error, as_json=False, provider=one.standing.provider)


def _found(one: Trial) -> str:
    if one.standing.grounding == "ungrounded":
        return "answered without searching"
    return f"{one.standing.hits} hit{'' if one.standing.hits == 1 else 's'}"


def _told(one: Trial) -> str:
    seconds = "" if one.standing.elapsed is None else f"{one.standing.elapsed:.2f} s"
    return f"{seconds}, recorded" if one.recorded else seconds
