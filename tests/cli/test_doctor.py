"""`webseam doctor`: whether calls would work, and with --live whether the vendors answer."""

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from support.cli import Shell, site
from webseam.core.version import VERSION

ROWS = {"results": [{"url": "https://kelp.test/", "title": "Kelp"}], "requestId": "r"}
KEY = "sk-live-0123456789"


def says(value: Any, status: int = 200) -> Callable[[str], tuple[int, dict[str, str], bytes]]:
    return lambda _path: (status, {"Content-Type": "application/json"}, json.dumps(value).encode())


@pytest.fixture
def data(shell: Shell) -> Path:
    folder = shell.desk.home / "data"
    shell.desk.env(WEBSEAM_DATA_DIR=str(folder))
    return folder


def record(data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data / "live.json").read_text(encoding="utf-8"))
    return found


def is_today(day: str) -> bool:
    """Today, or a day that ended while the test ran."""
    today = datetime.now(UTC).date()
    return date.fromisoformat(day) in (today, today - timedelta(days=1))


# Without --live ----------------------------------------------------------------------------------------


@pytest.mark.req("cli:doctor:health")
def test_a_working_selection_exits_0_with_versions_and_reasons(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'odd'\n")
    ran = shell.run("doctor")
    assert ran.code == 0
    assert ran.out.startswith(f"webseam {VERSION}, Python 3.")
    assert "with FTS5\n" in ran.out
    assert f"configuration: {shell.desk.home}" in ran.out
    assert "search (configured: odd)\n" in ran.out
    assert "ModuleNotFoundError" in ran.out
    assert ran.out.count("  off         ") == 3  # the plugin that does not load, and a count for each capability
    assert "more              `webseam providers` says why\n" in ran.out
    assert ran.out.endswith("\nready\n")
    assert ran.err == ""


@pytest.mark.req("cli:doctor:health")
def test_json_holds_the_same(shell: Shell) -> None:
    report = shell.run("doctor", "--json").json
    assert report["versions"]["fts5"] is True
    assert (report["files"], report["problems"]) == ([], [])
    assert report["search"]["selected"] == ["exa-mcp"]
    assert report["fetch"]["selected"] == ["http"]
    assert "live" not in report


@pytest.mark.req("cli:doctor:health")
def test_the_keyless_default_says_so(shell: Shell) -> None:
    assert "search.keyless = false" in shell.run("doctor").err


@pytest.mark.req("cli:doctor:sick")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[search]\nprovider = 'echo'\n", "WEB_PROVIDER_CONFIGURED_UNAVAILABLE"),
        ("[search]\nprovider = 'nope'\n", "WEB_PROVIDER_CONFIGURED_MISSING"),
        ("[search]\nkeyless = false\n", "WEB_PROVIDER_UNAVAILABLE"),
        ("[search]\nmax_results = 'many'\n", "WEB_CONFIG_INVALID"),
        ("[search", "WEB_CONFIG_INVALID"),
        ("[providers.x]\nkind = 'y'\n", "WEB_CONFIG_INVALID"),
        ("[secrets]\nfile = '~/keys'\n", "WEB_CONFIG_INVALID"),
    ],
)
def test_what_would_refuse_a_call_exits_3_and_is_told(shell: Shell, text: str, code: str) -> None:
    shell.desk.user(text)
    ran = shell.run("doctor")
    assert ran.code == 3
    assert f"webseam: {code}: " in ran.err
    assert ran.out.endswith("\ncalls would be refused\n")
    told = shell.run("doctor", "--json")
    assert (told.code, told.json["problems"][0]["code"]) == (3, code)


@pytest.mark.req("cli:doctor:sick")
def test_a_selection_from_half_a_configuration_is_not_shown(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'odd'\nmax_results = 'many'\n")
    assert "search" not in shell.run("doctor", "--json").json


@pytest.mark.req("cli:doctor:sick")
def test_a_secrets_file_that_cannot_be_used_is_told_once_and_alone(shell: Shell) -> None:
    keys = shell.desk.user_file.parent / "keys"
    keys.parent.mkdir(parents=True, exist_ok=True)
    keys.write_text("EXA_API_KEY=k\n", encoding="utf-8")
    keys.chmod(0o644)
    ran = shell.run("doctor")
    assert (ran.code, (ran.out + ran.err).count("chmod 600")) == (3, 1)
    assert " more             see the problem below\n" in ran.out
    told = shell.run("doctor", "--json").json
    assert [problem["code"] for problem in told["problems"]] == ["WEB_CONFIG_INVALID"]
    assert told["search"]["error"] == told["problems"][0]


@pytest.mark.req("cli:doctor:sick")
def test_a_sick_installation_sends_nothing_live(shell: Shell, data: Path) -> None:
    shell.desk.user("[search]\nmax_results = 'many'\n")
    ran = shell.run("doctor", "--live", "odd")
    assert (ran.code, "real search" in ran.err, data.exists()) == (3, False, False)


@pytest.mark.req("cli:errors:usage")
@pytest.mark.parametrize("argv", [("exa",), ("--yes",)])
def test_names_and_consent_belong_to_live(shell: Shell, argv: tuple[str, ...]) -> None:
    ran = shell.run("doctor", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert "--live" in ran.err


# With --live -------------------------------------------------------------------------------------------


@pytest.mark.req("cli:doctor:live", "cli:doctor:recorded")
def test_vendors_that_answer_are_recorded_with_the_day_and_told_later(shell: Shell, data: Path) -> None:
    with site(says(ROWS)) as up, site(says({"error": "down"}, 503)) as down:
        shell.desk.env(EXA_API_KEY=KEY, TAVILY_API_KEY=KEY).user(
            f"[search]\nprovider = 'exa'\n[providers.exa]\nbase_url = '{up}'\n[providers.tavily]\nbase_url = '{down}'\n"
        )
        ran = shell.run("doctor", "--live", "--yes")
    assert ran.code == 5
    assert "1 hit " in ran.out
    assert "recorded" in ran.out
    assert "webseam: tavily: WEB_PROVIDER_ERROR: tavily failed (HTTP 503)" in ran.err
    assert ran.err.startswith("This sends one real search to each of: exa, tavily.\nCalls with a key are billed")
    assert KEY not in ran.out + ran.err + (data / "live.json").read_text(encoding="utf-8")
    entry = record(data)["exa"]
    assert is_today(entry.pop("day"))
    assert (entry, list(record(data))) == ({"kind": "exa", "version": VERSION}, ["exa"])
    told = {row["id"]: row["seen_live"] for row in shell.run("providers", "--json").json["search"]["providers"]}
    assert is_today(told["exa"])
    assert told["tavily"] == "never"


@pytest.mark.req("cli:doctor:live")
def test_json_holds_each_trial(shell: Shell, data: Path) -> None:
    with site(says(ROWS)) as url:
        shell.desk.env(EXA_API_KEY=KEY).user(f"[search]\nprovider = 'exa'\n[providers.exa]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live", "exa", "nope", "--yes", "--json")
    exa, nope = ran.json["live"]
    assert ran.code == 3
    assert (exa["code"], exa["hits"], exa["grounding"], exa["recorded"]) == (
        None,
        1,
        "searched",
        record(data)["exa"]["day"],
    )
    assert (nope["error"]["code"], nope["recorded"]) == ("WEB_PROVIDER_CONFIGURED_MISSING", None)


@pytest.mark.req("cli:doctor:consent")
def test_a_keyed_vendor_is_not_asked_without_consent(shell: Shell, data: Path) -> None:
    asked: list[str] = []

    def answer(path: str) -> tuple[int, dict[str, str], bytes]:
        asked.append(path)
        return says(ROWS)(path)

    with site(answer) as url:
        shell.desk.env(EXA_API_KEY=KEY).user(f"[search]\nprovider = 'exa'\n[providers.exa]\nbase_url = '{url}'\n")
        silent = shell.run("doctor", "--live")
        declined = shell.run("doctor", "--live", stdin="no\n", typed=True)
        before = list(asked)
        agreed = shell.run("doctor", "--live", stdin="yes\n", typed=True)
    assert (silent.code, silent.out, before) == (2, "", [])
    assert "Add --yes" in silent.err
    assert (declined.code, "WEB_DENIED" in declined.err) == (4, True)
    assert (agreed.code, asked) == (0, ["/search"])
    assert "exa" in record(data)


@pytest.mark.req("cli:doctor:consent")
def test_a_keyless_vendor_needs_no_consent(shell: Shell, data: Path) -> None:
    with site(says(ROWS)) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live")
    assert ran.code == 0
    assert "billed" not in ran.err
    assert list(record(data)) == ["tavily"]


@pytest.mark.req("cli:doctor:recorded")
@pytest.mark.parametrize("rows", [[], [{"title": "no url"}]])
def test_an_answer_that_proves_nothing_is_not_recorded(shell: Shell, data: Path, rows: list[Any]) -> None:
    with site(says({"results": rows})) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live")
    assert ran.code == 5
    assert "0 hits" in ran.out
    assert not data.exists()


@pytest.mark.req("cli:doctor:recorded")
@pytest.mark.parametrize("broken", ["{broken", "[]", "\ud800"])
def test_a_broken_record_is_told_set_aside_and_nothing_is_lost(shell: Shell, data: Path, broken: str) -> None:
    data.mkdir()
    (data / "live.json").write_text(broken, encoding="utf-8", errors="surrogatepass")
    with site(says(ROWS)) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live")
        again = shell.run("doctor", "--live")
    assert (ran.code, again.code) == (0, 0)
    assert "It counts as empty." in ran.err
    assert "It counts as empty." not in again.err
    kept = (data / "live.json.broken-1").read_text(encoding="utf-8", errors="surrogatepass")
    assert (kept, list(record(data))) == (broken, ["tavily"])
    assert sorted(file.name for file in data.iterdir()) == ["live.json", "live.json.broken-1"]


@pytest.mark.req("cli:doctor:recorded")
def test_other_entries_of_the_record_stay(shell: Shell, data: Path) -> None:
    data.mkdir()
    (data / "live.json").write_text('{"mine": {"day": "2026-01-02", "note": "x"}, "odd": 1}', encoding="utf-8")
    with site(says(ROWS)) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        shell.run("doctor", "--live")
    assert {name: record(data)[name] for name in ("mine", "odd")} == {
        "mine": {"day": "2026-01-02", "note": "x"},
        "odd": 1,
    }


@pytest.mark.req("cli:doctor:recorded")
def test_what_was_seen_of_one_vendor_is_not_told_of_another_under_its_id(shell: Shell, data: Path) -> None:
    data.mkdir()
    (data / "live.json").write_text('{"mine": {"day": "2026-01-02", "kind": "exa"}}', encoding="utf-8")
    told = []
    for kind in ("exa", "tavily"):
        shell.desk.user(f"[providers.mine]\nkind = '{kind}'\n")
        rows = shell.run("providers", "--json").json["search"]["providers"]
        told += [row["seen_live"] for row in rows if row["id"] == "mine"]
    assert told == ["2026-01-02", "never"]


@pytest.mark.req("cli:doctor:recorded")
def test_a_record_that_cannot_be_written_is_told_and_fails_nothing(shell: Shell, data: Path) -> None:
    data.write_text("a file where the folder would be", encoding="utf-8")
    with site(says(ROWS)) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live")
    assert ran.code == 0
    assert "webseam: nothing was recorded: " in ran.err
    assert "recorded" not in ran.out


@pytest.mark.req("cli:doctor:live")
def test_with_nobody_to_try_it_says_so(shell: Shell) -> None:
    shell.desk.user("[search]\nkeyless = false\n")
    ran = shell.run("doctor", "--live")
    assert (ran.code, ran.out) == (3, "")
    assert "WEB_PROVIDER_UNAVAILABLE: No vendor is available to try." in ran.err


@pytest.mark.req("cli:doctor:live")
def test_an_undecided_selection_does_not_keep_a_vendor_from_being_tried(shell: Shell, data: Path) -> None:
    with site(says(ROWS)) as url:
        shell.desk.env(EXA_API_KEY=KEY, TAVILY_API_KEY=KEY).user(f"[providers.exa]\nbase_url = '{url}'\n")
        ran = shell.run("doctor", "--live", "exa", "--yes", "--json")
    assert (ran.code, ran.json["problems"][0]["code"]) == (3, "WEB_PROVIDER_AMBIGUOUS")
    assert ran.json["live"][0]["recorded"] == record(data)["exa"]["day"]


@pytest.mark.req("cli:doctor:live")
def test_an_answer_without_a_search_proves_nothing(shell: Shell, data: Path) -> None:
    with site(says({"content": [{"type": "text", "text": "I know."}], "stop_reason": "end_turn"})) as url:
        shell.desk.env(DEEPSEEK_API_KEY=KEY).user(
            f"[search]\nprovider = 'deepseek-official'\n[providers.deepseek-official]\nbase_url = '{url}'\n"
        )
        ran = shell.run("doctor", "--live", "deepseek-official", "--yes")
    assert ran.code == 5
    assert "answered without searching" in ran.out
    assert not data.exists()


@pytest.mark.req("cli:doctor:consent")
def test_space_around_an_id_is_no_consent_and_a_blank_id_is_refused(shell: Shell) -> None:
    asked: list[str] = []

    def answer(path: str) -> tuple[int, dict[str, str], bytes]:
        asked.append(path)
        return says(ROWS)(path)

    with site(answer) as url:
        shell.desk.env(EXA_API_KEY=KEY).user(f"[providers.exa]\nbase_url = '{url}'\n")
        spaced = shell.run("doctor", "--live", " exa ")
        blank = shell.run("doctor", "--live", "")
        assert (spaced.code, blank.code, asked) == (2, 2, [])
        agreed = shell.run("doctor", "--live", " exa ", "exa", "--yes", "--json")
    assert "billed by the vendor: exa." in spaced.err
    assert [one["provider"] for one in agreed.json["live"]] == ["exa"]


@pytest.mark.req("cli:doctor:sick")
def test_a_path_that_the_system_cannot_look_at_is_told(shell: Shell) -> None:
    shell.desk.env(WEBSEAM_CONFIG="x" * 300)
    ran = shell.run("doctor")
    assert (ran.code, "WEB_CONFIG_INVALID" in ran.err) == (3, True)
