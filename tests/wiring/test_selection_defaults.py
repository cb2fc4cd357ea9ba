"""Which providers a configuration registers, and what it chooses when nothing is said."""

from pathlib import Path

import pytest

from support.vendor import SPECS
from support.wiring import Desk, answer
from webseam.core.errors import Code, WebError
from webseam.core.selection import FanOut, Route
from webseam.wiring.build import build
from webseam.wiring.catalogue import KEYLESS_NOTICE
from webseam.wiring.config import load


def registered(desk: Desk, arguments: dict[str, object] | None = None) -> list[str]:
    return [state.id for state in desk.build(arguments).web.describe()[0].providers]


@pytest.mark.req("wiring:default:keyless")
def test_nothing_configured_and_no_key_names_the_keyless_default_and_says_so(desk: Desk) -> None:
    built = desk.build()
    assert registered(desk) == ["exa-mcp"]
    assert built.web.describe()[0].choice == "exa-mcp"
    assert built.plan.notice == built.web.tools.search_notice == KEYLESS_NOTICE
    assert "search.keyless = false" in KEYLESS_NOTICE
    assert answer(built).provider == "exa-mcp"


@pytest.mark.req("wiring:default:keyless-off")
def test_keyless_false_leaves_no_default(desk: Desk) -> None:
    built = desk.user("[search]\nkeyless = false\n").build()
    assert built.plan.notice is None
    with pytest.raises(WebError) as caught:
        answer(built)
    assert caught.value.code == Code.PROVIDER_UNAVAILABLE


@pytest.mark.req("wiring:default:keyed")
def test_a_key_in_the_environment_is_enough(desk: Desk) -> None:
    built = desk.env(ECHO_KEY="k").build()
    assert built.plan.notice is None
    assert answer(built).provider == "echo"
    assert registered(desk) == ["echo"]


@pytest.mark.req("wiring:default:keyed")
def test_a_vendor_that_needs_no_key_says_so_beside_how_to_give_it_one(desk: Desk) -> None:
    built = build(load(environ=desk.environ, cwd=desk.cwd, home=desk.home))
    told = {skip.id: skip.reason for skip in built.plan.skipped if skip.capability == "search"}
    assert told["tavily"] == (
        "has no key: set TAVILY_API_KEY, or run `webseam keys set tavily`; "
        'without one it is used only when named: set search.provider = "tavily"'
    )
    assert told["brave"].endswith("`webseam keys set brave`")


@pytest.mark.req("wiring:default:keyed")
def test_a_key_for_a_kind_that_also_works_without_one_is_honoured(desk: Desk) -> None:
    assert registered(desk.env(HALF_KEY="k")) == ["half-free"]


@pytest.mark.req("wiring:default:ambiguous")
def test_two_keys_and_no_choice_are_ambiguous(desk: Desk) -> None:
    desk.env(ECHO_API_KEY="k", OTHER_API_KEY="k")
    with pytest.raises(WebError) as caught:
        answer(desk.build())
    assert caught.value.code == Code.PROVIDER_AMBIGUOUS
    assert answer(desk.build({"search": {"provider": "other"}})).provider == "other"


@pytest.mark.req("wiring:default:keyless-only-named")
def test_a_keyless_kind_is_registered_only_when_named(desk: Desk) -> None:
    desk.env(ECHO_API_KEY="k")
    assert registered(desk) == ["echo"]
    assert registered(desk, {"search": {"provider": "free"}}) == ["echo", "free"]
    assert registered(desk, {"search": {"route": ["echo", "free"]}}) == ["echo", "free"]
    assert registered(desk.user("[providers.free]\n")) == ["echo", "free"]


@pytest.mark.req("wiring:default:table-counts")
def test_a_table_without_its_key_is_configuration_and_gets_no_keyless_stand_in(desk: Desk) -> None:
    built = desk.user("[providers.echo]\ntries = 2\n").build()
    assert built.plan.notice is None
    with pytest.raises(WebError) as caught:
        answer(built)
    assert caught.value.code == Code.PROVIDER_UNAVAILABLE


@pytest.mark.req("wiring:default:named-unavailable")
def test_a_named_provider_without_its_key_never_falls_back(desk: Desk) -> None:
    desk.env(OTHER_API_KEY="k").user('[search]\nprovider = "echo"\n')
    with pytest.raises(WebError) as caught:
        answer(desk.build())
    assert caught.value.code == Code.PROVIDER_CONFIGURED_UNAVAILABLE


@pytest.mark.req("wiring:default:named-missing")
def test_an_unknown_name_is_missing_and_names_the_nearest(desk: Desk) -> None:
    desk.env(ECHO_API_KEY="k", WEBSEAM_SEARCH_PROVIDER="ecko")
    with pytest.raises(WebError, match="Did you mean 'echo'") as caught:
        answer(desk.build())
    assert caught.value.code == Code.PROVIDER_CONFIGURED_MISSING
    assert "Also installed" not in caught.value.message  # forty ids beside the one that was meant


@pytest.mark.req("wiring:default:choices")
def test_routes_and_fanouts_reach_the_seam(desk: Desk) -> None:
    assert desk.build({"search": {"route": ["free", "exa-mcp"]}}).web.describe()[0].choice == Route(("free", "exa-mcp"))
    built = desk.build({"search": {"fanout": ["free", "exa-mcp"]}})
    assert built.web.describe()[0].choice == FanOut(("free", "exa-mcp"))
    assert answer(built).provider == "free+exa-mcp"


@pytest.mark.req("wiring:default:http")
def test_the_http_fetcher_is_always_there(desk: Desk) -> None:
    fetch = desk.build().web.describe()[1]
    assert (fetch.selected, fetch.error) == (("http",), None)


@pytest.mark.req("wiring:project:keyless-closed")
def test_where_the_user_closed_keyless_search_a_project_file_does_not_open_it_by_name(desk: Desk) -> None:
    desk.user("[search]\nkeyless = false\n").project('[search]\nprovider = "free"\n')
    with pytest.raises(WebError) as caught:
        desk.build()
    assert caught.value.code == Code.CONFIG_INVALID
    assert "free" in caught.value.message
    assert answer(desk.build({"search": {"provider": "free"}})).provider == "free"
    desk.project("")
    desk.user('[search]\nkeyless = false\nprovider = "free"\n')
    assert answer(desk.build()).provider == "free"


@pytest.mark.req("wiring:settings:reach")
def test_every_setting_reaches_its_room(desk: Desk) -> None:
    built = desk.build(
        {
            "search": {"timeout": 1, "max_results": 2, "ungrounded": "error", "controls": "lenient"},
            "fetch": {
                "timeout": 3,
                "max_bytes": 4,
                "max_redirects": 0,
                "private_networks": ["10.0.0.0/8"],
                "private_hosts": ["a.test"],
                "images": True,
                "ca_bundle": "/ca.pem",
            },
            "extract": {"timeout": 5},
            "tools": {
                "search": False,
                "fetch": False,
                "max_queries": 6,
                "search_controls": ["language"],
                "fetch_arguments": ["url"],
                "fetch_chars": 7,
                "fetch_tokens": 5,
                "search_tokens": 6,
                "search_chars": 8,
                "snippet_chars": 9,
            },
        }
    )
    seam, tools = built.web.settings, built.web.tools
    assert (seam.search_seconds, seam.fetch_seconds, seam.extract_seconds, seam.max_results) == (1.0, 3.0, 5.0, 2)
    assert (seam.ungrounded, seam.controls) == ("error", "lenient")
    assert (tools.search, tools.fetch, tools.max_queries) == (False, False, 6)
    assert (tools.search_controls, tools.fetch_arguments) == (("language",), ("url",))
    assert (tools.fetch_tokens, tools.search_tokens) == (5, 6)
    assert (tools.fetch_chars, tools.search_chars, tools.snippet_chars) == (7, 8, 9)


@pytest.mark.req("wiring:settings:reach")
def test_the_fetchers_kit_holds_the_fetch_settings_and_the_data_folder(desk: Desk) -> None:
    servers = ["9.9.9.9", "[::1]:5353"]
    fetch = {"max_bytes": 4, "images": True, "ca_bundle": "/ca.pem", "max_redirects": 2, "nameservers": servers}
    built = desk.build({"fetch": fetch})
    kit = dict(built.web._registries.fetch.items())["http"].kit  # type: ignore[attr-defined] # the toy's
    assert kit.fetch.nameservers == tuple(servers)
    assert (kit.fetch.max_bytes, kit.fetch.images, kit.fetch.ca_bundle, kit.fetch.max_redirects) == (
        4,
        True,
        "/ca.pem",
        2,
    )
    assert kit.fetch.robots == "autonomous"
    small = desk.build({"fetch": {"max_pdf_bytes": 9}}).web._registries.fetch.items()
    assert dict(small)["http"].kit.fetch.max_pdf_bytes == 9  # type: ignore[attr-defined] # the toy's
    kept = desk.build({"fetch": {"robots": "on"}}).web._registries.fetch.items()
    assert dict(kept)["http"].kit.fetch.robots == "on"  # type: ignore[attr-defined] # the toy's
    assert kit.data_dir == desk.home / ".local" / "share" / "webseam"


VARIABLES = sorted({name for spec in SPECS.values() for name in spec.key_env})


@pytest.mark.req("wiring:default:one-key")
@pytest.mark.parametrize("name", VARIABLES)
def test_one_vendors_key_never_makes_the_choice_ambiguous(name: str, tmp_path: Path) -> None:
    loaded = load(environ={"HOME": str(tmp_path), name: "a:0123456789abcdef"}, cwd=tmp_path)
    described = build(loaded).web.describe()[0]

    available = [state.id for state in described.providers if state.available]
    assert len(available) <= 1
    assert available or described.error is not None
    assert [SPECS[one].named_only for one in available] in ([False], [])
