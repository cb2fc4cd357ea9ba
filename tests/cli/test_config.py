"""`webseam config`: values with origins, limits with reasons, paths, trust."""

import hashlib

import pytest

from support.cli import Shell
from webseam.wiring.reasons import known_limits
from webseam.wiring.schema import settings


def values(shell: Shell) -> dict[str, tuple[object, str]]:
    shown = shell.run("config", "show", "--json").json["values"]
    return {row["setting"]: (row["value"], row["origin"]) for row in shown}


@pytest.mark.req("cli:config:show")
def test_show_prints_each_value_and_where_it_came_from(shell: Shell) -> None:
    shell.desk.user("[search]\nmax_results = 7\n").project("[search]\ntimeout = 9\n").env(WEBSEAM_TOOLS_FETCH="false")
    shown = values(shell)
    assert shown["search.max_results"] == (7, f"user file {shell.desk.user_file}")
    assert shown["search.timeout"] == (9.0, f"project file {shell.desk.project_file}")
    assert shown["tools.fetch"] == (False, "environment WEBSEAM_TOOLS_FETCH")
    assert shown["fetch.max_bytes"] == (5_000_000, "default")
    assert set(shown) == {".".join(path) for path in settings()}
    text = shell.run("config", "show").out
    assert f"search.max_results = 7  # user file {shell.desk.user_file}\n" in text
    assert 'search.ungrounded = "label"  # default\n' in text


@pytest.mark.req("cli:config:masked")
def test_secrets_are_masked(shell: Shell) -> None:
    shell.desk.user(
        "[providers.exa]\nkey = 'sk-live-0123456789'\nkey_env = 'MY_KEY'\napi_token = 't-0123456789'\n"
        "headers = {authorization = 'Bearer b-0123456789', accept = 'x'}\nbase_url = 'https://a.test'\n"
    )
    shown = {name.removeprefix("providers.exa."): value for name, (value, _) in values(shell).items()}
    assert shown["key"] == shown["api_token"] == "********"
    assert shown["headers"] == {"authorization": "********", "accept": "********"}
    assert (shown["key_env"], shown["base_url"]) == ("MY_KEY", "https://a.test")
    assert "0123456789" not in shell.run("config", "show").out


@pytest.mark.req("cli:config:masked")
def test_a_secret_is_masked_wherever_it_stands(shell: Shell) -> None:
    shell.desk.user(
        "[providers.exa]\nbase_url = 'https://me:s3cret@a.test/p?k=s3cret&x=1#s3cret'\nnum_results = 5\n"
        "passwd = 's3cret'\nauth = ['s3cret']\nbearer = {a = ['s3cret'], b = {c = 's3cret'}}\npin = 53537\n"
        "[providers.typo]\nkind = 'nothing'\nbase_url = 's3cret'\n"
    )
    for argv in (("config", "show"), ("config", "show", "--json")):
        ran = shell.run(*argv)
        assert "s3cret" not in ran.out + ran.err
        assert "53537" not in ran.out + ran.err
    shown = values(shell)
    assert shown["providers.exa.base_url"][0] == "https://********@a.test/p?********"
    assert shown["providers.exa.num_results"][0] == 5


@pytest.mark.req("cli:config:masked")
def test_the_password_of_a_proxy_is_masked(shell: Shell) -> None:
    proxy = "http://me:s3cret@proxy.example:3128"
    shell.desk.user(f"[search]\nproxy = '{proxy}'\n[fetch]\nproxy = '{proxy}'\nprivate_networks = ['10.0.0.0/8']\n")
    for argv in (("config", "show"), ("config", "show", "--json")):
        ran = shell.run(*argv)
        assert "s3cret" not in ran.out + ran.err
    shown = values(shell)
    assert shown["fetch.proxy"][0] == shown["search.proxy"][0] == "http://********@proxy.example:3128"
    assert shown["fetch.private_networks"][0] == ["10.0.0.0/8"]


@pytest.mark.req("cli:config:broken")
def test_show_runs_while_the_configuration_is_broken_and_tells_all_that_is_wrong(shell: Shell) -> None:
    shell.desk.user("[search]\ntimeout = 0\nmax_results = 3\nnope = 1\n")
    ran = shell.run("config", "show")
    assert ran.code == 3
    assert "search.max_results = 3" in ran.out
    assert "search.timeout = 60.0  # default" in ran.out
    assert "search.timeout: found 0" in ran.err
    assert "search.nope" in ran.err


@pytest.mark.req("cli:config:broken")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[providers.exa]\nnope = 1\n", "providers.exa.nope"),
        ("[providers.mine]\nkind = 'nope'\n", "providers.mine.kind"),
        ("[providers.exa]\n'' = 1\n", 'providers.exa.""'),
        ("[providers.exa]\nrate_wait = 1\n", "providers.exa.rate_wait"),
        ("[secrets]\nfile = 'gone'\n", "gone: cannot be read"),
        (
            "[search]\ndefault_published_after = '2026-03-02'\ndefault_published_before = '2026-03-01'\n",
            "search.default_published_after",
        ),
    ],
)
def test_show_tells_what_no_layer_alone_can_know(shell: Shell, text: str, place: str) -> None:
    shell.desk.user(text)
    ran = shell.run("config", "show")
    assert ran.code == 3
    assert "search.timeout = 60.0  # default" in ran.out
    assert place in ran.err


@pytest.mark.req("cli:config:masked")
def test_every_header_is_masked_whatever_its_name_and_a_wrong_table_is_not_repeated(shell: Shell) -> None:
    shell.desk.user("[providers.custom.headers]\nX-Subscription = 's3cret'\n")
    assert values(shell)["providers.custom.headers"][0] == {"X-Subscription": "********"}
    for wrong in ("'X-Subscription: s3cret'", "['s3cret']"):
        shell.desk.user(f"[providers.custom]\nheaders = {wrong}\n")
        ran = shell.run("config", "show")
        assert "providers.custom.headers: found" in ran.err
        assert "s3cret" not in ran.out + ran.err


@pytest.mark.req("cli:config:limits")
def test_every_limit_is_shown_with_its_reason(shell: Shell) -> None:
    shown = {one["name"]: one for one in shell.run("config", "show", "--json").json["limits"]}
    assert shown["FETCH_SECONDS"]["value"] == 30.0
    assert "dsh-24" in shown["FETCH_SECONDS"]["reason"]
    assert [one.name for one in known_limits() if not one.reason] == []


@pytest.mark.req("cli:config:path")
def test_path_names_every_place(shell: Shell) -> None:
    shell.desk.project("")
    shown = shell.run("config", "path", "--json").json
    assert shown["user"] == str(shell.desk.user_file)
    assert shown["project"] == str(shell.desk.project_file)
    assert shown["data"] == str(shell.desk.home / ".local/share/webseam")
    assert f"user: {shell.desk.user_file}\n" in shell.run("config", "path").out


@pytest.mark.req("cli:config:trust")
def test_trust_lets_a_project_file_widen_until_it_is_edited(shell: Shell) -> None:
    text = "[fetch]\nimages = true\n"
    shell.desk.project(text)
    assert shell.run("providers").code == 3
    ran = shell.run("config", "trust", "--json")
    assert ran.code == 0
    assert ran.json == {"trusted": str(shell.desk.project_file), "sha256": hashlib.sha256(text.encode()).hexdigest()}
    assert shell.run("providers").code == 0
    assert values(shell)["fetch.images"] == (True, f"project file {shell.desk.project_file}")
    shell.desk.project(text + "\n")
    assert shell.run("providers").code == 3


@pytest.mark.req("cli:config:trust")
def test_trust_without_a_project_file_is_a_set_up_error(shell: Shell) -> None:
    ran = shell.run("config", "trust")
    assert (ran.code, ran.out) == (3, "")
