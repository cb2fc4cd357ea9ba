"""Every row of the hostile web, fetched as a model would, with the invariants that hold in each (security A to G)."""

import re
import ssl
import subprocess
import sys
from typing import Any

import pytest

from requirements import ledger
from support.net import PUBLIC, ScriptedResolver, Wire, always, answer, http_web, serve
from support.scenarios import check, seen
from webseam.core.errors import WebError
from webseam.core.settings import FetchSettings
from webseam.net.trust import tls_context
from webseam.testing.web import SCENARIOS, Scenario
from webseam.testing.web.certificates import Authority

IDS = """
A01-A10 A12-A15 A21-A23 A25-A30 A32-A35 B01-B03 B05-B07 B09-B32 C01-C02 C04-C05 C08-C12 C15-C20 C22 C24-C25
D01-D06 D08-D10 E01-E05 E07-E11 E14 E16-E19 E21-E22 F01-F03 F05-F07 F09-F16 G01-G07 G09 G11-G14
"""

ELSEWHERE = {
    "F15": "net:tls:trust",
    "F16": "net:tls:trust",
    "G01": "net:request:environment",
    "G02": "net:request:environment",
    "G03": "net:request:environment",
    "G04": "net:proxy:judged",
    "G05": "net:proxy:tunnel",
    "G06": "net:proxy:failure",
    "G07": "net:http:queue",
    "G09": "net:http:closing",
    "G11": "net:scenarios:refused",
    "G12": "net:dns:message",
    "G13": "net:url:verdicts",
    "G14": "net:http:failures",
}
"""Rows that one server cannot play, and the promise whose tests hold them."""


def _rows(*sections: str) -> pytest.MarkDecorator:
    """Parametrises over the scenarios whose ids begin so."""
    rows = [one for one in SCENARIOS if one.id.startswith(sections)]
    return pytest.mark.parametrize("scenario", rows, ids=lambda one: f"{one.id} {one.what}")


@pytest.mark.req(
    "net:scenarios:bounds",
    "net:redirect:same-site",
    "net:redirect:foreign",
    "net:redirect:budget",
    "net:redirect:target",
    "net:request:headers",
)
@_rows("A")
async def test_a_redirect_leads_only_where_it_may(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


@pytest.mark.req(
    "net:scenarios:bounds",
    "net:body:caps",
    "net:body:bombs",
    "net:body:floods",
    "net:body:codings",
    "net:body:broken",
    "net:time:whole",
)
@_rows("B")
async def test_a_body_ends_whole_cut_or_told_broken(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


@pytest.mark.req("net:scenarios:bounds", "net:http:malformed", "net:http:server-text", "net:time:whole")
@_rows("C")
async def test_what_is_no_http_answer_is_an_error_and_never_a_page(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


@pytest.mark.req("net:scenarios:bounds", "net:kind:table", "net:kind:empty", "net:http:retry-after")
@_rows("D")
async def test_a_status_is_told_with_its_page(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


@pytest.mark.req("net:scenarios:bounds", "net:kind:table", "net:charset:reported")
@_rows("E")
async def test_a_page_is_read_as_what_it_is_or_refused(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


@pytest.mark.req("net:scenarios:bounds", "net:tls:trust", "net:http:failures", "net:time:whole")
@_rows("F")
async def test_a_tls_server_is_believed_only_what_it_proves(scenario: Scenario) -> None:
    check(scenario, await seen(scenario))


# The rows that no single server plays -----------------------------------------------------------------------


def _listed() -> set[str]:
    listed: set[str] = set()
    for first, last in re.findall(r"(\w\d\d)(?:-(\w\d\d))?", IDS):
        listed.update(f"{first[0]}{number:02}" for number in range(int(first[1:]), int((last or first)[1:]) + 1))
    return listed


@pytest.mark.req("net:scenarios:bounds")
def test_every_row_of_the_list_is_played_or_held_by_a_promise() -> None:
    played = {one.id for one in SCENARIOS}

    assert played | set(ELSEWHERE) == _listed()
    assert not played & set(ELSEWHERE)
    assert set(ELSEWHERE.values()) <= set(ledger())


def test_a_row_is_told_apart_by_its_id_and_what_it_does() -> None:
    named = [(one.id, one.what) for one in SCENARIOS]

    assert len(set(named)) == len(named)
    assert [one.id for one in SCENARIOS if not one.ends] == []


@pytest.mark.req("net:scenarios:refused")
@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://localhost/", "http://db.internal/", "http://a.test:22/"])
async def test_a_refused_url_costs_no_look_up_and_no_socket_however_often_it_is_asked(url: str) -> None:
    resolver, wire = ScriptedResolver({"*": [[PUBLIC]]}), Wire()
    async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
        told = set()
        for _ in range(1_000):
            with pytest.raises(WebError) as caught:
                await web.fetch(url)
            told.add((caught.value.code, caught.value.message))

    assert len(told) == 1
    assert not resolver.asked
    assert not wire.made


@pytest.mark.req("net:tls:trust")
async def test_roots_that_the_environment_names_for_other_clients_are_not_trusted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    authority = Authority(tmp_path)
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"):
        monkeypatch.setenv(name, str(authority.bundle))
    page = always(answer(b"<p>x</p>"))
    async with serve(page, ssl=authority.server("a.test")) as server:
        wire = Wire(default=server.port)
        resolver = ScriptedResolver({"*": [[PUBLIC]]})
        async with http_web(FetchSettings(), resolver=resolver, make_socket=wire.make) as web:
            with pytest.raises(WebError, match="TLS error"):
                await web.fetch("https://a.test/")

    assert server.requests == []


@pytest.mark.req("net:tls:trust")
async def test_a_server_can_neither_renegotiate_nor_ask_for_a_certificate_later() -> None:
    context = tls_context(None)
    assert context.options & ssl.OP_NO_RENEGOTIATION
    assert context.post_handshake_auth is False
    assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
    assert context.verify_mode is ssl.CERT_REQUIRED


def test_the_table_is_read_without_the_extra() -> None:
    code = "import sys; import webseam.testing.web; print(*{'trustme', 'cryptography'} & set(sys.modules))"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=50
    )
    assert done.stdout.split() == []
