"""What a configured `Web` tells its observers, all of them: no key, whoever listens (issue 6.7, 6.9)."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webseam
from support.core import hits
from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.events import AccessDecided, Event, Redirected, RequestRecorded
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.types import SearchRequest, SearchResult
from webseam.core.web import Web
from webseam.testing import ScriptedSearch
from webseam.wiring.hiding import without
from webseam.wiring.key_source import KeySource
from webseam.wiring.keyrings import SystemKeyring
from webseam.wiring.schema import SecretsSection

KEY = "sk-observed/0123456789+abcdef"
OTHER = "sk-of-another-vendor-0123456789"
LOCAL = {"fetch": {"private_networks": ["127.0.0.0/8"]}}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Two vendors with keys."""
    return Desk(tmp_path).env(SERPAPI_API_KEY=KEY, EXA_API_KEY=OTHER)


async def tells_a_key(request: SearchRequest, call: Call) -> SearchResult:
    call.emit(RequestRecorded(provider="mine", endpoint=f"https://v.test/{KEY}", body={"q": [request.query], KEY: KEY}))
    return hits()


async def no(request: AccessRequest, /) -> Verdict:
    return Verdict(allowed=request.kind != "fetch", reason=f"not {OTHER}", flags=(KEY,))


def opened(desk: Desk, config: dict[str, Any] | None = None, **more: Any) -> Web:
    web = webseam.open(search="mine", config=config, environ=desk.environ, cwd=desk.cwd, **more)
    web.register_search(ScriptedSearch("mine", [tells_a_key] * 3))
    return web


async def tell_all(web: Web, call: Call | None = None) -> None:
    await web.search(f"is {KEY} or {OTHER} a key", call=call)
    with pytest.raises(webseam.WebError):
        await web.fetch(f"https://a.test/{quote(KEY)}?x={OTHER}", call=call)


# Events ------------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-key")
async def test_no_observer_of_a_web_is_told_a_key(desk: Desk) -> None:
    seen: list[Event] = []
    async with opened(desk, emit=seen.append, gate=no) as web:
        await tell_all(web)
    assert "[secret]" in str(seen)
    for spelling in (KEY, quote(KEY), quote(KEY, ""), OTHER):
        assert spelling not in str(seen)
    (request,) = (one for one in seen if isinstance(one, RequestRecorded))
    assert request.endpoint == "https://v.test/[secret]"
    assert request.body == {"q": ["is [secret] or [secret] a key"], "[secret]": "[secret]"}
    assert [one.flags for one in seen if isinstance(one, AccessDecided)] == [("[secret]",)] * 2


@pytest.mark.req("audit:no-key")
async def test_an_observer_that_a_call_brings_is_told_no_key_either(desk: Desk) -> None:
    seen: list[Event] = []
    async with opened(desk, gate=no) as web:
        await tell_all(web, Call(emit=seen.append))
    assert "[secret]" in str(seen)
    assert KEY not in str(seen)
    assert OTHER not in str(seen)


@pytest.mark.req("audit:no-key")
async def test_a_key_that_is_rotated_while_a_web_is_open_is_hidden_from_then_on(desk: Desk) -> None:
    keys = desk.home / "keys"
    keys.write_text("EXA_API_KEY=sk-before-0123456789\n", encoding="utf-8")
    keys.chmod(0o600)
    del desk.environ["EXA_API_KEY"]
    seen: list[Event] = []
    async with opened(desk, {"secrets": {"file": str(keys)}}, emit=seen.append) as web:
        await web.search("sk-before-0123456789")
        keys.write_text("EXA_API_KEY=sk-after-0123456789\n", encoding="utf-8")
        await web.search("sk-after-0123456789")
    told = [one.body["q"] for one in seen if isinstance(one, RequestRecorded)]
    assert told == [["[secret]"], ["[secret]"]]


@pytest.mark.req("audit:every-call")
async def test_a_call_with_an_observer_of_its_own_is_written_down_too(desk: Desk) -> None:
    seen: list[Event] = []
    file = desk.home / "audit.jsonl"
    async with opened(desk, {"log": {"file": str(file)}}) as web:
        await web.search("kelp", call=Call(emit=seen.append))
    lines = [json.loads(line)["event"] for line in file.read_text(encoding="ascii").splitlines()]
    assert lines == ["selected", "request_recorded", "attempt_ended"]
    assert len(lines) == len(seen)


@pytest.mark.req("audit:no-key")
@given(st.text(min_size=8, max_size=12), st.text(max_size=5), st.text(max_size=5))
def test_what_is_hidden_is_nowhere_and_the_rest_is_what_it_was(secret: str, before: str, after: str) -> None:
    text = f"{before}{secret}{after}"
    event = RequestRecorded(provider="p", endpoint=text, body=[{text: (text, 1, None)}, "plain"])
    clean = without(event, [secret])
    assert (clean.endpoint, clean.provider) == (text.replace(secret, "[secret]"), "p")
    assert clean.body[1] == "plain"
    untouched = Redirected(provider="p", status_code=301, url="https://a.test/")
    assert without(untouched, ["not in it"]) is untouched
    assert without(event, []) is event


# Keyring -----------------------------------------------------------------------------------------------


@pytest.mark.req("audit:no-dialog")
async def test_the_keyring_is_asked_once_and_a_key_that_it_gives_later_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from support.keyrings import FileKeyring  # noqa: PLC0415 - imports a package that is an extra

    held = tmp_path / "held.json"
    monkeypatch.setattr("keyring.core._keyring_backend", FileKeyring(held))
    keyring = SystemKeyring(tmp_path / "record.json")
    keyring.put("EXA_API_KEY", "sk-first-0123456789")
    source = KeySource(
        provider="exa",
        literal="",
        names=("EXA_API_KEY",),
        environ={},
        settings=SecretsSection(),
        keyring=keyring,
    )
    assert source.seen() == "sk-first-0123456789"
    keys = held.read_text(encoding="utf-8")
    held.write_text("locked", encoding="utf-8")
    assert source.known() is None
    assert source.seen() == "sk-first-0123456789"
    held.write_text(keys.replace("first", "second"), encoding="utf-8")
    assert await source.resolve() == "sk-second-0123456789"
    assert source.seen() == "sk-second-0123456789"
