"""The HTTP provider through the seam, against raw servers on loopback (dsh-24 to dsh-45 as amended)."""

import os
import time
from dataclasses import replace
from typing import Any

import pytest

from support.net import LOOPBACK, always, answer, http_web, paths, serve
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.events import AttemptEnded, Event, Redirected
from webseam.core.gate import AccessRequest, Verdict
from webseam.core.types import FetchResult, HtmlBody, ImageBody, TextBody

PAGE = answer(b"<!doctype html><title>T</title><p>Hello, page.</p>")


async def _fetch(response: bytes, *, close: bool = True, settings: Any = LOOPBACK, path: str = "/") -> FetchResult:
    async with serve(always(response, close=close)) as server, http_web(settings) as web:
        return await web.fetch(server.url + path)


async def _error(response: bytes, *, close: bool = True, settings: Any = LOOPBACK) -> WebError:
    with pytest.raises(WebError) as caught:
        await _fetch(response, close=close, settings=settings)
    return caught.value


def _codes(page: FetchResult) -> set[str]:
    return {note.code for note in page.notes}


# Request ----------------------------------------------------------------------------------------------------


@pytest.mark.req("net:request:headers")
async def test_a_request_names_the_product_asks_for_markdown_first_and_carries_nothing_else() -> None:
    async with serve(always(PAGE)) as server, http_web() as web:
        await web.fetch(server.url + "/a?b=c#frag")

    sent = server.requests[0]
    assert sent.method == "GET"
    assert sent.target == "/a?b=c"
    assert sent.headers["user-agent"].startswith("webseam/")
    assert "+http" in sent.headers["user-agent"]
    assert sent.headers["accept"].startswith("text/markdown")
    assert set(sent.headers) == {"host", "user-agent", "accept", "accept-encoding"}


@pytest.mark.req("net:request:environment")
async def test_proxy_variables_and_netrc_have_no_effect(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    async with serve(always(PAGE)) as proxy, serve(always(PAGE)) as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NO_PROXY", "")
        netrc = tmp_path / "netrc"
        netrc.write_text("machine 127.0.0.1 login me password hunter2\n", encoding="utf-8")
        netrc.chmod(0o600)
        monkeypatch.setenv("NETRC", str(netrc))
        async with http_web() as web:
            await web.fetch(server.url)

    assert "NETRC" in os.environ
    assert proxy.connections == 0
    assert "authorization" not in server.requests[0].headers


@pytest.mark.req("net:request:headers")
async def test_cookies_of_an_answer_are_never_sent_back() -> None:
    cookie = answer(b"<p>x</p>", headers={"Set-Cookie": "session=1; Path=/"})
    async with serve(always(cookie)) as server, http_web() as web:
        await web.fetch(server.url)
        await web.fetch(server.url)

    assert all("cookie" not in request.headers for request in server.requests)


# Kinds ------------------------------------------------------------------------------------------------------

TEXT_TYPES = (
    "text/plain",
    "text/css",
    "text/csv",
    "text/markdown",
    "text/xml",
    "application/json",
    "application/xml",
    "application/ld+json",
    "application/atom+xml",
    "application/javascript",
)


@pytest.mark.req("net:kind:table")
@pytest.mark.parametrize("essence", TEXT_TYPES)
async def test_text_is_verbatim(essence: str) -> None:
    page = await _fetch(answer(b'{"a":"<b>x</b>"}\n\n a_b * <c>', content_type=essence))

    assert page.body == TextBody(content='{"a":"<b>x</b>"}\n\n a_b * <c>')
    assert page.media_type == essence


@pytest.mark.req("net:kind:table")
@pytest.mark.parametrize("essence", ["text/html", "application/xhtml+xml", "TEXT/HTML ; charset=utf-8"])
async def test_html_is_kept_as_decoded(essence: str) -> None:
    page = await _fetch(answer("<p>é".encode(), content_type=essence))

    assert page.body == HtmlBody(content="<p>é")


@pytest.mark.req("net:kind:table")
@pytest.mark.parametrize(
    ("essence", "body"),
    [
        ("image/png", b"\x89PNG\r\n\x1a\n" + b"\0" * 40),
        ("text/html", b"\x89PNG\r\n\x1a\n" + b"\0" * 40),
        ("application/zip", b"PK\x03\x04" + b"\0" * 40),
        ("text/plain", b"PK\x03\x04" + b"\0" * 40),
        (None, b"\x7fELF" + b"\0\1\2" * 40),
        ("application/octet-stream", bytes(range(256))),
        ("video/mp4", b"\0\0\0\x18ftypmp42"),
    ],
)
async def test_what_no_text_can_be_made_of_is_refused_by_type_and_size(essence: str | None, body: bytes) -> None:
    error = await _error(answer(body, content_type=essence))

    assert error.code == "WEB_UNSUPPORTED_CONTENT_TYPE"
    assert f"{len(body)} bytes" in error.message


@pytest.mark.req("net:kind:table")
async def test_a_404_with_text_is_a_result_and_one_without_is_an_error() -> None:
    page = await _fetch(answer(b"<h1>gone</h1>", status=404))
    assert (page.status_code, page.body) == (404, HtmlBody(content="<h1>gone</h1>"))

    error = await _error(answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 9, status=404, content_type="image/png"))
    assert error.code == "WEB_UNSUPPORTED_CONTENT_TYPE"


@pytest.mark.req("net:kind:table")
async def test_a_picture_is_a_result_only_where_images_are_on() -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03" + b"\0" * 20
    page = await _fetch(answer(png, content_type="image/png"), settings=replace(LOOPBACK, images=True))
    assert page.body == ImageBody(data=png, width=2, height=3)

    assert "fetch.images" in (await _error(answer(png, content_type="image/png"))).message


@pytest.mark.req("net:kind:table")
async def test_a_missing_type_is_sniffed() -> None:
    page = await _fetch(answer(b"\n<!doctype html><p>x", content_type=None))
    assert isinstance(page.body, HtmlBody)


@pytest.mark.req("net:kind:empty")
@pytest.mark.parametrize("essence", ["text/html", "text/plain", "application/json", None])
@pytest.mark.parametrize("status", [200, 404, 204])
async def test_an_empty_page_says_so(essence: str | None, status: int) -> None:
    page = await _fetch(answer(b"", content_type=essence, status=status, length=status != 204))

    assert "empty" in _codes(page)
    assert page.truncated is False


# Charset ----------------------------------------------------------------------------------------------------


@pytest.mark.req("net:charset:reported")
@pytest.mark.parametrize(
    ("header", "body", "text", "charset", "source"),
    [
        ("text/html", b"<meta charset=windows-1251><p>" + "Привет".encode("cp1251"), "Привет", "windows-1251", "meta"),
        ("text/html; charset=shift_jis", "<p>日本".encode("shift_jis"), "日本", "shift_jis", "header"),
        ("text/html; charset=iso-8859-1", b"<p>\x93q\x94", "“q”", "windows-1252", "header"),
        ("text/html; charset=utf-8", b"\xff\xfeh\0i\0", "hi", "utf-16le", "bom"),
        ("text/html", "<p>é".encode(), "é", "utf-8", "utf-8"),
        ("text/plain; charset=rot_13", b"nop", "nop", "utf-8", "utf-8"),
    ],
)
async def test_charset_and_its_source_are_reported(
    header: str, body: bytes, text: str, charset: str, source: str
) -> None:
    page = await _fetch(answer(body, content_type=header))

    assert isinstance(page.body, HtmlBody | TextBody)
    assert text in page.body.content
    assert ((page.charset or "").lower(), page.charset_source) == (charset, source)


@pytest.mark.req("net:charset:reported")
async def test_bad_bytes_are_replaced_and_counted_and_an_unknown_label_is_noted() -> None:
    page = await _fetch(answer(b"ok \x94 ok", content_type="text/plain; charset=utf-8"))
    assert page.body == TextBody(content="ok \ufffd ok")
    assert [note.detail for note in page.notes if note.code == "decode_errors"] == ["1"]

    page = await _fetch(answer(b"plain", content_type="text/plain; charset=klingon"))
    assert [note.detail for note in page.notes if note.code == "unknown_charset"] == ["klingon"]


# Notes ------------------------------------------------------------------------------------------------------


@pytest.mark.req("net:redirect:target")
async def test_a_meta_refresh_is_told_with_its_absolute_target_and_not_followed() -> None:
    body = b'<meta http-equiv=REFRESH content="0; URL=/en/">'
    async with serve(paths({"/": answer(body)})) as server, http_web() as web:
        page = await web.fetch(server.url)

    assert [note.detail for note in page.notes if note.code == "meta_refresh"] == [f"{server.url}/en/"]
    assert len(server.requests) == 1


@pytest.mark.req("content:signals:link-header")
async def test_a_markdown_version_that_a_header_names_is_told_with_its_absolute_url() -> None:
    link = '</page.md>; rel="alternate"; type="text/markdown"'
    async with serve(paths({"/": answer(b"<p>Kelp.", headers={"Link": link})})) as server, http_web() as web:
        page = await web.fetch(server.url)

    assert [(note.code, note.detail) for note in page.notes] == [("markdown_alternate", f"{server.url}/page.md")]


@pytest.mark.req("net:http:retry-after")
@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120.0), ("999999999999999999999", 86400.0), ("-5", None), ("soon", None), ("", None),
     ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86400.0)],
)  # fmt: skip
async def test_retry_after_is_reported_in_bounded_seconds(value: str, seconds: float | None) -> None:
    page = await _fetch(answer(b"<p>slow down", status=429, headers={"Retry-After": value}))
    assert page.retry_after == seconds


@pytest.mark.req("net:http:retry-after")
@pytest.mark.parametrize(
    "date", ["Fri, 15 Jan 2027 08:00:30 GMT", "Friday, 15-Jan-27 08:00:30 GMT", "Fri Jan 15 08:00:30 2027"]
)
async def test_a_date_to_wait_for_is_utc_in_all_its_forms_wherever_this_runs(
    date: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        response = answer(b"<p>slow down", status=429, headers={"Retry-After": date})
        async with serve(always(response)) as server, http_web(now=lambda: 1_800_000_000.0) as web:
            assert (await web.fetch(server.url)).retry_after == 30.0
    finally:
        monkeypatch.undo()
        time.tzset()


# Caps -------------------------------------------------------------------------------------------------------

SMALL = replace(LOOPBACK, max_bytes=1000)


@pytest.mark.req("net:body:caps")
@pytest.mark.parametrize(("size", "kept", "cut"), [(999, 999, False), (1000, 1000, False), (1001, 1000, True)])
async def test_a_body_is_cut_at_the_cap_and_only_over_it(size: int, kept: int, *, cut: bool) -> None:
    page = await _fetch(answer(b"a" * size, content_type="text/plain", length=False), settings=SMALL)

    assert page.body == TextBody(content="a" * kept)
    assert page.truncated is cut


# Failures ---------------------------------------------------------------------------------------------------


@pytest.mark.req("net:http:failures")
async def test_a_refused_connection_is_named_and_was_not_dispatched() -> None:
    async with serve(always(PAGE)) as server:
        gone = server.url
    async with http_web() as web:
        with pytest.raises(WebError, match="refused") as caught:
            await web.fetch(gone)

    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert caught.value.dispatched is False
    assert caught.value.attempts[0].dispatched is False


# Gate and events --------------------------------------------------------------------------------------------


@pytest.mark.req("net:events:redirect")
async def test_the_gate_is_asked_for_each_hop_and_each_followed_redirect_is_an_event() -> None:
    asked: list[AccessRequest] = []
    events: list[Event] = []

    async def gate(request: AccessRequest) -> Verdict:
        asked.append(request)
        return Verdict(allowed=True)

    pages = {"/a": answer(status=302, headers={"Location": "/b"}), "/b": PAGE}
    async with serve(paths(pages)) as server, http_web() as web:
        await web.fetch(server.url + "/a", call=Call(gate=gate, emit=events.append))

    assert [(one.kind, one.target) for one in asked] == [("fetch", server.url + "/a"), ("redirect", server.url + "/b")]
    assert [type(one) for one in events if isinstance(one, Redirected | AttemptEnded)] == [Redirected, AttemptEnded]


@pytest.mark.req("net:events:redirect")
async def test_a_hop_that_the_gate_denies_is_not_sent() -> None:
    async def gate(request: AccessRequest) -> Verdict:
        return Verdict(allowed=request.kind != "redirect", reason="not that one")

    pages = {"/a": answer(status=302, headers={"Location": "/b"}), "/b": PAGE}
    async with serve(paths(pages)) as server, http_web() as web:
        with pytest.raises(WebError, match="not that one") as caught:
            await web.fetch(server.url + "/a", call=Call(gate=gate))

    assert caught.value.code == "WEB_DENIED"
    assert [request.target for request in server.requests] == ["/a"]
