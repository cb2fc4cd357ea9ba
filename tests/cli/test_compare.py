"""`webseam compare`: vendors side by side; one that fails does not fail the others."""

import json

import pytest

from support.cli import Shell, site

TWO = ("--provider", "odd", "--provider", "odd2")
SECOND = "[providers.odd2]\nkind = 'odd'\n"


@pytest.mark.req("cli:compare:table")
def test_each_vendor_has_a_line_and_each_page_its_ranks(shell: Shell) -> None:
    shell.desk.user(SECOND)
    ran = shell.run("compare", "hits", *TWO, "--provider", "free")
    assert ran.code == 0
    seconds = [line.split()[-3] for line in ran.out.splitlines()[1:4]]
    assert [line.replace(one, "T") for line, one in zip(ran.out.splitlines()[1:4], seconds, strict=True)] == [
        "odd       2 hits  2 of 2  T     not reported",
        "odd2      2 hits  2 of 2  T     not reported",
        "free      0 hits  0 of 0  T     not reported",
    ]
    assert ran.out.splitlines()[0] == "provider  answer  shared  seconds  cost"
    assert ran.out.partition("\n\n")[2].splitlines() == [
        "odd  odd2  free  url",
        "1    1     -     https://a.test/  A ● ✓ 、",
        "2    2     -     https://b.test/",
    ]


@pytest.mark.req("cli:compare:failures")
def test_one_that_fails_has_its_code_in_its_line_and_the_reason_on_stderr(shell: Shell) -> None:
    shell.desk.user(SECOND)
    ran = shell.run("compare", "quota", *TWO, "--provider", "free", "--provider", "nope")
    lines = {line.split()[0]: line.split()[1] for line in ran.out.splitlines()}
    assert ran.code == 0
    assert (lines["odd"], lines["nope"]) == ("WEB_RATE_LIMITED", "WEB_PROVIDER_CONFIGURED_MISSING")
    assert "webseam: odd: WEB_RATE_LIMITED: No quota now." in ran.err
    assert "webseam: nope: WEB_PROVIDER_CONFIGURED_MISSING" in ran.err
    assert "url" not in ran.out


@pytest.mark.req("cli:compare:exit")
def test_when_nobody_answers_the_exit_code_is_theirs(shell: Shell) -> None:
    shell.desk.user(SECOND)
    assert shell.run("compare", "quota", *TWO).code == 7
    assert shell.run("compare", "WEB_DENIED", *TWO).code == 4
    assert shell.run("compare", "quota", "--provider", "odd", "--provider", "nope").code == 5


@pytest.mark.req("cli:compare:exit")
def test_one_deadline_holds_for_all(shell: Shell) -> None:
    shell.desk.user(SECOND)
    ran = shell.run("compare", "slow", *TWO, "--provider", "free", "--timeout", "0.2", "--json")
    assert ran.code == 0
    assert [one["code"] for one in ran.json["providers"]] == ["WEB_SEARCH_TIMEOUT", "WEB_SEARCH_TIMEOUT", None]
    assert all(one["elapsed"] >= 0.1 for one in ran.json["providers"][:2])


@pytest.mark.req("cli:compare:json")
def test_json_is_one_object_with_every_number(shell: Shell) -> None:
    shell.desk.user(SECOND)
    ran = shell.run("compare", "hits", *TWO, "--json", "--max-results", "1")
    first = ran.json["providers"][0]
    elapsed = first.pop("elapsed")
    assert ran.out.count("\n") == 1
    assert isinstance(elapsed, float)
    assert first == {
        "provider": "odd",
        "code": None,
        "grounding": "searched",
        "hits": 1,
        "documents": 1,
        "shared": 1,
        "truncated": True,
        "cost": None,
        "currency": None,
    }
    assert ran.json["urls"] == [{"url": "https://a.test/", "title": "A ● ✓ 、", "ranks": {"odd": 1, "odd2": 1}}]
    assert ran.json["query"] == "hits"
    failed = shell.run("compare", "quota", *TWO, "--json")
    assert [json.loads(line)["provider"] for line in failed.err.splitlines()] == ["odd", "odd2"]


@pytest.mark.req("cli:compare:clean")
def test_what_vendors_wrote_reaches_no_terminal_as_they_wrote_it(shell: Shell) -> None:
    shell.desk.user(SECOND).env(NO_COLOR="1")
    for tty in (True, False):
        ran = shell.run("compare", "hostile", *TWO, tty=tty)
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
        assert "https://a.test/" in ran.out
    shell.desk.env(NO_COLOR="", TERM="xterm")
    styled = shell.run("compare", "hostile", *TWO, tty=True)
    assert "\x1b[31mred" not in styled.out
    assert "\x1b]0;" not in styled.out
    assert "\u202e" not in styled.out


@pytest.mark.req("cli:compare:table")
@pytest.mark.parametrize("columns", ["10", "30", "55"])
def test_a_terminal_too_narrow_for_a_table_loses_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shell.desk.user(SECOND).env(TERM="xterm")
    told = shell.run("compare", "rates", *TWO, tty=True).out
    assert told.splitlines()[0].split() == ["provider", "answer", "shared", "seconds", "cost"]
    assert told.count("WEB_RATE_LIMITED") == told.count("not reported") == 2


@pytest.mark.req("cli:compare:table")
def test_an_answer_without_a_search_is_labelled(shell: Shell) -> None:
    shell.desk.user(SECOND)
    ran = shell.run("compare", "claim", *TWO)
    assert ran.out.splitlines()[1].split()[:2] == ["odd", "ungrounded"]
    assert ran.err.splitlines()[0] == "odd: ungrounded: no search backs this answer"


@pytest.mark.req("cli:compare:whom")
def test_without_names_every_available_provider_is_asked(shell: Shell) -> None:
    shell.desk.user("[search]\nprovider = 'odd'\n[providers.free]\nkind = 'free'\n[providers.echo]\nkind = 'echo'\n")
    asked = shell.run("compare", "hits", "--json").json["providers"]
    assert [one["provider"] for one in asked] == ["free", "odd"]


@pytest.mark.req("cli:compare:whom")
@pytest.mark.parametrize(
    ("argv", "code", "said"),
    [
        (("x", "--provider", "odd"), 2, "INVALID_ARGS: A comparison needs at least two providers."),
        (("x", "--provider", "odd", "--provider", " odd "), 2, "INVALID_ARGS: A comparison needs at least two"),
        (
            ("x",),
            3,
            "WEB_PROVIDER_UNAVAILABLE: A comparison needs at least two search providers, and only odd is avail",
        ),
    ],
)
def test_fewer_than_two_is_an_error_that_says_so(shell: Shell, argv: tuple[str, ...], code: int, said: str) -> None:
    shell.desk.user("[search]\nprovider = 'odd'\n")
    ran = shell.run("compare", *argv)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith(f"webseam: {said}")


EXA = {"requestId": "r", "results": [{"url": "https://kelp.test/a", "title": "Kelp"}], "costDollars": {"total": 0.007}}
TAVILY = {"results": [{"url": "https://KELP.test/a#x", "title": "Kelp!"}, {"url": "https://b.test/"}]}


@pytest.mark.req("cli:compare:table")
def test_real_vendors_on_loopback_are_compared_with_their_cost(shell: Shell) -> None:
    headers = {"Content-Type": "application/json"}
    desk = shell.desk
    with (
        site(lambda _path: (200, headers, json.dumps(EXA).encode())) as exa,
        site(lambda _path: (200, headers, json.dumps(TAVILY).encode())) as tavily,
    ):
        desk.user(f"[providers.exa]\nbase_url = '{exa}'\n[providers.tavily]\nbase_url = '{tavily}'\n")
        desk.env(EXA_API_KEY="sk-exa-0123456789", TAVILY_API_KEY="tvly-0123456789")
        ran = shell.run("compare", "kelp", "farming", "--json")
    told = {one["provider"]: one for one in ran.json["providers"]}
    assert (told["exa"]["cost"], told["exa"]["currency"]) == (0.007, "USD")
    assert [told[name]["shared"] for name in ("exa", "tavily")] == [1, 1]
    assert ran.json["urls"][0] == {"url": "https://kelp.test/a", "title": "Kelp", "ranks": {"exa": 1, "tavily": 1}}
