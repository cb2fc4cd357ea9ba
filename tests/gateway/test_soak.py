"""`make soak`, in short; and that it sees a loss."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import soak
import soak_state
from soak_answers import Answer, gone, judged
from soak_check import findings
from soak_facts import Bounded, Burst, Death, Facts, Growth, Outage, Row, Sent
from soak_report import report

from support.redis import PROGRAMS, any_server, installed

SOAK = Path(soak.__file__)
ONE, TWO = "kelp-0123456789ab-end", "kelp-ba9876543210-end"


def sent(number: str = "r1", **changes: Any) -> Sent:
    told = {"tenant": "alga", "kind": "search", "subject": ONE, "replica": "a1", "began": 10.0, "ended": 11.0}
    return Sent(id=number, **{**told, "end": "result", "status": 200, **changes})


def row(number: str = "e1", **changes: Any) -> Row:
    return Row(
        **{"id": number, "tenant": "alga", "subject": ONE, "outcome": "ok", "code": "", "tries": {"kelp": 1}, **changes}
    )


HONEST = Facts(sent=[sent()], rows=[row()], hits={("kelp", ONE): 1}, logged=["r1"])
FAILED = sent("r2", subject=TWO, end="failure", status=504, code="WEB_SEARCH_TIMEOUT")
KILLED = Death(replica="a1", at=11.5)
THRIFT = Bounded(tenant="alga", calls=1)
REFUSED = sent("r2", subject=TWO, end="failure", status=429, code="WEB_BUDGET_EXHAUSTED")
REFUSED_ROW = row("e2", subject=TWO, code="WEB_BUDGET_EXHAUSTED", tries={})


def soaked(*argv: str) -> tuple[str, str]:
    """What a soak that lost nothing printed: its table, and what it did when."""
    process = subprocess.Popen(  # noqa: S603 - our own
        [sys.executable, SOAK, "--seconds", "2", "--clients", "3", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        told, steps = process.communicate(timeout=200)
    finally:
        process.terminate()  # it ends what it has started
        process.communicate()
    assert process.returncode == 0, told + steps
    assert "Nothing was lost in" in told
    return told, steps


@pytest.mark.req("soak:run")
@pytest.mark.timeout(240)  # it starts six processes, on a machine that may be busy
def test_a_short_soak_with_a_killed_replica_loses_nothing() -> None:
    told, steps = soaked("--steps", "kill", "--server", any_server())
    assert "a1 was killed" in steps
    assert "a page that 16 wanted at once was asked for  1 times (at most 1)" in told


@pytest.mark.req("soak:run:shared")
@pytest.mark.timeout(240)
def test_a_short_soak_with_the_shared_server_killed_and_frozen_loses_nothing() -> None:
    server = "valkey" if "valkey" in installed() else any_server()
    told, steps = soaked("--steps", "away,frozen", "--server", server)
    assert PROGRAMS[server] in steps
    assert "the shared server is away, replicas local" in steps
    assert "the shared server stands still, replicas local" in steps
    assert steps.count("the shared server is back") == 2
    assert told.count("(local)") == 2


@pytest.mark.req("soak:ends")
@pytest.mark.timeout(240)
@pytest.mark.parametrize("killed", [False, True])
def test_a_soak_that_is_told_to_end_or_killed_leaves_no_process(tmp_path: Path, *, killed: bool) -> None:
    if killed and sys.platform != "linux":
        pytest.skip("only Linux tells a process that its parent was killed")
    any_server()
    process = subprocess.Popen(  # noqa: S603 - our own
        [sys.executable, SOAK, "--seconds", "60", "--clients", "1", "--steps", "kill", "--keep", tmp_path / "kept"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    with process.stderr as steps:
        assert any("all replicas serve" in line for line in steps)
        process.send_signal(signal.SIGKILL if killed else signal.SIGTERM)
        steps.read()
    assert process.wait(timeout=60) != 0
    ports = [line.partition("http://127.0.0.1:")[2].split(" ")[0] for line in _served(tmp_path / "kept")]
    assert len(ports) == 2
    end = time.monotonic() + 60
    while any(map(_takes, ports)) and time.monotonic() < end:
        time.sleep(0.02)  # the system ends them
    assert not any(map(_takes, ports))


def _takes(port: str) -> bool:
    try:
        socket.create_connection(("127.0.0.1", int(port)), timeout=5).close()
    except OSError:
        return False
    return True


def _served(folder: Path) -> list[str]:
    lines = [line for log in folder.glob("?/*.log") for line in log.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if "gateway at http://" in line]


@pytest.mark.req("soak:sizes")
def test_the_memory_of_a_replica_is_told_and_bounded_at_each_of_its_times() -> None:
    grown = Growth(replica="a1", memory=(105_000_000, 150_000_000, 160_000_000), files=(9, 12))
    facts = replace(HONEST, growth=[grown])
    assert findings(facts) == ()
    assert any("a1" in line and "105 -> 150 -> 160 MB, 9 -> 12" in line for line in report(facts))
    midway = replace(grown, memory=(105_000_000, 400_000_000, 160_000_000))
    assert findings(replace(facts, growth=[midway])) == ("a1 took 400 MB, where 320 is the most.",)


@pytest.mark.req("soak:fails")
def test_equal_counts_are_no_loss() -> None:
    assert findings(HONEST) == ()
    assert any("1, 1" in line for line in report(HONEST))


@pytest.mark.req("soak:fails")
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sent": [sent(ended=50.0)]}, "1 requests ended long after the time of their call"),
        ({"rows": []}, "1 calls, 0 in the ledger"),
        ({"rows": [], "hits": {}}, "1 calls, 0 in the ledger"),
        ({"hits": {("kelp", ONE): 2}}, "was asked 2 times, 1 in the ledger"),
        ({"hits": {}}, "was asked 0 times, 1 in the ledger"),
        ({"hits": {("kelp", ONE): 1, ("dulse", ONE): 1}}, "dulse about kelp-0123456789ab-end was asked 1 times, 0"),
        ({"hits": {("kelp", ONE): 1, ("kelp", ""): 1}}, "asked 1 times, 0 in the ledger"),
        ({"hits": {("kelp", ONE): 1, ("landed", ONE): 1}}, "followed twice"),
        ({"rows": [row(), row("e2")]}, "1 answered with a result, 2 in the ledger"),
        ({"rows": [row(), row()]}, "stand in it twice: e1"),
        ({"rows": [row(), row("e2", tenant="brine")]}, "are nobody's: brine kelp-0123456789ab-end"),
        ({"rows": [row(), row("e2", subject="")]}, "are nobody's: alga about nothing"),
        ({"rows": [row(code="WEB_ABORTED")]}, "0 answered with WEB_ABORTED, 1 in the ledger"),
        ({"unrecorded": 3}, "3 calls are missing"),
        ({"logged": []}, "answers are missing in the access logs: r1"),
        ({"logged": ["r1", "r1"]}, "done twice: r1"),
        ({"logged": ["r1", "r9"]}, "nobody's: r9"),
        ({"sent": [sent(strangers=(TWO,))]}, f"{ONE} got {TWO}"),
        (
            {"sent": [sent(end="untyped", status=500, why="status 500")]},
            f"no answer of ours: search r1 about {ONE} at a1: status 500",
        ),
        ({"sent": [sent(end="lost", why="reset")]}, f"nobody killed: search r1 about {ONE} at a1: reset"),
        ({"sent": [sent(end="failure", code="WEB_DENIED")]}, "so nothing was shown"),
        ({"bursts": [Burst(subject=TWO, many=64, most=1)]}, "64 wanted at once was asked for 0 times"),
        ({"hits": {("kelp", ONE): 1, ("http", TWO): 2}, "bursts": [Burst(subject=TWO, many=64, most=1)]}, "2 times"),
        ({"growth": [Growth(replica="a1", memory=(1, 1, 10**9), files=(9, 9))]}, "a1 took 1,000 MB"),
        ({"growth": [Growth(replica="a1", memory=(1, 1, 1), files=(9, 900))]}, "a1 has 891 more open files"),
        ({"leftovers": ["processes of a (group 7)"]}, "1 things are left: processes of a (group 7)"),
    ],
)
def test_a_loss_a_duplicate_and_a_mix_up_are_told(changes: Mapping[str, Any], told: str) -> None:
    assert told in " ".join(findings(replace(HONEST, **changes)))


@pytest.mark.req("soak:fails")
def test_a_failure_needs_its_entry_too() -> None:
    facts = replace(HONEST, sent=[sent(), FAILED], logged=["r1", "r2"])
    assert "1 calls, 0 in the ledger" in " ".join(findings(facts))
    kept = row("e2", subject=TWO, outcome="failed", code="WEB_SEARCH_TIMEOUT", tries={})
    assert findings(replace(facts, rows=[row(), kept])) == ()


@pytest.mark.req("soak:fails")
def test_a_call_that_the_gateway_refused_before_it_began_has_an_entry_or_none() -> None:
    refused = sent("r2", subject=TWO, end="failure", status=503, code="GATEWAY_DRAINING")
    facts = replace(HONEST, sent=[sent(), refused], logged=["r1", "r2"])
    assert findings(facts) == ()
    assert findings(replace(facts, rows=[row(), row("e2", subject=TWO, code="GATEWAY_DRAINING", tries={})])) == ()
    assert findings(replace(facts, rows=[row(), row("e2", subject="", code="GATEWAY_DRAINING", tries={})])) == ()
    twice = [row(number, subject="", code="GATEWAY_DRAINING", tries={}) for number in ("e2", "e3")]
    assert findings(replace(facts, rows=[row(), *twice])) == (
        "1 entries of the ledger are nobody's: alga about nothing.",
    )


@pytest.mark.req("soak:fails")
def test_a_client_that_left_has_its_entry_with_any_code() -> None:
    left = sent("r2", subject=TWO, end="left", status=0)
    facts = replace(HONEST, sent=[sent(), left], hits={("kelp", ONE): 1, ("kelp", TWO): 1})
    assert findings(replace(facts, rows=[row(), row("e2", subject=TWO, code="cancelled")])) == ()
    assert "1 calls, 0 in the ledger" in " ".join(findings(facts))
    assert findings(replace(facts, hits=HONEST.hits)) == (), "it left before the gateway had read what it wants"
    assert findings(replace(facts, deaths=[Death(replica="a1", at=10.5)])) == (), "nobody knows what it had then"
    assert gone(leaves=True).end == "left"
    assert gone(leaves=False).end == "untyped"


@pytest.mark.req("soak:fails")
def test_many_cases_are_counted_and_some_named() -> None:
    many = [sent(f"r{number}", end="untyped", why="html") for number in range(9)]
    told = " ".join(findings(replace(HONEST, sent=[sent(), *many])))
    assert "9 requests ended in no answer of ours" in told
    assert ", and 4 more." in told


@pytest.mark.req("soak:excuses")
def test_a_killed_replica_may_take_the_entries_of_its_last_second_along() -> None:
    facts = replace(HONEST, rows=[], logged=[], deaths=[KILLED])
    assert findings(facts) == ()
    assert findings(replace(facts, hits={("kelp", ONE): 2})), "once is all that one call may have asked"
    assert findings(replace(facts, deaths=[Death(replica="a1", at=12.1)])), "it had more than a second"
    assert findings(replace(facts, deaths=[Death(replica="a1", at=12.1, lag=0.2)])) == (), "it was that slow"
    assert findings(replace(facts, deaths=[Death(replica="b1", at=11.5)])), "another one was killed"
    assert findings(replace(facts, deaths=[Death(replica="a1", at=9.9)])), "it was dead before"


@pytest.mark.req("soak:excuses")
def test_a_page_may_be_asked_for_again_where_a_call_for_it_was_given_up() -> None:
    cut = sent("r2", subject=TWO, end="failure", status=504, code="WEB_FETCH_TIMEOUT")
    rows = [row(), row("e2", subject=TWO, code=cut.code, tries={"http": 2})]
    facts = replace(HONEST, sent=[sent(), cut], rows=rows, logged=["r1", "r2"])
    facts = replace(facts, hits={("kelp", ONE): 1, ("http", TWO): 2}, bursts=[Burst(subject=TWO, many=64, most=1)])
    assert findings(facts) == ()


@pytest.mark.req("soak:excuses")
def test_a_request_under_way_is_lost_with_its_replica_alone() -> None:
    lost = sent("r2", subject=TWO, end="lost", why="reset", ended=12.0)
    facts = replace(HONEST, sent=[sent(), lost], hits={("kelp", ONE): 1, ("kelp", TWO): 1}, deaths=[KILLED])
    assert findings(facts) == ()
    assert findings(replace(facts, hits={("kelp", ONE): 1, ("kelp", TWO): 2})), "asked twice for one request"
    assert findings(replace(facts, deaths=[])) != ()


@pytest.mark.req("soak:fails", "soak:excuses")
def test_a_budget_is_made_use_of_and_never_exceeded() -> None:
    facts = replace(HONEST, sent=[sent(), REFUSED], rows=[row(), REFUSED_ROW], logged=["r1", "r2"], bounded=THRIFT)
    assert findings(facts) == ()
    more = sent("r3", subject=TWO)
    over = replace(
        facts, sent=[*facts.sent, more], rows=[*facts.rows, row("e3", subject=TWO, tries={})], logged=["r1", "r2", "r3"]
    )
    assert findings(over) == ("alga made 2 calls, and may make 1.",)
    alone = Outage(since=10.5, until=12.0, when_away="local")
    assert findings(replace(over, outages=[alone])) != (), "one replica can count one call alone, and there were two"
    refused = replace(alone, when_away="refuse")
    assert findings(replace(over, outages=[refused])) == ("alga made 2 calls, and may make 1.",)
    assert "was never refused" in " ".join(findings(replace(HONEST, bounded=THRIFT)))
    unspent = replace(facts, bounded=replace(THRIFT, calls=2))
    assert findings(unspent) == ("alga made 1 calls and was to make all of its 2.",)


# Answers -----------------------------------------------------------------------------------------------


def answer(body: object, status: int = 200, media_type: str = "application/json", number: str = "r1") -> Answer:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Answer(status=status, headers={"Content-Type": media_type, "X-Request-Id": number}, body=content)


def problem(http: int = 504, **changes: Any) -> Answer:
    told = {"code": "WEB_FETCH_TIMEOUT", "status": 504, "request_id": "r1", **changes}
    return answer(told, http, "application/problem+json")


def rpc(result: object) -> Answer:
    told = json.dumps({"jsonrpc": "2.0", "id": "r1", "result": result})
    return answer(f"event: message\r\ndata: {told}\r\n\r\n".encode(), media_type="text/event-stream")


FAILURE = {"error": {"code": "TOOL_TIMEOUT"}}


@pytest.mark.req("soak:answers")
@pytest.mark.parametrize(
    ("got", "kind", "end", "code"),
    [
        (answer({"sources": ONE}), "search", "result", ""),
        (problem(), "search", "failure", "WEB_FETCH_TIMEOUT"),
        (answer({"text": ONE, "is_error": False}), "tool search", "result", ""),
        (answer({"is_error": True, **FAILURE}), "tool search", "failure", "TOOL_TIMEOUT"),
        (rpc({"content": ONE, "isError": False}), "mcp search", "result", ""),
        (rpc({"isError": True, "structuredContent": FAILURE}), "mcp search", "failure", "TOOL_TIMEOUT"),
    ],
)
def test_results_and_failures_are_told_apart(got: Answer, kind: str, end: str, code: str) -> None:
    ended = judged(got, kind, "r1", ONE)
    assert (ended.end, ended.code, ended.strangers) == (end, code, ())


@pytest.mark.req("soak:answers")
@pytest.mark.parametrize(
    ("got", "kind"),
    [
        (answer(b""), "search"),
        (answer(b"<h1>Bad gateway</h1>", 502, "text/html"), "search"),
        (answer({"sources": ONE}, 500), "search"),
        (answer({"sources": ONE}, number="r2"), "search"),
        (answer({"sources": TWO}), "search"),
        (answer([ONE]), "search"),
        (problem(500, status=500, code="GATEWAY_FAULT"), "search"),
        (problem(code="WEB_OF_LIES"), "search"),
        (problem(code=7), "search"),
        (problem(request_id="r2"), "search"),
        (problem(status=500), "search"),
        (answer({"is_error": True, "error": ONE}), "tool search"),
        (rpc(None), "mcp search"),
        (rpc({"isError": True, "structuredContent": None}), "mcp search"),
        (rpc({"isError": False, "content": "somebody else's"}), "mcp search"),
        (answer(b"event: ping\r\n\r\n", media_type="text/event-stream"), "mcp search"),
    ],
)
def test_whatever_else_comes_is_no_answer_of_ours(got: Answer, kind: str) -> None:
    assert judged(got, kind, "r1", ONE).end == "untyped"


@pytest.mark.req("soak:answers")
def test_what_another_request_was_about_is_seen_in_any_answer() -> None:
    assert judged(answer({"sources": [ONE, TWO]}), "search", "r1", ONE).strangers == (TWO,)
    assert judged(answer(f"<p>{TWO}".encode(), 500), "search", "r1", ONE).strangers == (TWO,)
    assert judged(None, "search", "r1", ONE, fault="reset").end == "lost"


@pytest.mark.req("soak:asks")
@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--seconds", "121"], "from 1 to 120"),
        (["--seconds", "nan"], "from 1 to 120"),
        (["--clients", "0"], "from 1 to 200"),
        (["--steps", "kill,burn"], "has burn; there are vendors, away"),
        (["--keep", "."], "a run keeps its files in a new folder"),
        (["--steps", "refuse"], "takes replicas that drain and kill have started anew"),
    ],
)
def test_arguments_that_it_cannot_keep_to_are_refused(
    argv: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        soak.main(argv)
    assert caught.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.req("soak:asks")
def test_without_a_server_to_share_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(soak_state, "find_spec", lambda _name: None)  # nor is the wheel that holds one
    assert soak.main([]) == 2
    assert "valkey-server or redis-server" in capsys.readouterr().err
    assert soak.main(["--server", "redis"]) == 2
    assert "No redis-server is installed" in capsys.readouterr().err
