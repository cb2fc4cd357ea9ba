"""Permission on the command line: what a person typed is seen, everything else is held to the rules. Issue 6."""

import json

import pytest

from support.cli import Answer, Shell, site

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'


def pages(path: str) -> Answer:
    if path == "/moved":
        return 302, {"Location": "/page"}, b""
    return 200, {}, b"<title>T</title><p>Kelp needs a permit.</p>"


@pytest.mark.req("permission:cli")
def test_a_url_that_the_person_typed_counts_as_seen(shell: Shell) -> None:
    shell.desk.user(LOCAL + '[permission]\nunseen = "deny"\n')
    with site(pages) as base:
        ran = shell.run("fetch", f"{base}/moved?q=1")
        listed = shell.run("fetch", "-", stdin=f"{base}/a\n{base}/b\n")
    assert (ran.code, "Kelp needs a permit." in ran.out) == (0, True)
    assert (listed.code, listed.out.count("Kelp needs a permit.")) == (0, 2)


@pytest.mark.req("permission:cli", "permission:hosts:exact")
def test_a_host_that_is_not_allowed_exits_4_and_names_the_setting(shell: Shell) -> None:
    shell.desk.user(LOCAL + '[permission]\nallow_hosts = ["docs.example"]\n')
    asked: list[str] = []

    def counting(path: str) -> Answer:
        asked.append(path)
        return pages(path)

    with site(counting) as base:
        ran = shell.run("fetch", "--json", f"{base}/page")
    assert (ran.code, ran.error["code"], ran.error["dispatched"], asked) == (4, "WEB_DENIED", False, [])
    assert "permission.allow_hosts does not hold 127.0.0.1" in ran.error["message"]


@pytest.mark.req("permission:cli", "permission:ask:nobody")
def test_a_question_is_a_denial_where_nobody_can_be_asked(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "free"\n[permission]\nsearch = "ask"\n')
    ran = shell.run("search", "--json", "kelp")
    assert (ran.code, ran.error["code"], "nobody can be asked" in ran.error["message"]) == (4, "WEB_DENIED", True)


@pytest.mark.req("permission:cli", "permission:budget:calls")
def test_a_command_is_a_run_with_its_budget(shell: Shell) -> None:
    shell.desk.user(LOCAL + "[permission]\nmax_calls = 2\n")
    with site(pages) as base:
        ran = shell.run("fetch", "--json", f"{base}/a", f"{base}/b", f"{base}/c")
    assert (ran.code, len(ran.out.splitlines())) == (7, 2)
    assert ran.error["code"] == "WEB_BUDGET_EXHAUSTED"


@pytest.mark.req("permission:cli", "permission:budget:calls")
def test_a_comparison_is_one_run_whoever_is_asked(shell: Shell) -> None:
    shell.desk.user("[permission]\nmax_calls = 1\n").env(ECHO_API_KEY="k")
    ran = shell.run("compare", "--provider", "free", "--provider", "echo", "kelp")
    assert ran.err.count("WEB_BUDGET_EXHAUSTED") == 1


@pytest.mark.req("permission:cli", "permission:budget:cost")
def test_a_bound_on_cost_alone_exits_3_and_config_show_says_why(shell: Shell) -> None:
    shell.desk.user('[search]\nprovider = "free"\n[permission]\nmax_cost = 1\n')
    for argv in (("search", "kelp"), ("config", "show")):
        ran = shell.run(*argv)
        assert (ran.code, "permission.max_calls" in ran.err) == (3, True)


@pytest.mark.req("permission:cli")
def test_who_names_a_sitemap_gives_all_its_pages(shell: Shell) -> None:
    shell.desk.user(LOCAL + '[permission]\nunseen = "deny"\n')
    listed: list[str] = []

    def mapped(path: str) -> Answer:
        if path != "/sitemap.xml":
            return pages(path)
        return 200, {"Content-Type": "text/plain"}, "\n".join(listed).encode()

    with site(mapped) as base:
        listed.append(f"{base}/page")
        ran = shell.run("index", "--json", "--sitemap", f"{base}/sitemap.xml")
        assert (ran.code, ran.json["indexed"]) == (0, [f"{base}/page"])
        shell.desk.user(LOCAL + '[permission]\ndeny_hosts = ["127.0.0.1"]\n')
        assert shell.run("index", "--sitemap", f"{base}/sitemap.xml").code != 0


@pytest.mark.req("permission:config:shown")
def test_every_rule_is_shown_with_where_it_was_set(shell: Shell) -> None:
    desk = shell.desk.user('[permission]\nunseen = "ask"\ndeny_hosts = ["bad.test"]\nmax_calls = 20\nmax_cost = 0.5\n')
    desk.project('[permission]\nallow_hosts = ["docs.example"]\n')
    ran = shell.run("config", "show", "--json")
    shown = {row["rule"]: (row["value"], row["origin"]) for row in ran.json["policy"]}
    user, project = f"user file {desk.user_file}", f"project file {desk.project_file}"
    assert shown["allowed hosts"] == (["docs.example"], project)
    assert shown["denied hosts"] == (["bad.test"], user)
    assert shown["URLs that the run has not seen"] == ("allowed when a person agrees", user)
    assert shown["calls of a run"] == ("at most 20", user)
    assert shown["cost of a run"] == ("until $0.5 is reached", user)
    assert (shown["searches"], shown["pages"]) == (("allowed", "default"), ("allowed", "default"))
    values = {row["setting"]: row["value"] for row in ran.json["values"]}
    assert (values["permission.unseen"], values["permission.allow_hosts"]) == ("ask", ["docs.example"])
    assert json.dumps(["docs.example"]) in shell.run("config", "show").out
