"""What is wrong with a run: pure functions from its facts to sentences, none for a run that lost nothing."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Final, TypeAlias

from soak_facts import CALL_SECONDS, PROVIDERS, Facts, Outage, Row, Sent

MEMORY_MOST: Final = 320_000_000
"""Bytes that a replica may take. 105 MB are programs, and what it keeps here is bounded: 64 MB of pages of the four
tenants that are read on, 32 MB of answers as they are sent, 24 MB of recent calls and entries that wait, 30 MB of URLs
that were seen. What is left are 200 calls that run, each with a page of up to 300 kB."""
FILES_MOST: Final = 96
"""Files that a warm replica may have more.

It has up to 32 connections to the shared server, and those to vendors, pages and clients rest a while.
"""
LATE_SECONDS: Final = 24.0
"""Beyond the time of its call, when an answer is no longer late because machines are busy."""
SHOWN: Final = 5
"""Cases that a finding names."""
CUT: Final = frozenset({"WEB_FETCH_TIMEOUT", "WEB_ABORTED", "GATEWAY_DRAINING"})
"""Codes of calls whose request was given up on the way."""
REFUSED: Final = frozenset({"WEB_BUDGET_EXHAUSTED", "WEB_PROVIDER_UNAVAILABLE"})
"""Codes of a bounded tenant's calls that were not made."""

Check: TypeAlias = Callable[[Facts], Iterator[str]]
_Key: TypeAlias = tuple[str, str]


def findings(facts: Facts) -> tuple[str, ...]:
    """Everything that is wrong, in sentences."""
    return tuple(chain.from_iterable(check(facts) for check in _CHECKS))


def is_entered(facts: Facts, sent: Sent) -> bool:
    """Whether the ledger must have an entry; that of a client that left has any code, once it got so far."""
    return is_sure(sent) or (sent.end == "left" and facts.reached(sent))


def is_sure(sent: Sent) -> bool:
    """Whether the ledger must have its entry: it was answered, and not by the gateway before its call began."""
    return sent.end in ("result", "failure") and not sent.code.startswith("GATEWAY_")


def missing_of(facts: Facts) -> int:
    """How many answered calls have no entry."""
    rows = Counter((one.tenant, one.subject) for one in facts.rows)
    entered = Counter(_key(one) for one in facts.sent if is_entered(facts, one))
    return sum(max(0, many - rows[key]) for key, many in entered.items())


def _told(sent: Sent) -> str:
    """A request, so that it can be found in a log."""
    took = f"{sent.ended - sent.began:.1f} s, {sent.ended:.1f}"
    return f"{sent.kind} {sent.id} about {sent.subject} at {sent.replica}: {sent.why} ({took})"


def _key(one: Sent | Row) -> _Key:
    return one.tenant, one.subject


def _named(what: str, cases: Sequence[str]) -> Iterator[str]:
    if cases:
        more = f", and {len(cases) - SHOWN:,} more" if len(cases) > SHOWN else ""
        yield f"{len(cases):,} {what}: {'; '.join(cases[:SHOWN])}{more}."


# Answers -----------------------------------------------------------------------------------------------


def _answers(facts: Facts) -> Iterator[str]:
    """Each request has an answer of ours in its time, unless its replica was killed under it."""
    yield from _named(
        "requests ended in no answer of ours",
        [_told(one) for one in facts.sent if one.end == "untyped"],
    )
    lost = [one for one in facts.sent if one.end == "lost" and not facts.killed_under(one)]
    yield from _named(
        "requests were lost by a replica that nobody killed",
        [_told(one) for one in lost],
    )
    late = [one for one in facts.sent if one.ended - one.began > CALL_SECONDS + LATE_SECONDS and one.end != "untyped"]
    yield from _named("requests ended long after the time of their call", [_told(one) for one in late])
    mixed = [one for one in facts.sent if one.strangers]
    yield from _named(
        "answers hold what another request was about", [f"{one.subject} got {one.strangers[0]}" for one in mixed]
    )
    if not facts.ends()["result"]:
        yield "No request was answered with a result, so nothing was shown."


def _log(facts: Facts) -> Iterator[str]:
    """The access log has a line for each answer, and none twice."""
    lines = Counter(facts.logged)
    answered = [one for one in facts.sent if one.end in ("result", "failure", "untyped")]
    unlogged = [one.id for one in answered if not lines[one.id] and not facts.killed_after(one)]
    yield from _named("answers are missing in the access logs", unlogged)
    yield from _named("requests were done twice", [number for number, many in lines.items() if many > 1])
    strays = lines.keys() - {one.id for one in facts.sent}
    yield from _named("lines of the access logs are nobody's", sorted(strays))


# The ledger --------------------------------------------------------------------------------------------


def _ledger(facts: Facts) -> Iterator[str]:
    """An entry for each answered call, with its code, and none beside them."""
    twice = [number for number, many in Counter(one.id for one in facts.rows).items() if many > 1]
    yield from _named("entries of the ledger stand in it twice", twice)
    if facts.unrecorded:
        yield f"The ledger says that {facts.unrecorded:,} calls are missing in it."
    asked: defaultdict[_Key, list[Sent]] = defaultdict(list)
    found: defaultdict[_Key, list[Row]] = defaultdict(list)
    for one in facts.sent:
        asked[_key(one)].append(one)
    for row in facts.rows:
        found[_key(row)].append(row)
    strays = [
        *_unasked(facts),
        *(f"{one.tenant} {key[1]}" for key in found.keys() - asked.keys() if key[1] for one in found[key]),
    ]
    yield from _named("entries of the ledger are nobody's", strays)
    cases = [case for key, sent in asked.items() for case in _unequal(facts, sent, found.get(key, []))]
    yield from _named("calls differ from their entries in the ledger", cases)


def _unasked(facts: Facts) -> Iterator[str]:
    """Entries about nothing, beyond those of calls that the gateway refused before it looked at what was asked."""
    refused = Counter((one.tenant, one.code) for one in facts.sent if one.code.startswith("GATEWAY_"))
    for one in facts.rows:
        if not one.subject:
            refused[one.tenant, one.code] -= 1
            if refused[one.tenant, one.code] < 0:
                yield f"{one.tenant} about nothing"


def _unequal(facts: Facts, asked: Sequence[Sent], rows: Sequence[Row]) -> Iterator[str]:
    """How the entries about one subject differ from what was answered."""
    sure = [one for one in asked if is_sure(one)]
    entered = [one for one in asked if is_entered(facts, one)]
    excused = sum(facts.killed_after(one) or (one.end == "left" and facts.killed_under(one)) for one in entered)
    told, kept = Counter(one.code for one in sure), Counter(one.code for one in rows)
    beside = len(asked) - len(sure)
    where = f"{asked[0].tenant} {asked[0].subject}, {asked[0].kind} at {asked[0].replica}"
    if len(rows) < len(entered) - excused:
        yield f"{where}: {len(entered)} calls, {len(rows)} in the ledger"
        return
    for code in told.keys() | kept.keys():
        if not told[code] - excused <= kept[code] <= told[code] + beside:
            yield f"{where}: {told[code]} answered with {code or 'a result'}, {kept[code]} in the ledger"


def _vendors(facts: Facts) -> Iterator[str]:
    """What vendors and pages were asked is what the ledger says has left."""
    tries: Counter[_Key] = Counter()
    for row in facts.rows:
        for provider, many in row.tries.items():
            tries[provider, row.subject] += many
    unknown = Counter(one.subject for one in facts.sent if facts.killed_under(one) or facts.killed_after(one))
    cases = []
    for provider, subject in {*tries, *(key for key in facts.hits if key[0] in PROVIDERS)}:
        came, left = facts.hits.get((provider, subject), 0), tries[provider, subject]
        if not left <= came <= left + unknown[subject]:
            cases.append(f"{provider} about {subject} was asked {came} times, {left} in the ledger")
    yield from _named("subjects were asked for otherwise than the ledger says", sorted(cases))
    hops = [
        key[1] for key, many in facts.hits.items() if key[0] == "landed" and many > facts.hits.get(("http", key[1]), 0)
    ]
    yield from _named("redirects were followed twice", hops)


# What is shared ----------------------------------------------------------------------------------------


def _bursts(facts: Facts) -> Iterator[str]:
    """A page that many want at once is asked for once, and once more for each call that ended before it came."""
    cut = Counter(one.subject for one in facts.sent if one.code in CUT)
    for one in facts.bursts:
        came, most = facts.hits.get(("http", one.subject), 0), one.most + cut[one.subject]
        if not 1 <= came <= most:
            yield f"A page that {one.many} wanted at once was asked for {came} times, where {most} is the most."


def is_admitted(sent: Sent) -> bool:
    """Whether a bounded tenant's call was made."""
    return is_sure(sent) and sent.code not in REFUSED


def alone(facts: Facts) -> tuple[Outage, ...]:
    """When each replica counted for itself."""
    return tuple(one for one in facts.outages if one.when_away == "local")


def _budget(facts: Facts) -> Iterator[str]:
    """A bounded tenant made as many calls as it may, but for those that a replica had to count for itself."""
    bound = facts.bounded
    if bound is None:
        return
    own = [one for one in facts.sent if one.tenant == bound.tenant]
    apart = [one for one in own if any(outage.touches(one) for outage in alone(facts))]
    made, made_apart = sum(map(is_admitted, own)), sum(map(is_admitted, apart))
    unsure = sum(not is_admitted(one) and one.code != "WEB_BUDGET_EXHAUSTED" for one in own)
    most = bound.calls * bound.days
    replicas = len({one.replica[:1] for one in facts.sent})
    if made - made_apart > most:
        yield f"{bound.tenant} made {made - made_apart:,} calls, and may make {most:,}."
    if made_apart > most * replicas:
        yield f"{bound.tenant} made {made_apart:,} calls while replicas counted alone, each up to {most:,}."
    if made + unsure < bound.calls:
        yield f"{bound.tenant} made {made:,} calls and was to make all of its {bound.calls:,}."
    if not any(one.code == "WEB_BUDGET_EXHAUSTED" for one in own):
        yield f"{bound.tenant} was never refused, so its bound was not reached."


def _remains(facts: Facts) -> Iterator[str]:
    """No process, no socket, no memory that grows."""
    for one in facts.growth:
        memory, files = max(one.memory), one.files[1] - one.files[0]
        if memory > MEMORY_MOST:
            yield f"{one.replica} took {memory / 1e6:,.0f} MB, where {MEMORY_MOST / 1e6:,.0f} is the most."
        if files > FILES_MOST:
            yield f"{one.replica} has {files} more open files, where {FILES_MOST} is the most."
    yield from _named("things are left", list(facts.leftovers))


_CHECKS: Final[tuple[Check, ...]] = (_answers, _log, _ledger, _vendors, _bursts, _budget, _remains)
