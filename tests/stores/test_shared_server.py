"""The shared server itself: what lies there, what goes wrong with it, and how it comes back."""

import asyncio
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trustme

from support.pages import stored
from support.redis import any_server, free_port, state_server
from webseam.core.errors import Code, WebError
from webseam.core.limits import SHARED_PAGE_BYTES
from webseam.core.pages import PageStoreError
from webseam.core.shared import Budget, Rate, SharedError
from webseam.stores import server
from webseam.stores.server import Server
from webseam.stores.server_pages import ServerPages
from webseam.stores.server_shared import ServerBudgets, ServerFlights, ServerRates

Connect = Callable[..., Server]


# What lies there ---------------------------------------------------------------------------------------------


@pytest.mark.req("fleet:pages")
async def test_how_old_a_page_is_is_told_by_the_server_whatever_the_gateways_clocks_say(opened: Connect) -> None:
    here, there = ServerPages(opened(), clock=lambda: 5_000.0), ServerPages(opened(), clock=lambda: 9.0)
    await here.put("k", stored(stored_at=4_990.0))
    page = await there.get("k")

    assert page is not None
    assert there.clock() - page.stored_at == pytest.approx(10, abs=9)


@pytest.mark.req("fleet:pages")
async def test_a_page_goes_by_itself(opened: Connect) -> None:
    connection = opened()
    await ServerPages(connection, seconds=100).put("k", stored())
    left = await connection.run("return redis.call('PTTL', KEYS[1])", [connection.key("page", "k")])
    assert 50_000 < left <= 100_000


@pytest.mark.req("fleet:pages")
async def test_a_page_that_would_hold_up_the_others_is_not_kept_and_neither_is_its_older_self(opened: Connect) -> None:
    pages = ServerPages(opened())
    await pages.put("k", stored())
    await pages.put("k", stored(b"x" * SHARED_PAGE_BYTES))
    assert await pages.get("k") is None
    await pages.put("k", stored(b"x" * (SHARED_PAGE_BYTES - 2_000)))
    assert await pages.get("k") is not None


@pytest.mark.req("fleet:pages:damaged")
@pytest.mark.parametrize(
    "damage",
    [
        "redis.call('HSET', KEYS[1], 'body', 'another')",
        "redis.call('HSET', KEYS[1], 'sum', 'none')",
        "redis.call('HSET', KEYS[1], 'facts', '[1, 2]', 'sum', '0')",
        "redis.call('HDEL', KEYS[1], 'facts')",
        "redis.call('HSET', KEYS[1], 'at', 'never')",
        "redis.call('DEL', KEYS[1]) redis.call('SET', KEYS[1], 'a string')",
        "redis.call('DEL', KEYS[1]) redis.call('RPUSH', KEYS[1], 'a', 'list')",
    ],
)
async def test_what_is_not_what_was_written_is_not_there(opened: Connect, damage: str) -> None:
    connection = opened()
    pages = ServerPages(connection)
    await pages.put("k", stored())
    await connection.run(f"{damage} return 1", [connection.key("page", "k")])

    assert await pages.get("k") is None
    await pages.put("k", stored())
    assert await pages.get("k") is not None
    assert connection.failures == 0


@pytest.mark.req("fleet:pages:damaged")
async def test_facts_that_are_no_page_are_not_there_though_their_sum_is_right(opened: Connect) -> None:
    from webseam.stores.rows import checksum  # noqa: PLC0415 - only a forger needs it

    connection = opened()
    pages = ServerPages(connection)
    for facts in ("[]", "7", "null", '{"a": 1}', "[200, 7, 0, 0, false, 0]", "[200, [[1]], 0, 0, false, 0]", "{"):
        await pages.put("k", stored())
        script = "redis.call('HSET', KEYS[1], 'facts', ARGV[1], 'body', '', 'sum', ARGV[2]) return 1"
        await connection.run(script, [connection.key("page", "k")], facts, checksum(facts, b""))
        assert await pages.get("k") is None


@pytest.mark.req("fleet:pages:damaged")
async def test_another_version_sees_nothing(opened: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = ServerPages(opened())
    await pages.put("k", stored())
    monkeypatch.setattr(server, "SCHEMA", "2")
    assert await pages.get("k") is None


@pytest.mark.req("fleet:pages")
async def test_pages_that_are_gone_by_themselves_make_room(opened: Connect) -> None:
    connection = opened()
    pages = ServerPages(connection, max_pages=2)
    for key in "ab":
        await pages.put(key, stored())
    await connection.run("return redis.call('DEL', KEYS[1])", [connection.key("page", "a")])
    for key in "cd":
        await pages.put(key, stored())

    assert [await pages.get(key) is not None for key in "abcd"] == [False, False, True, True]
    held = await connection.run("return redis.call('HLEN', KEYS[1])", [connection.key("pages", "sizes")])
    assert held == 4  # two pages, their sum, and the number of the last one


# What goes wrong ---------------------------------------------------------------------------------------------


async def _why(connection: Server) -> str:
    with pytest.raises(SharedError) as caught:
        await ServerBudgets(connection).spend("k", Budget())
    await connection.aclose()
    return str(caught.value)


@pytest.mark.req("fleet:away:local", "fleet:secret")
async def test_every_trouble_is_told_in_words_of_ours(tmp_path: Path) -> None:
    nobody = free_port()
    assert await _why(Server(f"redis://me:pw-kelp@127.0.0.1:{nobody}", prefix="p")) == (
        "the shared server cannot be reached"
    )
    assert "cannot be reached" in await _why(Server("unix:///nowhere/kelp.sock", prefix="p"))
    with state_server(tmp_path, any_server(), "--requirepass", "pw-kelp") as locked:
        assert await _why(Server(locked.url, prefix="p")) == "the shared server wants a password"
        wrong = f"redis://:wrong@127.0.0.1:{locked.port}"
        assert await _why(Server(wrong, prefix="p")) == "the shared server refuses the user name or password"
    with state_server(tmp_path, any_server(), "--maxmemory", "100kb", "--maxmemory-policy", "noeviction") as full:
        assert await _why(Server(full.url, prefix="p")) == "the shared server is full"
    with state_server(tmp_path, any_server(), "--replicaof", f"127.0.0.1 {nobody}") as replica:
        assert await _why(Server(replica.url, prefix="p")) == "the shared server is a replica that cannot be written"


@pytest.mark.req("fleet:away:local")
async def test_a_key_that_somebody_else_uses_is_told_and_the_server_is_asked_on(opened: Connect) -> None:
    connection = opened()
    await connection.run("redis.call('SET', KEYS[1], 'mine') return 1", [connection.key("budget", "k")])
    assert "refuses the step" in await _why(connection)
    assert await ServerBudgets(connection).spend("other", Budget())


@pytest.mark.req("fleet:away:back")
async def test_after_a_restart_the_server_learns_the_steps_anew(tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as running:
        connection = Server(running.url, prefix="p", clock=lambda: next(seconds))
        seconds = iter(range(0, 9_000, 10))
        assert await ServerBudgets(connection).spend("k", Budget(calls=1))
        running.stop()
        with pytest.raises(SharedError):
            await ServerBudgets(connection).spend("k", Budget(calls=1))
        running.start()
        assert await ServerBudgets(connection).spend("k", Budget(calls=1))
        await connection.aclose()


@pytest.mark.req("fleet:away:local")
async def test_a_failing_server_is_left_alone_for_a_moment(tmp_path: Path) -> None:
    now = 0.0
    with state_server(tmp_path, any_server()) as running:
        connection = Server(running.url, prefix="p", clock=lambda: now)
        running.stop()
        with pytest.raises(SharedError):
            await connection.run("return 1", [])
        running.start()
        with pytest.raises(SharedError, match="cannot be reached"):
            await connection.run("return 1", [])
        now = 1.0
        assert await connection.run("return 1", []) == 1
        assert connection.failures == 2
        await connection.aclose()


@pytest.mark.req("fleet:flight:cancelled")
async def test_a_step_that_is_cancelled_leaves_no_answer_behind_for_the_next(opened: Connect) -> None:
    connection = opened(connections=1)
    for at in range(30):
        step = asyncio.create_task(connection.run("return ARGV[1]", [], f"cancelled {at}"))
        for _ in range(at % 6):
            await asyncio.sleep(0)
        step.cancel()
        await asyncio.wait([step])
        assert await connection.run("return ARGV[1]", [], f"mine {at}") == f"mine {at}".encode()
    assert connection.failures == 0


@pytest.mark.req("fleet:pages")
async def test_more_steps_at_once_than_connections_wait_their_turn(opened: Connect) -> None:
    connection = opened(connections=2)
    told = await asyncio.gather(*(connection.run("return ARGV[1]", [], str(at)) for at in range(100)))
    assert told == [str(at).encode() for at in range(100)]


@pytest.mark.req("fleet:away:local")
async def test_the_wait_for_one_s_own_steps_is_not_the_server_s(tmp_path: Path) -> None:
    with state_server(tmp_path, any_server()) as running:
        connection = Server(running.url, prefix="p", seconds=2, connections=1)
        slow = "local t = redis.call('TIME') local till = t[1] * 1e6 + t[2] + 100000\n"
        slow += "while t[1] * 1e6 + t[2] < till do t = redis.call('TIME') end return 1"
        assert await asyncio.gather(*(connection.run(slow, []) for _ in range(30))) == [1] * 30
        assert connection.failures == 0
        await connection.aclose()


@pytest.mark.req("fleet:away:local")
async def test_every_kind_of_state_tells_a_server_that_is_away() -> None:
    away = Server(f"redis://127.0.0.1:{free_port()}", prefix="p")
    pages, flights, rates = ServerPages(away), ServerFlights(away), ServerRates(away)
    for page in (pages.get("k"), pages.put("k", stored()), pages.drop("k")):
        with pytest.raises(PageStoreError):
            await page
    steps: list[Any] = [
        flights.lead("k"),
        rates.take("k", Rate(1, 1), 0),
        rates.pause("k", 1),
        rates.paused("k"),
        ServerBudgets(away).settle("k", 1),
        ServerBudgets(away).spent("k"),
    ]
    for step in steps:
        with pytest.raises(SharedError):
            await step
    assert away.failures == 9
    await away.aclose()


@pytest.mark.req("fleet:extra")
async def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(WebError) as caught:
        await Server("redis://127.0.0.1:1", prefix="p").run("return 1", [])
    assert caught.value.code == Code.CONFIG_INVALID
    assert 'pip install "webseam[fleet]"' in caught.value.message


# Encryption --------------------------------------------------------------------------------------------------


def _encrypted(folder: Path, ca: trustme.CA, name: str) -> tuple[str, ...]:
    certificate = ca.issue_cert(name)
    for file, blob in (("cert.pem", certificate.cert_chain_pems[0]), ("key.pem", certificate.private_key_pem)):
        blob.write_to_path(str(folder / file))
    ca.cert_pem.write_to_path(str(folder / "ca.pem"))
    files = {"--tls-cert-file": "cert.pem", "--tls-key-file": "key.pem", "--tls-ca-cert-file": "ca.pem"}
    named = [part for option, file in files.items() for part in (option, str(folder / file))]
    return (*named, "--tls-auth-clients", "no")


@pytest.mark.req("fleet:secret")
@pytest.mark.parametrize(
    ("name", "trusted", "why"),
    [("localhost", True, None), ("other.test", True, "cannot be reached"), ("localhost", False, "cannot be reached")],
)
async def test_an_encrypted_server_must_prove_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, trusted: bool, why: str | None
) -> None:
    ca, port = trustme.CA(), free_port()
    options = _encrypted(tmp_path, ca, name)
    if trusted:
        monkeypatch.setenv(ssl.get_default_verify_paths().openssl_cafile_env, str(tmp_path / "ca.pem"))
    with state_server(tmp_path, any_server(), "--tls-port", str(port), *options):
        connection = Server(f"rediss://localhost:{port}", prefix="p", seconds=5)
        if why is None:
            assert await connection.run("return 7", []) == 7
            await connection.aclose()
        else:
            assert why in await _why(connection)


# Who waits for it --------------------------------------------------------------------------------------------


@pytest.mark.req("fleet:step:cancelled")
async def test_a_step_that_is_cancelled_at_any_moment_ends_cancelled(opened: Connect) -> None:
    connection = opened()
    flights = ServerFlights(connection)
    await flights.lead("warm")
    for moment in range(25):  # of the event loop: more than a step takes before it waits for the server
        step = asyncio.ensure_future(flights.lead("k"))
        for _ in range(moment):
            await asyncio.sleep(0)
        if step.cancel():
            await asyncio.wait((step,), timeout=30)
            assert step.cancelled(), moment
    assert connection.failures == 0
