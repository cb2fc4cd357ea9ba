"""What an observer hears, and where the events go: a file of JSON lines, Python's logging."""

import json
import logging
import stat
from pathlib import Path
from typing import Any

import pytest

import webseam
from support.cli import install_toys
from support.core import hits
from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.core.events import AttemptDispatched, AttemptEnded, Event, Refused, Selected
from webseam.core.plugin import Seams
from webseam.core.types import SearchControls
from webseam.core.web import Web
from webseam.testing import ScriptedSearch
from webseam.wiring.audit import log_events


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with the toy vendors installed."""
    install_toys(tmp_path / "toys")
    monkeypatch.syspath_prepend(tmp_path / "toys")
    return Desk(tmp_path)


def opened(desk: Desk, **more: Any) -> Web:
    return webseam.open(
        search="mine", environ=desk.environ, cwd=desk.cwd, seams=Seams(now=lambda: 1_767_323_045.678), **more
    )


@pytest.mark.req("audit:events")
async def test_a_dispatch_is_told_once_before_the_request_leaves() -> None:
    seen: list[Event] = []
    told: list[int] = []

    async def run(_request: Any, call: Any) -> Any:
        for _ in range(2):
            call.dispatch.mark()
            told.append(len(seen))
        return hits()

    web = Web(emit=seen.append)
    web.register_search(ScriptedSearch("mine", [run]))
    await web.search("kelp")
    assert [type(one) for one in seen] == [Selected, AttemptDispatched, AttemptEnded]
    assert told == [2, 2]


@pytest.mark.req("audit:events")
async def test_a_refusal_before_any_provider_is_told() -> None:
    seen: list[Event] = []
    web = Web(emit=seen.append)
    for refused in (
        web.search(" "),
        web.search("kelp", controls=SearchControls(country="Norway")),
        web.fetch("ftp://a.test/"),
        web.fetch("http://me:secret@a.test/"),
        web.extract("x" * 3000),
    ):
        with pytest.raises(WebError):
            await refused
    kinds = [(one.capability, one.code) for one in seen if isinstance(one, Refused)]
    assert [capability for capability, _ in kinds] == ["search", "search", "fetch", "fetch", "extract"]
    assert kinds[3] == ("fetch", Code.BLOCKED_URL)
    assert "secret" not in str(seen)


@pytest.mark.req("audit:file")
async def test_each_event_is_a_line_of_the_file(desk: Desk) -> None:
    seen: list[Event] = []
    desk.user('[log]\nfile = "audit.jsonl"\n')
    async with opened(desk, emit=seen.append) as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        await web.search("kelp")
        with pytest.raises(WebError):
            await web.fetch("http://me:secret@a.test/")
    file = desk.user_file.parent / "audit.jsonl"
    lines = [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]
    assert [one["event"] for one in lines] == ["selected", "attempt_dispatched", "attempt_ended", "refused"]
    assert {one["at"] for one in lines} == {"2026-01-02T03:04:05.678Z"}
    assert lines[0] == {
        "at": lines[0]["at"],
        "event": "selected",
        "capability": "search",
        "provider": "mine",
        "configured": True,
    }
    assert lines[2]["attempt"]["outcome"] == "ok"
    assert "secret" not in str(lines)
    assert len(seen) == len(lines)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.req("audit:file")
async def test_what_cannot_be_written_down_does_not_happen(desk: Desk) -> None:
    desk.user(f'[log]\nfile = "{desk.home}"\n')
    script = ScriptedSearch("mine", [hits()])
    async with opened(desk) as web:
        web.register_search(script)
        with pytest.raises(WebError, match=r"log\.file: .* cannot be written \(Is a directory\)") as caught:
            await web.search("kelp")
    assert caught.value.code == Code.CONFIG_INVALID
    assert script.script.requests == []


@pytest.mark.req("audit:file")
@pytest.mark.parametrize(("before", "between"), [(b"", b""), (b'{"at": "x"}\n', b""), (b'{"at": "cut by a ki', b"\n")])
async def test_a_line_that_a_killed_process_left_spoils_no_other(desk: Desk, before: bytes, between: bytes) -> None:
    file = desk.home / "audit.jsonl"
    file.write_bytes(before)
    async with opened(desk, config={"log": {"file": str(file)}}) as web:
        web.register_search(ScriptedSearch("mine", [hits(), hits()]))
        await web.search("kelp")
        await web.search("kelp")
    assert file.read_bytes().startswith(before + between + b'{"at": "2026')
    added = file.read_bytes().removeprefix(before + between).splitlines()
    assert [json.loads(line)["event"] for line in added] == ["selected", "attempt_dispatched", "attempt_ended"] * 2


@pytest.mark.req("audit:logging")
async def test_pythons_logging_hears_each_event(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    async with opened(desk, emit=webseam.log_events) as web:
        web.register_search(ScriptedSearch("mine", [hits()]))
        await web.search("quiet")
        assert caplog.records == []
        with caplog.at_level(logging.INFO, "webseam.events"):
            await web.search("kelp")
    told = [json.loads(one.getMessage()) for one in caplog.records]
    assert [one["event"] for one in told] == ["selected", "attempt_dispatched", "attempt_ended"]
    assert log_events is webseam.log_events
