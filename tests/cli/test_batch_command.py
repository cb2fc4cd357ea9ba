"""`webseam batch`: lists of URLs and queries from files, with ids, in parts, and through kills."""

import json
import signal
import subprocess
import threading
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cli import EXECUTABLE, Answer, Ran, Shell, site
from support.many import many_pages, records_in
from support.terminal import at_terminal
from webseam.core.limits import BATCH_TOLD_SECONDS
from webseam.surfaces.cli.batch_book import Book, Tally, progress_of
from webseam.surfaces.cli.session import Session
from webseam.wiring.batch import Ended
from webseam.wiring.batch_entry import Entry, Outcome, Shard, entries_of

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'


@pytest.fixture(autouse=True)
def _local(shell: Shell) -> None:
    shell.desk.user(LOCAL)


def page(path: str) -> Answer:
    return (404 if path == "/none" else 200), {}, f"<h1>Page {path}</h1>".encode()


def batch(shell: Shell, what: str, inputs: list[str], *flags: str, stdin: bool = False) -> Ran:
    """Run over a file, or over standard input."""
    text = "\n".join(inputs)
    if stdin:
        return shell.run("batch", what, "-", *flags, stdin=text)
    (shell.desk.cwd / "inputs").write_text(text, encoding="utf-8")
    return shell.run("batch", what, "inputs", *flags)


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# Lines in, lines out -----------------------------------------------------------------------------------


@pytest.mark.req("batch:command:lines")
@pytest.mark.parametrize("stdin", [False, True])
def test_every_line_of_a_file_or_of_standard_input_gives_one(shell: Shell, stdin: bool) -> None:  # noqa: FBT001 - a case
    with site(page) as url:
        ran = batch(shell, "fetch", [f"{url}/a", "", f"{url}/none", "no url", f" {url}/a"], stdin=stdin)
    found = {one["input"]: one for one in lines(ran.out)}
    assert found[f"{url}/a"]["markdown"] == "# Page /a"
    assert found[f"{url}/none"]["status_code"] == 404
    assert found["no url"]["error"]["code"] == "WEB_INVALID_URL"
    assert ran.err == "given more than once, and done once: 1\ndone: 3, failed: 1\n"
    assert ran.code == 4


@pytest.mark.req("batch:command:ids")
def test_the_id_of_an_input_stands_in_its_line(shell: Shell) -> None:
    with site(page) as url:
        given_: list[dict[str, Any]] = [
            {"url": f"{url}/a", "id": 1},
            {"url": f"{url}/a", "id": "1", "note": "left out"},
            {"url": f"{url}/a", "id": "é\u202e"},
            {"url": f"{url}/a", "id": None},
        ]
        ran = batch(shell, "fetch", [json.dumps(one) for one in given_] + [f"{url}/a"])
    found = lines(ran.out)
    assert {json.dumps(one.get("id")) for one in found} == {json.dumps(one["id"]) for one in given_}
    assert {one["input"] for one in found} == {f"{url}/a"}
    assert "\u202e" not in ran.out
    assert "done once: 1" in ran.err


FAULTY = [
    ('{"url": ', "no JSON"),
    ("{}", 'no "url"'),
    ('{"query": "https://a.test/"}', 'no "url"'),
    ('{"url": 3, "id": 7}', 'no "url"'),
    ('{"url": "  "}', 'no "url"'),
    ('{"url": "https://a.test/", "id": [1]}', "neither a string nor a number"),
    ('{"url": "https://a.test/", "id": true}', "neither a string nor a number"),
    ('{"url": "https://a.test/", "id": NaN}', "no JSON"),
    ('{"url": "https://a.test/", "id": 1e999}', "neither a string nor a number"),
    (r'{"url": "https://a.test/\ud800"}', 'no "url"'),
    ("{" * 100_000, "no JSON"),
]


@pytest.mark.req("batch:command:faults")
@pytest.mark.parametrize(("line", "said"), FAULTY, ids=range(len(FAULTY)))
def test_a_line_that_holds_no_input_gives_a_line_that_says_so(shell: Shell, line: str, said: str) -> None:
    with site(page) as url:
        ran = batch(shell, "fetch", [line, f"{url}/a"])
    bad = next(one for one in lines(ran.out) if "error" in one)
    assert bad["input"] == line.strip()
    assert bad["error"]["code"] == "INVALID_ARGS"
    assert said in bad["error"]["message"]
    assert ran.code == 2
    assert len(lines(ran.out)) == 2


@pytest.mark.req("batch:command:ids")
@given(record=st.dictionaries(st.sampled_from(["url", "id", "x"]), st.none() | st.integers() | st.floats() | st.text()))
def test_an_object_line_is_an_input_or_a_fault_and_its_id_is_kept(record: dict[str, Any]) -> None:
    (one,) = entries_of([json.dumps(record)], "url")
    text = record.get("url")
    if one.fault is None:
        assert isinstance(text, str)
        assert one.text == text.strip()
        assert one.id == (None if record.get("id") is None else json.dumps(record["id"]))
    else:
        assert not (isinstance(text, str) and text.strip()) or "NaN" in one.text or "Infinity" in one.text


@pytest.mark.req("batch:command:search")
def test_queries_are_searched_and_what_fails_is_a_line(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "odd"\n')
    inputs = ["hits", '{"query": "none", "id": 2}', "WEB_PROVIDER_ERROR", '{"url": "https://a.test/"}']
    ran = batch(shell, "search", inputs, "--max-results", "1", "-o", "out.jsonl")
    found = {one["input"]: one for one in records_in(shell.desk.cwd / "out.jsonl")}
    assert [one["url"] for one in found["hits"]["sources"]] == ["https://a.test/"]
    assert (found["none"]["id"], found["none"]["provider"]) == (2, "odd")
    assert found["WEB_PROVIDER_ERROR"]["error"]["code"] == "WEB_PROVIDER_ERROR"
    assert found[inputs[3]]["error"]["code"] == "INVALID_ARGS"
    assert (ran.code, ran.out) == (5, "")
    again = batch(shell, "search", inputs, "-o", "out.jsonl", "--resume", "--provider", "odd")
    assert again.err == "done: 0, done before: 4, failed: 2\n"


@pytest.mark.req("batch:command:extract")
def test_texts_are_extracted(shell: Shell) -> None:
    text = "<article><h1>Kelp</h1>" + "<p>Kelp farming needs a permit from the ministry, and a plan.</p>" * 9
    with site(lambda _path: (200, {}, text.encode())) as url:
        ran = batch(shell, "extract", [json.dumps({"url": f"{url}/a", "id": "x"}), "no url"], "--provider", "local")
    found = {one["input"]: one for one in lines(ran.out)}
    assert found[f"{url}/a"]["id"] == "x"
    assert "ministry" in found[f"{url}/a"]["markdown"]
    assert found["no url"]["error"]["code"] == "WEB_INVALID_URL"


@pytest.mark.req("batch:command:one-way")
def test_it_is_the_batch_of_the_single_command(shell: Shell) -> None:
    """Either goes on with the other's file."""
    with site(page) as url:
        first = shell.run("fetch", "--jsonl", "-o", "out.jsonl", f"{url}/a", "--outline")
        second = batch(shell, "fetch", [f"{url}/a", f"{url}/b"], "-o", "out.jsonl", "--resume", "--outline")
        third = shell.run("fetch", "--jsonl", "-o", "out.jsonl", "--resume", f"{url}/a", f"{url}/b")
    assert (first.code, second.code, third.code) == (0, 0, 0)
    assert second.err == "done: 1, done before: 1, failed: 0\n"
    assert third.err == "done: 0, done before: 2, failed: 0\n"
    a, b = records_in(shell.desk.cwd / "out.jsonl")
    assert set(a) == set(b)


# Parts -------------------------------------------------------------------------------------------------


@pytest.mark.req("batch:command:shards")
@given(
    hosts=st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=30),
    count=st.integers(1, 7),
    by_host=st.booleans(),
)
def test_the_parts_of_a_list_are_the_list_each_input_once(hosts: list[str], count: int, by_host: bool) -> None:  # noqa: FBT001 - drawn
    entries = [Entry(text=f"https://{host}.test/{n}") for n, host in enumerate(hosts)]
    parts = [list(Shard(index=n, count=count, by_host=by_host).part(entries)) for n in range(1, count + 1)]
    assert Counter(one for part in parts for one in part) == Counter(entries)
    if by_host:
        homes = [{one.text.split("/")[2] for one in part} for part in parts]
        assert sum(map(len, homes)) == len(set(hosts))


@pytest.mark.req("batch:command:shards")
def test_parts_are_about_equal_and_the_same_in_any_order() -> None:
    entries = [Entry(text=f"https://a.test/{n}") for n in range(16_000)]
    sizes = [len(list(Shard(index=n, count=16).part(entries))) for n in range(1, 17)]
    assert 800 < min(sizes) <= max(sizes) < 1_200
    third = Shard(index=3, count=16)
    assert set(third.part(entries)) == set(third.part(reversed(entries)))


@pytest.mark.req("batch:command:shards")
def test_a_part_is_done_alone(shell: Shell) -> None:
    with site(page) as url:
        none = batch(shell, "fetch", [f"{url}/a"], "--shard", "9999/10000", "-o", "none")
        inputs = [f"{url}/{n}" for n in range(12)]
        parts = [batch(shell, "fetch", inputs, "--shard", f"{n}/3") for n in (1, 2, 3)]
        whole = batch(shell, "fetch", inputs, "--shard", "1/1", "--shard-by", "host")
    assert sorted(one["input"] for part in parts for one in lines(part.out)) == sorted(inputs)
    assert len(lines(whole.out)) == 12
    assert (none.code, none.err) == (0, "done: 0, failed: 0\n")


# What cannot be ----------------------------------------------------------------------------------------

REFUSED = [
    (("--shard", "0/3"), "no part such as 3/16"),
    (("--shard", "4/3"), "no part such as 3/16"),
    (("--shard", "1/10001"), "at most 10,000"),
    (("--shard", "three"), "no part such as 3/16"),
    (("--shard-by", "host"), "Add --shard"),
    (("--actors", "2"), "Add --engine ray"),
    (("--resume",), "Add -o FILE"),
    (("-o", "x", "--retry-failed"), "Add --resume"),
    (("--concurrency", "0"), "0 is not in the range"),
    (("--raw-body", "--view", "main"), "Give no --view"),
    (("--outline", "--chars", "3"), "Give one of them"),
    (("-o", "no/such/x"), "no such folder"),
]


@pytest.mark.req("batch:command:usage")
@pytest.mark.parametrize(("flags", "said"), REFUSED)
def test_flags_that_cannot_be_are_refused_before_anything_is_done(
    shell: Shell, flags: tuple[str, ...], said: str
) -> None:
    ran = batch(shell, "fetch", ["https://a.test/"], *flags)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not (shell.desk.cwd / "x").exists()


@pytest.mark.req("batch:command:usage")
@pytest.mark.parametrize(
    ("data", "said"),
    [(None, "No such file"), (b"", "is empty"), (b"\n \n", "is empty"), (b"https://a.test/\n\xff", "not UTF-8")],
)
def test_a_list_that_cannot_be_read_is_told_and_makes_no_file(shell: Shell, data: bytes | None, said: str) -> None:
    if data is not None:
        (shell.desk.cwd / "list").write_bytes(data)
    ran = shell.run("batch", "fetch", "list", "-o", "x")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("webseam: INVALID_ARGS: list: ")
    assert said in ran.err
    assert not (shell.desk.cwd / "x").exists()


# How far it is -----------------------------------------------------------------------------------------


@pytest.mark.req("batch:command:progress")
def test_a_terminal_shows_a_bar_with_the_rate(shell: Shell) -> None:
    with site(page) as url:
        (shell.desk.cwd / "inputs").write_text(f"{url}/a\n{url}/b\n", encoding="utf-8")
        seen = at_terminal(shell, "batch", "fetch", "inputs", "-o", "out", kept=shell.desk.cwd / "o")
    assert (seen.code, seen.out) == (0, "")
    assert "2/2" in seen.screen
    assert "/s" in seen.screen
    assert seen.screen.replace("\r", "").endswith("done: 2, failed: 0\n")


@pytest.mark.req("batch:command:progress")
def test_verbose_tells_now_and_then_how_far_it_is_and_no_input(shell: Shell) -> None:
    with site(page) as url:
        ran = batch(shell, "fetch", [f"{url}/a", f"{url}/b"], "-v", "-o", "out")
    assert ran.err == "done: 2, failed: 0\n"


@pytest.mark.req("batch:command:progress")
def test_a_line_about_progress_comes_every_ten_seconds(shell: Shell) -> None:
    now = [0.0]
    told: list[str] = []

    class Out:
        def note(self, text: str) -> None:
            told.append(text)

        def line(self, _text: str) -> None:
            """Results are not what this is about."""

    session = Session(environ={}, cwd=shell.desk.cwd, stdin=None, out=Out())  # type: ignore[arg-type]  # what a book uses of it
    book = Book(session, None, Tally(), pulse=True, clock=lambda: now[0])
    entries = [Entry(text=str(n)) for n in range(41)]
    book.take(entries)
    for number, entry in enumerate(entries):
        now[0] = float(number)
        book.tally.whole = number > 15
        book.tell(Ended(input=entry, outcome=Outcome(text="{}")))
    assert BATCH_TOLD_SECONDS == 10
    assert told == [
        "11/41, 1.1/s, 0 failed",
        "21/41, 1.1/s, 0 failed, about 19 s to go",
        "31/41, 1.0/s, 0 failed, about 10 s to go",
        "41/41, 1.0/s, 0 failed, about 0 s to go",
    ]


@pytest.mark.req("batch:command:progress")
@pytest.mark.parametrize(
    ("seconds", "to_go"), [(1, "about 9 s to go"), (60, "about 9 min 0 s to go"), (4_000, "about 10 h 0 min to go")]
)
def test_the_time_to_go_counts_what_this_run_did(seconds: float, to_go: str) -> None:
    tally = Tally(total=200, before=100, ended=110, whole=True)
    assert progress_of(tally, seconds).endswith(to_go)


@pytest.mark.req("batch:command:progress")
@pytest.mark.parametrize(
    "tally",
    [
        Tally(total=1_000, ended=9, whole=True),
        Tally(total=1_000, ended=900),
        Tally(total=1_000, before=900, ended=900, whole=True),
    ],
)
def test_the_time_to_go_is_not_guessed(tally: Tally) -> None:
    assert progress_of(tally, 30).endswith("/s, 0 failed")


# Kills -------------------------------------------------------------------------------------------------


@pytest.mark.req("batch:command:killed")
def test_ten_thousand_pages_and_two_kills_give_ten_thousand_lines(shell: Shell) -> None:
    """Only what was in flight at a kill is asked for again (issue 7, done when)."""
    at_once, kills, total = 24, (2_500, 6_000), 10_000
    out = shell.desk.cwd / "out.jsonl"
    with many_pages() as many:
        inputs = [f"{many.url}/{n}" for n in range(total)]
        (shell.desk.cwd / "urls.txt").write_text("\n".join(inputs), encoding="utf-8")
        flags = ["-o", out.name, "--resume", "--concurrency", str(at_once), "--per-host", str(at_once)]
        for requests in kills:
            due = threading.Event()
            many.at[requests] = due.set
            process = subprocess.Popen(  # noqa: S603 - our own executable
                [EXECUTABLE, "batch", "fetch", "urls.txt", *flags],
                env=shell.variables(),
                cwd=shell.desk.cwd,
                stdin=subprocess.DEVNULL,
            )
            assert due.wait(60)
            process.kill()
            assert process.wait(30) == -signal.SIGKILL
        last = shell.spawn("batch", "fetch", "urls.txt", *flags)
    records = records_in(out)
    assert last.returncode == 0, last.stderr
    assert len(records) == total
    assert {one["input"] for one in records} == set(inputs)
    assert {one["status_code"] for one in records} == {200}
    assert set(many.asked) == {f"/{n}" for n in range(total)}
    assert many.asked.total() - total <= at_once * len(kills)


@pytest.mark.req("batch:command:killed")
def test_after_a_kill_inputs_with_ids_are_told_apart(shell: Shell) -> None:
    out = shell.desk.cwd / "out.jsonl"
    with site(page) as url:
        inputs = [json.dumps({"url": f"{url}/a", "id": n}) for n in (1, 2, "1")]
        batch(shell, "fetch", inputs[:1], "-o", out.name)
        ran = batch(shell, "fetch", [*inputs, f"{url}/a"], "-o", out.name, "--resume")
    assert records_in(out)[0]["id"] == 1
    assert sorted(json.dumps(one.get("id")) for one in records_in(out)) == ['"1"', "1", "2", "null"]
    assert ran.err == "done: 3, done before: 1, failed: 0\n"


@pytest.mark.req("batch:command:ids")
def test_what_failed_is_done_again_under_its_own_id(shell: Shell) -> None:
    out = shell.desk.cwd / "out.jsonl"
    with site(page) as url:
        inputs = [json.dumps({"url": f"{url}/{path}", "id": path}) for path in ("a", "none")]
        assert batch(shell, "fetch", inputs, "-o", out.name, "--fail").code == 5
        again = batch(shell, "fetch", inputs, "-o", out.name, "--fail", "--resume", "--retry-failed")
    assert again.err == "done: 1, done before: 1, failed: 1\n"
    assert [one["id"] for one in records_in(out)] == ["a", "none"]
