"""The engine that tells main content apart, as `webseam fetch` uses it."""

import sys

import pytest

from support.cli import Answer, Shell, site
from webseam.content.second_engine import is_installed

LINES = (
    "<p>The tide moves the water, and the water moves the sand, which nobody has ever managed to hold back.</p>"
    "<p>At noon the boats come home with what the nets have caught, and the gulls are there before them.</p>"
    "<p>In the evening the old men sit on the wall and tell each other what the weather is going to do.</p>"
)
PAGE = f"<nav><a href=/>Harbour</a></nav><article><h1>Tides</h1>{LINES}</article><footer>Imprint</footer>"
CONFIG = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n[tools]\nfetch_engine = "trafilatura"\n'
installed = pytest.mark.skipif(not is_installed(), reason="the extra main, trafilatura, is not installed")


def pages(_path: str) -> Answer:
    return 200, {}, PAGE.encode()


@pytest.mark.req("main:engine:missing")
def test_the_command_is_refused_alike_and_the_configuration_can_still_be_looked_at(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    shell.desk.user(CONFIG)
    ran = shell.run("fetch", "http://site.example/")
    assert (ran.code, "tools.fetch_engine" in ran.err, 'pip install "webseam[main]"' in ran.err) == (3, True, True)
    assert shell.run("config", "show").code == 0


@pytest.mark.req("cli:doctor:sick")
def test_the_doctor_tells_an_engine_that_is_not_there(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    shell.desk.user(CONFIG)
    ran = shell.run("doctor")

    assert ran.code == 3
    assert ran.out.endswith("\ncalls would be refused\n")
    assert 'pip install "webseam[main]"' in ran.err


@installed
@pytest.mark.req("main:engine")
def test_the_command_names_the_engine(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    with site(pages) as url:
        ran = shell.run("fetch", "--view", "main", f"{url}/page")
        found = shell.run("fetch", "--view", "main", "--json", f"{url}/page").json
        whole = shell.run("fetch", "--json", f"{url}/page").json
    assert "main content by trafilatura: 14 characters of the page left out" in ran.err
    assert (found["view_mode"], found["engine"]) == ("main", "trafilatura")
    assert "engine" not in whole
