"""The console's files: exactly those of the package, under a policy that lets nothing else in (issue 7.5)."""

from importlib.resources import files

import pytest

from support.cli import Shell
from support.gateway import serving
from webseam.surfaces.gateway.console import Asset, assets

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
TYPES = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}


@pytest.mark.req("looks:files")
async def test_every_file_of_the_package_is_served_as_it_is_under_the_exact_policy(shell: Shell) -> None:
    folder = files("webseam.surfaces.gateway") / "console"
    async with serving(shell, open_here=False) as served:
        page = await served.ask("/")
        assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.body == (folder / "index.html").read_bytes()
        names = [one.name for one in folder.iterdir() if one.name.rpartition(".")[2] in TYPES]
        assert "app.js" in names
        for name in names:
            got = await served.ask(f"/console/{name}")
            assert (got.status, got.headers["content-type"]) == (200, TYPES[name.rpartition(".")[2]])
            assert got.body == (folder / name).read_bytes()
            assert {header: got.headers[header] for header in HEADERS} == HEADERS
    assert {one.route for one in served.log} == {"/", "/console"}


@pytest.mark.req("looks:files:etag")
async def test_a_client_that_has_a_file_is_told_so_without_it(shell: Shell) -> None:
    async with serving(shell) as served:
        for path in ("/", "/console/app.js"):
            first = await served.ask(path)
            tag = first.headers["etag"]
            for held in (tag, f"W/{tag}", f'"other", {tag}', "*"):
                again = await served.ask(path, If_None_Match=held)
                assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag), held
                assert "content-type" not in again.headers
                assert {header: again.headers[header] for header in HEADERS} == HEADERS
            for held in ('"other"', tag.strip('"'), ""):
                assert (await served.ask(path, If_None_Match=held)).status == 200, held
            head = await served.ask(path, method="HEAD")
            assert (head.status, head.body, head.headers["etag"]) == (200, b"", tag)
            assert head.headers["content-length"] == str(len(first.body))


@pytest.mark.req("looks:files:only")
@pytest.mark.parametrize(
    "path",
    [
        "/console",
        "/console/",
        "/console/index.html",
        "/console/../app.py",
        "/console/%2e%2e/app.py",
        "/console/..%2fapp.py",
        "/console/%2fetc%2fpasswd",
        "/console//app.js",
        "/console/./app.js",
        "/console/app.js/",
        "/console/APP.JS",
        "/console/app.js%00",
        "/console/app.js%0d%0aX: y",
        "/console/..\\app.py",
        "/console/__init__.py",
        "/index.html",
    ],
)
async def test_no_other_name_opens_anything(shell: Shell, path: str) -> None:
    async with serving(shell) as served:
        assert (await served.ask(path.replace(" ", "%20"))).code == "GATEWAY_NOT_FOUND"
        assert served.log[-1].route == "other"


@pytest.mark.req("looks:files:only")
async def test_files_take_no_other_method_no_query_and_no_foreign_host(shell: Shell) -> None:
    async with serving(shell) as served:
        for path in ("/", "/console/app.js"):
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                refused = await served.ask(path, method=method)
                assert (refused.code, refused.headers["allow"]) == ("GATEWAY_METHOD_NOT_ALLOWED", "GET, HEAD")
            assert (await served.ask(f"{path}?token=x")).code == "GATEWAY_MALFORMED"
            assert (await served.ask(path, Host="evil.test")).code == "GATEWAY_HOST_REFUSED"
            assert (await served.ask(path, Origin="https://evil.test")).code == "GATEWAY_ORIGIN_REFUSED"


@pytest.mark.req("looks:files:etag")
def test_tags_differ_where_files_do() -> None:
    found: list[Asset] = [*assets().values()]
    assert len({one.tag for one in found}) == len({one.body for one in found})


@pytest.mark.req("looks:begin")
async def test_the_console_begins_with_who_it_is_for_and_asks_for_a_token_where_one_is_needed(shell: Shell) -> None:
    async with serving(shell) as served:
        told = (await served.ask("/v1/console")).json
        assert (told["tenant"], told["admin"], told["ledger"], told["text"]) == ("local", True, "off", False)
        assert told["tools"] == ["web_search", "web_fetch", "web_extract"]
        token = served.token("one")
        refused = await served.ask("/v1/console")
        assert (refused.status, refused.code) == (401, "GATEWAY_UNAUTHORIZED")
        told = (await served.ask("/v1/console", token=token)).json
        assert (told["tenant"], told["admin"]) == ("one", False)
        assert token not in str(told)
