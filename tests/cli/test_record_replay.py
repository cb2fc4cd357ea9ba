"""`--record`, `--replay`, `--offline`, `--verbose` and `webseam cassette`: the same bytes with nobody asked."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import EXECUTABLE, Answer, Ran, Shell, fetch_table, site

GUARDED = """
import socket, sys

def guard(event, arguments):
    inet = event == "socket.__new__" and arguments[1] in (socket.AF_INET, socket.AF_INET6)
    if inet or event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"):
        sys.stderr.write(f"socket used: {event}\\n")
        sys.stderr.flush()
        import os
        os._exit(99)

sys.addaudithook(guard)
from webseam.surfaces.cli.main import run
run()
"""
"""The command in a process that dies of its first socket or look-up."""


@pytest.fixture
def base() -> Iterator[str]:
    """A small site."""

    def answer(path: str) -> Answer:
        if path == "/old":
            return 301, {"Location": "/new"}, b""
        if path == "/news":
            feed = b"<rss version='2.0'><channel><title>News</title><item><title>One</title></item></channel></rss>"
            return 200, {"Content-Type": "application/rss+xml"}, feed
        body = f"<title>Page</title><h1>Page {path}</h1><p>Kelp grows on lines.</p>" + "<p>More of it.</p>" * 20_000 * (
            path == "/long"
        )
        return (404 if path == "/none" else 200), {}, body.encode()

    with site(answer) as url:
        yield url


def both(shell: Shell, *argv: str, stdin: str = "") -> tuple[Ran, Ran]:
    """The command recorded, and replayed by a user whose vendors and site are gone."""
    recorded = shell.run(*argv, "--record", "run.jsonl", stdin=stdin)
    replayed = shell.run(*argv, "--replay", "run.jsonl", stdin=stdin)
    return recorded, replayed


@pytest.mark.req("replay:cli", "replay:bytes")
@pytest.mark.parametrize(
    "argv",
    [
        ("search", "--provider", "odd", "hits"),
        ("search", "--provider", "odd", "--json", "--raw", "hits"),
        ("search", "--provider", "odd", "claim"),
        ("search", "--provider", "odd", "surrogate"),
        ("search", "--provider", "odd", "--json", "WEB_QUOTA_EXHAUSTED"),
        ("search", "--route", "odd,gone", "nothing"),
        ("search", "--route", "odd,free", "nothing"),
        ("search", "--fanout", "odd,free", "hits"),
        ("search", "--provider", "odd", "--country", "NO", "hits"),
        ("search", "nothing is configured"),
        ("compare", "--provider", "odd", "--provider", "free", "hits"),
        ("compare", "--json", "hits"),
    ],
)
def test_a_search_replays_to_the_byte(shell: Shell, argv: tuple[str, ...]) -> None:
    shell.desk.user("[providers.odd]\n[providers.free]\n" if argv[0] == "compare" else "[search]\nkeyless = false\n")
    recorded, replayed = both(shell, *argv)
    assert replayed == recorded


@pytest.mark.req("replay:cli", "replay:bytes")
@pytest.mark.parametrize(
    "argv",
    [
        ("fetch", "{base}/"),
        ("fetch", "--json", "{base}/old"),
        ("fetch", "--fail", "{base}/none"),
        ("fetch", "--raw-body", "{base}/"),
        ("fetch", "--json", "{base}/long"),
        ("fetch", "{base}/news"),
        ("fetch", "--find", "kelp", "{base}/"),
        ("fetch", "{base}/", "{base}/none", "http://10.0.0.1/", "{base}/"),
        ("fetch", "http://127.0.0.1:1/"),
    ],
)
def test_a_fetch_replays_to_the_byte(shell: Shell, base: str, argv: tuple[str, ...]) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    recorded, replayed = both(shell, *(one.replace("{base}", base) for one in argv))
    assert replayed == recorded


@pytest.mark.req("replay:cli")
def test_an_index_is_built_from_a_recording(shell: Shell, base: str) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]) + '[index]\npath = "recorded.sqlite3"\n')
    recorded = shell.run("index", f"{base}/a", f"{base}/none", "--record", "run.jsonl")
    assert recorded.code == 0
    shell.desk.user('[index]\npath = "replayed.sqlite3"\n')
    assert shell.run("index", f"{base}/a", f"{base}/none", "--replay", "run.jsonl") == recorded
    assert f"{base}/a" in shell.run("search", "--provider", "local", "--offline", "kelp").out


@pytest.mark.req("replay:cli", "replay:no-network")
def test_the_installed_command_replays_without_sockets(shell: Shell, base: str) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    asked = ("fetch", f"{base}/old", f"{base}/long")
    recorded = shell.spawn(*asked, "--record", "run.jsonl")
    replayed = guarded(shell, *asked, "--replay", "run.jsonl")
    assert recorded.returncode == 0
    assert (replayed.returncode, replayed.stdout, replayed.stderr) == (0, recorded.stdout, recorded.stderr)
    assert guarded(shell, *asked).returncode == 99


def guarded(shell: Shell, *argv: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", GUARDED, *argv],
        env=shell.variables(),
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
    )


@pytest.mark.req("replay:demo")
def test_the_demo_replays_byte_for_byte_with_sockets_forbidden(shell: Shell) -> None:
    recorded = shell.spawn("demo", "--record", "tour.jsonl")
    assert (recorded.returncode, recorded.stderr) == (0, b"")
    replayed = guarded(shell, "demo", "--replay", "tour.jsonl")
    assert (replayed.returncode, replayed.stderr) == (0, b"")
    assert replayed.stdout == recorded.stdout
    assert guarded(shell, "demo").returncode == 99


@pytest.mark.req("cli:doctor:replay", "replay:no-network")
def test_the_doctors_trials_replay_with_sockets_forbidden(shell: Shell) -> None:
    rows = json.dumps({"results": [{"url": "https://kelp.test/", "title": "Kelp"}], "requestId": "r"}).encode()
    with site(lambda _path: (200, {"Content-Type": "application/json"}, rows)) as url:
        shell.desk.env(EXA_API_KEY="sk-live-0123").user(
            f"[search]\nprovider = 'exa'\n[providers.exa]\nbase_url = '{url}'\n"
        )
        recorded = shell.spawn("doctor", "--live", "--yes", "--record", "run.jsonl")
    replayed = guarded(shell, "doctor", "--live", "--replay", "run.jsonl")
    assert (recorded.returncode, replayed.returncode) == (0, 0)
    assert b"1 hit " in replayed.stdout
    assert recorded.stdout.endswith(replayed.stdout)
    assert guarded(shell, "doctor", "--live", "--yes").returncode == 99


def _namespace() -> list[str]:
    """The command that enters a network namespace of its own; empty where the system refuses one."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    for flags in (["-n"], ["-r", "-n"]):
        tried = subprocess.run([unshare, *flags, "true"], capture_output=True, check=False, timeout=20)  # noqa: S603 - a system command
        if tried.returncode == 0:
            return [unshare, *flags]
    return []


@pytest.mark.req("replay:demo")
def test_the_demo_replays_in_a_namespace_without_a_network(shell: Shell) -> None:
    entering = _namespace()
    if not entering:
        pytest.skip("this system lets nobody make a network namespace here")
    recorded = shell.spawn("demo", "--record", "tour.jsonl")
    replayed = subprocess.run(  # noqa: S603 - our own executable
        [*entering, EXECUTABLE, "demo", "--replay", "tour.jsonl"],
        env={"PATH": os.environ["PATH"], **shell.desk.environ},
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
    )
    assert (replayed.returncode, replayed.stdout, replayed.stderr) == (0, recorded.stdout, b"")


@pytest.mark.req("replay:demo")
def test_a_recording_of_something_else_is_no_demo(shell: Shell) -> None:
    shell.run("search", "--provider", "odd", "hits", "--record", "run.jsonl")
    ran = shell.run("demo", "--replay", "run.jsonl")
    assert ran.code == 8
    assert "WEB_REPLAY_MISS" in ran.err
    assert "webseam demo --record FILE" in ran.err


# The flags ---------------------------------------------------------------------------------------------


@pytest.mark.req("replay:cli")
@pytest.mark.parametrize("command", ["search", "compare", "fetch", "index", "demo"])
def test_the_flags_stand_on_every_command_that_searches_or_fetches(shell: Shell, command: str) -> None:
    told = shell.run(command, "--help").out
    assert all(flag in told for flag in ("--record FILE", "--replay FILE", "--offline", "-v, --verbose"))


@pytest.mark.req("replay:one-of")
def test_a_run_is_recorded_or_replayed(shell: Shell) -> None:
    ran = shell.run("search", "kelp", "--record", "a", "--replay", "b")
    assert (ran.code, ran.out) == (2, "")
    assert "not both" in ran.err


@pytest.mark.req("replay:cli")
@pytest.mark.parametrize("option", ["--record", "--replay"])
def test_a_file_without_a_name_is_a_mistake_and_no_live_run(shell: Shell, option: str) -> None:
    ran = shell.run("search", "--provider", "odd", "hits", option, "", "--json")
    assert (ran.code, ran.out, ran.error["code"]) == (2, "", "INVALID_ARGS")


@pytest.mark.req("offline:refused")
def test_the_demo_says_that_it_is_offline(shell: Shell) -> None:
    ran = shell.run("demo", "--offline")
    assert (ran.code, ran.out) == (4, "")
    assert "WEB_OFFLINE" in ran.err


@pytest.mark.req("replay:miss")
def test_a_miss_exits_8(shell: Shell) -> None:
    shell.run("search", "--provider", "odd", "hits", "--record", "run.jsonl")
    ran = shell.run("search", "--provider", "odd", "--json", "none", "--replay", "run.jsonl")
    assert (ran.code, ran.out, ran.error["code"]) == (8, "", "WEB_REPLAY_MISS")


@pytest.mark.req("replay:damage", "replay:cut")
def test_a_cut_is_told_and_a_foreign_file_refused(shell: Shell) -> None:
    shell.run("search", "--provider", "odd", "hits", "--record", "run.jsonl")
    file = shell.desk.cwd / "run.jsonl"
    file.write_bytes(file.read_bytes() + b'{"call": {')
    ran = shell.run("search", "--provider", "odd", "hits", "--replay", "run.jsonl")
    assert ran.code == 0
    assert "line 4 was cut" in ran.err
    file.write_text("thesis", encoding="utf-8")
    for flag in ("--replay", "--record"):
        ran = shell.run("search", "--provider", "odd", "hits", flag, "run.jsonl")
        assert ran.code == 3
        assert "run.jsonl: line 1 is not the start of a cassette" in ran.err
    assert file.read_text(encoding="utf-8") == "thesis"


@pytest.mark.req("offline:refused")
def test_offline_exits_4(shell: Shell) -> None:
    ran = shell.run("fetch", "--offline", "--json", "https://example.com/")
    assert (ran.code, ran.out, ran.error["code"], ran.error["dispatched"]) == (4, "", "WEB_OFFLINE", False)


@pytest.mark.req("audit:verbose")
def test_verbose_tells_what_happens_and_changes_nothing_on_stdout(shell: Shell, base: str) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    quiet, told = shell.run("fetch", f"{base}/old"), shell.run("fetch", "-v", f"{base}/old")
    assert told.out == quiet.out
    lines = [line for line in told.err.splitlines() if line.startswith("webseam: ")]
    assert lines[:3] == [
        "webseam: fetch by http, the only one available",
        "webseam: fetch by http: the request may leave now",
        f"webseam: HTTP 301 leads to {base}/new",
    ]
    assert lines[3].startswith("webseam: fetch by http: ok, ")
    refused = shell.run("fetch", "--verbose", "http://me:secret@a.test/").err
    assert "webseam: fetch is refused, WEB_BLOCKED_URL: " in refused
    assert "secret" not in refused


# What a recording holds --------------------------------------------------------------------------------


@pytest.mark.req("replay:show")
def test_show_lists_the_calls_in_their_order(shell: Shell, base: str) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    for query in ("hits", "claim", "WEB_RATE_LIMITED"):
        shell.run("search", "--route", "odd,gone", query, "--record", "run.jsonl")
    shell.run("fetch", f"{base}/none", "--record", "run.jsonl")
    ran = shell.run("cassette", "show", "run.jsonl")
    assert (ran.code, ran.err) == (0, "calls: 4, sessions: 4\n")
    rows = [line.split("  ") for line in ran.out.splitlines()]
    assert [[part.strip() for part in row if part.strip()][2:] for row in rows] == [
        ["searched, 2 sources", "search hits [route odd, gone]"],
        ["ungrounded, 0 sources", "search claim [route odd, gone]"],
        ["WEB_ROUTE_EXHAUSTED", "search WEB_RATE_LIMITED [route odd, gone]"],
        ["HTTP 404, html", f"fetch {base}/none"],
    ]
    told = shell.run("cassette", "show", "--json", "run.jsonl").json
    assert (told["sessions"], told["notes"]) == (4, [])
    assert told["calls"][0]["request"] == {"query": "hits", "max_results": 8}
    assert [one["outcome"] for one in told["calls"]][3] == "HTTP 404, html"


@pytest.mark.req("replay:show")
def test_show_tells_of_a_cut_and_refuses_what_is_no_recording(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    head = json.dumps({"cassette": 1, "webseam": "0", "at": ""})
    file.write_text(f"{head}\n" + '{"call', encoding="utf-8")
    ran = shell.run("cassette", "show", str(file))
    assert (ran.code, ran.out) == (0, "")
    assert "line 2 was cut" in ran.err
    ran = shell.run("cassette", "show", "none.jsonl")
    assert (ran.code, ran.out) == (3, "")
    assert "No such file" in ran.err
