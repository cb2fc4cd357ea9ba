"""`webseam providers`: what is used, and why each other one is not."""

from typing import Any

import pytest

from support.cli import Shell

FACTS = {"capability", "keyless", "answer", "controls", "rests_on", "seen_live"}


def rows(shell: Shell, capability: str = "search") -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in shell.run("providers", "--json").json[capability]["providers"]}


def state_of(row: dict[str, Any]) -> dict[str, Any]:
    """What the row says of the present state, without what its kind is."""
    return {name: value for name, value in row.items() if name not in FACTS}


@pytest.mark.req("cli:providers:states")
def test_every_provider_has_a_state_and_a_reason(shell: Shell) -> None:
    shell.desk.env(ECHO_KEY="sk-live-0123456789").user("[providers.mine]\nkind = 'echo'\nkey_env = 'MY_KEY'\n")
    told = rows(shell)
    assert state_of(told["echo"]) == {"id": "echo", "state": "used", "key": "environment ECHO_KEY"}
    assert told["mine"]["state"] == "unavailable"
    assert told["mine"]["kind"] == "echo"
    assert "Set MY_KEY" in told["mine"]["reason"]
    assert state_of(told["free"]) == {
        "id": "free",
        "state": "off",
        "reason": 'is used only when named: set search.provider = "free"',
    }
    assert told["exa"]["reason"] == "has no key: set EXA_API_KEY, or run `webseam keys set exa`"
    assert "ModuleNotFoundError" in told["gone"]["reason"]


@pytest.mark.req("cli:providers:no-secret")
def test_the_source_of_a_key_is_shown_and_never_the_key(shell: Shell) -> None:
    key = "sk-live-0123456789"
    shell.desk.env(ECHO_KEY=key).user(f"[providers.mine]\nkind = 'echo'\nkey = '{key}'\n")
    for argv in (("providers",), ("providers", "--json"), ("config", "show"), ("config", "show", "--json")):
        ran = shell.run(*argv)
        assert key not in ran.out + ran.err
    assert "key from configuration" in shell.run("providers").out


@pytest.mark.req("cli:providers:keyless-notice")
def test_the_keyless_default_says_so(shell: Shell) -> None:
    ran = shell.run("providers", "--json")
    assert (ran.json["search"]["choice"], ran.json["search"]["selected"]) == (None, ["exa-mcp"])
    assert "search.keyless = false" in ran.json["notice"]
    assert "search.keyless = false" in shell.run("providers").err


@pytest.mark.req("cli:providers:states")
def test_text_has_a_line_for_each_and_tells_the_error_a_call_would_get(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'echo'\n")
    ran = shell.run("providers")
    assert ran.code == 0
    assert "search (configured: echo)\n" in ran.out
    assert "  unavailable echo" in ran.out
    assert "WEB_PROVIDER_CONFIGURED_UNAVAILABLE" in ran.err
    assert "fetch (nothing is configured)\n  used        http\n" in ran.out


@pytest.mark.req("cli:providers:states")
@pytest.mark.parametrize(("setting", "choice"), [("route", "route odd, echo"), ("fanout", "fanout odd, echo")])
def test_routes_and_fanouts_are_told(shell: Shell, setting: str, choice: str) -> None:
    shell.desk.user(f'[search]\n{setting} = ["odd", "echo"]\n')
    assert f"search (configured: {choice})" in shell.run("providers").out
    assert shell.run("providers", "--json").json["search"]["choice"] == {setting: ["odd", "echo"]}
    assert rows(shell)["odd"]["state"] == "used"


@pytest.mark.req("cli:providers:states")
def test_an_open_secrets_file_is_told_as_the_reason(shell: Shell) -> None:
    keys = shell.desk.home / "keys"
    keys.write_text("ECHO_KEY=sk-live-0123456789\n", encoding="utf-8")
    keys.chmod(0o644)
    shell.desk.user('[secrets]\nfile = "~/keys"\n')
    assert "chmod 600" in rows(shell)["echo"]["reason"]
    keys.chmod(0o600)
    assert rows(shell)["echo"]["key"] == f"{keys} ECHO_KEY"


@pytest.mark.req("cli:providers:states")
def test_a_reason_ends_in_one_full_stop(shell: Shell) -> None:
    shell.desk.user("[providers.exa]\nbase_url = 'https://me:you@a.test/'\n[providers.custom]\n")
    told = shell.run("providers").out
    assert "Take it out of the URL." in told
    assert ".." not in told


@pytest.mark.req("cli:color")
def test_a_terminal_gets_colours(shell: Shell) -> None:
    shell.desk.env(TERM="xterm")
    assert "\x1b[" in shell.run("providers", tty=True).out


@pytest.mark.req("cli:providers:missing")
def test_a_configured_id_that_stands_for_nothing_is_seen(shell: Shell) -> None:
    shell.desk.user('[search]\nroute = ["ecko", "odd"]\n')
    told = rows(shell)
    assert told["odd"]["state"] == "used"
    assert state_of(told["ecko"]) == {
        "id": "ecko",
        "state": "missing",
        "reason": 'nothing installed has this id. Did you mean "echo"?',
    }
    assert "  missing     ecko" in shell.run("providers").out
    shell.desk.user('[search]\nprovider = "ecko"\n')
    assert rows(shell)["ecko"]["state"] == "missing"


@pytest.mark.req("wiring:secrets:unusable")
def test_a_secrets_file_that_cannot_be_used_refuses_searches_and_is_told_to_whoever_looks(shell: Shell) -> None:
    shell.desk.user('[secrets]\nfile = "~/keys"\n')
    ran = shell.run("search", "kelp")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(f"webseam: WEB_CONFIG_INVALID: {shell.desk.home / 'keys'}: cannot be read")
    looked = shell.run("providers")
    assert (looked.code, "exa-mcp's" in looked.err) == (0, False)
    assert "WEB_CONFIG_INVALID" in looked.err
    assert shell.run("providers", "--json").json["problem"]["code"] == "WEB_CONFIG_INVALID"


@pytest.mark.req("cli:providers:facts")
def test_every_installed_kind_tells_what_it_is(shell: Shell) -> None:
    told = rows(shell)
    assert {name: told["free"][name] for name in FACTS} == {
        "capability": "search",
        "keyless": True,
        "answer": "never",
        "controls": [],
        "rests_on": "documented",
        "seen_live": "never",
    }
    assert (told["echo"]["keyless"], told["exa-mcp"]["keyless"], told["tavily"]["keyless"]) == (False, True, True)
    assert all(set(row) >= FACTS for name, row in told.items() if name != "gone")
    assert rows(shell, "fetch")["http"]["capability"] == "fetch"


@pytest.mark.req("cli:providers:facts")
def test_a_kind_that_does_not_load_tells_no_more_than_where_it_belongs(shell: Shell) -> None:
    assert rows(shell)["gone"].keys() & FACTS == {"capability", "seen_live"}


@pytest.mark.req("cli:providers:facts")
def test_a_provider_that_is_built_tells_its_own_controls(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'picky'\n[providers.picky]\nkind = 'picky'\nlanguages = true\n")
    assert rows(shell)["picky"]["controls"] == ["country", "language"]
    shell.desk.user("[search]\nprovider = 'free'\n")
    assert rows(shell)["picky"]["controls"] == ["country"]


@pytest.mark.req("cli:doctor:recorded")
def test_the_day_a_provider_was_last_seen_live_is_told(shell: Shell) -> None:
    data = shell.desk.home / "data"
    data.mkdir()
    shell.desk.env(WEBSEAM_DATA_DIR=str(data))
    (data / "live.json").write_text('{"free": {"day": "2026-11-30"}, "odd": {"day": "soon"}, "echo": 3}')
    told = rows(shell)
    assert [told[name]["seen_live"] for name in ("free", "odd", "echo")] == ["2026-11-30", "never", "never"]
    (data / "live.json").write_text("{broken")
    ran = shell.run("providers", "--json")
    assert ran.err == f"webseam: {data / 'live.json'}: is not JSON. It counts as empty.\n"
    assert rows(shell)["free"]["seen_live"] == "never"
