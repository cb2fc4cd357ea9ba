"""`webseam search`: hits on stdout, the rest on stderr, exit codes that tell what happened."""

import json
import socket
from collections.abc import Sequence

import pytest

from support.cli import HOSTILE, Shell
from webseam.core.plugin import Seams
from webseam.core.types import SearchResult, Source
from webseam.surfaces.cli.search_text import blocks_of

ODD = ("--provider", "odd")


@pytest.mark.req("cli:search:text")
def test_hits_are_numbered_on_stdout_and_facts_are_on_stderr(shell: Shell) -> None:
    ran = shell.run("search", "hits", *ODD)
    assert ran.code == 0
    assert ran.out == "1. A ● ✓ 、\n   https://a.test/\n   2026-01-02\n   s t\n\n2. https://b.test/\n"
    assert ran.err == "odd: 2 results\nnotice: relaxed\n"


@pytest.mark.req("cli:search:text")
def test_words_without_quotes_are_one_query(shell: Shell) -> None:
    assert shell.run("search", "--provider", "free", "kelp", "farming").out == "kelp farming\n"


@pytest.mark.req("cli:search:none")
def test_no_hits_is_success_with_an_empty_stdout(shell: Shell) -> None:
    ran = shell.run("search", "none", *ODD)
    assert (ran.code, ran.out, ran.err) == (0, "", "odd: no results\n")


@pytest.mark.req("cli:search:ungrounded")
def test_an_answer_without_a_search_is_labelled_on_stdout(shell: Shell) -> None:
    ran = shell.run("search", "claim", *ODD)
    assert ran.out == "[This answer is not backed by a web search.]\n\nI know this.\n"
    assert "ungrounded" in ran.err


@pytest.mark.req("cli:search:json")
def test_json_is_one_object_with_the_fields_of_the_vocabulary(shell: Shell) -> None:
    ran = shell.run("search", "hits", *ODD, "--json")
    assert ran.out.count("\n") == 1
    assert ran.json["provider"] == "odd"
    assert ran.json["sources"][1] == {"url": "https://b.test/"}
    assert ran.json["attempts"][0]["outcome"] == "ok"
    assert "raw" not in ran.json


@pytest.mark.req("cli:search:raw")
def test_raw_keeps_the_vendors_answer_and_needs_json(shell: Shell) -> None:
    assert shell.run("search", "hits", *ODD, "--json", "--raw").json["raw"] == {"vendor": "payload"}
    ran = shell.run("search", "hits", *ODD, "--raw")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.req("cli:errors:text", "cli:errors:exit-codes")
def test_an_unknown_provider_exits_3_and_names_the_code(shell: Shell) -> None:
    ran = shell.run("search", "x", "--provider", "nope")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("webseam: WEB_PROVIDER_CONFIGURED_MISSING: ")


@pytest.mark.req("cli:errors:json")
def test_errors_are_json_on_stderr_when_json_was_asked_for(shell: Shell) -> None:
    ran = shell.run("search", "quota", *ODD, "--json")
    assert (ran.code, ran.out) == (7, "")
    assert ran.error["code"] == "WEB_RATE_LIMITED"
    assert ran.error["dispatched"] is True
    assert ran.error["retry_after"] == 3


EXITS = {
    2: "INVALID_ARGS",
    3: "WEB_PROVIDER_UNAVAILABLE WEB_PROVIDER_CONFIGURED_MISSING WEB_PROVIDER_CONFIGURED_UNAVAILABLE "
    "WEB_PROVIDER_AMBIGUOUS WEB_DUPLICATE_PROVIDER WEB_PROVIDER_CREDENTIAL_MISSING WEB_CONFIG_INVALID "
    "WEB_UNSUPPORTED_CONTROL",
    4: "WEB_INVALID_URL WEB_BLOCKED_URL WEB_REDIRECT_BLOCKED WEB_ROBOTS_DISALLOWED WEB_DENIED WEB_OFFLINE",
    5: "WEB_PROVIDER_ERROR WEB_PROVIDER_BLOCKED WEB_UPSTREAM_FAILED WEB_SEARCH_UNGROUNDED WEB_ROUTE_EXHAUSTED "
    "WEB_FETCH_TOO_LARGE WEB_UNSUPPORTED_CONTENT_TYPE",
    6: "WEB_FETCH_TIMEOUT WEB_SEARCH_TIMEOUT WEB_EXTRACT_TIMEOUT TOOL_TIMEOUT WEB_ABORTED",
    7: "WEB_RATE_LIMITED WEB_QUOTA_EXHAUSTED WEB_BUDGET_EXHAUSTED",
    8: "WEB_REPLAY_MISS",
}


@pytest.mark.req("cli:errors:exit-codes")
@pytest.mark.parametrize(("number", "codes"), EXITS.items())
def test_every_code_exits_with_its_class(shell: Shell, number: int, codes: str) -> None:
    for code in codes.split():
        ran = shell.run("search", code, *ODD, "--json")
        assert (ran.code, ran.out, ran.error["code"]) == (number, "", code)


@pytest.mark.req("cli:errors:exit-codes")
def test_a_spent_timeout_exits_6(shell: Shell) -> None:
    ran = shell.run("search", "slow", *ODD, "--timeout", "0.01")
    assert ran.code == 6
    assert "WEB_SEARCH_TIMEOUT" in ran.err


@pytest.mark.req("cli:search:controls")
def test_a_control_that_nobody_can_honour_exits_3(shell: Shell) -> None:
    ran = shell.run("search", "hits", *ODD, "--language", "nb", "--after", "2026-01-01")
    assert ran.code == 3
    assert "language, published_after" in ran.err


@pytest.mark.req("cli:search:controls")
def test_domain_flags_hold_on_the_results(shell: Shell) -> None:
    kept = shell.run("search", "hits", *ODD, "--json", "--include-domain", "a.test,c.test").json
    assert [one["url"] for one in kept["sources"]] == ["https://a.test/"]
    assert kept["dropped"] == {"domain": 1}
    other = shell.run("search", "hits", *ODD, "--json", "--exclude-domain", "a.test", "--exclude-domain", "x.test").json
    assert [one["url"] for one in other["sources"]] == ["https://b.test/"]


@pytest.mark.req("cli:search:controls")
@pytest.mark.parametrize("flag", ["--include-domain", "--exclude-domain"])
@pytest.mark.parametrize("domain", ["", " ", ","])
def test_a_domain_flag_without_a_domain_is_refused_instead_of_dropped(shell: Shell, flag: str, domain: str) -> None:
    ran = shell.run("search", "hits", *ODD, flag, domain)
    assert (ran.code, ran.out) == (2, "")
    assert "must be host names" in ran.err


@pytest.mark.req("cli:search:max-results")
def test_max_results_cuts_and_says_so(shell: Shell) -> None:
    ran = shell.run("search", "hits", *ODD, "-n", "1")
    assert "https://b.test/" not in ran.out
    assert "odd: 1 result, more were left out" in ran.err


@pytest.mark.req("cli:search:choice-flags")
def test_routes_and_fanouts_are_comma_lists_and_exclude_each_other(shell: Shell) -> None:
    ran = shell.run("search", "quota", "--route", "odd, free", "--json")
    assert [one["provider"] for one in ran.json["attempts"]] == ["odd", "free"]
    assert "attempts: odd WEB_RATE_LIMITED (may have been billed), free ok" in ran.err
    assert shell.run("search", "hits", "--fanout", "odd,free", "--json").json["provider"] == "odd+free"
    assert shell.run("search", "x", "--provider", "odd", "--route", "free").code == 2


@pytest.mark.req("cli:search:choice-flags")
def test_a_flag_beats_the_configured_route(shell: Shell) -> None:
    shell.desk.user('[search]\nroute = ["odd"]\n')
    assert shell.run("search", "x", "--provider", "free").code == 0
    assert shell.run("search", "x").code == 5


BAD_FLAGS = [
    ("--timeout", "0"),
    ("--timeout", "-1"),
    ("--timeout", "nan"),
    ("--timeout", "inf"),
    ("--timeout", "soon"),
    ("--timeout", "86401"),
    ("--max-results", "0"),
    ("--max-results", "101"),
    ("--max-results", "1.5"),
    ("--after", "yesterday"),
    ("--before", "2026-13-01"),
    ("--safe", "maybe"),
    ("--nope", "x"),
]


@pytest.mark.req("cli:errors:usage")
@pytest.mark.parametrize("flag", BAD_FLAGS)
def test_a_bad_flag_is_a_usage_error_that_exits_2(shell: Shell, flag: tuple[str, str]) -> None:
    ran = shell.run("search", "x", *ODD, *flag)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("webseam: INVALID_ARGS: ")
    assert "webseam search --help" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.req("cli:errors:usage", "cli:errors:json")
@pytest.mark.parametrize("argv", [("search", "--json"), ("nope", "--json"), ("search", "x", "--jsn", "--json")])
def test_usage_errors_are_json_too(shell: Shell, argv: tuple[str, ...]) -> None:
    ran = shell.run(*argv)
    assert (ran.code, ran.out, ran.error["code"]) == (2, "", "INVALID_ARGS")


@pytest.mark.req("cli:stdin:lines")
def test_queries_come_one_a_line_from_stdin(shell: Shell) -> None:
    ran = shell.run("search", "-", "--json", *ODD, stdin="hits\n\nquota\nnone\n")
    assert [len(json.loads(line)["sources"]) if "sources" in line else 0 for line in ran.out.splitlines()] == [2, 0]
    assert ran.code == 7
    failed = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert [one["query"] for one in failed] == ["quota"]


@pytest.mark.req("cli:terminal:clean")
def test_control_sequences_of_the_web_never_reach_a_terminal(shell: Shell) -> None:
    for tty in (True, False):
        ran = shell.run("search", "hostile", *ODD, tty=tty)
        shown = ran.out.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[36m", "")
        assert not set(shown) & set(HOSTILE) - set("]0;owned[31mred2Jgnp")
        assert "1. redgnp\n" in shown
        assert "notice: redgnp\n" in ran.err
    raw = shell.run("search", "hostile", *ODD, "--json", tty=True)
    assert raw.json["content"] == HOSTILE
    assert not set(raw.out) & {"\x1b", "\x07", "\x9b", "\u202e", "\u200b"}


@pytest.mark.req("cli:json:valid")
def test_half_a_character_is_valid_json(shell: Shell) -> None:
    ran = shell.run("search", "surrogate", *ODD, "--json")
    assert "\\ud83d" in ran.out
    assert ran.json["sources"][0]["title"] == "half \ud83d"


@pytest.mark.req("cli:color")
@pytest.mark.parametrize(
    ("tty", "environ", "styled"),
    [
        (False, {}, False),
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (True, {"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_colours_follow_the_terminal_and_the_variables(
    shell: Shell, *, tty: bool, environ: dict[str, str], styled: bool
) -> None:
    shell.desk.env(**environ)
    assert ("\x1b[" in shell.run("search", "hits", *ODD, tty=tty).out) is styled


@pytest.mark.req("cli:progress")
def test_progress_shows_only_where_stderr_is_a_terminal(shell: Shell) -> None:
    assert "searching" in shell.run("search", "hits", *ODD, tty=True).err
    assert "searching" not in shell.run("search", "hits", *ODD).err
    shell.desk.env(TERM="dumb")
    assert "searching" not in shell.run("search", "hits", *ODD, tty=True).err


@pytest.mark.req("cli:search:broken-config")
def test_a_broken_configuration_refuses_every_call_until_it_is_mended(shell: Shell) -> None:
    shell.desk.user("[search]\nprovidr = 'odd'\n")
    for argv in (("search", "hits", *ODD), ("fetch", "https://a.test/"), ("providers",)):
        ran = shell.run(*argv)
        assert (ran.code, ran.out) == (3, "")
        assert "search.providr" in ran.err
    shell.desk.user("")
    assert shell.run("search", "hits", *ODD).code == 0


class NoNames:
    """A resolver that knows no name, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def resolve(self, host: str, /) -> Sequence[str]:
        self.asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "unknown")


@pytest.mark.req("cli:search:keyless-notice", "cli:seams")
def test_without_any_configuration_the_keyless_default_is_asked_and_says_so_on_stderr(shell: Shell) -> None:
    resolver = NoNames()
    ran = shell.run("search", "kelp", seams=Seams(resolver=resolver))
    assert set(resolver.asked) == {"mcp.exa.ai"}
    assert (ran.code, ran.out) == (5, "")
    assert ran.err.startswith("No search provider is configured, so searches go to Exa's public endpoint")
    assert "WEB_PROVIDER_ERROR" in ran.err


@pytest.mark.req("cli:errors:members")
@pytest.mark.parametrize("choice", ["--route", "--fanout"])
def test_when_every_member_fails_each_reason_is_told(shell: Shell, choice: str) -> None:
    ran = shell.run("search", "quota", choice, "odd,nope")
    first, *members = ran.err.splitlines()
    assert (ran.code, ran.out) == (5, "")
    assert first.startswith("webseam: WEB_ROUTE_EXHAUSTED: ")
    assert members[0] == "webseam: odd: WEB_RATE_LIMITED: No quota now."
    assert members[1].startswith("webseam: nope: WEB_PROVIDER_CONFIGURED_MISSING: ")
    assert len(members) == 2


@pytest.mark.req("cli:search:address")
@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.test/" + "y" * 3_000, "https://a.test/" + "y" * 3_000),
        ("https://a.test/\nx", "https://a.test/x"),
        ("https://a.test/\u202egnp.exe", "https://a.test/%E2%80%AEgnp.exe"),
        ("https://b\u00fccher.test/\u00fc", "https://b\u00fccher.test/\u00fc"),
    ],
)
@pytest.mark.parametrize("title", [None, "T"])
def test_an_address_is_shown_whole_and_still_leads_to_its_page(url: str, shown: str, title: str | None) -> None:
    (block,) = blocks_of(SearchResult(provider="odd", sources=(Source(url=url, title=title),)))
    assert [line for line, _ in block] == ([f"1. {shown}"] if title is None else ["1. T", f"   {shown}"])
