"""Several keys of one vendor, from configuration to the wire: rotation, rest, and no key in any output."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from support.core import told
from support.pools import GOOD, KEYS, kelp, keys_used, pooled, refusal
from support.wiring import Desk
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.limits import KEY_REST_SECONDS, KEY_SPENT_SECONDS
from webseam.core.plain import to_plain
from webseam.core.plugin import Seams
from webseam.core.types import SearchControls
from webseam.testing import ManualClock
from webseam.testing.vendor_server import Reply, VendorServer
from webseam.wiring.build import build

ONE, TWO, THREE = KEYS
TWO_KEYS = f"keys = {json.dumps(KEYS[:2])}"
THREE_KEYS = f"keys = {json.dumps(KEYS)}"
SPENT = Reply.json({"error": {"code": "insufficient_quota", "message": "Pay."}}, status=429)


async def failed(work: Any) -> WebError:
    with pytest.raises(WebError) as caught:
        await work
    return caught.value


# Rotation ----------------------------------------------------------------------------------------------


@pytest.mark.req("wiring:keys:rotate")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (refusal(401), Code.PROVIDER_ERROR),
        (refusal(402), Code.QUOTA_EXHAUSTED),
        (refusal(429), Code.RATE_LIMITED),
        (SPENT, Code.QUOTA_EXHAUSTED),
    ],
    ids=["401", "402", "429", "quota"],
)
async def test_a_key_that_its_vendor_refuses_gives_way_to_the_next_within_the_call(
    tmp_path: Path, reply: Reply, code: Code
) -> None:
    async with pooled(tmp_path, TWO_KEYS, reply, GOOD) as (web, vendor):
        result = await web.search("kelp")
    assert [one.url for one in result.sources] == ["https://kelp.test/"]
    assert told(result.attempts) == [("kelp", "failed", code, True), ("kelp", "ok", None, True)]
    assert keys_used(vendor) == [ONE, TWO]


@pytest.mark.req("wiring:keys:rotate")
@pytest.mark.parametrize("status", [400, 403, 404, 500, 503])
async def test_any_other_failure_ends_the_call_with_the_key_it_met(tmp_path: Path, status: int) -> None:
    async with pooled(tmp_path, TWO_KEYS, refusal(status), GOOD) as (web, vendor):
        error = await failed(web.search("kelp"))
    assert (error.status, told(error.attempts)) == (status, [("kelp", "failed", Code.PROVIDER_ERROR, True)])
    assert keys_used(vendor) == [ONE]


@pytest.mark.req("wiring:keys:rotate")
async def test_a_key_that_no_header_can_carry_gives_way_to_the_next(tmp_path: Path) -> None:
    async with pooled(tmp_path, 'keys_env = ["ONE", "TWO"]', GOOD, ONE="a b", TWO=TWO) as (web, vendor):
        result = await web.search("kelp")
    code = Code.PROVIDER_CREDENTIAL_MISSING
    assert told(result.attempts) == [("kelp", "failed", code, False), ("kelp", "ok", None, True)]
    assert keys_used(vendor) == [TWO]


@pytest.mark.req("wiring:keys:every-capability")
async def test_fetch_and_extract_rotate_as_search_does(tmp_path: Path) -> None:
    replies = [refusal(401), GOOD] * 2
    async with pooled(tmp_path, TWO_KEYS, *replies) as (web, vendor):
        page = await web.fetch("https://kelp.test/")
        text = await web.extract("https://kelp.test/")
    assert [len(page.attempts), len(text.attempts)] == [2, 2]
    assert keys_used(vendor) == [ONE, TWO, ONE, TWO]


@pytest.mark.req("wiring:keys:provider")
async def test_the_seam_sees_one_provider_with_its_controls(tmp_path: Path) -> None:
    async with pooled(tmp_path, TWO_KEYS, GOOD) as (web, _):
        result = await web.search("kelp", controls=SearchControls(language="sv"))
    assert (result.provider, result.controls) == ("kelp", {"language": "native"})


# All keys fail -----------------------------------------------------------------------------------------


@pytest.mark.req("wiring:keys:all-fail")
async def test_when_every_key_fails_the_last_error_comes_with_each_try_and_the_smallest_wait(tmp_path: Path) -> None:
    replies = [refusal(429, retry_after="40"), refusal(429, retry_after="7"), refusal(401)]
    async with pooled(tmp_path, THREE_KEYS, *replies, seams=Seams(clock=ManualClock())) as (web, vendor):
        error = await failed(web.search("kelp"))
    assert (error.status, error.retry_after, error.retryable, error.dispatched) == (401, 7.0, True, True)
    codes = [Code.RATE_LIMITED, Code.RATE_LIMITED, Code.PROVIDER_ERROR]
    assert told(error.attempts) == [("kelp", "failed", code, True) for code in codes]
    assert keys_used(vendor) == [ONE, TWO, THREE]


@pytest.mark.req("wiring:keys:all-fail")
async def test_keys_that_are_all_refused_name_no_wait(tmp_path: Path) -> None:
    async with pooled(tmp_path, TWO_KEYS, refusal(401), refusal(401)) as (web, _):
        error = await failed(web.search("kelp"))
    assert (error.retry_after, error.retryable, len(error.attempts)) == (None, False, 2)
    assert "Check the key" in error.message


@pytest.mark.req("wiring:keys:signal")
async def test_a_deadline_that_ends_the_second_try_still_tells_the_first(tmp_path: Path) -> None:
    async with pooled(tmp_path, TWO_KEYS, refusal(402), Reply(ending="held")) as (web, vendor):
        error = await failed(web.search("kelp", timeout=0.5))
    codes = [Code.QUOTA_EXHAUSTED, Code.SEARCH_TIMEOUT]
    assert told(error.attempts) == [("kelp", "failed", code, True) for code in codes]
    assert keys_used(vendor) == [ONE, TWO]


@pytest.mark.req("wiring:keys:signal")
async def test_an_abort_between_two_keys_ends_the_call(tmp_path: Path) -> None:
    abort = asyncio.Event()

    def watch(event: Any) -> None:
        if type(event).__name__ == "AttemptEnded":
            seen.append(event.attempt)

    seen: list[Any] = []
    async with pooled(tmp_path, TWO_KEYS, Reply(ending="held"), GOOD, emit=watch) as (web, vendor):
        work = asyncio.ensure_future(web.search("kelp", abort=abort))
        await vendor.held.wait()
        abort.set()
        error = await failed(work)
    assert (error.code, told(seen)) == (Code.ABORTED, [("kelp", "failed", Code.ABORTED, True)])
    assert keys_used(vendor) == [ONE]


@pytest.mark.req("wiring:keys:route")
async def test_a_route_tells_each_key_that_was_tried_before_it_moved_on(tmp_path: Path) -> None:
    table = f"{TWO_KEYS}\n[providers.spare]\nkind = 'kelp'\nkey = '{THREE}'\nbase_url = '%s'"
    replies = [refusal(401), refusal(402), GOOD]
    async with VendorServer(*replies) as vendor:
        route = "[search]\nroute = ['kelp', 'spare']\n[providers.kelp]\n"
        desk = Desk(tmp_path).user(f"{route}base_url = '{vendor.url}'\n{table % vendor.url}\n")
        async with build(desk.load(), discover=kelp).web as web:
            result = await web.search("kelp")
    codes = [("kelp", Code.PROVIDER_ERROR), ("kelp", Code.QUOTA_EXHAUSTED), ("spare", None)]
    assert [(one.provider, one.code) for one in result.attempts] == codes
    assert keys_used(vendor) == [ONE, TWO, THREE]


@pytest.mark.req("wiring:keys:rotate")
async def test_a_built_in_vendor_rotates_as_any_other(tmp_path: Path) -> None:
    found = Reply.json({"requestId": "r1", "results": [{"url": "https://kelp.test/", "title": "Kelp"}]})
    async with VendorServer(refusal(429, x_ratelimit_reset="9"), found) as vendor:
        desk = Desk(tmp_path).user(f"[providers.exa]\nbase_url = '{vendor.url}'\n{TWO_KEYS}\nrate = '60/min'\n")
        async with build(desk.load()).web as web:
            result = await web.search("kelp")
    assert told(result.attempts) == [("exa", "failed", Code.RATE_LIMITED, True), ("exa", "ok", None, True)]
    assert len({*keys_used(vendor), *(one.header("x-api-key") for one in vendor.requests)} & {ONE, TWO}) == 2


# Rest --------------------------------------------------------------------------------------------------


@pytest.mark.req("wiring:keys:rest")
@pytest.mark.parametrize(
    ("reply", "seconds"),
    [
        (refusal(429), KEY_REST_SECONDS),
        (refusal(429, retry_after="90"), 90.0),
        (refusal(401), KEY_SPENT_SECONDS),
        (refusal(402), KEY_SPENT_SECONDS),
        (SPENT, KEY_SPENT_SECONDS),
    ],
    ids=["429", "429-told", "401", "402", "quota"],
)
async def test_a_refused_key_rests_and_is_used_again_when_it_is_needed_after_that(
    tmp_path: Path, reply: Reply, seconds: float
) -> None:
    clock = ManualClock()
    replies = [reply, GOOD, refusal(402), refusal(402), GOOD]
    async with pooled(tmp_path, TWO_KEYS, *replies, seams=Seams(clock=clock)) as (web, vendor):
        await web.search("kelp")
        clock.advance(seconds - 1)
        error = await failed(web.search("kelp"))
        clock.advance(1)
        await failed(web.search("kelp"))
    assert len(error.attempts) == 1
    assert keys_used(vendor) == [ONE, TWO, TWO, ONE]


@pytest.mark.req("wiring:keys:rest")
async def test_a_call_starts_with_the_key_that_last_worked(tmp_path: Path) -> None:
    clock = ManualClock()
    async with pooled(tmp_path, THREE_KEYS, refusal(401), GOOD, GOOD, GOOD, seams=Seams(clock=clock)) as (web, vendor):
        await web.search("kelp")
        await web.search("kelp")
        clock.advance(KEY_SPENT_SECONDS)
        result = await web.search("kelp")
    assert len(result.attempts) == 1
    assert keys_used(vendor) == [ONE, TWO, TWO, TWO]


@pytest.mark.req("wiring:keys:all-rest")
async def test_when_all_keys_rest_the_one_that_comes_free_first_is_tried(tmp_path: Path) -> None:
    replies = [refusal(429, retry_after="80"), refusal(429, retry_after="70"), GOOD]
    async with pooled(tmp_path, TWO_KEYS, *replies, seams=Seams(clock=ManualClock())) as (web, vendor):
        await failed(web.search("kelp"))
        result = await web.search("kelp")
    assert result.sources
    assert keys_used(vendor) == [ONE, TWO, TWO]


# Which sources yield a key -----------------------------------------------------------------------------


@pytest.mark.req("wiring:keys:env")
async def test_keys_come_from_several_variables_and_an_unset_one_is_passed_over(tmp_path: Path) -> None:
    table = 'keys_env = ["ONE", "TWO", "THREE"]'
    async with pooled(tmp_path, table, refusal(401), GOOD, ONE=ONE, THREE=THREE) as (web, vendor):
        await web.search("kelp")
    assert keys_used(vendor) == [ONE, THREE]


@pytest.mark.req("wiring:keys:env")
async def test_without_any_key_the_provider_is_unavailable_and_the_usual_variable_is_not_asked(tmp_path: Path) -> None:
    async with pooled(tmp_path, 'keys_env = ["ONE", "TWO"]', GOOD, KELP_API_KEY=ONE) as (web, vendor):
        error = await failed(web.search("kelp"))
    assert error.code == Code.PROVIDER_CONFIGURED_UNAVAILABLE
    assert vendor.requests == []


@pytest.mark.req("wiring:keys:keyless")
async def test_a_vendor_that_works_without_a_key_is_not_asked_without_one_beside_its_keys(tmp_path: Path) -> None:
    table = 'keys_env = ["ONE", "TWO"]'
    async with pooled(tmp_path, table, GOOD, refusal(401), GOOD, key="optional", TWO=TWO) as (web, vendor):
        await web.search("kelp")
        await failed(web.search("kelp"))
    assert keys_used(vendor) == [TWO, TWO]


@pytest.mark.req("wiring:secrets:rotation")
async def test_a_rotated_key_of_a_pool_reaches_the_next_call(tmp_path: Path) -> None:
    table = f"[secrets]\nfile = '{tmp_path / 'keys'}'\n"
    (tmp_path / "keys").write_text(f"ONE={ONE}\n", encoding="utf-8")
    (tmp_path / "keys").chmod(0o600)
    async with pooled(tmp_path, f'keys_env = ["ONE", "TWO"]\n{table}', GOOD, GOOD) as (web, vendor):
        await web.search("kelp")
        (tmp_path / "keys").write_text(f"TWO={TWO}\n", encoding="utf-8")
        await web.search("kelp")
    assert keys_used(vendor) == [ONE, TWO]


# Secrecy -----------------------------------------------------------------------------------------------


@pytest.mark.req("wiring:keys:secret")
async def test_no_key_and_no_hint_at_one_stands_in_results_errors_events_or_repr(tmp_path: Path) -> None:
    echo = Reply.json({"error": {"message": f"Bad key {ONE} and {TWO}"}}, status=401)
    said: list[str] = []

    def note(event: Any) -> None:
        said.append(repr(event))

    replies = [echo, GOOD, echo, Reply.json({"error": {"message": f"Bad key {ONE}"}}, status=401)]
    async with pooled(tmp_path, TWO_KEYS, *replies, emit=note, seams=Seams(clock=(clock := ManualClock()))) as (web, _):
        result = await web.search("kelp", call=Call(raw=True))
        clock.advance(KEY_SPENT_SECONDS)
        error = await failed(web.search("kelp"))
        provider = web._registries.search.get("kelp")
    texts = [*said, repr(result), json.dumps(to_plain(result)), str(error), repr(error), json.dumps(error.to_dict())]
    texts += [repr(provider), str(error.__cause__), repr([repr(one) for one in getattr(provider, "_members", ())])]
    assert len(error.attempts) == 2
    for text in texts:
        assert not any(key in text for key in KEYS)


@pytest.mark.req("wiring:keys:rotate")
@pytest.mark.parametrize("rate", ["", "\nrate = '60/min'"])
async def test_a_call_that_may_not_wait_goes_on_to_the_next_key_all_the_same(tmp_path: Path, rate: str) -> None:
    async with pooled(tmp_path, f"{TWO_KEYS}\nrate_wait = 0{rate}", refusal(401), GOOD) as (web, vendor):
        result = await web.search("kelp")
    assert [one.outcome for one in result.attempts] == ["failed", "ok"]
    assert keys_used(vendor) == [ONE, TWO]
