"""A soak's counts, for people."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from soak_check import alone, is_admitted, is_entered, missing_of
from soak_facts import Facts


def report(facts: Facts) -> Iterator[str]:
    """The table, line by line."""
    yield from _requests(facts)
    yield ""
    yield from _failures(facts)
    yield ""
    for name, told in (*_ledger(facts), *_shared(facts), *_remains(facts)):
        yield f"{name:<44} {told}"


def _requests(facts: Facts) -> Iterator[str]:
    ends = f"{'result':>8}{'failure':>9}{'left':>6}{'lost':>6}{'untyped':>9}"
    yield f"{'requests':<16}{'sent':>8}{ends}{'turned away':>13}"
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in facts.sent:
        kinds[one.kind].update({one.end: 1, "sent": 1, "turned": one.turned_away})
    whole: Counter[str] = Counter()
    for counts in kinds.values():
        whole.update(counts)
    for kind, many in (*sorted(kinds.items()), ("all", whole)):
        ends = f"{many['result']:>8,}{many['failure']:>9,}{many['left']:>6,}{many['lost']:>6,}{many['untyped']:>9,}"
        yield f"{kind:<16}{many['sent']:>8,}{ends}{many['turned']:>13,}"


def _failures(facts: Facts) -> Iterator[str]:
    codes = Counter(one.code for one in facts.sent if one.end == "failure")
    for code, many in codes.most_common():
        yield f"{code:<44} {many:,}"


def _ledger(facts: Facts) -> Iterator[tuple[str, str]]:
    answered = sum(is_entered(facts, one) for one in facts.sent)
    may_miss = sum(facts.killed_after(one) for one in facts.sent if is_entered(facts, one))
    yield "calls answered or left, entries in the ledger", f"{answered:,}, {len(facts.rows):,}"
    yield "  missing with a replica that was killed", f"{missing_of(facts):,} (at most {may_miss:,}: its last second)"
    left = Counter[str]()
    for row in facts.rows:
        left.update(row.tries)
    came = Counter[str]()
    for (provider, _), many in facts.hits.items():
        came[provider] += many
    for provider in sorted(left.keys() | came.keys() - {"landed"}):
        yield f"asked of {provider}, sent by the ledger", f"{came[provider]:,}, {left[provider]:,}"


def _shared(facts: Facts) -> Iterator[tuple[str, str]]:
    for one in facts.bursts:
        came = facts.hits.get(("http", one.subject), 0)
        yield f"a page that {one.many} wanted at once was asked for", f"{came} times (at most {one.most})"
    if facts.bounded is not None:
        own = [one for one in facts.sent if one.tenant == facts.bounded.tenant and is_admitted(one)]
        apart = sum(any(outage.touches(one) for outage in alone(facts)) for one in own)
        yield "calls of a tenant with a budget", f"{len(own) - apart:,} (may make {facts.bounded.calls:,})"
        yield "  while each replica counted for itself", f"{apart:,}"


def _remains(facts: Facts) -> Iterator[tuple[str, str]]:
    yield "replicas killed, drained", f"{len(facts.deaths)}, {len(facts.drained)}"
    for death in facts.deaths:
        yield f"  {death.replica}: slowest look at its state", f"{death.lag:.2f} s"
    yield (
        "outages of the shared server",
        ", ".join(f"{one.until - one.since:.1f} s ({one.when_away})" for one in facts.outages),
    )
    for one in facts.growth:
        memory, files = " -> ".join(f"{size / 1e6:,.0f}" for size in one.memory), one.files
        yield f"  {one.replica}: memory (first, midway, last), files", f"{memory} MB, {files[0]} -> {files[1]}"
