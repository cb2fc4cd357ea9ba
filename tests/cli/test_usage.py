"""`webseam usage`: the sums of the record of calls, and the calls themselves (issue 7.4)."""

import asyncio
import csv
import io
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.cli import Shell, site
from support.ledger import DAY, entry, expected, made
from support.redis import any_server, state_server
from webseam.core.ledger import Entry, Sum, ordered
from webseam.stores.ledger import LedgerFile
from webseam.stores.ledger_server import LedgerStream
from webseam.stores.server import Server
from webseam.surfaces.cli.usage_text import CSV_HEAD, amount, csv_line, json_line, table

ON = "[ledger]\nkeep = 'file'\n"
NOW = 1_796_000_000.0
"""2026-11-30, 00:53 in UTC."""


def place(shell: Shell) -> Path:
    return shell.desk.home / ".local" / "share" / "webseam" / "ledger.sqlite3"


def fill(shell: Shell, entries: Sequence[Entry], *, lost: int = 0) -> None:
    asyncio.run(LedgerFile(place(shell), now=lambda: NOW, keep_days=3_650).append(entries, lost=lost))


def some() -> list[Entry]:
    usd = {"USD": 5_000_000}
    return [
        *(
            entry(at=NOW, provider="exa", tool="web_search", tenant="acme", costs=usd, elapsed=420_000)
            for _ in range(12)
        ),
        entry(at=NOW, provider="exa", tenant="zoo", costs={"EUR": 1_500_000_000}, elapsed=2_500_000, calls=3),
        entry(at=NOW - 2 * DAY, provider="brave+exa", cost_known=False, input_tokens=1_200, output_tokens=34),
        entry(at=NOW, capability="fetch", outcome="failed", code="WEB_DENIED", permission="denied", bytes=1_234_567),
        entry(at=NOW - 40 * DAY, provider="old"),
    ]


def ran(shell: Shell, *argv: str, **how: Any) -> Any:
    return shell.run("usage", "--since", "2026-10-31", *argv, **how)


@pytest.mark.req("usage:table")
def test_the_sums_are_a_table_that_fits_a_terminal(shell: Shell) -> None:
    fill(shell, some())
    shell.desk.user(ON)
    shown = ran(shell)
    assert shown.out == (
        "provider             calls failed denied cached    mean  cost\n"
        "exa                     13      0      0      0  580 ms  1.50 EUR\n"
        "                                                         0.06 USD\n"
        "(no provider)            1      1      1      0    1 ms  -\n"
        "brave+exa                1      0      0      0    1 ms  1 not told\n"
        "all                     15      1      1      0  503 ms  1.50 EUR\n"
        "                                                         0.06 USD\n"
        "                                                         1 not told\n"
        "\n"
        "3 requests as vendors count; 1,200 tokens in; 34 tokens out; 1,234,567 bytes of\n"
        "pages; slowest 2.5 s\n"
    )
    assert (shown.code, shown.err) == (0, "")


@pytest.mark.req("usage:table")
@pytest.mark.parametrize(
    ("by", "first"),
    [("tenant", "acme"), ("tool", "web_search"), ("code", "(no error)"), ("day", "2026-11-28"), ("outcome", "ok")],
)
def test_every_grouping_has_its_rows_and_the_same_whole(shell: Shell, by: str, first: str) -> None:
    fill(shell, some())
    shell.desk.user(ON)
    lines = ran(shell, "--by", by).out.splitlines()
    assert lines[1].startswith(first)
    assert next(line for line in lines if line.startswith("all ")).split()[:4] == ["all", "15", "1", "1"]


@pytest.mark.req("usage:table")
@settings(max_examples=30)
@given(st.lists(made, min_size=1, max_size=9), st.sampled_from(["provider", "day"]))
def test_no_row_of_ordinary_sums_is_wider_than_eighty_columns(entries: list[Entry], by: Any) -> None:

    for line in table(expected(entries, by), by).splitlines():
        assert len(line) <= 80


@pytest.mark.req("usage:json")
def test_the_sums_are_one_object_of_json(shell: Shell) -> None:
    fill(shell, some(), lost=2)
    shell.desk.user(ON)
    told = ran(shell, "--json", "--by", "tenant", "--until", "2026-12-01").json
    rows = {one["key"]: one for one in told["rows"]}
    assert (told["recording"], told["by"], told["lost"]) == ("file", "tenant", 2)
    assert (told["since"], told["until"]) == ("2026-10-31T00:00:00.000Z", "2026-12-01T00:00:00.000Z")
    assert rows["acme"] == {
        "key": "acme",
        "calls": 12,
        "failed": 0,
        "denied": 0,
        "dispatched": 0,
        "cached": 0,
        "elapsed_ms": 5_040.0,
        "slowest_ms": 420.0,
        "bytes": 0,
        "requests": 0,
        "input_tokens": 0,
        "output_tokens": 0,
        "unpriced": 0,
        "costs": {"USD": 0.06},
    }
    assert told["whole"]["calls"] == sum(one["calls"] for one in told["rows"]) == 15
    assert told["whole"]["unpriced"] == 1


@pytest.mark.req("usage:json")
def test_one_tenant_is_seen_alone(shell: Shell) -> None:
    fill(shell, some())
    assert ran(shell, "--tenant", "zoo", "--json").json["whole"]["costs"] == {"EUR": 1.5}
    assert ran(shell, "--tenant", "nobody", "--json").json["rows"] == []


@pytest.mark.req("usage:nothing")
def test_where_nothing_was_recorded_it_says_how_to_turn_that_on(shell: Shell) -> None:
    shown = shell.run("usage")
    assert (shown.code, shown.out) == (0, "")
    assert 'keep = "file"' in shown.err
    assert str(shell.desk.user_file) in shown.err
    assert shell.run("usage", "--json").json["recording"] == "gateway"
    assert not place(shell).exists()
    shell.desk.user(ON)
    assert "no call was recorded in this time" in shell.run("usage").err


@pytest.mark.req("usage:nothing")
def test_what_was_recorded_before_it_was_turned_off_is_shown_and_said(shell: Shell) -> None:
    fill(shell, some(), lost=3)
    shell.desk.user("[ledger]\nkeep = 'off'\n")
    shown = ran(shell)
    assert shown.out.startswith("provider")
    assert "3 calls could not be recorded" in shown.err
    assert "no longer recorded" in shown.err


@pytest.mark.req("usage:times")
@pytest.mark.parametrize(
    "moment",
    ["2y", "yesterday", "-1d", "", "2026-13-01", "99999999d", "0001-01-01T00:00+14:00", "9999-12-31T23:59-14:00"],
)
def test_a_time_that_is_none_is_a_usage_error(shell: Shell, moment: str) -> None:
    for option in ("--since", "--until"):
        shown = shell.run("usage", option, moment)
        assert (shown.code, shown.out) == (2, "")
        assert "is no time such as" in shown.err


@pytest.mark.req("usage:times")
def test_times_may_be_ages_days_or_moments_and_must_be_in_order(shell: Shell) -> None:
    fill(shell, some())
    for since in ("520w", "0001-01-01", "2026-11-29T00:00:00+02:00", "2026-11-30T00:53:20Z"):
        assert shell.run("usage", "--since", since, "--json").json["whole"]["calls"] >= 14
    assert shell.run("usage", "--since", "2026-11-30T00:53:21", "--json").json["whole"]["calls"] == 0
    assert shell.run("usage", "--since", "2026-11-01", "--until", "2026-10-01").code == 2


@pytest.mark.req("usage:export")
def test_calls_are_exported_as_lines_of_json(shell: Shell) -> None:
    fill(shell, some())
    lines = [json.loads(line) for line in ran(shell, "--export", "jsonl").out.splitlines()]
    assert len(lines) == 15
    assert lines[0] | {"id": ""} == {
        "at": "2026-11-30T00:53:20.000Z",
        "id": "",
        "tenant": "acme",
        "run": None,
        "tool": "web_search",
        "capability": "search",
        "provider": "exa",
        "outcome": "ok",
        "code": None,
        "dispatched": False,
        "cache": None,
        "bytes": None,
        "calls": None,
        "input_tokens": None,
        "output_tokens": None,
        "cost_known": True,
        "permission": None,
        "rule": None,
        "parts": 0,
        "target": None,
        "elapsed_ms": 420.0,
        "costs": {"USD": 0.005},
        "attempts": [],
    }


@pytest.mark.req("usage:export")
def test_calls_are_exported_as_csv_into_a_file(shell: Shell) -> None:
    fill(shell, some())
    shown = ran(shell, "--export", "csv", "-o", "calls.csv", "--tenant", "zoo")
    assert (shown.code, shown.out) == (0, "")
    (row,) = csv.DictReader(io.StringIO((shell.desk.cwd / "calls.csv").read_text(encoding="utf-8")))
    assert (row["cost"], row["currency"], row["cost_known"]) == ("1.5", "EUR", "true")
    assert ran(shell, "--export", "csv", "--json").code == 2
    assert ran(shell, "--export", "xml").code == 2


@pytest.mark.req("usage:export")
def test_no_cell_is_a_formula_and_every_field_survives() -> None:
    hostile = entry(
        provider='=cmd|"/C calc"!A0', target='a "quoted", line\nand more', rule="@x", costs={"USD": 1, "EUR": 10**9}
    )
    (row,) = csv.DictReader(io.StringIO(csv_line(hostile)), fieldnames=CSV_NAMES)
    assert (row["provider"], row["rule"]) == ('\'=cmd|"/C calc"!A0', "'@x")
    assert row["target"] == 'a "quoted", line\nand more'
    assert (row["cost"], row["currency"]) == ("0.000000001; 1", "USD; EUR")


CSV_NAMES = CSV_HEAD.strip().split(",")


@pytest.mark.req("usage:export")
@given(made)
@example(entry(rule="a\rb", provider="\r", target="\n"))
def test_every_entry_is_one_line_in_either_form(one: Entry) -> None:
    line = json_line(one)
    assert line.count("\n") == 1
    assert json.loads(line)["id"] == one.id
    assert len(next(csv.reader(io.StringIO(csv_line(one))))) == len(CSV_NAMES)


@pytest.mark.req("usage:table")
@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (0, "0.00"),
        (1, "0.000000001"),
        (5_000_000, "0.005"),
        (10**9, "1.00"),
        (1_234_500_000_000, "1,234.50"),
        (1_999_960_000, "2.00"),
        (1_999_940_000, "1.9999"),
    ],
)
def test_an_amount_has_all_the_digits_that_count(cost: int, shown: str) -> None:
    assert amount(cost) == shown


@pytest.mark.req("usage:table")
def test_long_names_are_cut_and_control_characters_reach_no_terminal(shell: Shell) -> None:
    fill(shell, [entry(at=NOW, provider="\x1b[31m" + "x" * 100)])
    out = ran(shell, tty=True).out
    assert "\x1b" not in out
    assert len(out.splitlines()[1]) <= 80
    assert table(ordered((Sum(key="k", calls=1),), "tool"), "tool").splitlines()[1].startswith("k ")


@pytest.mark.req("usage:unwritable")
@pytest.mark.parametrize("content", [b"a diary\n" * 900, None])
def test_a_file_that_cannot_be_read_is_named(shell: Shell, content: bytes | None) -> None:
    place(shell).parent.mkdir(parents=True)
    if content is None:
        connection = sqlite3.connect(place(shell))
        connection.execute("CREATE TABLE theirs(a)")
        connection.close()
    else:
        place(shell).write_bytes(content)
    for argv in ([], ["--export", "jsonl"]):
        shown = ran(shell, *argv)
        assert shown.code == 5
        assert f"{place(shell)} cannot be read" in shown.err


# From end to end ---------------------------------------------------------------------------------------


@pytest.mark.req("usage:cli")
def test_what_the_command_line_does_is_recorded(shell: Shell) -> None:
    shell.desk.user(ON + '[fetch]\nprivate_networks = ["127.0.0.0/8"]\nrobots = "off"\n')
    with site(lambda path: (200, {}, b"<p>hello " + path.encode())) as base:
        assert shell.run("fetch", f"{base}/a").code == 0
        assert shell.run("fetch", f"{base}/b", f"{base}/c").code == 0
        assert shell.run("fetch", "http://10.0.0.1/").code == 4
        assert shell.run("fetch", "--offline", f"{base}/d").code != 0
    told = shell.run("usage", "--by", "code", "--json").json
    assert {one["key"]: one["calls"] for one in told["rows"]}[None] == 3
    assert told["whole"]["calls"] == 5
    assert told["whole"]["unpriced"] == 0
    assert told["whole"]["bytes"] > 0


@pytest.mark.req("usage:unwritable")
def test_a_record_that_cannot_be_written_is_told_on_stderr_and_the_page_is_there(shell: Shell) -> None:
    place(shell).parent.mkdir(parents=True)
    place(shell).write_bytes(b"a diary\n" * 900)
    shell.desk.user(ON + '[fetch]\nprivate_networks = ["127.0.0.0/8"]\nrobots = "off"\n')
    with site(lambda _path: (200, {}, b"<p>hello")) as base:
        shown = shell.run("fetch", f"{base}/a")
    assert (shown.code, "hello" in shown.out) == (0, True)
    assert "the record of calls cannot be written" in shown.err


@pytest.mark.req("usage:fleet")
def test_the_record_of_a_fleet_is_read_from_its_server(shell: Shell, tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as server:
        shell.desk.user(
            f'[ledger]\nkeep = "fleet"\n[fleet]\nurl = "{server.url}"\n'
            '[fetch]\nprivate_networks = ["127.0.0.0/8"]\nrobots = "off"\n'
        )
        with site(lambda _path: (200, {}, b"<p>hello")) as base:
            assert shell.run("fetch", f"{base}/a").code == 0
        told = shell.run("usage", "--json").json
        assert (told["recording"], told["whole"]["calls"]) == ("fleet", 1)
        server.stop()
        shown = shell.run("usage")
        assert (shown.code, "The record of the fleet cannot be read" in shown.err) == (5, True)


@pytest.mark.req("usage:whole")
def test_what_the_record_of_a_fleet_had_no_room_for_is_said(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def filled(url: str) -> None:
        server = Server(url, prefix="webseam", seconds=20.0)
        for batch in range(5):
            await LedgerStream(server).append([entry(id=f"{batch}-{number}", at=NOW) for number in range(100)])
        await server.aclose()

    monkeypatch.setitem(cast("Any", LedgerStream.__init__).__kwdefaults__, "max_entries", 100)
    with state_server(tmp_path, any_server()) as server:
        shell.desk.user(f'[fleet]\nurl = "{server.url}"\nprefix = "webseam"\n')
        asyncio.run(filled(server.url))
        said = "had no room for the calls before 20"
        assert said in shell.run("usage").err
        assert shell.run("usage", "--json").json["whole_since"].startswith("20")
        assert said in shell.run("usage", "--export", "csv").err
        assert said not in shell.run("usage", "--since", "2100-01-01").err
