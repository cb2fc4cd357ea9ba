"""A project file chooses and tightens; what widens needs the user's own file, or trust in exactly this content."""

import json
from pathlib import Path

import pytest

from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.wiring.schema import SECTIONS, settings
from webseam.wiring.trust import is_trusted, trust

ALLOWED = [
    ("search", "provider", '"exa"'),
    ("search", "route", '["exa", "tavily"]'),
    ("search", "fanout", '["exa", "tavily"]'),
    ("search", "keyless", "false"),
    ("search", "keyless", "true"),
    ("search", "timeout", "59.5"),
    ("search", "max_results", "8"),
    ("search", "ungrounded", '"error"'),
    ("search", "controls", '"strict"'),
    ("search", "default_include_domains", '["a.example"]'),
    ("search", "default_include_domains", "[]"),
    ("search", "default_exclude_domains", '["a.example"]'),
    ("search", "default_published_after", '"2026-03-02"'),
    ("search", "default_published_before", '"2026-03-02"'),
    ("search", "default_country", '"SE"'),
    ("search", "default_language", '"sv"'),
    ("search", "default_safe_search", '"moderate"'),
    ("search", "cache", '"off"'),
    ("search", "cache_seconds", "60"),
    ("fetch", "provider", '"http"'),
    ("fetch", "timeout", "1"),
    ("fetch", "max_bytes", "5000000"),
    ("fetch", "max_pdf_bytes", "5000000"),
    ("fetch", "max_redirects", "0"),
    ("fetch", "private_networks", "[]"),
    ("fetch", "images", "false"),
    ("fetch", "robots", '"autonomous"'),
    ("fetch", "robots", '"on"'),
    ("fetch", "cache", '"off"'),
    ("fetch", "stale_if_error", "0"),
    ("fetch", "host_rate", '"1/s"'),
    ("tools", "search", "false"),
    ("tools", "max_queries", "1"),
    ("tools", "search_controls", '["language"]'),
    ("tools", "fetch_arguments", '["url"]'),
    ("tools", "extract", "false"),
    ("tools", "fetch_view", '"main"'),
    ("tools", "fetch_engine", '"own"'),
    ("tools", "fetch_chars", "100"),
    ("tools", "fetch_tokens", "100"),
    ("tools", "search_tokens", "0"),
    ("permission", "search", '"deny"'),
    ("permission", "fetch", '"ask"'),
    ("permission", "unseen", '"ask"'),
    ("permission", "flagged", '"deny"'),
    ("permission", "allow_hosts", '["docs.example"]'),
    ("permission", "deny_hosts", '["bad.example"]'),
    ("permission", "max_query_chars", "100"),
    ("permission", "max_calls", "20"),
    ("permission", "max_cost", "0.5"),
    ("telemetry", "enabled", "false"),
    ("telemetry", "content", "false"),
]
REFUSED = [
    ("search", "timeout", "60.5"),
    ("search", "max_results", "9"),
    ("search", "default_safe_search", '"off"'),
    ("search", "proxy", '"http://proxy.example:3128"'),
    ("search", "no_proxy", '["api.vendor.example"]'),
    ("search", "cache", '"memory"'),
    ("search", "cache_seconds", "301"),
    ("fleet", "url", '"redis://cache.corp.example"'),
    ("fleet", "prefix", '"other"'),
    ("fleet", "when_away", '"refuse"'),
    ("serve", "listen", '"0.0.0.0:80"'),
    ("serve", "hosts", '["evil.test"]'),
    ("serve", "drain_seconds", "0"),
    ("serve", "access_log", "false"),
    ("fetch", "timeout", "31"),
    ("fetch", "max_bytes", "5000001"),
    ("fetch", "max_pdf_bytes", "20000001"),
    ("fetch", "max_redirects", "6"),
    ("fetch", "private_networks", '["10.0.0.0/8"]'),
    ("fetch", "private_hosts", '["wiki.corp.example"]'),
    ("fetch", "nameservers", '["9.9.9.9"]'),
    ("fetch", "nameservers", "[]"),
    ("fetch", "images", "true"),
    ("fetch", "robots", '"off"'),
    ("fetch", "cache", '"disk"'),
    ("fetch", "stale_if_error", "0.1"),
    ("fetch", "ca_bundle", '"ca.pem"'),
    ("fetch", "proxy", '"http://proxy.example:3128"'),
    ("fetch", "no_proxy", '["corp.example"]'),
    ("fetch", "trust_proxy", "true"),
    ("extract", "timeout", "61"),
    ("tools", "extract", "true"),
    ("tools", "max_queries", "2"),
    ("tools", "fetch_chars", "40001"),
    ("tools", "search_chars", "20001"),
    ("tools", "snippet_chars", "1001"),
    ("secrets", "environment", "false"),
    ("secrets", "environment", "true"),
    ("secrets", "file", '"keys"'),
    ("index", "path", '"index.db"'),
    ("log", "file", '"audit.jsonl"'),
    ("ledger", "keep", '"file"'),
    ("ledger", "file", '"mine.db"'),
    ("ledger", "text", "true"),
    ("ledger", "keep_days", "1"),
    ("telemetry", "enabled", "true"),
    ("telemetry", "content", "true"),
    ("plugins", "disabled", '["search:exa"]'),
    ("providers.exa", "key", '"k"'),
    ("providers.exa", "key_env", '"AWS_SECRET_ACCESS_KEY"'),
    ("providers.exa", "base_url", '"https://evil.test"'),
    ("providers.exa", "kind", '"tavily"'),
]


@pytest.mark.req("wiring:project:may")
@pytest.mark.parametrize(("section", "name", "value"), ALLOWED)
def test_a_project_file_may_choose_and_tighten(desk: Desk, section: str, name: str, value: str) -> None:
    loaded = desk.project(f"[{section}]\n{name} = {value}\n").load()
    assert loaded.project == (desk.project_file if loaded.origins else None)


@pytest.mark.req("wiring:project:may-not")
@pytest.mark.parametrize(("section", "name", "value"), REFUSED)
def test_a_project_file_may_not_widen(desk: Desk, section: str, name: str, value: str) -> None:
    desk.project(f"[{section}]\n{name} = {value}\n")
    with pytest.raises(WebError) as caught:
        desk.load()
    assert caught.value.code == Code.CONFIG_INVALID
    assert f"{section}.{name}" in caught.value.message
    assert str(desk.project_file) in caught.value.message
    assert "webseam config trust" in caught.value.message


@pytest.mark.req("wiring:project:may-not")
@pytest.mark.parametrize(("value", "fits"), [(0, False), (101, False), (100, True), (50, True)])
def test_a_bound_that_zero_lifts_is_only_tightened(desk: Desk, value: int, fits: bool) -> None:  # noqa: FBT001 - a row
    desk.user("[tools]\nfetch_tokens = 100\n").project(f"[tools]\nfetch_tokens = {value}\n")
    if fits:
        assert desk.load().config.tools.fetch_tokens == value
    else:
        with pytest.raises(WebError, match="fetch_tokens"):
            desk.load()


@pytest.mark.req("wiring:project:may-not")
def test_every_setting_of_the_schema_is_judged_here() -> None:
    judged = {(section, name) for section, name, _ in (*ALLOWED, *REFUSED)}
    alike = {("fetch", "route"), ("extract", "provider"), ("extract", "route"), ("tools", "fetch")}
    assert set(settings()) - judged == alike
    assert {section for section, _ in judged} - {"providers.exa"} <= set(SECTIONS)


@pytest.mark.req("wiring:project:may-not")
def test_an_empty_provider_table_is_refused_too(desk: Desk) -> None:
    desk.project("[providers.searxng]\n")
    with pytest.raises(WebError, match=r"may not set providers\.searxng"):
        desk.load()


@pytest.mark.req("wiring:project:baseline")
@pytest.mark.parametrize(
    ("user", "project"),
    [
        ("[search]\nkeyless = false\n", "[search]\nkeyless = true\n"),
        ('[search]\nungrounded = "error"\n', '[search]\nungrounded = "label"\n'),
        ("[search]\ntimeout = 5\n", "[search]\ntimeout = 6\n"),
        ('[fetch]\nrobots = "on"\n', '[fetch]\nrobots = "autonomous"\n'),
        ("[fetch]\nmax_bytes = 10\n", "[fetch]\nmax_bytes = 11\n"),
        ("[tools]\nfetch = false\n", "[tools]\nfetch = true\n"),
        ('[fetch]\nprivate_networks = ["10.0.0.0/8"]\n', '[fetch]\nprivate_networks = ["10.1.0.0/16"]\n'),
    ],
)
def test_what_counts_as_widening_is_told_from_the_users_own_settings(desk: Desk, user: str, project: str) -> None:
    desk.user(user).project(project)
    with pytest.raises(WebError, match="may not set"):
        desk.load()


@pytest.mark.req("wiring:project:baseline")
def test_within_what_the_user_opened_a_project_file_may_choose(desk: Desk) -> None:
    desk.user('[fetch]\nprivate_networks = ["10.0.0.0/8", "fd00::/8"]\ntimeout = 90\nimages = true\n')
    desk.project('[fetch]\nprivate_networks = ["fd00::/8"]\ntimeout = 80\nimages = true\n')
    fetch = desk.load().config.fetch
    assert (fetch.private_networks, fetch.timeout, fetch.images) == (("fd00::/8",), 80.0, True)


@pytest.mark.req("wiring:project:controls")
def test_a_user_on_lenient_controls_can_be_tightened_but_not_the_other_way(desk: Desk) -> None:
    desk.user('[search]\ncontrols = "lenient"\n').project('[search]\ncontrols = "strict"\n')
    assert desk.load().config.search.controls == "strict"
    desk.user('[search]\ncontrols = "strict"\n').project('[search]\ncontrols = "lenient"\n')
    with pytest.raises(WebError, match=r"search\.controls"):
        desk.load()


@pytest.mark.req("wiring:project:trust")
def test_trust_holds_for_exactly_this_content_at_this_path(desk: Desk) -> None:
    text = "[fetch]\nimages = true\n"
    desk.project(text)
    record = desk.survey().places.trust_file
    digest = trust(record, desk.project_file)
    assert len(digest) == 64
    assert desk.load().config.fetch.images
    desk.project(text + "# edited\n")
    with pytest.raises(WebError, match="config trust"):
        desk.load()
    desk.project(text)
    other = desk.cwd.parent / "webseam.toml"
    other.write_text(text, encoding="utf-8")
    assert is_trusted(record, desk.project_file, text.encode())
    assert not is_trusted(record, other, text.encode())


@pytest.mark.req("wiring:project:trust")
def test_the_record_is_the_owners_only_and_keeps_what_was_trusted_before(desk: Desk, tmp_path: Path) -> None:
    desk.project("[search]\n")
    record = desk.survey().places.trust_file
    other = tmp_path / "webseam.toml"
    other.write_text("[fetch]\n", encoding="utf-8")
    trust(record, desk.project_file)
    trust(record, other)
    assert record.stat().st_mode & 0o077 == 0
    assert set(json.loads(record.read_text(encoding="utf-8"))) == {str(desk.project_file), str(other)}
    assert [file.name for file in record.parent.iterdir()] == [record.name]


@pytest.mark.req("wiring:project:trust")
@pytest.mark.parametrize("damage", [b"\xff", b"[]", b'{"a": 1}', b"{", b""])
def test_a_damaged_record_is_told_and_trusts_nothing(desk: Desk, damage: bytes) -> None:
    desk.project("[fetch]\nimages = true\n")
    record = desk.survey().places.trust_file
    record.parent.mkdir(parents=True)
    record.write_bytes(damage)
    loaded = desk.survey()
    assert not loaded.config.fetch.images
    assert str(record) in loaded.problems[0].message
