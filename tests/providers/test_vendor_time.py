"""Time and abort at every point of a vendor call: told from the signal, and the connection ends with the call."""

import asyncio
from typing import Any

import pytest

from support.vendor import SPECS, HeldKey, good, says, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.types import SearchRequest

KINDS = sorted(SPECS)
STALLS: dict[str, Any] = {
    "in the request": lambda kind: good(kind, "held"),
    "in a success body": lambda kind: good(kind, "held-halfway"),
    "in an error body": lambda _kind: says({"error": "a message that never ends"}, 500, ending="held-halfway"),
}


async def _ended(search: "asyncio.Task[Any]") -> WebError:
    with pytest.raises(WebError) as caught:
        await search
    return caught.value


@pytest.mark.req("search:vendor-time:abort")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", STALLS)
async def test_an_abort_ends_the_call_and_the_connection(kind: str, where: str) -> None:
    abort = asyncio.Event()
    async with staged(kind, STALLS[where](kind)) as stage:
        search = asyncio.create_task(stage.web.search("kelp", abort=abort))
        await stage.server.held.wait()
        abort.set()
        error = await _ended(search)
        await stage.server.released.wait()

    assert (error.code, error.provider, error.dispatched) == (Code.ABORTED, kind, True)


@pytest.mark.req("search:vendor-time:abort")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_call_aborted_beforehand_starts_nothing(kind: str) -> None:
    abort = asyncio.Event()
    abort.set()
    events: list[Any] = []
    async with staged(kind, good(kind), emit=events.append) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", abort=abort)

    assert (caught.value.code, caught.value.dispatched) == (Code.ABORTED, False)
    assert stage.server.connections == 0
    assert events == []


@pytest.mark.req("search:vendor-time:deadline")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("where", STALLS)
async def test_a_deadline_ends_a_vendor_that_stalls(kind: str, where: str) -> None:
    async with staged(kind, STALLS[where](kind)) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", timeout=0.2)
        await stage.server.released.wait()

    assert (caught.value.code, caught.value.dispatched, caught.value.retryable) == (Code.SEARCH_TIMEOUT, True, True)


@pytest.mark.req("search:vendor-time:cancel")
@pytest.mark.parametrize("kind", KINDS)
async def test_cancelling_the_task_passes_through_and_hangs_up(kind: str) -> None:
    async with staged(kind, good(kind, "held")) as stage:
        search = asyncio.create_task(stage.web.search("kelp"))
        await stage.server.held.wait()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        await stage.server.released.wait()

    assert search.cancelled()


@pytest.mark.req("search:vendor:reuse")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_second_search_reuses_the_connection(kind: str) -> None:
    async with staged(kind, good(kind), good(kind)) as stage:
        await stage.web.search("kelp")
        await stage.web.search("kelp")

    assert stage.server.connections == 1


class StubbornKey(HeldKey):
    """A credential source that swallows its cancellation and never answers while the test runs."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.let_go = asyncio.Event()

    async def resolve(self) -> str:
        self.asked.set()
        try:
            await self.let_go.wait()
        except asyncio.CancelledError:
            await self.let_go.wait()
        return "too late"


@pytest.mark.req("search:vendor-key:race")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_key_source_that_ignores_cancellation_does_not_hold_the_call(kind: str) -> None:
    abort, secret = asyncio.Event(), StubbornKey()
    async with staged(kind, good(kind), secret=secret) as stage:
        search = asyncio.create_task(stage.web.search("kelp", abort=abort))
        await secret.asked.wait()
        abort.set()
        error = await _ended(search)
        secret.let_go.set()

    assert (error.code, error.dispatched) == (Code.ABORTED, False)
    assert stage.server.connections == 0


@pytest.mark.req("search:vendor-key:race")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_key_source_that_hangs_ends_with_the_deadline(kind: str) -> None:
    secret = StubbornKey()
    async with staged(kind, good(kind), secret=secret) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", timeout=0.05)
        secret.let_go.set()

    assert (caught.value.code, caught.value.dispatched) == (Code.SEARCH_TIMEOUT, False)


class AbortingKey(HeldKey):
    """A credential source in whose resolution the caller aborts."""

    def __init__(self, abort: asyncio.Event) -> None:
        super().__init__()
        self.abort = abort

    async def resolve(self) -> str:
        self.abort.set()
        return "sk-in-time"


@pytest.mark.req("search:vendor-key:race")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_abort_while_the_key_is_resolved_records_and_sends_nothing(kind: str) -> None:
    abort = asyncio.Event()
    events: list[Any] = []
    async with staged(kind, good(kind), secret=AbortingKey(abort), emit=events.append) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", abort=abort)

    assert (caught.value.code, caught.value.dispatched) == (Code.ABORTED, False)
    assert stage.server.connections == 0
    assert "RequestRecorded" not in [type(event).__name__ for event in events]


@pytest.mark.req("search:vendor-event:order")
@pytest.mark.parametrize("kind", KINDS)
async def test_an_abort_while_the_request_is_recorded_sends_nothing(kind: str) -> None:
    abort = asyncio.Event()
    events: list[Any] = []

    def observe(event: Any) -> None:
        events.append(event)
        if type(event).__name__ == "RequestRecorded":
            abort.set()

    async with staged(kind, good(kind), emit=observe) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.search("kelp", abort=abort)

    assert (caught.value.code, caught.value.dispatched) == (Code.ABORTED, False)
    assert stage.server.requests == []
    assert [type(event).__name__ for event in events].count("RequestRecorded") == 1


@pytest.mark.req("search:vendor-event:order")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_provider_used_without_the_seam_checks_the_abort_itself(kind: str) -> None:
    recorded: list[Any] = []
    in_key, in_event = asyncio.Event(), asyncio.Event()

    def observe(event: Any) -> None:
        recorded.append(event)
        in_event.set()

    async with staged(kind, good(kind), secret=AbortingKey(in_key)) as stage:
        with pytest.raises(WebError) as early:
            await stage.provider.search(SearchRequest(query="kelp"), call=Call(abort=in_key, emit=recorded.append))
        before = list(recorded)
        with pytest.raises(WebError) as late:
            await stage.provider.search(SearchRequest(query="kelp"), call=Call(abort=in_event, emit=observe))

    assert (early.value.code, late.value.code) == (Code.ABORTED, Code.ABORTED)
    assert (len(before), len(recorded)) == (0, 1)
    assert stage.server.connections == 0


class PatientKey(HeldKey):
    """A credential source that waits, and notes how its wait ended."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def resolve(self) -> str:
        self.asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()
        return "never"


@pytest.mark.req("search:vendor-key:race")
async def test_a_key_source_that_listens_is_cancelled_with_the_call() -> None:
    secret, abort = PatientKey(), asyncio.Event()
    async with staged("exa", good("exa"), secret=secret) as stage:
        search = asyncio.create_task(stage.web.search("kelp", abort=abort))
        await secret.asked.wait()
        abort.set()
        error = await _ended(search)
        await secret.cancelled.wait()

    assert error.code == Code.ABORTED
