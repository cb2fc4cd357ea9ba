"""`webseam index` fills what the provider `local` searches."""

import pytest

from support.cli import Answer, Shell, site


def folder(shell: Shell) -> str:
    pages = shell.desk.cwd / "site"
    pages.mkdir()
    (pages / "kelp.md").write_text("# Kelp permits\n\nFarming kelp needs a permit.\n", encoding="utf-8")
    return "site"


@pytest.mark.req("cli:index:folder")
def test_a_folder_is_indexed_and_found_without_network_or_key(shell: Shell) -> None:
    ran = shell.run("index", "--folder", folder(shell), "--base-url", "https://docs.test/")
    assert (ran.code, ran.out) == (0, "https://docs.test/kelp.md\n")
    assert ran.err.endswith("indexed 1, skipped 0\n")
    found = shell.run("search", "--provider", "local", "--json", "permit").json
    assert [one["url"] for one in found["sources"]] == ["https://docs.test/kelp.md"]


@pytest.mark.req("cli:index:path")
def test_the_configured_path_is_where_both_look(shell: Shell) -> None:
    shell.desk.user('[index]\npath = "~/my.db"\n[search]\nprovider = "local"\n')
    shell.run("index", "--folder", folder(shell), "--base-url", "https://docs.test/")
    assert (shell.desk.home / "my.db").exists()
    assert len(shell.run("search", "--json", "permit").json["sources"]) == 1
    shell.desk.user('[providers.local]\npath = "/nonexistent/other.db"\n[index]\npath = "~/my.db"\n')
    assert shell.run("search", "--provider", "local", "permit").code == 3


@pytest.mark.req("cli:index:urls")
def test_urls_are_fetched_under_all_rules_and_skips_are_told(shell: Shell) -> None:
    def pages(_path: str) -> Answer:
        return 200, {}, b"<title>Kelp</title><p>Farming kelp needs a permit.</p>"

    shell.desk.user('[fetch]\nprivate_networks = ["127.0.0.0/8"]\n')
    with site(pages) as url:
        ran = shell.run("index", "--json", "-", stdin=f"{url}/kelp\nhttp://10.0.0.1/\n")
    assert ran.code == 0
    assert ran.json["indexed"] == [f"{url}/kelp"]
    assert ran.json["skipped"][0]["code"] == "WEB_BLOCKED_URL"
    assert "skipped http://10.0.0.1/" in ran.err


@pytest.mark.req("cli:index:nothing")
def test_nothing_taken_in_exits_5(shell: Shell) -> None:
    ran = shell.run("index", "http://127.0.0.1:1/")
    assert (ran.code, ran.out) == (5, "")


@pytest.mark.req("cli:errors:usage")
@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("https://a.test/", "--sitemap", "https://a.test/s.xml"),
        ("--folder", "site"),
        ("--base-url", "https://a.test/"),
        ("https://a.test/", "--base-url", "https://a.test/"),
    ],
)
def test_index_takes_one_kind_of_input(shell: Shell, argv: tuple[str, ...]) -> None:
    assert shell.run("index", *argv).code == 2


@pytest.mark.req("cli:errors:usage")
def test_a_folder_given_as_a_url_is_told_how_to_give_it(shell: Shell) -> None:
    (shell.desk.cwd / "site").mkdir()
    ran = shell.run("index", "site")

    assert ran.code == 2
    assert "site is a folder. Give it as --folder, with the --base-url of its files." in ran.err
