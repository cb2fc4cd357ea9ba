"""The ring of recent calls: bounded, and no tenant pushes another's out."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.ledger import START, entry
from webseam.core.ledger import Entry
from webseam.surfaces.gateway.board import Board


def board(most: int, each: int, onward: list[Entry] | None = None) -> Board:
    take = None if onward is None else onward.append
    return Board(onward=take, text=False, hidden=tuple, now=lambda: START, most=most, most_each=each)


@pytest.mark.req("looks:activity:ring")
def test_a_tenant_that_is_busy_loses_its_own_oldest_calls_and_nobody_else_s() -> None:
    ring = board(100, 10)
    quiet = entry(tenant="quiet")
    ring.add(quiet)
    for number in range(1_000):
        ring.add(entry(id=f"b{number}", tenant="busy"))
    assert [one.id for one in ring.recent("quiet")] == [quiet.id]
    assert [one.id for one in ring.recent("busy")] == [f"b{number}" for number in range(999, 989, -1)]
    assert (ring.gone("quiet"), ring.gone("busy"), ring.gone(None)) == (0, 990, 990)


@pytest.mark.req("looks:activity:ring")
def test_where_all_are_too_many_those_with_the_most_lose_first() -> None:
    ring = board(100, 90)
    for tenant, calls in (("small", 5), ("big", 80), ("other", 16)):
        for number in range(calls):
            ring.add(entry(id=f"{tenant}{number}", tenant=tenant))
    kept = Counter(one.tenant for one in ring.recent(None))
    assert kept == {"small": 5, "big": 69, "other": 16}
    assert next(ring.recent(None)).id == "other15"


@pytest.mark.req("looks:activity:ring")
def test_with_more_tenants_than_calls_those_that_rested_longest_go() -> None:
    ring = board(10, 5)
    for number in range(30):
        ring.add(entry(tenant=f"t{number}", at=START + number))
    kept = [one.tenant for one in ring.recent(None)]
    assert kept[0] == "t29"
    assert kept == [f"t{29 - at}" for at in range(len(kept))]
    assert 9 <= len(kept) <= 10
    assert ring.gone(None) == 30 - len(kept)
    assert ring.whole_since(None) == START + 29 - len(kept)


@pytest.mark.req("looks:activity:ring")
@given(st.lists(st.sampled_from("abcdefgh"), max_size=200), st.integers(1, 40), st.integers(1, 20))
def test_whatever_comes_the_bounds_hold_and_every_call_is_kept_or_counted(
    tenants: list[str], most: int, each: int
) -> None:
    ring = board(most, each)
    for number, tenant in enumerate(tenants):
        ring.add(entry(id=f"e{number}", tenant=tenant))
    kept = list(ring.recent(None))
    turns = [int(one.id[1:]) for one in kept]
    assert len(kept) <= most
    assert turns == sorted(turns, reverse=True)
    assert max(Counter(one.tenant for one in kept).values(), default=0) <= each
    assert len(kept) + ring.gone(None) == len(tenants)
    assert not tenants or turns[0] == len(tenants) - 1
    for tenant in set(tenants):
        own = [one for one in kept if one.tenant == tenant]
        assert list(ring.recent(tenant)) == own


@pytest.mark.req("looks:activity:ring")
def test_no_key_is_kept_or_handed_on() -> None:
    handed: list[Entry] = []
    ring = Board(onward=handed.append, text=True, hidden=lambda: ("sk-0123456789abcdef",), now=lambda: START)
    feed = ring.subscribe(None, "ops")
    ring.add(entry(target="https://a.test/?k=sk-0123456789abcdef", code="sk-0123456789abcdef"))
    (kept,) = ring.recent(None)
    assert handed == [kept]
    assert "0123456789" not in str(kept)
    assert feed.missed == 0


@pytest.mark.req("usage:gateway:permission")
def test_what_ran_without_any_rule_was_allowed_and_what_never_got_there_says_nothing() -> None:
    ring = board(10, 10)
    for facts in (
        {},
        {"outcome": "failed", "code": "WEB_PROVIDER_ERROR", "dispatched": True},
        {"outcome": "failed", "code": "INVALID_ARGS"},
        {"outcome": "failed", "code": "WEB_DENIED", "permission": "denied", "rule": "deny_hosts"},
    ):
        ring.add(entry(**facts))
    told = [(one.permission, one.rule) for one in ring.recent(None)]
    assert told == [("denied", "deny_hosts"), (None, None), ("allowed", None), ("allowed", None)]


@pytest.mark.req("looks:activity:later")
def test_calls_that_sent_nothing_are_looked_through_together_and_seen_at_once() -> None:
    put_off: list[Callable[[], None]] = []
    looks: list[int] = []
    handed: list[Entry] = []
    secrets = ["sk-0123456789abcdef"]

    def hidden() -> list[str]:
        looks.append(1)
        return secrets

    ring = Board(onward=handed.append, text=True, hidden=hidden, now=lambda: START, later=put_off.append)
    for number in range(5):
        ring.add(entry(id=f"e{number}", dispatched=False, target="https://a.test/?k=sk-0123456789abcdef"))
    assert (len(put_off), looks, handed) == (1, [], [])
    assert [one.id for one in ring.recent(None)] == ["e4", "e3", "e2", "e1", "e0"]
    assert (len(looks), [one.id for one in handed]) == (1, ["e0", "e1", "e2", "e3", "e4"])
    assert not any("sk-0" in (one.target or "") for one in handed)
    put_off.pop()()
    assert len(handed) == 5
    ring.add(entry(id="sent", dispatched=True))
    assert (handed[-1].id, put_off) == ("sent", [])
    ring.add(entry(id="waits", dispatched=False))
    ring.close()
    assert handed[-1].id == "waits"
    ring.add(entry(id="late", dispatched=False))
    assert handed[-1].id == "late"
