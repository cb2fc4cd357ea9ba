"""`webseam doctor --live`: each vendor once, by a search or, where it only extracts, by a page; and its replay."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from support.cli import Answer, Shell, site

KEY = "sk-live-0123456789"
TEXT = "# Example Domain\n\nFor use in documents."
HITS = {"results": [{"url": "https://kelp.test/", "title": "Kelp"}], "requestId": "r"}


@dataclass(slots=True)
class Vendors:
    """Exa's search, and DeepSeek's page, on loopback; `content` None: it got no page."""

    url: str = ""
    content: str | None = TEXT
    asked: list[str] = field(default_factory=list)

    def answer(self, path: str) -> Answer:
        self.asked.append(path)
        told: Any = HITS
        status = 200
        if path.endswith("/fetch") and self.content is None:
            told, status = {"error": {"message": "Failed to fetch the page"}}, 404
        elif path.endswith("/fetch"):
            told = {"content": self.content, "title": "Example Domain"}
        return status, {"Content-Type": "application/json"}, json.dumps(told).encode()


@pytest.fixture
def vendors(shell: Shell) -> Iterator[Vendors]:
    """Exa, which does both, and DeepSeek, which has a key for extraction alone."""
    found = Vendors()
    with site(found.answer) as url:
        found.url = url
        tables = "".join(f"[providers.{one}]\nkey = '{KEY}'\nbase_url = '{url}'\n" for one in ("exa", "deepseek"))
        shell.desk.env(WEBSEAM_DATA_DIR=str(shell.desk.home / "data")).user(
            f"[search]\nprovider = 'exa'\n[extract]\nprovider = 'deepseek'\n{tables}"
        )
        yield found


def seen(shell: Shell) -> dict[str, Any]:
    """The day of each provider by capability."""
    told = shell.run("providers", "--json").json
    return {
        f"{kind} {row['id']}": row["seen_live"]
        for kind in ("search", "fetch", "extract")
        for row in told[kind]["providers"]
        if row["seen_live"] != "never"
    }


def rows(told: str) -> list[list[str]]:
    """The lines of the trials, their columns."""
    return [line.split() for line in told.splitlines() if line.endswith(" recorded") or "  WEB_" in line]


@pytest.mark.req("cli:doctor:live", "cli:doctor:extract")
def test_each_vendor_is_tried_once_and_one_that_only_extracts_by_a_page(shell: Shell, vendors: Vendors) -> None:
    ran = shell.run("doctor", "--live", "--yes")
    assert ran.code == 0, ran.err
    assert sorted(vendors.asked) == ["/search", "/v1/tools/fetch"]
    assert ran.err.splitlines() == [
        "This sends one real search to each of: exa.",
        "This has https://example.com/ extracted once by each of: deepseek.",
        "Calls with a key are billed by the vendor: exa, deepseek.",
    ]
    exa, deepseek = rows(ran.out)
    assert (exa[:4], exa[-1]) == (["1", "hit", "exa", "search"], "recorded")
    assert (deepseek[:4], deepseek[-1]) == ([str(len(TEXT)), "characters", "deepseek", "extract"], "recorded")
    assert KEY not in ran.out + ran.err


@pytest.mark.req("cli:doctor:recorded", "cli:doctor:extract")
def test_a_search_is_no_sighting_of_extraction_nor_the_other_way_round(shell: Shell, vendors: Vendors) -> None:
    assert shell.run("doctor", "--live", "--yes").code == 0
    assert list(seen(shell)) == ["search exa", "extract deepseek"]
    kept = json.loads((shell.desk.home / "data" / "live.json").read_text(encoding="utf-8"))
    assert list(kept) == ["exa", "extract:deepseek"]
    assert kept["extract:deepseek"]["capability"] == "extract"
    del vendors


@pytest.mark.req("cli:doctor:recorded")
def test_an_entry_of_a_search_under_that_name_is_none_of_extraction(shell: Shell, vendors: Vendors) -> None:
    data = shell.desk.home / "data"
    data.mkdir()
    (data / "live.json").write_text('{"extract:deepseek": {"day": "2026-01-02"}}', encoding="utf-8")
    assert seen(shell) == {}
    del vendors


@pytest.mark.req("cli:doctor:live", "cli:doctor:extract")
def test_a_vendor_that_only_extracts_can_be_named(shell: Shell, vendors: Vendors) -> None:
    ran = shell.run("doctor", "--live", "deepseek", "nope", "--yes", "--json")
    deepseek, nope = ran.json["live"]
    assert vendors.asked == ["/v1/tools/fetch"]
    assert (deepseek["capability"], deepseek["characters"], deepseek["hits"]) == ("extract", len(TEXT), None)
    assert (nope["capability"], nope["error"]["code"]) == ("search", "WEB_PROVIDER_CONFIGURED_MISSING")
    assert deepseek.keys() == nope.keys() - {"error"}


@pytest.mark.req("cli:doctor:consent", "cli:doctor:extract")
def test_an_extraction_with_a_key_is_not_made_without_consent(shell: Shell, vendors: Vendors) -> None:
    silent = shell.run("doctor", "--live", "deepseek")
    declined = shell.run("doctor", "--live", "deepseek", stdin="no\n", typed=True)
    assert (silent.code, declined.code, vendors.asked) == (2, 4, [])
    assert "extracted once by each of: deepseek" in silent.err
    assert "real search" not in silent.err


@pytest.mark.req("cli:doctor:extract")
@pytest.mark.parametrize("content", [None, "", "  \n"])
def test_a_page_without_text_is_no_sighting(shell: Shell, vendors: Vendors, content: str | None) -> None:
    vendors.content = content
    ran = shell.run("doctor", "--live", "deepseek", "--yes")
    assert ran.code == 5
    assert "WEB_PROVIDER_ERROR" in ran.out
    assert seen(shell) == {}


@pytest.mark.req("cli:doctor:extract")
def test_this_machines_own_extraction_is_no_vendor(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'free'\n[extract]\nprovider = 'local'\n")
    ran = shell.run("doctor", "--live", "--json")
    assert [(one["provider"], one["capability"]) for one in ran.json["live"]] == [("free", "search")]


@pytest.mark.req("cli:doctor:extract")
def test_a_named_vendor_without_a_key_says_so(shell: Shell) -> None:
    ran = shell.run("doctor", "--live", "deepseek")
    assert ran.code == 3
    assert "WEB_PROVIDER_CONFIGURED_UNAVAILABLE" in ran.out
    assert "keys set deepseek" in ran.err
    assert "billed" not in ran.err


@pytest.mark.req("cli:doctor:extract")
def test_what_permission_refuses_reaches_no_vendor(shell: Shell, vendors: Vendors) -> None:
    shell.desk.user(shell.desk.user_file.read_text(encoding="utf-8") + "[permission]\ndeny_hosts = ['example.com']\n")
    ran = shell.run("doctor", "--live", "deepseek", "--yes")
    assert (ran.code, vendors.asked) == (4, [])
    assert "WEB_DENIED" in ran.out


@pytest.mark.req("cli:errors:usage")
@pytest.mark.parametrize("name", ["exa\nsearch free", "exa\x1b[2J", "a\tb", "\ud800"])
def test_what_can_be_no_id_is_refused(shell: Shell, vendors: Vendors, name: str) -> None:
    ran = shell.run("doctor", "--live", "--yes", name, "--record", "run.jsonl")
    assert (ran.code, ran.out, vendors.asked) == (2, "", [])
    assert not (shell.desk.cwd / "run.jsonl").exists()


# Record and replay -------------------------------------------------------------------------------------


@pytest.mark.req("cli:doctor:replay")
@pytest.mark.parametrize("named", [(), ("deepseek", "exa"), ("nope", "deepseek")])
def test_recorded_trials_replay_where_nothing_is_set_up(
    shell: Shell, vendors: Vendors, tmp_path: Path, named: tuple[str, ...]
) -> None:
    argv = ("doctor", "--live", *named)
    recorded = shell.run(*argv, "--yes", "--record", "run.jsonl")
    told = len(vendors.asked)
    shell.desk.user("[search]\nkeyless = false\n").env(WEBSEAM_DATA_DIR=str(tmp_path / "elsewhere"))
    replayed = shell.run(*argv, "--replay", "run.jsonl", "--offline")
    assert len(vendors.asked) == told
    assert recorded.out.endswith(replayed.out)
    assert rows(recorded.out) == rows(replayed.out) != []
    assert replayed.code == recorded.code
    assert "This is a replay: nothing is sent" in replayed.err
    assert "billed" not in replayed.err
    assert not (tmp_path / "elsewhere").exists()
    assert KEY not in (shell.desk.cwd / "run.jsonl").read_text(encoding="utf-8")


@pytest.mark.req("cli:doctor:replay")
def test_json_of_a_replay_holds_the_same_trials(shell: Shell, vendors: Vendors) -> None:
    recorded = shell.run("doctor", "--live", "--yes", "--json", "--record", "run.jsonl")
    replayed = shell.run("doctor", "--live", "--json", "--replay", "run.jsonl")
    assert replayed.json["live"] == recorded.json["live"]
    assert replayed.json["problems"] == []
    del vendors


@pytest.mark.req("cli:doctor:replay")
@pytest.mark.parametrize("named", [("exa",), ()])
def test_trials_that_were_not_recorded_are_a_miss(shell: Shell, vendors: Vendors, named: tuple[str, ...]) -> None:
    shell.run("doctor", "--live", "deepseek", "--yes", "--record", "run.jsonl")
    ran = shell.run("doctor", "--live", *named, "--replay", "run.jsonl")
    assert (ran.code, ran.out) == (8, "")
    assert "WEB_REPLAY_MISS: The recording holds no run of `webseam doctor --live` with these providers." in ran.err
    assert vendors.asked == ["/v1/tools/fetch"]


@pytest.mark.req("cli:doctor:replay")
@pytest.mark.parametrize("text", ["{}", '{"cassette": 9}\n', "no cassette"])
def test_a_file_that_is_no_recording_is_refused(shell: Shell, text: str) -> None:
    (shell.desk.cwd / "run.jsonl").write_text(text, encoding="utf-8")
    ran = shell.run("doctor", "--live", "--replay", "run.jsonl")
    assert (ran.code, "Traceback" in ran.err) == (3, False)


@pytest.mark.req("cli:doctor:replay")
@pytest.mark.parametrize(
    "text", ["", "{", "search", "search  ", "fetch http", "search exa\n", " exa", "local\x1b[2J x"]
)
def test_a_list_of_trials_that_was_tampered_with_is_refused(shell: Shell, vendors: Vendors, text: str) -> None:
    shell.run("doctor", "--live", "--yes", "--record", "run.jsonl")
    tape = shell.desk.cwd / "run.jsonl"
    lines = [json.loads(line) for line in tape.read_text(encoding="utf-8").splitlines()]
    changed = [line | {"text": text} if line.get("draw", "").startswith("doctor") else line for line in lines]
    tape.write_text("".join(json.dumps(line) + "\n" for line in changed), encoding="utf-8")
    ran = shell.run("doctor", "--live", "--replay", "run.jsonl")
    assert (ran.code, "WEB_CONFIG_INVALID" in ran.err) == (3, True)
    del vendors
