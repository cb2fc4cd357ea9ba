"""How a key is found wherever it stands, and how cheaply it is known: issue 6.7."""

import base64
import html
import json
import os
import time
from collections.abc import Callable
from importlib.metadata import EntryPoints, entry_points
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webseam
from support.core import hits
from support.telemetry import Collector
from support.wiring import Desk, toys
from webseam.core.call import Call, ModelRef
from webseam.core.events import Event, RequestRecorded
from webseam.core.settings import ProxySettings
from webseam.core.types import SearchRequest, SearchResult
from webseam.net.proxy import Proxies
from webseam.testing import ScriptedSearch
from webseam.wiring.file_marks import mark_of, while_same
from webseam.wiring.hiding import scrubbed, told_options, without, worth_hiding

KEY = "sk-one/0123456789+abc&def==?>"
LONG_AGO = 1_000_000_000

SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "lower-case percent": lambda key: quote(key, "").lower(),
    "JSON of PHP": lambda key: json.dumps(key).replace("/", r"\/"),
    "HTML": html.escape,
    "Basic with a user": lambda key: base64.b64encode(f"me:{key}".encode()).decode(),
    "Basic with a longer user": lambda key: base64.b64encode(f"long:{key}".encode()).decode(),
    "Basic without a password": lambda key: base64.b64encode(f"{key}:".encode()).decode(),
    "base64 for URLs": lambda key: base64.urlsafe_b64encode(f"x{key}y".encode()).decode(),
}


def installed_kinds() -> EntryPoints:
    """What is really installed."""
    return EntryPoints(one for kind in ("search", "fetch") for one in entry_points(group=f"webseam.{kind}"))


# Spellings ---------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-key:spellings")
@pytest.mark.parametrize("spelling", SPELLINGS.values(), ids=SPELLINGS)
def test_no_more_than_the_edge_of_a_key_is_left_of_any_spelling(spelling: Callable[[str], str]) -> None:
    clean = scrubbed(f"before {spelling(KEY)} after", worth_hiding([KEY]))
    assert "[secret]" in clean
    assert clean.startswith("before ")
    assert clean.endswith(" after")
    assert len(clean) < len("before [secret] after") + 14
    for piece in (KEY[:6], KEY[-6:]):
        assert piece not in clean


@pytest.mark.req("audit:no-key:spellings")
@given(st.binary(max_size=5), st.text("abcdefgh0123-_", min_size=12, max_size=40), st.binary(max_size=5))
def test_a_key_inside_longer_base64_is_found_wherever_it_stands(before: bytes, key: str, after: bytes) -> None:
    whole = base64.b64encode(before + key.encode() + after).decode()
    clean = scrubbed(whole, worth_hiding([key]))
    assert "[secret]" in clean
    kept = sum(map(len, clean.split("[secret]")))
    assert kept <= len(base64.b64encode(before)) + len(base64.b64encode(after)) + 8


@pytest.mark.req("audit:no-key:options")
@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X-Strange": "hide-this", "Accept": "application/json", "user-agent": "kelp/1"}},
        {"headers": {"Authorization": "Bearer hide-this"}},
        {"params": {"subscriptionKey": "hide-this"}},
        {"params": {"auth": "hide-this", "keywords": "kelp", "sort_by": "date", "lang": "{language}"}},
        {"body": {"user": [{"access_token": "hide-this"}]}},
        {"body": {"pwd": ["hide-this"]}},
        {"password": "hide-this"},
        {"base_url": "https://v.test/?appid=hide-this&keywords=kelp"},
        {"base_url": "https://u:hide-this@v.test/"},
        {"mirrors": ["https://v.test/?api-key=hide-this"]},
    ],
    ids=str,
)
def test_what_may_be_a_key_in_a_providers_own_options_is_found_and_nothing_else(options: dict[str, Any]) -> None:
    told = {one for one in told_options(options) if one}
    assert "hide-this" in told
    assert told <= {"hide-this", "Bearer hide-this"}


# Shapes ------------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-key")
def test_data_of_any_shape_is_searched_and_only_the_depth_is_bounded() -> None:
    class Stubborn:
        def __eq__(self, _other: object) -> bool:
            raise ValueError("neither true nor false")

        def __hash__(self) -> int:
            return 1

    stubborn = Stubborn()
    deep: Any = KEY
    for _ in range(5_000):
        deep = {"inner": (deep,)}
    body = {"a": [stubborn, (1, KEY)], KEY: deep, "same": ["x"]}
    clean = without(RequestRecorded(provider="p", endpoint="e", body=body), worth_hiding([KEY])).body
    assert clean["a"] == [stubborn, (1, "[secret]")]
    assert clean["same"] is body["same"]
    assert KEY not in repr(clean)
    assert list(clean) == ["a", "[secret]", "same"]


# Rotation ----------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-key:spellings")
async def test_a_key_that_is_rotated_away_while_a_call_runs_is_hidden_to_its_end(tmp_path: Path) -> None:
    desk = Desk(tmp_path).env(EXA_API_KEY="sk-before-0123456789")

    async def rotates(_request: SearchRequest, call: Call) -> SearchResult:
        desk.env(EXA_API_KEY="sk-after-0123456789")
        call.emit(RequestRecorded(provider="mine", endpoint="e", body="not sk-before-0123456789, sk-after-0123456789"))
        return hits()

    seen: list[Event] = []
    async with webseam.open(search="mine", environ=desk.environ, cwd=desk.cwd, emit=seen.append) as web:
        web.register_search(ScriptedSearch("mine", [rotates]))
        await web.search("kelp")
    assert [one.body for one in seen if isinstance(one, RequestRecorded)] == ["not [secret], [secret]"]


@pytest.mark.req("audit:no-key")
async def test_a_token_of_the_hosts_model_is_hidden_as_a_key_is(desk: Desk) -> None:
    async def auth() -> str:
        return "token-of-a-model-0123456789"

    async def asks(request: SearchRequest, call: Call) -> SearchResult:
        assert call.model is not None
        assert call.model.auth is not None
        call.emit(RequestRecorded(provider="mine", endpoint="e", body=[request.query, await call.model.auth()]))
        return hits(f"https://a.test/{await call.model.auth()}")

    seen: list[Event] = []
    told = Collector(content=True)
    model = ModelRef(provider="p", api="a", id="m", auth=auth)
    async with webseam.open(
        search="mine", environ=desk.environ, cwd=desk.cwd, emit=seen.append, tracer=told.tracer
    ) as web:
        web.register_search(ScriptedSearch("mine", [asks]))
        await web.search("kelp", call=Call(model=model))
    assert [one.body for one in seen if isinstance(one, RequestRecorded)] == [["kelp", "[secret]"]]
    assert "https://a.test/[secret]" in told.everything()
    assert "token-of-a-model" not in told.everything()


# Files -------------------------------------------------------------------------------------------------


@pytest.mark.req("audit:keys-cheap")
async def test_a_secrets_file_that_stays_as_it_is_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, keys, read = Desk(tmp_path), tmp_path / "keys", []
    keys.write_text("EXA_API_KEY=sk-before-0123456789\n", encoding="utf-8")
    keys.chmod(0o600)
    opened = os.open

    def counting(path: Any, *rest: Any) -> int:
        read.append(path)
        return opened(path, *rest)

    monkeypatch.setattr(os, "open", counting)
    config = {"secrets": {"file": str(keys)}}
    later = time.time_ns() + 10_000_000_000  # ten seconds on, the file has long been what it is
    monkeypatch.setattr(time, "time_ns", lambda: later)
    seen: list[Event] = []
    async with webseam.open(search="mine", config=config, environ=desk.environ, cwd=desk.cwd, emit=seen.append) as web:
        web.register_search(ScriptedSearch("mine", [hits()] * 3))
        await web.search("kelp")
        read.clear()
        await web.search("kelp")
        assert read == []
        keys.write_text("EXA_API_KEY=sk-afters-0123456789\n", encoding="utf-8")
        await web.search("kelp")
    assert keys in read
    assert seen


@pytest.mark.req("audit:keys-cheap")
def test_a_mark_is_equal_only_while_a_file_is_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "keys"
    assert mark_of(file) == mark_of(file)
    file.write_text("one", encoding="utf-8")
    assert mark_of(file) != mark_of(file)
    monkeypatch.setattr(time, "time_ns", lambda: file.stat().st_ctime_ns + 2_000_000_000)
    settled = mark_of(file)
    assert settled == mark_of(file)
    os.utime(file, ns=(LONG_AGO, LONG_AGO))
    touched = mark_of(file)
    assert touched != settled
    file.chmod(0o600)
    assert mark_of(file) != touched
    other = tmp_path / "other"
    other.write_text("two", encoding="utf-8")
    os.utime(other, ns=(LONG_AGO, LONG_AGO))
    before = mark_of(file)
    other.replace(file)
    assert mark_of(file) != before


@pytest.mark.req("audit:keys-cheap")
def test_work_is_done_again_when_its_state_is_another(tmp_path: Path) -> None:
    state, turns = [1], iter(range(9))
    answer = while_same(lambda: next(turns), lambda: [*state])
    assert [answer(), answer()] == [0, 0]
    state[0] = 2
    assert [answer(), answer()] == [1, 1]
    assert mark_of(tmp_path / "\0") is None


# Objects -----------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-key:repr")
@pytest.mark.parametrize("discover", [toys, installed_kinds], ids=["toys", "installed"])
def test_no_object_that_holds_a_key_or_a_password_shows_it(desk: Desk, discover: Callable[[], EntryPoints]) -> None:
    desk.env(TAVILY_API_KEY="secret-of-environment", ECHO_API_KEY="secret-of-environment")
    kind = "echo" if discover is toys else "custom"
    options = {"base_url": "http://127.0.0.1:9/?key=secret-in-url"}
    built = desk.build(
        {
            "search": {"proxy": "http://u:secret-of-search@127.0.0.1:9/"},
            "fetch": {"proxy": "http://u:secret-of-fetch@127.0.0.1:9/"},
            "fleet": {"url": "redis://:secret-of-fleet@127.0.0.1/0"},
            "providers": {
                kind: options | {"key": "secret-literal"},
                "a": {"kind": kind, "keys": ["secret-1"], **options},
            },
        },
        discover=discover,
    )
    config = desk.load({"fetch": {"proxy": "http://u:secret-of-fetch@127.0.0.1:9/"}}).config
    fetch = dict(built.web._registries.fetch.items())["http"]
    kit = getattr(fetch, "kit", None)
    proxies = Proxies.of(ProxySettings(http="http://u:secret-of-fetch@127.0.0.1:9/"))
    providers = [one for _, one in built.web._registries.search.items()]
    assert providers
    assert "secret-of-fetch" in config.fetch.proxy
    for one in (config, config.fetch, built, built.web, built.plan, fetch, kit, proxies, *providers):
        assert "secret-" not in f"{one!r} {one}"
    assert "proxy=..., " in repr(config)
