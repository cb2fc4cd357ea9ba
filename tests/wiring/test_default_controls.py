"""`search.default_*`: controls that the configuration asks for, from file and environment to the seam."""

import asyncio

import pytest

from support.wiring import Desk, answer
from webseam.core.errors import Code, WebError
from webseam.core.types import NO_CONTROLS, SearchControls
from webseam.wiring.room_settings import seam_settings

FILE = """
[search]
default_include_domains = ["echo.invalid", "Bücher.example"]
default_exclude_domains = ["bad.example"]
default_published_after = "2026-03-02"
default_published_before = "2026-04-30"
default_country = "SE"
default_language = "pt-BR"
default_safe_search = "strict"
"""
ALL = SearchControls(
    include_domains=("echo.invalid", "Bücher.example"),
    exclude_domains=("bad.example",),
    published_after="2026-03-02",
    published_before="2026-04-30",
    country="SE",
    language="pt-BR",
    safe_search="strict",
)


@pytest.mark.req("wiring:default-controls:set")
def test_every_control_can_be_set_in_a_file_and_nothing_is_set_by_default(desk: Desk) -> None:
    assert seam_settings(desk.load().config).default_controls == NO_CONTROLS
    loaded = desk.user(FILE).load()
    assert seam_settings(loaded.config).default_controls == ALL
    assert loaded.origins["search.default_country"] == f"user file {desk.user_file}"


@pytest.mark.req("wiring:default-controls:set")
def test_every_control_can_be_set_by_a_variable(desk: Desk) -> None:
    desk.env(
        WEBSEAM_SEARCH_DEFAULT_INCLUDE_DOMAINS="echo.invalid, Bücher.example",
        WEBSEAM_SEARCH_DEFAULT_EXCLUDE_DOMAINS="bad.example",
        WEBSEAM_SEARCH_DEFAULT_PUBLISHED_AFTER="2026-03-02",
        WEBSEAM_SEARCH_DEFAULT_PUBLISHED_BEFORE="2026-04-30",
        WEBSEAM_SEARCH_DEFAULT_COUNTRY="SE",
        WEBSEAM_SEARCH_DEFAULT_LANGUAGE="pt-BR",
        WEBSEAM_SEARCH_DEFAULT_SAFE_SEARCH="strict",
    )
    loaded = desk.load()
    assert seam_settings(loaded.config).default_controls == ALL
    assert loaded.origins["search.default_language"] == "environment WEBSEAM_SEARCH_DEFAULT_LANGUAGE"


@pytest.mark.req("wiring:default-controls:set")
def test_a_blank_value_is_unset(desk: Desk) -> None:
    desk.user('[search]\ndefault_country = ""\ndefault_published_after = " "\ndefault_safe_search = ""\n')
    assert desk.load().origins == {}


@pytest.mark.req("wiring:default-controls:checked")
@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("include_domains", '["https://a.example/"]', "host names such as example.org"),
        ("include_domains", '"a.example"', "a list of strings"),
        ("exclude_domains", '["a.example", "b.example:80"]', "host names such as example.org"),
        ("published_after", '"02.03.2026"', "an ISO 8601 day such as 2026-03-02"),
        ("published_after", "2026-03-02", 'a day in quotes, such as "2026-03-02"'),
        ("published_before", '"2026-02-30"', "an ISO 8601 day such as 2026-03-02"),
        ("country", '"Sweden"', "two letters (ISO 3166-1 alpha-2)"),
        ("language", '"swedish please"', "a BCP 47 tag"),
        ("safe_search", '"on"', '"off" or "moderate" or "strict"'),
    ],
)
def test_a_control_of_the_wrong_form_is_refused_with_its_path(desk: Desk, name: str, value: str, allowed: str) -> None:
    desk.user(f"[search]\ndefault_{name} = {value}\n")
    with pytest.raises(WebError) as caught:
        desk.load()
    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.message.startswith(f"{desk.user_file}: search.default_{name}: found ")
    assert f"allowed: {allowed}" in caught.value.message


@pytest.mark.req("wiring:default-controls:checked")
def test_days_of_two_layers_that_end_before_they_begin_are_refused(desk: Desk) -> None:
    desk.user('[search]\ndefault_published_before = "2026-01-01"\n')
    desk.env(WEBSEAM_SEARCH_DEFAULT_PUBLISHED_AFTER="2026-02-01")
    with pytest.raises(WebError, match=r"search\.default_published_after must be not later") as caught:
        desk.build()
    assert caught.value.code == Code.CONFIG_INVALID


@pytest.mark.req("wiring:default-controls:set")
def test_a_configured_control_holds_for_a_search_through_the_whole_seam(desk: Desk) -> None:
    desk.user('[search]\ndefault_exclude_domains = ["echo.invalid"]\n').env(ECHO_API_KEY="k-1")
    result = answer(desk.build())
    assert (result.sources, result.dropped) == ((), {"domain": 1})
    assert result.controls == {"exclude_domains": "enforced"}


@pytest.mark.req("wiring:default-controls:set")
def test_a_configured_control_that_the_vendor_cannot_honour_is_refused_with_its_setting(desk: Desk) -> None:
    desk.user('[search]\ndefault_country = "SE"\n').env(ECHO_API_KEY="k-1")
    with pytest.raises(WebError, match=r"search\.default_country") as caught:
        asyncio.run(desk.build().web.search("q"))
    assert caught.value.code == Code.UNSUPPORTED_CONTROL


# Project files -----------------------------------------------------------------------------------------

USER = """
[search]
default_include_domains = ["a.example", "b.example"]
default_exclude_domains = ["x.a.example"]
default_published_after = "2026-01-01"
default_published_before = "2026-12-31"
default_country = "SE"
default_language = "sv"
default_safe_search = "moderate"
"""


@pytest.mark.req("wiring:default-controls:project")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("include_domains", '["www.A.example"]'),
        ("include_domains", '["a.example", "b.example"]'),
        ("exclude_domains", '["c.example", "x.a.example"]'),
        ("exclude_domains", '["a.example"]'),
        ("published_after", '"2026-02-01"'),
        ("published_before", '"2026-11-30"'),
        ("country", '"NO"'),
        ("language", '"nb"'),
        ("safe_search", '"moderate"'),
        ("safe_search", '"strict"'),
    ],
)
def test_a_project_file_may_tighten_a_configured_control(desk: Desk, name: str, value: str) -> None:
    loaded = desk.user(USER).project(f"[search]\ndefault_{name} = {value}\n").load()
    assert loaded.origins[f"search.default_{name}"] == f"project file {desk.project_file}"


@pytest.mark.req("wiring:default-controls:project")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("include_domains", '["a.example", "c.example"]'),
        ("include_domains", '["example"]'),
        ("include_domains", "[]"),
        ("exclude_domains", '["c.example"]'),
        ("exclude_domains", '["deep.x.a.example"]'),
        ("exclude_domains", "[]"),
        ("published_after", '"2025-12-31"'),
        ("published_before", '"2027-01-01"'),
        ("safe_search", '"off"'),
    ],
)
def test_a_project_file_may_not_loosen_a_configured_control(desk: Desk, name: str, value: str) -> None:
    desk.user(USER).project(f"[search]\ndefault_{name} = {value}\n")
    with pytest.raises(WebError, match=rf"may not set search\.default_{name}"):
        desk.load()


@pytest.mark.req("wiring:default-controls:effective")
@pytest.mark.parametrize("name", ["default_include_domains", "default_exclude_domains"])
@pytest.mark.parametrize("domain", ["a.test,b.test", "a.test;b.test", ".a.test", "a.test..", "'a.test'"])
def test_a_domain_that_no_host_can_have_is_refused_instead_of_holding_nothing_back(
    desk: Desk, name: str, domain: str
) -> None:
    with pytest.raises(WebError) as caught:
        desk.user(f'[search]\n{name} = ["{domain}"]\n').load()
    assert caught.value.code == Code.CONFIG_INVALID
    assert f"search.{name}" in caught.value.message
