"""A tenant is told nothing that only whoever runs the gateway can do or know; an admin is told all (issue 7.2)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.client import Client
from mcp.client.session import ClientRequestContext
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

import webseam
from support.cli import Answer, Shell, site
from support.gateway import CONFIG, Served, serving
from support.mcp import HELLO
from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.core.types import Attempt
from webseam.surfaces.gateway.discretion import ASK, discreet, for_tenant, reworded
from webseam.wiring.catalogue import EXTRACT_NOTICE, KEYLESS_NOTICE
from webseam.wiring.schema import SECTIONS
from webseam.wiring.tenants import Policy

ADMIN = Policy(admin=True)
SET_UP = (
    Code.PROVIDER_UNAVAILABLE,
    Code.PROVIDER_CONFIGURED_MISSING,
    Code.PROVIDER_CONFIGURED_UNAVAILABLE,
    Code.PROVIDER_AMBIGUOUS,
    Code.DUPLICATE_PROVIDER,
    Code.PROVIDER_CREDENTIAL_MISSING,
    Code.CONFIG_INVALID,
)
_SETTINGS = "|".join(rf"{section}\.{name}" for section, one in SECTIONS.items() for name in one.__struct_fields__)
OPERATORS = re.compile(
    rf"(?<![\w.=/])(?:{_SETTINGS})(?![\w\-]|\.\w)|\b[A-Z0-9_]+_(?:KEY|TOKEN|SECRET)S?\b|`webseam |WEBSEAM_|pip install"
    r"|(?<!\S)--[a-z]|no key is set|\[(?:search|fetch|providers)"
)
"""What nobody but whoever runs a gateway can set or run."""


def page(path: str) -> Answer:
    """Of a site that has something against every reader."""
    if path.startswith("/round"):
        return 302, {"Location": f"{path}o"}, b""
    if path == "/robots.txt":
        return 200, {}, b"User-agent: *\nDisallow: /robots\n"
    kinds = {"/image": "image/png", "/office": "application/vnd.ms-excel"}
    body = b"\x89PNG\r\n\x1a\n" + b"\0" * 50 if path == "/image" else b"x" * (9_000 if path == "/long" else 10)
    return 200, {"Content-Type": kinds.get(path, "text/html")}, body


def searches(choice: str) -> str:
    """The usual configuration with another `[search]`."""
    return CONFIG.replace('provider = "odd"', choice)


FAULTS: dict[str, tuple[str, str, dict[str, Any], Code]] = {
    "key": (searches('provider = "exa"'), "search", {"query": "q"}, Code.PROVIDER_CONFIGURED_UNAVAILABLE),
    "missing": (searches('provider = "nobody"'), "search", {"query": "q"}, Code.PROVIDER_CONFIGURED_MISSING),
    "several": (
        searches("") + "[providers.odd]\n[providers.free]\n",
        "search",
        {"query": "q"},
        Code.PROVIDER_AMBIGUOUS,
    ),
    "none": (searches("keyless = false"), "search", {"query": "q"}, Code.PROVIDER_UNAVAILABLE),
    "route": (searches('route = ["exa", "brave"]'), "search", {"query": "q"}, Code.ROUTE_EXHAUSTED),
    "credential": (
        CONFIG,
        "search",
        {"query": str(Code.PROVIDER_CREDENTIAL_MISSING)},
        Code.PROVIDER_CREDENTIAL_MISSING,
    ),
    "claim": (searches('provider = "odd"\nungrounded = "error"'), "search", {"query": "claim"}, Code.SEARCH_UNGROUNDED),
    "budget": (CONFIG + '[permission]\nsearch = "deny"\n', "search", {"query": "q"}, Code.DENIED),
    "private": (CONFIG, "fetch", {"url": "http://10.0.0.1/"}, Code.BLOCKED_URL),
    "name": (CONFIG, "fetch", {"url": "http://intranet/"}, Code.BLOCKED_URL),
    "round": (CONFIG, "fetch", {"url": "{base}/round"}, Code.REDIRECT_BLOCKED),
    "image": (CONFIG, "fetch", {"url": "{base}/image"}, Code.UNSUPPORTED_CONTENT_TYPE),
    "long": (
        CONFIG.replace('robots = "off"', 'robots = "off"\nmax_bytes = 1_000'),
        "fetch",
        {"url": "{base}/long"},
        Code.FETCH_TOO_LARGE,
    ),
    "robots": (CONFIG.replace('"off"', '"on"'), "fetch", {"url": "{base}/robots"}, Code.ROBOTS_DISALLOWED),
    "denied": (CONFIG + '[permission]\ndeny_hosts = ["a.test"]\n', "fetch", {"url": "https://a.test/"}, Code.DENIED),
    "allowed": (CONFIG + '[permission]\nallow_hosts = ["b.test"]\n', "fetch", {"url": "https://a.test/"}, Code.DENIED),
    "unseen": (CONFIG + '[permission]\nunseen = "ask"\n', "fetch", {"url": "https://a.test/"}, Code.DENIED),
    "query": (
        CONFIG + "[permission]\nmax_query_chars = 5\n",
        "fetch",
        {"url": "https://a.test/?a=0123456789"},
        Code.DENIED,
    ),
    "extract": (
        CONFIG + '[extract]\nprovider = "exa"\n',
        "extract",
        {"url": "https://a.test/"},
        Code.PROVIDER_CONFIGURED_UNAVAILABLE,
    ),
}


async def every_way(served: Served, capability: str, body: dict[str, Any], token: str) -> dict[str, str]:
    """What a token is told over each way in, the looks included."""
    accept = {"Accept": "application/json, text/event-stream"}
    begun = await served.ask("/mcp", HELLO[0], token=token, **accept)
    session = {"Mcp-Session-Id": begun.headers["mcp-session-id"], "Mcp-Protocol-Version": "2025-11-25"}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call"}
    named = {"name": f"web_{capability}", "arguments": body}
    told = {
        "library": await served.ask(f"/v1/{capability}", body, token=token),
        "tool": await served.ask(f"/v1/tools/web_{capability}", body, token=token),
        "mcp": await served.ask("/mcp", {**call, "params": named}, token=token, **accept, **session),
        "usage": await served.ask("/v1/usage", {"hours": 1}, token=token),
    }
    looks = ("/v1/activity", "/v1/providers", "/v1/policy", "/v1/console", "/v1/tools", "/metrics")
    return {name: got.body.decode() for name, got in told.items()} | {
        path: (await served.ask(path, token=token)).body.decode() for path in looks
    }


@pytest.mark.req("gateway:tenants:discretion")
@pytest.mark.parametrize("fault", FAULTS)
async def test_no_way_in_tells_a_tenant_what_only_an_operator_can_do(shell: Shell, fault: str) -> None:
    config, capability, asked, code = FAULTS[fault]
    with site(page) as base:
        body = {name: value.replace("{base}", base) for name, value in asked.items()}
        async with serving(shell, config) as served:
            one, ops = served.token("one"), served.token("ops", ADMIN)
            told = await every_way(served, capability, body, one)
            whole = await every_way(served, capability, body, ops)
            home = str(shell.desk.load().home)
    for way in ("library", "tool", "mcp"):
        assert code in told[way], (way, told[way])
        assert code in whole[way], (way, whole[way])
    for way, text in told.items():
        assert not OPERATORS.search(text), (way, OPERATORS.findall(text), text)
        assert home not in text, way
    if fault not in ("credential", "missing"):  # whose words are the toy's own, and no advice
        assert OPERATORS.search(whole["library"]), "an admin keeps the advice"
        assert OPERATORS.search(whole["tool"])


@pytest.mark.req("gateway:tenants:discretion")
async def test_without_a_token_this_machine_is_told_all(shell: Shell) -> None:
    async with serving(shell, searches('provider = "exa"')) as served:
        detail = (await served.ask("/v1/search", {"query": "q"})).json["detail"]
        tool = (await served.ask("/v1/tools/web_search", {"query": "q"})).json["text"]
    for told in (detail, tool):
        assert "EXA_API_KEY" in told or "webseam keys set exa" in told


@pytest.mark.req("gateway:tenants:discretion")
@pytest.mark.parametrize("admin", [False, True])
async def test_a_person_who_is_asked_is_told_of_no_setting_either(shell: Shell, admin: bool) -> None:  # noqa: FBT001 - both
    asked: list[str] = []

    async def person(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert context.session is not None
        assert isinstance(params, ElicitRequestFormParams)
        asked.append(params.message)
        return ElicitResult(action="accept", content={"answer": "Do not allow"})

    async with serving(shell, CONFIG + '[permission]\nsearch = "ask"\n') as served:
        token = served.token("one", Policy(admin=admin))
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=50) as http,
            Client(
                streamable_http_client(f"http://127.0.0.1:{served.port}/mcp", http_client=http),
                elicitation_callback=person,
            ) as client,
        ):
            refused = await client.call_tool("web_search", {"query": "hits"})
    assert refused.is_error
    (question,) = asked
    assert "Searches are not allowed by themselves" in question
    assert bool(OPERATORS.search(question)) is admin


@pytest.mark.req("gateway:tenants:discretion")
async def test_who_is_not_let_in_is_told_whom_to_ask(shell: Shell) -> None:
    async with serving(shell) as served:
        revoked = served.token("one")
        served.book.revoke("one")
        for token, words in (("", "Send a token"), (revoked, "not accepted"), ("x", "not accepted")):
            got = await served.ask("/v1/search", {"query": "hits"}, token=token)
            assert got.status == 401
            assert words in got.json["detail"]
            assert "Ask whoever runs" in got.json["detail"]
            assert not OPERATORS.search(got.json["detail"])


# The words ------------------------------------------------------------------------------------------------


def sentences() -> Iterator[str]:
    """Every text of ours that names what is an operator's, and is no documentation."""
    for room in ("core", "net", "content", "stores", "providers", "tools", "wiring"):
        for file in (Path(webseam.__file__).parent / room).rglob("*.py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            parts = {id(one) for found in ast.walk(tree) if isinstance(found, ast.JoinedStr) for one in found.values}
            parts |= {id(found.value) for found in ast.walk(tree) if isinstance(found, ast.Expr)}
            for found in ast.walk(tree):
                text = "" if id(found) in parts else written(found)
                if " " in text and OPERATORS.search(text):
                    yield text


def written(node: ast.AST) -> str:
    """A text of the source, its holes filled with a word."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "word" for one in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.req("gateway:tenants:discretion")
def test_every_message_in_the_source_has_words_for_tenants() -> None:
    found = set(sentences())
    assert len(found) > 40
    kept = {text: told for text in found if OPERATORS.search(told := reworded(text, asking=True))}
    assert not {text for text in kept if "no key is set" not in text}, kept


@pytest.mark.req("gateway:tenants:discretion")
@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It is slow. Try again, or raise search.timeout.", "It is slow. Try again, or ask whoever runs this gateway."),
        ("It is a local name. If it is yours, list it in fetch.private_hosts.", f"It is a local name. {ASK}"),
        ("exa refused access (HTTP 401). Check the key of this provider.", f"exa refused access (HTTP 401). {ASK}"),
        ("exa answered with nothing. Check the base URL of this provider.", f"exa answered with nothing. {ASK}"),
        ("It has no key. Set EXA_API_KEY.", f"It has no key. {ASK}"),
        (
            "permission.deny_hosts refuses a.test. Use another source.",
            "The list of hosts that are never asked refuses a.test. Use another source.",
        ),
        ("Not seen (permission.unseen). Search for it.", "Not seen. Search for it."),
        ("The index /var/lib/webseam/i.db is busy. Try again.", "The index is busy. Try again."),
        ('Office files need more: pip install "webseam[office]"', f"Office files need more. {ASK}"),
        ("It leads to https://a.test/search.timeout?u=fetch.proxy and on.", None),
        ("It leads to https://search.timeout.test/a/b/c. Fetch that.", None),
        ("A file (2,000 bytes) of a.test is too long. Read another.", None),
        ("", None),
    ],
)
def test_a_message_keeps_what_happened_and_what_a_tenant_can_do(said: str, told: str | None) -> None:
    assert reworded(said, asking=True) == (said if told is None else told)


@pytest.mark.req("gateway:tenants:discretion")
@pytest.mark.parametrize(
    ("status", "code", "kept"),
    [
        (401, Code.PROVIDER_ERROR, False),
        (402, Code.QUOTA_EXHAUSTED, False),
        (429, Code.QUOTA_EXHAUSTED, False),
        (500, Code.PROVIDER_ERROR, True),
        (429, Code.RATE_LIMITED, True),
    ],
)
def test_what_a_vendor_says_of_the_operator_s_account_is_not_told(status: int, code: Code, kept: bool) -> None:  # noqa: FBT001 - a table
    said = "Key sk-...wxyz of Acme Ltd. has no plan (org-17): see b.test"
    error = WebError(code, f"exa failed (HTTP {status}): {said}. Try again later.", provider="exa", status=status)
    told = for_tenant(error).message
    assert told == (error.message if kept else f"exa failed (HTTP {status}). Try again later.")


@pytest.mark.req("gateway:tenants:discretion")
@given(st.sampled_from(list(Code)), st.text() | st.sampled_from(sorted(sentences())), st.booleans())
def test_the_facts_of_a_failure_stay(code: Code, message: str, sent: bool) -> None:  # noqa: FBT001 - drawn
    tries = (Attempt(provider="exa", outcome="failed", code=code, dispatched=sent, elapsed=0.5),)
    error = WebError(code, message, provider="exa", dispatched=sent, retry_after=3.0, attempts=tries, status=401)
    told = for_tenant(error)
    assert {**told.to_dict(), "message": ""} == {**error.to_dict(), "message": ""}
    assert told is error or told.__cause__ is error
    assert code not in SET_UP or told.message.endswith(ASK)
    assert for_tenant(told).message == told.message, "said once"


@pytest.mark.req("gateway:tenants:discretion")
@pytest.mark.parametrize("notice", [KEYLESS_NOTICE, EXTRACT_NOTICE])
def test_the_notice_of_what_is_chosen_stays_without_the_way_to_choose(notice: str) -> None:
    told = discreet(ToolSettings(search_notice=notice)).search_notice
    assert told == notice[: notice.index(" Set ")]
    assert discreet(ToolSettings()) == ToolSettings()
