"""Usage, providers and policy as the console shows them (issue 7.5)."""

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cli import Shell, site
from support.gateway import CONFIG, Served, serving
from support.ledger import START, Broken, entry, made
from support.redis import any_server, state_server
from webseam.core.ledger import Entry, added, sum_of
from webseam.core.limits import USAGE_BUCKETS, USAGE_LOOKS
from webseam.stores.ledger_server import LedgerStream
from webseam.stores.server import Server
from webseam.surfaces.gateway import usage_report
from webseam.surfaces.gateway.board import Board
from webseam.surfaces.gateway.problems import Problem
from webseam.surfaces.gateway.quantiles import percentile
from webseam.surfaces.gateway.usage_report import UsageReport
from webseam.wiring import ledger
from webseam.wiring.ledger import Keeper
from webseam.wiring.tenants import Holder, Policy

HITS = {"query": "hits"}
OPS = Holder(token="t", tenant="ops", policy=Policy(admin=True))
RECORDED = CONFIG + '[ledger]\nkeep = "file"\n'
LOOKS = ("/v1/activity", "/v1/providers", "/v1/policy", "/v1/console")


async def usage(served: Served, hours: int = 24, token: str = "") -> Any:
    got = await served.ask("/v1/usage", {"hours": hours}, token=token)
    assert got.status == 200, got.body
    return got.json


def sample(served: Served) -> Entry:
    assert served.app is not None
    return next(served.app.house.board.recent(None))


def made_at(number: int) -> Entry:
    return entry(id=f"m{number}", at=START + number)


async def flushed(served: Served) -> None:
    """The record is written behind the calls."""
    assert served.app is not None
    keeper = served.app.house.keeper
    assert keeper is not None
    await keeper._all_written()


# Usage ---------------------------------------------------------------------------------------------------


@pytest.mark.req("looks:usage")
@pytest.mark.parametrize("config", [CONFIG, RECORDED], ids=["memory", "ledger"])
async def test_usage_adds_up_by_time_tool_provider_code_and_tenant(shell: Shell, config: str) -> None:
    async with serving(shell, config) as served:
        one, ops = served.token("one"), served.token("ops", Policy(admin=True))
        for token in (one, one, ops):
            await served.ask("/v1/search", HITS, token=token)
        await served.ask("/v1/tools/web_search", HITS, token=one)
        await served.ask("/v1/search", {}, token=one)
        if config == RECORDED:
            await flushed(served)
        own, whole = await usage(served, 1, one), await usage(served, 1, ops)
    assert own["source"] == whole["source"] == ("ledger" if config == RECORDED else "memory")
    assert (own["whole"]["calls"], own["whole"]["failed"], whole["whole"]["calls"]) == (4, 1, 5)
    assert {row["key"]: row["calls"] for row in own["tools"]} == {"/v1/search": 3, "web_search": 1}
    assert [(row.get("key"), row["calls"]) for row in own["providers"]] == [("odd", 3), (None, 1)]
    assert own["codes"] == [{"code": "INVALID_ARGS", "calls": 1}]
    assert "tenants" not in own
    assert {row["key"]: row["calls"] for row in whole["tenants"]} == {"one": 4, "ops": 1}
    assert sum(bucket["calls"] for bucket in own["buckets"]) == 4
    assert own["whole"]["p50_ms"] <= own["whole"]["p95_ms"] <= own["whole"]["p99_ms"]


@pytest.mark.req("looks:usage:whole")
async def test_usage_says_what_it_does_not_reach(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(shell, RECORDED + "keep_days = 7\n") as served:
        await served.ask("/v1/search", HITS)
        await flushed(served)
        assert (await usage(served, 24))["complete"] is True
        assert (await usage(served, 720))["complete"] is False, "older ones are forgotten"
        first = sample(served)
        assert served.app is not None
        for number in range(5):
            served.app.house.board.add(replace(first, id=f"e{number}", at=first.at + number))
        await flushed(served)
        monkeypatch.setattr(usage_report, "USAGE_ENTRIES", 3)
        cut = await usage(served, 24)
        assert (cut["complete"], cut["whole"]["calls"], cut["counted_from"]) == (False, 3, first.at + 2)
    async with serving(shell) as served:
        assert (await usage(served, 1))["complete"] is False, "this process has just begun"


@pytest.mark.req("looks:usage:whole")
async def test_a_record_that_cannot_be_read_is_stood_in_for_by_memory(
    shell: Shell, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(shell, RECORDED) as served:
        await served.ask("/v1/search", HITS)
        await flushed(served)
        path = shell.desk.load().places.data / "ledger.sqlite3"
        path.write_bytes(b"no database at all" * 100)
        told = await usage(served)
        assert (told["source"], told["complete"], told["whole"]["calls"]) == ("memory", False, 1)
        assert "cannot be read" in caplog.text
        assert str(path) not in json.dumps(told)


@pytest.mark.req("looks:usage:unwritten")
async def test_calls_that_wait_for_a_record_that_cannot_be_written_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "LEDGER_QUEUE", 3)
    store = Broken()
    store.kept = [made_at(0), made_at(1)]
    keeper = Keeper(store)
    board = Board(onward=keeper.take, text=False, hidden=tuple, now=lambda: START + 10)
    report = UsageReport(board, keeper, 90)
    for number in range(2, 5):
        board.add(made_at(number))
    told = await report.made({}, OPS)
    assert (told["source"], told["complete"], told["lost"], told["whole"]["calls"]) == ("ledger", True, 0, 5)
    board.add(made_at(5))
    for who, lost in ((OPS, 1), (Holder(token="o", tenant="one"), 0)):
        told = await report.made({}, who)
        assert (told["complete"], told["lost"]) == (False, lost), "one found no room, whoever's it was"
    store.kept += keeper.waiting[:2]
    assert (await report.made({}, OPS))["whole"]["calls"] == 5, "none is counted twice while it is written"
    await keeper.aclose()


@pytest.mark.req("looks:usage:whole")
async def test_a_tenant_is_told_where_the_fleet_s_record_had_no_room_for_all(tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as state:
        server = Server(state.url, prefix="reports", seconds=20.0)
        stream = LedgerStream(server, max_entries=100)
        board = Board(onward=None, text=False, hidden=tuple, now=time.time)
        report = UsageReport(board, Keeper(stream), 90)
        holder = Holder(token="o", tenant="one")
        await stream.append([replace(made_at(0), at=time.time(), tenant="one")])
        assert (await report.made({}, holder))["complete"] is True
        for batch in range(4):
            others = [entry(id=f"{batch}-{number}", at=time.time(), tenant="two") for number in range(100)]
            await stream.append(others)
        told = await report.made({}, holder)
        await server.aclose()
    assert (told["source"], told["whole"]["calls"], told["complete"]) == ("ledger", 0, False)


@pytest.mark.req("looks:usage:turns")
async def test_a_tenant_waits_with_a_few_looks_at_once_and_no_more() -> None:
    board = Board(onward=None, text=False, hidden=tuple, now=lambda: START)
    report = UsageReport(board, None, 90)
    one, two = Holder(token="o", tenant="one"), Holder(token="t", tenant="two")
    async with report._turn:
        looks = [asyncio.create_task(report.made({}, one)) for _ in range(USAGE_LOOKS)]
        other = asyncio.create_task(report.made({}, two))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await report.made({}, one)
        assert (refused.value.code, refused.value.status, refused.value.retry_after) == ("GATEWAY_BUSY", 503, 1.0)
        looks.pop().cancel()
        await asyncio.sleep(0)
        looks.append(asyncio.create_task(report.made({}, one)))
    assert {told["source"] for told in await asyncio.gather(other, *looks)} == {"memory"}
    assert not report._looks


@pytest.mark.req("looks:usage:args")
@pytest.mark.parametrize(
    "body",
    [
        {"hours": 0},
        {"hours": 721},
        {"hours": 10**40},
        {"hours": -1},
        {"hours": 1.5},
        {"hours": True},
        {"hours": "24"},
        {"hours": [24]},
        {"days": 1},
        {"hours": 1, "tenant": "two"},
    ],
)
async def test_a_time_that_is_none_is_refused(shell: Shell, body: dict[str, Any]) -> None:
    async with serving(shell) as served:
        refused = await served.ask("/v1/usage", body)
        assert (refused.status, refused.code) == (422, "INVALID_ARGS")


@pytest.mark.req("looks:usage:args")
async def test_a_body_that_is_none_is_refused_and_a_day_is_meant_where_none_is_said(shell: Shell) -> None:
    async with serving(shell) as served:
        for body, code in ((b"", "GATEWAY_MALFORMED"), (b"[]", "GATEWAY_MALFORMED"), (b"{", "GATEWAY_MALFORMED")):
            assert (await served.ask("/v1/usage", body)).code == code
        assert (await served.ask("/v1/usage", b"{}" + b" " * 70_000)).code == "GATEWAY_BODY_TOO_LARGE"
        assert (await served.ask("/v1/usage")).code == "GATEWAY_METHOD_NOT_ALLOWED"
        for given_hours in ({}, {"hours": None}):
            told = (await served.ask("/v1/usage", given_hours)).json
            assert 24 * 3_600 <= told["until"] - told["since"] < 25 * 3_600


@pytest.mark.req("looks:usage")
@given(st.integers(1, 720))
def test_every_time_has_a_chart_s_worth_of_buckets_that_begin_at_full_hours(hours: int) -> None:
    width = usage_report.width_of(hours)
    assert 24 <= hours * 3_600 / width <= USAGE_BUCKETS
    assert 86_400 % width == 0


@pytest.mark.req("looks:usage")
@given(st.lists(made, max_size=30))
async def test_what_usage_adds_up_is_what_the_record_s_own_sums_are(entries: list[Entry]) -> None:
    board = Board(onward=None, text=False, hidden=tuple, now=lambda: START + 1, most_each=1_000)
    for number, one in enumerate(entries):
        board.add(replace(one, id=f"e{number}", at=START - number))
    kept = list(board.recent(None))
    told = await UsageReport(board, None, 90).made({}, OPS)
    whole = added(None, [sum_of(one, None) for one in kept])
    for name in ("calls", "failed", "denied", "cached", "dispatched", "unpriced", "bytes", "input_tokens"):
        assert told["whole"][name] == getattr(whole, name), name
    assert told["whole"]["costs"] == dict(whole.costs)
    for group in ("tools", "providers", "tenants", "buckets"):
        assert sum(row["calls"] for row in told[group]) == len(entries), group
        assert sum(row["failed"] for row in told[group]) == whole.failed, group


@pytest.mark.req("looks:usage")
@given(st.lists(st.integers(0, 10**9), min_size=1), st.floats(0, 1))
def test_a_percentile_is_one_of_the_times_that_so_many_do_not_exceed(times: list[int], share: float) -> None:
    found = percentile(sorted(times), share)
    assert found is not None
    within = [one for one in times if round(one / 1_000, 1) <= found]
    assert len(within) >= share * len(times) - 1e-6
    assert found in {round(one / 1_000, 1) for one in times}
    assert percentile([], share) is None


# Providers -----------------------------------------------------------------------------------------------


async def providers(served: Served, token: str = "") -> dict[str, Any]:
    told = (await served.ask("/v1/providers", token=token)).json["capabilities"]
    return {one["capability"]: one for one in told}


@pytest.mark.req("looks:providers")
async def test_providers_tell_who_is_selected_why_and_how_it_did(shell: Shell) -> None:
    with site(lambda path: (500 if path == "/bad" else 200, {}, b"<p>page")) as base:
        async with serving(shell) as served:
            for _ in range(3):
                await served.ask("/v1/search", HITS)
            await served.ask("/v1/search", {"query": "other"})
            await served.ask("/v1/fetch", {"url": f"{base}/a"})
            told = await providers(served)
    search = told["search"]
    assert (search["mode"], search["selected"]) == ("single", ["odd"])
    assert search["why"] == ["search.provider names odd."]
    (odd,) = [one for one in search["providers"] if one["selected"]]
    assert (odd["id"], odd["kind"], odd["available"], odd["allowed"]) == ("odd", "odd", True, True)
    assert (odd["health"]["calls"], odd["health"]["failed"]) == (4, 1)
    assert sum(odd["health"]["codes"].values()) == 1
    assert odd["health"]["p50_ms"] <= odd["health"]["p95_ms"]
    assert told["fetch"]["selected"] == ["http"]
    off = [one for one in search["providers"] if not one["available"]]
    assert off, "whoever runs it sees what could be used"
    assert all(one["reason"] for one in off)


@pytest.mark.req("looks:providers")
async def test_a_route_tells_its_order_and_whom_it_passes_over(shell: Shell) -> None:
    config = CONFIG.replace('provider = "odd"', 'route = ["nobody", "odd", "free"]')
    async with serving(shell, config) as served:
        search = (await providers(served))["search"]
    assert (search["mode"], search["selected"]) == ("route", ["odd", "free"])
    assert search["why"] == [
        "search.route tries nobody, odd, then free: the first that answers is taken.",
        "nobody is passed over: it is not registered.",
    ]


@pytest.mark.req("looks:providers:tenants")
async def test_why_a_provider_is_not_available_is_told_to_an_admin_alone(shell: Shell) -> None:
    config = CONFIG.replace('provider = "odd"', 'route = ["exa", "odd"]')
    async with serving(shell, config) as served:
        one, ops = served.token("one"), served.token("ops", Policy(admin=True))
        told, whole = (await providers(served, one))["search"], (await providers(served, ops))["search"]
    (own,) = [row for row in told["providers"] if row["id"] == "exa"]
    (full,) = [row for row in whole["providers"] if row["id"] == "exa"]
    assert (own["available"], own["reason"]) == (False, "whoever runs this gateway is told why")
    assert "no key is set" in full["reason"]
    assert any("no key is set" in one for one in whole["why"])
    assert "no key is set" not in json.dumps(told)


@pytest.mark.req("looks:providers")
async def test_what_a_call_would_be_refused_with_is_told(shell: Shell) -> None:
    async with serving(shell, CONFIG.replace('provider = "odd"', 'provider = "nobody"')) as served:
        search = (await providers(served))["search"]
    assert (search["selected"], search["error"]["code"]) == ([], "WEB_PROVIDER_CONFIGURED_MISSING")


@pytest.mark.req("looks:providers:tenants")
async def test_a_tenant_is_told_of_the_providers_that_it_may_use_and_of_no_other(shell: Shell) -> None:
    config = CONFIG.replace('provider = "odd"', 'fanout = ["odd", "free"]')
    async with serving(shell, config) as served:
        some = served.token("some", Policy(providers=("odd", "http")))
        ops = served.token("ops", Policy(providers=("odd",), admin=True))
        await served.ask("/v1/search", HITS, token=ops)
        told, whole = await served.ask("/v1/providers", token=some), await providers(served, ops)
    assert b"free" not in told.body
    search = next(one for one in told.json["capabilities"] if one["capability"] == "search")
    assert search["selected"] == ["odd"]
    assert search["why"][-1] == "This tenant may use odd and http only."
    assert [one["health"]["calls"] for one in search["providers"]] == [0], "others' calls say nothing to it"
    allowed = {one["id"]: one["allowed"] for one in whole["search"]["providers"] if one["available"]}
    assert allowed == {"odd": True, "free": False}


# Policy --------------------------------------------------------------------------------------------------


async def policy(served: Served, token: str = "") -> dict[str, list[dict[str, str]]]:
    told = (await served.ask("/v1/policy", token=token)).json["sections"]
    return {one["title"]: one["rules"] for one in told}


def texts(sections: dict[str, list[dict[str, str]]]) -> list[str]:
    return [rule["text"] for rules in sections.values() for rule in rules]


@pytest.mark.req("looks:policy")
async def test_the_policy_is_told_in_sentences_each_with_its_origin(shell: Shell) -> None:
    config = CONFIG + '[permission]\ndeny_hosts = ["bad.example"]\nunseen = "deny"\n'
    async with serving(shell, config) as served:
        sections = await policy(served)
    assert list(sections) == [
        "Network",
        "Permission",
        "Rates and budgets",
        "Providers",
        "Cache",
        "Times and sizes",
    ]
    assert all(rule["text"].endswith(".") and rule["origin"] for rules in sections.values() for rule in rules)
    network = {rule["text"]: rule["origin"] for rule in sections["Network"]}
    assert "webseam.toml" in network["Pages come from public addresses only, and from 127.0.0.0/8."]
    assert network["Metadata services of clouds are never asked."] == "always"
    told = texts(sections)
    assert "These hosts are never asked: bad.example." in told
    assert "URLs that neither a person gave nor a search or page showed are denied." in told
    assert "Searches go to: odd." in told


@pytest.mark.req("looks:policy")
async def test_what_a_tenant_may_use_and_has_used_today_is_told(shell: Shell) -> None:
    async with serving(shell) as served:
        bounds = Policy(rate="60/min", calls_per_day=50, cost_per_day=2.5, deny_hosts=("own.example",), fetch="ask")
        one = served.token("one", bounds)
        await served.ask("/v1/search", HITS, token=one)
        sections = await policy(served, one)
    told = texts(sections)
    assert "This tenant may make 60/min calls." in told
    assert "50 calls a day (UTC); made today: 1." in told
    assert "$2.5 a day (UTC), as vendors report it; reported today: $0." in told
    assert "These hosts are never asked: own.example." in told
    assert "Pages are allowed when a person at an MCP client agrees." in told
    assert {rule["origin"] for rule in sections["Permission"]} == {"default", "tenant one"}


@pytest.mark.req("looks:policy:tenants")
async def test_no_tenant_is_told_of_another_nor_of_whoever_runs_the_gateway(shell: Shell) -> None:
    config = CONFIG + '[permission]\nmax_calls = 500\n[fleet]\nprefix = "x"\n'
    config = config.replace('robots = "off"', 'robots = "off"\nprivate_hosts = ["vault.internal"]')
    async with serving(shell, config) as served:
        two = served.token("two-secret", Policy(deny_hosts=("two.example",), calls_per_day=7))
        one = served.token("one")
        await served.ask("/v1/search", HITS, token=two)
        seen = b"".join([(await served.ask(path, token=one)).body for path in LOOKS])
        seen += (await served.ask("/v1/usage", {"hours": 720}, token=one)).body
        assert b"This tenant has no rate." in seen
    for secret in ("two-secret", "two.example", "vault.internal", "127.0.0", str(shell.desk.load().places.data)):
        assert secret.encode() not in seen, secret
    assert str(shell.desk.load().home).encode() not in seen
