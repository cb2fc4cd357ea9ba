"""The live part of the doctor: one real call for each provider, agreed to beforehand, recorded when it worked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import LIVE_MAX_RESULTS, LIVE_SECONDS
from webseam.core.tape import Tape
from webseam.core.together import together
from webseam.core.types import Attempt, ExtractResult, SearchResult, Usage
from webseam.core.web import Web
from webseam.surfaces.cli.command import usage
from webseam.surfaces.cli.doctor_trials import Target, targets_of
from webseam.surfaces.cli.output import Output
from webseam.surfaces.cli.session import Session
from webseam.surfaces.cli.side_by_side import opened_each
from webseam.wiring.live import Sighting, record_sightings

QUERY: Final = "python programming language"
"""Harmless, and every engine in any country has hits for it."""

PAGE: Final = "https://example.com/"
"""Reserved for examples (RFC 2606): open to everybody, small, and there for as long as there is a web."""

FAILED: Final = 5
_DAY: Final = "doctor's day"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of one live call; `recorded` is the UTC day under which it was noted."""

    target: Target
    answer: SearchResult | ExtractResult | WebError
    recorded: str | None = None

    @property
    def error(self) -> WebError | None:
        """Why there is no answer."""
        return self.answer if isinstance(self.answer, WebError) else None

    @property
    def worked(self) -> bool:
        """Whether it proves that the vendor answers and that we read it: a search with hits, or a page's text."""
        match self.answer:
            case SearchResult(grounding=grounding, sources=sources):
                return grounding == "searched" and bool(sources)
            case ExtractResult():
                return True  # the seam refuses a page without text
            case WebError():
                return False

    @property
    def exit_code(self) -> int:
        """0, the error's, or 5 for an answer that proves nothing."""
        return 0 if self.worked else FAILED if self.error is None else self.error.exit_code

    @property
    def elapsed(self) -> float | None:
        """Seconds of all tries together; None where there was none."""
        tries: tuple[Attempt, ...] = self.answer.attempts
        return round(sum(one.elapsed for one in tries), 4) if tries else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data; what is not known is null, so that every trial has the same keys."""
        search = self.answer if isinstance(self.answer, SearchResult) else None
        page = self.answer if isinstance(self.answer, ExtractResult) else None
        usage = (None if isinstance(self.answer, WebError) else self.answer.usage) or Usage()
        return {
            "provider": self.target.provider,
            "capability": self.target.capability,
            "code": None if self.error is None else self.error.code,
            "grounding": None if search is None else search.grounding,
            "hits": None if search is None else len(search.sources),
            "characters": None if page is None else len(page.markdown),
            "elapsed": self.elapsed,
            "cost": usage.cost,
            "currency": usage.currency,
            **({} if self.error is None else {"error": self.error.to_dict()}),
            "recorded": self.recorded,
        }


async def examine(session: Session, named: Sequence[str], *, agreed: bool) -> tuple[Trial, ...]:
    """Try each provider once and record those that worked; a replay asks nobody, and notes nothing anew.

    Raises:
        WebError: what `targets_of` raises, and `INVALID_ARGS` or `WEB_DENIED` without consent.
    """
    targets = targets_of(session, named)
    if session.replay is None:
        _consent(session, targets, agreed=agreed)
    else:
        session.out.note("This is a replay: nothing is sent, and nothing is noted of any provider.")
    wanted = [(one.capability, one.provider) for one in targets]
    async with opened_each(session, wanted, seconds=LIVE_SECONDS) as (webs, call):
        asked = zip(targets, webs, strict=True)
        with session.out.status(f"asking {_ids(targets)} ..."):
            trials = await together(_tried(one, web, call) for one, web in asked)
        day = _day(session, webs[0].tape, [one.target.sighting for one in trials if one.worked])
    return tuple(Trial(target=one.target, answer=one.answer, recorded=day if one.worked else None) for one in trials)


async def _tried(target: Target, web: Web, call: Call) -> Trial:
    try:
        if target.capability == "search":
            return Trial(target=target, answer=await web.search(QUERY, max_results=LIVE_MAX_RESULTS, call=call))
        return Trial(target=target, answer=await web.extract(PAGE, call=call))
    except WebError as error:
        return Trial(target=target, answer=error)


def _ids(targets: Sequence[Target]) -> str:
    return ", ".join(one.provider for one in targets)


def _consent(session: Session, targets: Sequence[Target], *, agreed: bool) -> None:
    searched = [one for one in targets if one.capability == "search"]
    read = [one for one in targets if one.capability == "extract"]
    if searched:
        session.out.note(f"This sends one real search to each of: {_ids(searched)}.")
    if read:
        session.out.note(f"This has {PAGE} extracted once by each of: {_ids(read)}.")
    keyed = [one for one in targets if one.keyed]
    if not keyed:
        return
    session.out.note(f"Calls with a key are billed by the vendor: {_ids(keyed)}.")
    if agreed:
        return
    if not session.stdin.isatty():
        raise usage("Live calls with a key are billed. Add --yes to agree to them.")
    session.out.note("Go on? Type yes:")
    session.out.flush()
    if session.stdin.readline().strip().lower() not in ("y", "yes"):
        raise WebError(Code.DENIED, "Nothing was sent. Type yes, or add --yes, to send it.")


def _day(session: Session, tape: Tape | None, seen: Sequence[Sighting]) -> str | None:
    """The day under which those who answered are noted; of a replay, what the recorded run was told."""
    if tape is None:
        return _record(session, seen)
    if tape.replays:
        return tape.draw(_DAY, str) or None
    return tape.draw(_DAY, lambda: _record(session, seen) or "") or None


def _record(session: Session, seen: Sequence[Sighting]) -> str | None:
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
        found = _found(one.answer)
        out.data(f"  {found:<36}{one.target.provider:<20}{one.target.capability:<9}{_told(one)}".rstrip())
        if one.error is not None:
            out.failed(one.error, as_json=False, provider=one.target.provider)


def _found(answer: SearchResult | ExtractResult | WebError) -> str:
    match answer:
        case WebError(code=code):
            return code
        case ExtractResult(markdown=text):
            return _counted(len(text), "character")
        case SearchResult(grounding="ungrounded"):
            return "answered without searching"
        case SearchResult(sources=sources):
            return _counted(len(sources), "hit")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _told(one: Trial) -> str:
    seconds = "" if one.elapsed is None else f"{one.elapsed:.2f} s"
    return f"{seconds}, recorded" if one.recorded else seconds
