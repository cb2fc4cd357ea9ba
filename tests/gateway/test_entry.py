"""Who may come in: Host, Origin, tokens; what is open without one."""

from typing import Any

import pytest

from support.cli import Shell
from support.gateway import CONFIG, Served, running, serving, spawned
from webseam.core.errors import WebError
from webseam.surfaces.cli.serve import address
from webseam.surfaces.gateway.opening import create_app

HITS = {"query": "hits"}


@pytest.mark.req("gateway:host")
async def test_a_name_that_is_not_ours_is_refused_as_a_host(shell: Shell) -> None:
    async with serving(shell, hosts=["gateway.test"]) as served:
        for host in ("evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "a@localhost", "[::1"):
            for path in ("/v1/search", "/mcp"):
                got = await served.ask(path, HITS, Host=host)
                assert (got.status, got.code) == (403, "GATEWAY_HOST_REFUSED"), host
            assert (await served.ask("/healthz", Host=host)).status == 403
        for host in ("localhost", "127.0.0.1:80", "[::1]:8090", "GATEWAY.test:443", "gateway.test."):
            assert (await served.ask("/v1/search", HITS, Host=host)).status == 200, host


@pytest.mark.req("gateway:host")
async def test_the_configuration_names_hosts_too(shell: Shell) -> None:
    async with serving(shell, CONFIG + '[serve]\nhosts = ["Corp.test", "b\u00fccher.test"]\n') as served:
        for host in ("corp.test", "xn--bcher-kva.test"):
            assert (await served.ask("/v1/search", HITS, Host=host)).status == 200, host


@pytest.mark.req("gateway:origin")
async def test_a_page_of_another_site_gets_nothing_and_there_is_no_cors(shell: Shell) -> None:
    async with serving(shell) as served:
        for origin in ("https://evil.test", "null", "file://", "http://localhost.evil.test"):
            got = await served.ask("/v1/search", HITS, Origin=origin)
            assert (got.status, got.code) == (403, "GATEWAY_ORIGIN_REFUSED"), origin
        own = await served.ask("/v1/search", HITS, Origin="http://localhost:1")
        assert own.status == 200
        assert not [name for name in own.headers if name.startswith("access-control")]


@pytest.mark.req("gateway:token")
async def test_from_the_first_token_on_every_request_needs_one(shell: Shell) -> None:
    async with serving(shell) as served:
        assert (await served.ask("/v1/search", HITS)).status == 200
        token = served.token("one")
        for path, body in (("/v1/search", HITS), ("/v1/tools/web_search", HITS), ("/mcp", HITS), ("/v1/tools", None)):
            got = await served.ask(path, body)
            assert (got.status, got.code) == (401, "GATEWAY_UNAUTHORIZED"), path
            assert got.headers["www-authenticate"] == 'Bearer realm="webseam"'
        assert (await served.ask("/metrics")).status == 401
        assert (await served.ask("/v1/search", HITS, token=token)).status == 200
        served.book.revoke("one")
        assert (await served.ask("/v1/search", HITS)).status == 401, "the last one revoked opens nothing"


@pytest.mark.req("gateway:token")
async def test_a_token_is_taken_whole_and_from_one_header_alone(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        served.token("two")
        bad = (token[:-1], token + "A", token.upper(), token.replace("wst_", ""), "", "wst__", token.split("_")[1])
        for wrong in bad:
            got = await served.ask("/v1/search", HITS, Authorization=f"Bearer {wrong}")
            assert got.status == 401, wrong
        for scheme in ("Basic", "Token", "Bearer:"):
            assert (await served.ask("/v1/search", HITS, Authorization=f"{scheme} {token}")).status == 401
        assert (await served.ask("/v1/search", HITS, Authorization=f"bearer   {token} ")).status == 200
        twice = f"Bearer {token}\r\nAuthorization: Bearer {token}"
        assert (await served.ask("/v1/search", HITS, Authorization=twice)).status == 401


@pytest.mark.req("gateway:token")
async def test_what_a_balancer_and_a_client_look_at_is_open(shell: Shell) -> None:
    async with serving(shell, open_here=False) as served:
        for path in ("/healthz", "/readyz", "/openapi.json"):
            assert (await served.ask(path)).status == 200
        assert (await served.ask("/v1/search", HITS)).status == 401


@pytest.mark.req("gateway:token")
async def test_tokens_that_cannot_be_read_let_nobody_in(shell: Shell) -> None:
    async with serving(shell) as served:
        token = served.token("one")
        served.book.path.write_text("{", encoding="utf-8")
        for given in (token, ""):
            got = await served.ask("/v1/search", HITS, token=given)
            assert (got.status, got.code) == (503, "WEB_CONFIG_INVALID")


@pytest.mark.req("gateway:address")
def test_an_address_that_others_reach_needs_a_token(shell: Shell) -> None:
    shell.desk.user(CONFIG)
    for listen in ("0.0.0.0:0", "[::]:0", "192.0.2.7:0", "gateway.test:0"):
        ran = shell.run("serve", "--listen", listen)
        assert ran.code == 3
        assert "webseam tokens create" in ran.err
        assert "127.0.0.1" in ran.err


@pytest.mark.req("gateway:address")
async def test_with_a_token_it_listens_for_others_and_asks_for_it(shell: Shell) -> None:
    token = shell.run("tokens", "create", "one").out.strip()
    with spawned(shell, "--listen", "0.0.0.0:0") as (_, served):
        assert (await served.ask("/v1/search", HITS)).status == 401
        assert (await served.ask("/v1/search", HITS, token=token)).status == 200


@pytest.mark.req("gateway:address")
@pytest.mark.parametrize(
    "listen",
    ["", "x", "1.2.3.4", ":x", "::1:80", "127.0.0.1:65536", "127.0.0.1:-1", "a:b:1", "²", "00000065537", "9" * 5_000],
)
def test_what_is_no_address_is_refused(listen: str) -> None:
    with pytest.raises(WebError) as refused:
        address(listen)
    assert refused.value.exit_code == 2


@pytest.mark.req("gateway:address")
def test_an_address_is_a_port_or_has_a_host() -> None:
    assert address("8090") == ("127.0.0.1", 8090)
    assert address(":8090") == ("127.0.0.1", 8090)
    assert address("[::1]:80") == ("::1", 80)
    assert address("gateway.test:443") == ("gateway.test", 443)


@pytest.mark.req("gateway:asgi")
async def test_any_asgi_server_gets_an_application_that_always_asks_for_a_token(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.desk.user(CONFIG)
    monkeypatch.setenv("HOME", shell.desk.environ["HOME"])
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name)
    served = Served(0, shell)
    async with running(create_app(), served):
        assert (await served.ask("/readyz")).status == 200
        assert (await served.ask("/v1/search", HITS)).status == 401
        token = served.token("one")
        assert (await served.ask("/v1/search", HITS, token=token)).status == 200


@pytest.mark.req("gateway:asgi")
async def test_a_websocket_is_closed(shell: Shell) -> None:
    async with serving(shell) as served:
        assert served.app is not None
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await served.app({"type": "websocket", "path": "/mcp", "headers": []}, receive, send)
        assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.req("gateway:token")
async def test_after_the_last_token_is_revoked_a_new_start_opens_nothing(shell: Shell) -> None:
    async with serving(shell) as served:
        served.token("one")
        served.book.revoke("one")
    async with serving(shell) as served:
        assert (await served.ask("/v1/search", HITS)).status == 401
        served.book.path.unlink()
        assert (await served.ask("/v1/search", HITS)).status == 401
    async with serving(shell) as served:
        assert (await served.ask("/v1/search", HITS)).status == 200


@pytest.mark.req("gateway:token:unreadable")
async def test_why_tokens_cannot_be_read_is_for_the_log_alone(shell: Shell, caplog: pytest.LogCaptureFixture) -> None:
    async with serving(shell) as served:
        served.token("one")
        served.book.path.chmod(0o644)
        got = await served.ask("/v1/search", HITS)
        assert (got.status, got.code) == (503, "WEB_CONFIG_INVALID")
        assert "tokens.json" not in got.body.decode()
        assert "tokens.json" in caplog.text
        assert "chmod 600" in caplog.text


@pytest.mark.req("gateway:address")
def test_a_configured_address_that_is_none_is_told_by_its_setting(shell: Shell) -> None:
    for listen in ("x", "127.0.0.1:99999"):
        shell.desk.user(f'[serve]\nlisten = "{listen}"\n')
        ran = shell.run("serve")
        assert (ran.code, "serve.listen" in ran.err) == (3, True), listen


@pytest.mark.req("gateway:host")
def test_a_host_that_no_client_sends_is_refused(shell: Shell) -> None:
    for host in ("https://gateway.test/", "gateway.test:80", "*", ""):
        ran = shell.run("serve", "--listen", "0", "--allow-host", host)
        assert (ran.code, "--allow-host" in ran.err) == (2, True), host
