"""Argument > environment > project file > user file > default."""

from pathlib import Path

import pytest

from support.wiring import Desk
from webseam.core.errors import WebError
from webseam.wiring.config import load


@pytest.mark.req("wiring:config:no-file")
def test_no_file_at_all_is_fine(desk: Desk) -> None:
    loaded = desk.load()
    assert loaded.config.search.timeout == 60.0
    assert loaded.origins == {}


@pytest.mark.req("wiring:config:precedence")
def test_each_step_beats_the_one_below(desk: Desk) -> None:
    assert desk.load().config.search.max_results == 8
    desk.user("[search]\nmax_results = 7\n")
    assert desk.load().config.search.max_results == 7
    desk.project("[search]\nmax_results = 6\n")
    assert desk.load().config.search.max_results == 6
    desk.env(WEBSEAM_SEARCH_MAX_RESULTS="5")
    assert desk.load().config.search.max_results == 5
    assert desk.load({"search": {"max_results": 4}}).config.search.max_results == 4


@pytest.mark.req("wiring:config:origins")
def test_each_value_knows_where_it_came_from(desk: Desk) -> None:
    desk.user("[search]\ntimeout = 20\nmax_results = 7\n[tools]\nmax_queries = 2\n")
    desk.project('[search]\ntimeout = 10\nprovider = "exa"\n')
    desk.env(WEBSEAM_SEARCH_MAX_RESULTS="5")
    origins = desk.load({"fetch": {"timeout": 3}}).origins
    assert origins == {
        "search.timeout": f"project file {desk.project_file}",
        "search.provider": f"project file {desk.project_file}",
        "search.max_results": "environment WEBSEAM_SEARCH_MAX_RESULTS",
        "tools.max_queries": f"user file {desk.user_file}",
        "fetch.timeout": "argument",
    }


@pytest.mark.req("wiring:config:choice-replaced")
@pytest.mark.parametrize("higher", ['provider = "b"', 'route = ["b"]', 'fanout = ["b"]'])
def test_a_higher_layer_that_names_providers_replaces_how_the_lower_one_named_them(desk: Desk, higher: str) -> None:
    desk.user('[search]\nroute = ["x", "y"]\n').project(f"[search]\n{higher}\n")
    search = desk.load().config.search
    named = {name: getattr(search, name) for name in ("provider", "route", "fanout") if getattr(search, name)}
    assert list(named) == [higher.split(maxsplit=1)[0]]


@pytest.mark.req("wiring:config:blank-is-unset")
@pytest.mark.parametrize("blank", ['provider = ""', 'provider = "  "', "route = []", 'fanout = ["", " "]'])
def test_a_blank_choice_is_unset_and_lets_the_lower_layer_stand(desk: Desk, blank: str) -> None:
    desk.user('[search]\nprovider = "exa"\n').project(f"[search]\n{blank}\n")
    loaded = desk.load()
    assert loaded.config.search.provider == "exa"
    assert loaded.origins["search.provider"] == f"user file {desk.user_file}"


@pytest.mark.req("wiring:config:blank-is-unset")
def test_a_blank_variable_is_unset(desk: Desk) -> None:
    desk.user('[search]\nprovider = "exa"\n').env(WEBSEAM_SEARCH_PROVIDER=" ", WEBSEAM_FETCH_TIMEOUT="")
    assert desk.load().config.search.provider == "exa"
    assert desk.load().config.fetch.timeout == 30.0


@pytest.mark.req("wiring:config:closing-list")
def test_an_empty_list_that_is_no_choice_closes_what_a_lower_layer_opened(desk: Desk) -> None:
    desk.user('[fetch]\nprivate_networks = ["10.0.0.0/8"]\n').project("[fetch]\nprivate_networks = []\n")
    assert desk.load().config.fetch.private_networks == ()


@pytest.mark.req("wiring:config:user-file")
def test_webseam_config_names_the_user_file_and_must_exist(desk: Desk, tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    desk.env(WEBSEAM_CONFIG=str(named))
    with pytest.raises(WebError, match="WEB_CONFIG_INVALID") as caught:
        desk.load()
    assert str(named) in caught.value.message
    named.write_text("[search]\nmax_results = 3\n", encoding="utf-8")
    assert desk.load().config.search.max_results == 3


@pytest.mark.req("wiring:config:user-file")
def test_the_user_file_is_where_xdg_says(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "xdg"
    desk.env(XDG_CONFIG_HOME=str(folder))
    (folder / "webseam").mkdir(parents=True)
    (folder / "webseam" / "webseam.toml").write_text("[search]\nmax_results = 2\n", encoding="utf-8")
    assert desk.load().config.search.max_results == 2
    desk.env(XDG_CONFIG_HOME="relative")
    assert desk.load().places.user_file == desk.user_file


@pytest.mark.req("wiring:config:project-search")
def test_the_nearest_project_file_counts_up_to_the_repository(desk: Desk) -> None:
    deep = desk.cwd / "a" / "b"
    deep.mkdir(parents=True)
    desk.project("[search]\nmax_results = 3\n")
    above = desk.cwd.parent / "webseam.toml"
    above.write_text("[search]\nmax_results = 1\n", encoding="utf-8")
    assert load(environ=desk.environ, cwd=deep).config.search.max_results == 3
    (desk.cwd / "a" / "webseam.toml").write_text("[search]\nmax_results = 2\n", encoding="utf-8")
    assert load(environ=desk.environ, cwd=deep).config.search.max_results == 2
    (desk.cwd / "a" / "webseam.toml").unlink()
    desk.project_file.unlink()
    assert load(environ=desk.environ, cwd=deep).config.search.max_results == 8


@pytest.mark.req("wiring:config:project-search")
def test_outside_home_and_repositories_only_the_folder_itself_counts(desk: Desk, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    mine = shared / "mine"
    mine.mkdir(parents=True)
    (shared / "webseam.toml").write_text("[search]\nmax_results = 1\n", encoding="utf-8")
    assert load(environ=desk.environ, cwd=mine).config.search.max_results == 8
    (mine / "webseam.toml").write_text("[search]\nmax_results = 2\n", encoding="utf-8")
    assert load(environ=desk.environ, cwd=mine).config.search.max_results == 2


@pytest.mark.req("wiring:config:user-file")
def test_a_user_file_in_the_project_folder_is_not_judged_as_a_project_file(desk: Desk) -> None:
    desk.project("[fetch]\nimages = true\n").env(WEBSEAM_CONFIG="webseam.toml")
    loaded = desk.load()
    assert loaded.config.fetch.images
    assert loaded.origins["fetch.images"].startswith("user file")


@pytest.mark.req("wiring:config:paths")
def test_a_relative_path_starts_at_the_folder_of_its_file_and_a_tilde_at_home(desk: Desk) -> None:
    desk.user('[secrets]\nfile = "keys"\n[index]\npath = "~/index.db"\n')
    config = desk.load().config
    assert config.secrets.file == str(desk.user_file.parent / "keys")
    assert config.index.path == str(desk.home / "index.db")
    assert desk.load({"index": {"path": "x.db"}}).config.index.path == str(desk.cwd / "x.db")


@pytest.mark.req("wiring:config:environment")
def test_variables_hold_every_type(desk: Desk) -> None:
    desk.env(
        WEBSEAM_SEARCH_ROUTE="exa, tavily,",
        WEBSEAM_SEARCH_KEYLESS="false",
        WEBSEAM_FETCH_TIMEOUT="2.5",
        WEBSEAM_FETCH_MAX_BYTES="1000",
        WEBSEAM_FETCH_PRIVATE_NETWORKS="10.0.0.0/8,fd00::/8",
        WEBSEAM_SEARCH_UNGROUNDED="error",
    )
    config = desk.load().config
    assert config.search.route == ("exa", "tavily")
    assert config.search.keyless is False
    assert config.fetch.timeout == 2.5
    assert config.fetch.max_bytes == 1000
    assert config.fetch.private_networks == ("10.0.0.0/8", "fd00::/8")
    assert config.search.ungrounded == "error"
