"""`webseam fetch --view main`, and the setting behind it."""

import pytest

from support.cli import Answer, Shell, site

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
MAIN = f'{LOCAL}[tools]\nfetch_view = "main"\n'
LONG = "<p>The tide moves the water, and the water moves the sand, which nobody has ever managed to hold back.</p>" * 4
PAGE = f"<nav><a href=/>Harbour</a></nav><article><h1>Tides</h1>{LONG}</article><footer>Imprint</footer>"


def pages(path: str) -> Answer:
    return 200, {}, (PAGE if path == "/page" else "<p>Closed.</p>").encode()


@pytest.mark.req("main:cli")
def test_main_content_is_printed_and_what_was_left_out_told(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", "--view", "main", f"{url}/page")
        found = shell.run("fetch", "--view", "main", "--json", f"{url}/page").json
        whole = shell.run("fetch", "--json", f"{url}/page").json
        closed = shell.run("fetch", "--view", "main", f"{url}/closed")
    assert ran.out.startswith("# Tides\n")
    assert "Imprint" not in ran.out
    assert "main content: 14 characters of the page left out" in ran.err
    assert (found["view_mode"], found["left_out"]) == ("main", 14)
    assert "Imprint" in whole["markdown"]
    assert "view_mode" not in whole
    assert "whole page: no main content could be told apart" in closed.err


@pytest.mark.req("main:cli")
def test_a_raw_body_has_no_view(shell: Shell) -> None:
    assert shell.run("fetch", "--raw-body", "--view", "main", "http://site.example/").code == 2


@pytest.mark.req("main:setting")
def test_the_setting_decides_and_the_option_wins(shell: Shell) -> None:
    shell.desk.user(MAIN)
    with site(pages) as url:
        assert "Imprint" not in shell.run("fetch", f"{url}/page").out
        assert "Imprint" in shell.run("fetch", "--view", "page", f"{url}/page").out


@pytest.mark.req("main:setting")
def test_another_value_is_refused_by_name(shell: Shell) -> None:
    shell.desk.user('[tools]\nfetch_view = "article"\n')
    ran = shell.run("fetch", "http://site.example/")
    assert ran.code == 3
    assert "tools.fetch_view" in ran.err
