"""`webseam extract`: text on stdout, facts on stderr, honest exit codes, and the same bytes from a recording."""

import json
from collections.abc import Iterator

import pytest

from support.cli import Answer, Ran, Shell, fetch_table, site

KEY = "k" * 24
PROSE = "<p>Kelp farms need a permit, which takes six weeks, and there is no exception to it anywhere.</p>" * 9


@pytest.fixture
def base(shell: Shell) -> Iterator[str]:
    """A small site with an article, an error page, an empty one, and Tavily's answer."""

    def answer(path: str) -> Answer:
        if path == "/extract":
            row = {"url": "https://kelp.example/", "raw_content": "Read by\u200b a vendor. ![p](https://x.test/p)"}
            told = json.dumps({"results": [row], "usage": {"credits": 1}})
            return 200, {"Content-Type": "application/json"}, told.encode()
        if path == "/empty":
            return 200, {}, b"<p> </p>"
        if path == "/unseen":
            return 200, {"Content-Type": "text/plain"}, b"\x1b[2J\x1b[31m"
        head = "<title>Permits</title><meta name=author content='A. Diver'>"
        article = f"{head}<nav>Menu</nav><article><h1>Permits</h1>{PROSE}</article>"
        return (404 if path == "/none" else 200), {}, article.encode()

    with site(answer) as url:
        shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]) + f"[providers.tavily]\nbase_url = '{url}'\n")
        yield url


def here(shell: Shell, *argv: str, stdin: str = "") -> Ran:
    return shell.run("extract", "--provider", "local", *argv, stdin=stdin)


@pytest.mark.req("cli:extract")
def test_the_text_goes_to_stdout_and_what_is_known_to_stderr(shell: Shell, base: str) -> None:
    ran = here(shell, f"{base}/permits")
    assert (ran.code, ran.out.count("six weeks")) == (0, 9)
    assert "Menu" not in ran.out
    told = ran.err.splitlines()
    assert told[0].startswith(f"{base}/permits: extracted by local, ")
    assert told[1:] == ["title: Permits", "by: A. Diver"]


@pytest.mark.req("cli:extract")
def test_a_vendors_text_is_cleaned_and_its_cost_told(shell: Shell, base: str) -> None:
    shell.desk.env(TAVILY_API_KEY=KEY)
    ran = shell.run("extract", "--provider", "tavily", "https://kelp.example/")
    assert (ran.code, ran.out) == (0, "Read by a vendor. [image: p]\n")
    assert "cost: 1 credits" in ran.err.splitlines()
    assert "removed characters: 1 " in ran.err
    del base


@pytest.mark.req("cli:extract:json")
def test_json_is_one_object_a_page_and_an_error_is_json_on_stderr(shell: Shell, base: str) -> None:
    ran = here(shell, "--json", f"{base}/permits")
    assert (ran.code, ran.err, ran.json["title"], ran.json["provider"]) == (0, "", "Permits", "local")
    assert "six weeks" in ran.json["markdown"]
    failed = here(shell, "--json", f"{base}/none")
    assert (failed.code, failed.out, failed.error["code"]) == (5, "", "WEB_PROVIDER_ERROR")


@pytest.mark.req("cli:extract:several")
def test_several_pages_come_in_order_and_the_first_failure_is_the_exit_code(shell: Shell, base: str) -> None:
    ran = here(shell, "-", stdin=f"{base}/permits\n{base}/empty\nhttp://10.0.0.1/\n{base}/b\n")
    assert ran.code == 5
    heads = [line for line in ran.out.splitlines() if line.startswith("==>")]
    assert heads == [f"==> {base}/permits <==", f"==> {base}/b <=="]
    assert f"webseam: {base}/empty: WEB_PROVIDER_ERROR: local found no text" in ran.err
    assert "webseam: http://10.0.0.1/: WEB_BLOCKED_URL" in ran.err


@pytest.mark.req("cli:extract:output")
def test_the_output_may_be_a_file(shell: Shell, base: str) -> None:
    ran = here(shell, "-o", "page.md", f"{base}/permits")
    assert (ran.code, ran.out) == (0, "")
    assert "six weeks" in (shell.desk.cwd / "page.md").read_text(encoding="utf-8")


@pytest.mark.req("cli:extract:default")
def test_the_default_is_this_machine_and_says_so(shell: Shell, base: str) -> None:
    shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    ran = shell.run("extract", f"{base}/permits")
    assert ran.code == 0
    assert ran.err.splitlines()[0].startswith("No extract provider is configured")


@pytest.mark.req("cli:extract:route")
def test_a_route_falls_back_and_tells_it(shell: Shell, base: str) -> None:
    ran = shell.run("extract", "--route", "exa, local", f"{base}/permits")
    assert ran.code == 0
    assert "exa was not tried (WEB_PROVIDER_CONFIGURED_UNAVAILABLE); answered by local." in ran.err


@pytest.mark.req("cli:extract:exit")
@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (("extract",), 2, "Missing argument"),
        (("extract", "--provider", "exa", "--route", "jina", "https://a.test/"), 2, "one of --provider and --route"),
        (("extract", "--route", " , ", "https://a.test/"), 2, "--route is blank"),
        (("extract", "-", "https://a.test/"), 2, "stands alone"),
        (("extract", "--timeout", "0", "https://a.test/"), 2, "seconds above 0"),
        (("extract", "--provider", "exa", "https://a.test/"), 3, "no key is set for exa"),
        (("extract", "--provider", "exo", "https://a.test/"), 3, "Did you mean 'exa'"),
        (("extract", "--provider", "jina", "http://wiki.corp/"), 4, "not told of it"),
        (("extract", "--provider", "jina", "kelp"), 4, "WEB_INVALID_URL"),
        (("extract", "--offline", "https://a.test/"), 4, "WEB_OFFLINE"),
        (("extract", "https://a.test/\ud800"), 2, "not UTF-8"),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(shell: Shell, argv: tuple[str, ...], code: int, says: str) -> None:
    ran = shell.run(*argv)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err


@pytest.mark.req("extract:replay")
@pytest.mark.parametrize("more", [(), ("--json",), ("--provider", "tavily")])
def test_an_extraction_replays_to_the_byte(shell: Shell, base: str, more: tuple[str, ...]) -> None:
    shell.desk.user(
        fetch_table(private_networks=["127.0.0.0/8"]) + f"[providers.tavily]\nbase_url = '{base}'\nkey = '{KEY}'\n"
    )
    argv = ("extract", *more, f"{base}/permits" if "tavily" not in more else "https://kelp.example/")
    if not more:
        shell.desk.user(fetch_table(private_networks=["127.0.0.0/8"]))
    recorded = shell.run(*argv, "--record", "run.jsonl")
    assert KEY not in (shell.desk.cwd / "run.jsonl").read_text(encoding="utf-8")
    assert shell.run(*argv, "--replay", "run.jsonl") == recorded
    shown = shell.run("cassette", "show", "run.jsonl")
    assert "extract http" in shown.out
    missed = shell.run("extract", "https://other.test/", "--replay", "run.jsonl")
    assert missed.code == 8


@pytest.mark.req("cli:extract:listed")
def test_the_third_capability_is_listed(shell: Shell) -> None:
    shell.desk.env(EXA_API_KEY=KEY)
    ran = shell.run("providers", "--json")
    assert ran.json["extract"]["selected"] == ["exa"]
    rows = {row["id"]: row["state"] for row in ran.json["extract"]["providers"]}
    assert (rows["exa"], rows["local"], rows["jina"]) == ("used", "off", "off")
    assert "extract" in shell.run("doctor", "--json").json
    shown = shell.run("config", "show").out
    assert "extract.provider" in shown
    assert "tools.extract" in shown
    assert "Extract the main text of pages." in shell.run("--help").out


@pytest.mark.req("cli:extract:doctor")
def test_keys_of_two_searches_are_no_problem_until_extraction_is_wanted(shell: Shell) -> None:
    shell.desk.env(EXA_API_KEY=KEY, TAVILY_API_KEY=KEY).user("[search]\nprovider = 'exa'\n")
    assert shell.run("doctor").code == 0
    shell.desk.user("[search]\nprovider = 'exa'\n[tools]\nextract = true\n")
    ran = shell.run("doctor")
    assert ran.code == 3
    assert "extract.provider" in ran.err


@pytest.mark.req("extract:blank")
@pytest.mark.parametrize("flags", [(), ("--jsonl",)], ids=["in order", "batch"])
def test_a_text_of_which_cleaning_leaves_nothing_fails_alone(shell: Shell, base: str, flags: tuple[str, ...]) -> None:
    ran = here(shell, *flags, f"{base}/unseen", f"{base}/permits")
    assert ran.code == 5
    assert "six weeks" in ran.out
    assert "found no text" in ran.out + ran.err


@pytest.mark.req("cli:extract:batch")
def test_a_batch_has_a_line_for_each_url_and_goes_on_in_its_file(shell: Shell, base: str) -> None:
    urls = f"{base}/a\n{base}/none\n{base}/a\nhttp://10.0.0.1/\n"
    ran = here(shell, "--jsonl", "-o", "texts.jsonl", "-", stdin=urls)
    assert ran.code == 5
    lines = [json.loads(line) for line in (shell.desk.cwd / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    told = {line["input"]: line.get("title") or line["error"]["code"] for line in lines}
    assert told == {f"{base}/a": "Permits", f"{base}/none": "WEB_PROVIDER_ERROR", "http://10.0.0.1/": "WEB_BLOCKED_URL"}
    again = here(shell, "--jsonl", "-o", "texts.jsonl", "--resume", "-", stdin=f"{urls}{base}/b\n")
    assert again.code == 5
    after = (shell.desk.cwd / "texts.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["input"] for line in after[len(lines) :]] == [f"{base}/b"]


@pytest.mark.req("cli:extract:batch")
@pytest.mark.parametrize("argv", [("--resume",), ("--jsonl", "--json"), ("-o", "no/such/folder.md"), ("-o", " ")])
def test_flags_that_would_do_nothing_are_refused(shell: Shell, argv: tuple[str, ...]) -> None:
    ran = shell.run("extract", *argv, "https://a.test/")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.req("markdown:hidden:faces")
def test_hidden_text_in_a_vendors_markdown_is_left_out_and_counted(shell: Shell) -> None:
    told = {"results": [{"url": "https://kelp.example/", "raw_content": "Seen. <!-- obey --> `<!-- x -->`"}]}

    def answer(_: str) -> Answer:
        return 200, {"Content-Type": "application/json"}, json.dumps(told).encode()

    shell.desk.env(TAVILY_API_KEY=KEY)
    with site(answer) as url:
        shell.desk.user(f"[providers.tavily]\nbase_url = '{url}'\n")
        ran = shell.run("extract", "--provider", "tavily", "https://kelp.example/")
        record = shell.run("extract", "--provider", "tavily", "--json", "https://kelp.example/").json
    assert (ran.code, ran.out) == (0, "Seen.  `<!-- x -->`\n")
    assert "removed: 1 hidden element" in ran.err.splitlines()
    assert (record["markdown"], record["removed"]) == ("Seen.  `<!-- x -->`", {"hidden": 1})
