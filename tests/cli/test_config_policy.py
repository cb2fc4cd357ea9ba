"""`webseam config show`: the address policy that the settings make together, from real files and variables."""

import pytest

from support.cli import Shell, fetch_table


def rules(shell: Shell) -> dict[str, tuple[object, str]]:
    shown = shell.run("config", "show", "--json").json["policy"]
    return {row["rule"]: (row["value"], row["origin"]) for row in shown}


@pytest.mark.req("cli:config:policy")
def test_without_settings_only_public_addresses_are_fetched_from(shell: Shell) -> None:
    shell.desk.env(HTTPS_PROXY="http://unasked:3128")

    shown = rules(shell)

    assert {origin for _, origin in shown.values()} == {"default", "no setting opens it"}
    assert shown["addresses"][0] == shown["names"][0] == "public ones only"
    assert (shown["metadata"][0], shown["proxy for http"][0], shown["proxy for https"][0]) == ("never", "none", "none")
    assert shown["addresses are judged by"][0] == "this process"
    assert shown["names are looked up by"][0] == "the system"


@pytest.mark.req("cli:config:policy")
def test_each_rule_is_shown_with_the_file_that_decides_it(shell: Shell) -> None:
    desk = shell.desk
    desk.user(
        fetch_table(
            private_networks=["10.0.0.0/8", "fd00::/8"],
            private_hosts=["wiki"],
            nameservers=["10.0.0.53"],
            proxy="http://me:s3cret@proxy.example:3128",
            no_proxy=[".corp"],
            trust_proxy=True,
            cache="disk",
        )
    ).project(fetch_table(robots="on"))
    user, project = f"user file {desk.user_file}", f"project file {desk.project_file}"

    shown = rules(shell)

    assert shown["addresses"] == ("public ones only, and 10.0.0.0/8, fd00::/8", user)
    assert shown["names"] == ("public ones only, and wiki", user)
    assert shown["names are looked up by"] == (["10.0.0.53"], user)
    assert shown["proxy for https"] == ("http://********@proxy.example:3128", user)
    assert shown["without the proxy"] == ([".corp"], user)
    assert shown["addresses are judged by"] == ("the proxy", user)
    assert shown["robots.txt binds"] == ("every call", project)
    assert shown["pages are kept"] == ("in a file of the data folder", user)
    text = shell.run("config", "show").out
    assert f"\naddresses: public ones only, and 10.0.0.0/8, fd00::/8  # {user}\n" in text
    assert f"\nnames are looked up by: 10.0.0.53  # {user}\n" in text


@pytest.mark.req("cli:config:policy")
def test_the_proxies_of_the_environment_are_shown_where_they_are_asked_for(shell: Shell) -> None:
    shell.desk.user(fetch_table(proxy="environment", no_proxy=[".corp"]))
    shell.desk.env(https_proxy="http://me:s3cret@one.example:1", HTTP_PROXY="http://two.example:2", NO_PROXY=".x, .y")

    shown = rules(shell)

    origin = f"environment variables, asked for by user file {shell.desk.user_file}"
    assert shown["proxy for https"] == ("http://********@one.example:1", origin)
    assert shown["proxy for http"] == ("http://two.example:2", origin)
    assert shown["without the proxy"][0] == [".corp", ".x", ".y"]


@pytest.mark.req("cli:config:policy", "cli:config:masked")
@pytest.mark.parametrize(
    "proxy",
    [
        *("http://me:s3cret@p.example:1", "me:s3cret@p.example:1", "s3cret@p.example:1", "http://me:s3cret@@p.example"),
        *(
            "http://me:s/s3cret@p.example:1",
            "http://me:?s3cret@p.example",
            "me:#s3cret@p.example",
            "//s3cret@p.example",
        ),
        *("http://me:@s3cret@p.example", "http://s3cret:\ns3cret@p.example", "socks5://me:s3cret@p.example"),
    ],
)
@pytest.mark.parametrize("variable", ["", "HTTPS_PROXY"])
def test_no_spelling_of_a_proxy_shows_its_password(shell: Shell, proxy: str, variable: str) -> None:
    shell.desk.user(fetch_table(proxy="environment" if variable else proxy))
    if variable:
        shell.desk.env(**{variable: proxy})

    for argv in (("config", "show"), ("config", "show", "--json")):
        ran = shell.run(*argv)
        assert "s3cret" not in ran.out + ran.err
        assert "p.example" in ran.out
