"""`[permission]` from file, environment and argument to the gate of a `Web`: issue 6, design 10, R038."""

import json
from typing import Any

import pytest

import webseam
from support.core import refused
from support.tools import ListedGate
from support.wiring import Desk, toys
from webseam.core.errors import WebError
from webseam.core.settings import PermissionSettings
from webseam.tools.permission import Permission
from webseam.tools.run import Run
from webseam.wiring.build import build
from webseam.wiring.permission import permission_settings


def table(**settings: Any) -> str:
    """The section `[permission]`; JSON's strings, numbers and lists are TOML's too."""
    return "[permission]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())


FREE = '[search]\nprovider = "free"\n'


@pytest.mark.req("permission:off")
def test_nothing_is_permitted_or_denied_by_default(desk: Desk) -> None:
    assert permission_settings(desk.load().config.permission) == PermissionSettings()
    assert desk.build().web.gate is None


@pytest.mark.req("permission:config:bound")
async def test_every_setting_reaches_the_gate(desk: Desk) -> None:
    given: dict[str, Any] = {
        "search": "ask",
        "fetch": "ask",
        "unseen": "deny",
        "flagged": "deny",
        "allow_hosts": ["docs.example", "*.docs.example"],
        "deny_hosts": ["old.docs.example"],
        "max_query_chars": 100,
        "max_calls": 20,
        "max_cost": 0.5,
    }
    gate = desk.user(table(**given)).build().web.gate
    assert isinstance(gate, Permission)
    wanted: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    assert gate.settings == PermissionSettings(**wanted)
    assert set(given) == set(PermissionSettings.__dataclass_fields__)


@pytest.mark.req("permission:config:bound")
async def test_the_environment_sets_it_too(desk: Desk) -> None:
    desk.env(WEBSEAM_PERMISSION_ALLOW_HOSTS="a.test, *.b.test", WEBSEAM_PERMISSION_MAX_CALLS="3")
    rules = desk.load().config.permission
    assert (rules.allow_hosts, rules.max_calls) == (("a.test", "*.b.test"), 3)


@pytest.mark.req("permission:config:bound")
async def test_the_configuration_holds_beside_a_gate_of_the_hosts(desk: Desk) -> None:
    mine, run = ListedGate(denied={"https://a.test/no"}), Run()
    config = {"permission": {"allow_hosts": ["a.test"], "max_calls": 1}}
    loaded = desk.load(config)
    async with build(loaded, discover=toys, gate=mine, run=run).web as web:
        for url in ("https://b.test/", "https://a.test/no"):
            assert (await refused(web.fetch(url))).code == "WEB_DENIED"
        await web.fetch("https://a.test/yes")
        assert (await refused(web.fetch("https://a.test/yes"))).code == "WEB_BUDGET_EXHAUSTED"
    assert run.calls == 1
    assert mine.asked == [("fetch", "https://a.test/no"), ("fetch", "https://a.test/yes")]


@pytest.mark.req("permission:config:bound")
async def test_tools_over_an_opened_web_serve_the_run_it_was_opened_with(desk: Desk) -> None:
    run = Run()
    config = {"permission": {"unseen": "deny"}, "fetch": {"private_networks": ["127.0.0.0/8"]}}
    async with webseam.open(config=config, environ=desk.environ, cwd=desk.cwd, run=run) as web:
        tools = webseam.Toolset(web)
        assert tools.run is run
        result = await tools.call("web_fetch", {"url": "http://127.0.0.1:8099/"})
        await tools.aclose()
    assert result.error is not None
    assert result.error["code"] == "WEB_DENIED"


@pytest.mark.req("permission:config:bound")
def test_a_run_alone_turns_memory_and_flags_on(desk: Desk) -> None:
    run = Run()
    gate = build(desk.load(), discover=toys, run=run).web.gate
    assert isinstance(gate, Permission)
    assert (gate.run, gate.settings) == (run, PermissionSettings())


@pytest.mark.req("permission:config:strict")
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("search", "yes"),
        ("fetch", True),
        ("unseen", "seen"),
        ("flagged", ""),
        ("allow_hosts", "a.test"),
        ("allow_hosts", ["*", "a.test"]),
        ("allow_hosts", ["https://a.test"]),
        ("allow_hosts", ["a.test:80"]),
        ("allow_hosts", ["domain:*"]),
        ("deny_hosts", ["*"]),
        ("deny_hosts", ["a.test/x"]),
        ("max_query_chars", -1),
        ("max_query_chars", 2049),
        ("max_calls", -1),
        ("max_calls", 1.5),
        ("max_cost", -0.1),
        ("allowed_hosts", ["a.test"]),
    ],
)
def test_a_value_that_is_none_is_refused_with_its_place(desk: Desk, setting: str, value: Any) -> None:
    if value == "":
        assert desk.user(table(**{setting: value})).load().config.permission.flagged == "allow"  # blank is unset
        return
    with pytest.raises(WebError, match=f"permission.{setting}") as caught:
        desk.user(table(**{setting: value})).load()
    assert caught.value.code == "WEB_CONFIG_INVALID"


@pytest.mark.req("permission:config:strict")
def test_a_bound_on_cost_alone_is_refused(desk: Desk) -> None:
    with pytest.raises(WebError, match=r"permission\.max_calls") as caught:
        desk.user(table(max_cost=1)).build()
    assert caught.value.code == "WEB_CONFIG_INVALID"


USER: dict[str, Any] = {
    "search": "ask",
    "unseen": "ask",
    "allow_hosts": ["a.test", "*.b.test"],
    "deny_hosts": ["x.b.test"],
    "max_query_chars": 100,
    "max_calls": 10,
    "max_cost": 1.0,
}


@pytest.mark.req("permission:config:project")
@pytest.mark.parametrize(
    ("setting", "value", "allowed"),
    [
        ("search", "deny", True),
        ("search", "ask", True),
        ("search", "allow", False),
        ("fetch", "deny", True),
        ("unseen", "allow", False),
        ("unseen", "deny", True),
        ("flagged", "ask", True),
        ("allow_hosts", [], True),
        ("allow_hosts", ["a.test"], True),
        ("allow_hosts", ["w.b.test", "*.w.b.test", "A.test."], True),
        ("allow_hosts", ["b.test"], False),
        ("allow_hosts", ["w.a.test"], False),
        ("allow_hosts", ["*.a.test"], False),
        ("allow_hosts", ["*"], False),
        ("deny_hosts", ["b.test"], True),
        ("deny_hosts", ["x.b.test", "y.b.test"], True),
        ("deny_hosts", ["*.x.b.test"], False),
        ("deny_hosts", [], False),
        ("max_query_chars", 0, True),
        ("max_query_chars", 101, False),
        ("max_calls", 5, True),
        ("max_calls", 11, False),
        ("max_calls", 0, False),
        ("max_cost", 0.5, True),
        ("max_cost", 0, False),
    ],
)
def test_a_project_file_may_tighten_and_never_loosen(desk: Desk, setting: str, value: Any, *, allowed: bool) -> None:
    desk.user(table(**USER)).project(table(**{setting: value}))
    if allowed:
        found = getattr(desk.load().config.permission, setting)
        assert found == (tuple(value) if isinstance(value, list) else value)
        return
    with pytest.raises(WebError, match=f"may not set permission.{setting}"):
        desk.load()
    kept = getattr(desk.survey().config.permission, setting)
    assert kept == (tuple(USER[setting]) if isinstance(USER[setting], list) else USER[setting])


@pytest.mark.req("permission:config:project")
def test_a_project_file_may_narrow_where_the_user_said_nothing(desk: Desk) -> None:
    desk.project(table(allow_hosts=["docs.example"], max_calls=5, unseen="deny"))
    rules = desk.load().config.permission
    assert (rules.allow_hosts, rules.max_calls, rules.unseen) == (("docs.example",), 5, "deny")
