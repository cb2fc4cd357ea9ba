"""Streams of every vendor that has them: abort, deadline and cancellation in the middle, and the end at the last event.

What each stream's events become is told case by case in the fixtures; see `test_vendor_outcomes.py`.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.vendor import SPECS, build, fixture, replies_of, staged
from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import Code, WebError
from webseam.core.transport import VendorRequest, VendorResponse
from webseam.core.types import SearchRequest, SearchResult
from webseam.net.vendor import VendorTransport
from webseam.testing import Reply

KINDS = [kind for kind in sorted(SPECS) if fixture(kind).get("streams")]


def whole(kind: str) -> Reply:
    """The first stream of this vendor's fixture that ends in a whole answer: one reply, events, a proven search."""
    cases = (case for case in fixture(kind)["streams"] if "result" in case and len(case["replies"]) == 1)
    found = (one for one in cases if "text" in one["replies"][0] and one["result"].get("grounding") == "searched")
    (reply,) = replies_of(next(one for one in found if not one["result"].get("truncated")))
    return replace(reply, headers={"content-type": "text/event-stream"})


def held(kind: str, *, without_last: bool = False) -> Reply:
    """The same stream, whose connection stays open after its last event, or after the one before."""
    reply = whole(kind)
    body = reply.body.strip().rpartition(b"\n\n")[0] + b"\n\n" if without_last else reply.body
    return replace(reply, body=body + b"\n" * len(body), ending="held-halfway")


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize("kind", sorted(SPECS))
def test_a_vendor_that_streams_says_so_in_its_fixture(kind: str) -> None:
    vendor = getattr(build(kind, VendorTransport()), "_vendor", None)

    assert (kind in KINDS) is (vendor is not None and vendor.stream is not None)


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_is_asked_for_only_when_somebody_looks(kind: str) -> None:
    plain = [replace(reply, ending="dropped") for reply in replies_of(fixture(kind))[:1]]
    async with staged(kind, *plain, whole(kind)) as stage:
        with pytest.raises(WebError):
            await stage.web.search("kelp")
        await stage.web.search("kelp", call=Call(progress=lambda _text: None))

    unseen, seen = stage.server.requests
    assert unseen.header("accept") == "application/json"
    assert seen.header("accept") == "text/event-stream"
    assert (unseen.target, unseen.body) != (seen.target, seen.body)


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_ends_at_its_last_event_and_the_connection_with_it(kind: str) -> None:
    async with staged(kind, whole(kind)) as stage:
        expected = await stage.web.search("kelp", call=Call(progress=lambda _text: None))
    async with staged(kind, held(kind)) as stage:
        result = await stage.web.search("kelp", call=Call(progress=lambda _text: None))
        await stage.server.released.wait()

    assert (result.sources, result.content, result.truncated) == (expected.sources, expected.content, False)


async def stopped(search: "asyncio.Task[Any]") -> WebError:
    with pytest.raises(WebError) as caught:
        await search
    return caught.value


@pytest.mark.req("search:vendor-time:abort")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_abort_in_the_middle_of_a_stream_ends_the_call_and_the_connection(kind: str) -> None:
    abort = asyncio.Event()
    told: list[str] = []
    async with staged(kind, replace(whole(kind), ending="held-halfway")) as stage:
        search = asyncio.create_task(stage.web.search("kelp", call=Call(progress=told.append, abort=abort)))
        await stage.server.held.wait()
        abort.set()
        error = await stopped(search)
        before = list(told)
        await stage.server.released.wait()

    assert (error.code, error.provider, error.dispatched) == (Code.ABORTED, kind, True)
    assert told == before


@pytest.mark.req("search:vendor-time:abort")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_caller_that_aborts_when_it_is_told_progress_ends_the_call(kind: str) -> None:
    abort = asyncio.Event()
    async with staged(kind, held(kind, without_last=True)) as stage:
        call = Call(progress=lambda _text: abort.set(), abort=abort)
        error = await stopped(asyncio.create_task(stage.web.search("kelp", call=call)))
        await stage.server.released.wait()

    assert (error.code, error.dispatched) == (Code.ABORTED, True)


@pytest.mark.req("search:vendor-time:deadline")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_deadline_in_the_middle_of_a_stream_ends_the_call_and_the_connection(kind: str) -> None:
    async with staged(kind, replace(whole(kind), ending="held-halfway")) as stage:
        call = Call(progress=lambda _text: None, deadline=Deadline.after(0.2))
        error = await stopped(asyncio.create_task(stage.web.search("kelp", call=call)))
        await stage.server.released.wait()

    assert (error.code, error.dispatched, error.retryable) == (Code.SEARCH_TIMEOUT, True, True)


@pytest.mark.req("search:vendor-time:cancel")
@pytest.mark.parametrize("kind", KINDS)
async def test_cancelling_the_task_in_the_middle_of_a_stream_passes_through_and_hangs_up(kind: str) -> None:
    async with staged(kind, replace(whole(kind), ending="held-halfway")) as stage:
        search = asyncio.create_task(stage.web.search("kelp", call=Call(progress=lambda _text: None)))
        await stage.server.held.wait()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        await stage.server.released.wait()

    assert search.cancelled()


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_callback_that_raises_ends_the_call_and_the_connection_with_its_cause_chained(kind: str) -> None:
    def fails(_text: str) -> None:
        raise LookupError("no screen")

    async with staged(kind, held(kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", call=Call(progress=fails))
        await stage.server.released.wait()

    assert isinstance(caught.value.__cause__, LookupError)
    assert (caught.value.code, caught.value.dispatched) == (Code.ABORTED, True)


# Whatever comes ----------------------------------------------------------------------------------------


def events_of(kind: str) -> list[dict[str, Any]]:
    """Every event of this vendor's fixture."""
    texts = (reply["text"] for case in fixture(kind)["streams"] for reply in case["replies"] if "text" in reply)
    lines = (line.removeprefix("data: ") for text in texts for line in text.splitlines() if line.startswith("data: {"))
    return [json.loads(line) for line in lines if not line.startswith("{broken")]


SPOILED = st.one_of(st.none(), st.booleans(), st.integers(-1, 600), st.text(max_size=3), st.just([]), st.just({}))


def spoil(draw: st.DrawFn, value: Any) -> Any:
    """The value with some part of it replaced by another type, or left out."""
    if draw(st.integers(0, 9)) == 0:
        return draw(SPOILED)
    if isinstance(value, dict):
        return {name: spoil(draw, one) for name, one in value.items() if draw(st.integers(0, 19)) > 0}
    return [spoil(draw, one) for one in value] if isinstance(value, list) else value


@st.composite
def spoiled(draw: st.DrawFn, kind: str) -> list[dict[str, Any]]:
    chosen = draw(st.lists(st.sampled_from(events_of(kind)), max_size=8))
    return [one for one in (spoil(draw, event) for event in chosen) if isinstance(one, dict)]


@dataclass(frozen=True, slots=True)
class Canned:
    """A transport, and the stream that it plays to every request."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})

    async def send(self, request: VendorRequest, *, call: Call) -> VendorResponse:
        raise AssertionError(f"{request.provider} does not stream to who looks: {call}")

    @asynccontextmanager
    async def stream(self, request: VendorRequest, *, call: Call) -> AsyncIterator["Canned"]:
        assert request.headers["accept"] == "text/event-stream"
        call.dispatch.mark()
        yield self

    async def pieces(self) -> AsyncGenerator[bytes]:
        yield self.body

    async def whole(self) -> VendorResponse:
        return VendorResponse(status=self.status, headers=self.headers, body=self.body)

    async def location(self, url: str, *, call: Call) -> str | None:
        assert url
        call.check()
        return None


async def ended(kind: str, events: list[dict[str, Any]]) -> SearchResult | WebError:
    """What these events become, of which the last may be missing."""
    told: list[str] = []
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode()
    try:
        result: SearchResult = await build(kind, Canned(body)).search(
            SearchRequest(query="kelp"), call=Call(progress=told.append)
        )
    except WebError as error:
        return error
    assert all(told)
    return result


@pytest.mark.req("search:vendor:lenient-rows")
@settings(deadline=None, max_examples=60)
@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_any_events_are_a_result_or_a_web_error(kind: str, data: st.DataObject) -> None:
    outcome = asyncio.run(ended(kind, data.draw(spoiled(kind))))

    if isinstance(outcome, SearchResult):
        assert outcome.grounding == "searched" or not outcome.sources
        assert outcome.content is None or outcome.content.strip()
        assert all(one.url.strip() for one in outcome.sources)
    else:
        assert outcome.dispatched
