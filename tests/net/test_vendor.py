"""The vendor transport: redirects refused, bodies bounded, failures named."""

import pytest

from support.net import always, answer, serve
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.transport import VendorRequest
from webseam.net.vendor import VendorTransport


def _request(url: str, **more: object) -> VendorRequest:
    return VendorRequest(provider="toy", method="POST", url=url, json={"q": "é"}, headers={"X-Key": "s3cret"}, **more)  # type: ignore[arg-type] # a table of fields


@pytest.mark.req("net:vendor:redirect")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_refused_and_its_target_receives_nothing(status: int) -> None:
    transport = VendorTransport()
    async with serve(always(answer())) as target:
        moved = answer(status=status, headers={"Location": target.url})
        async with serve(always(moved)) as server:
            call = Call()
            with pytest.raises(WebError, match="toy answered with a redirect") as caught:
                await transport.send(_request(server.url), call=call)
    await transport.aclose()

    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert target.connections == 0
    assert call.dispatch.sent is True


@pytest.mark.req("net:vendor:bounds")
async def test_a_request_is_sent_as_given_and_the_answer_comes_whole() -> None:
    transport = VendorTransport()
    async with serve(always(answer(b'{"a":1}', status=418, content_type="application/json"))) as server:
        got = await transport.send(_request(server.url), call=Call())
    await transport.aclose()

    assert (got.status, got.headers["content-type"], got.body) == (418, "application/json", b'{"a":1}')
    sent = server.requests[0]
    assert sent.headers["x-key"] == "s3cret"
    assert sent.headers["content-type"] == "application/json"
    assert sent.headers["user-agent"].startswith("webseam/")


@pytest.mark.req("net:vendor:bounds")
async def test_a_body_over_the_bound_is_an_error() -> None:
    transport = VendorTransport()
    async with serve(always(answer(b"x" * 2000))) as server:
        with pytest.raises(WebError, match="toy sent more than 1,000 bytes"):
            await transport.send(_request(server.url, max_bytes=1000), call=Call())
    await transport.aclose()


@pytest.mark.req("net:vendor:bounds")
async def test_a_refused_connection_names_the_provider_and_was_not_dispatched() -> None:
    transport = VendorTransport()
    async with serve(always(answer())) as server:
        gone = server.url
    call = Call()
    with pytest.raises(WebError, match="The request to toy failed: the connection was refused"):
        await transport.send(_request(gone), call=call)
    await transport.aclose()

    assert call.dispatch.sent is False


@pytest.mark.req("net:vendor:closed")
async def test_a_closed_transport_opens_no_connection_anew() -> None:
    transport = VendorTransport()
    async with serve(always(answer(b"{}", content_type="application/json"))) as server:
        await transport.send(_request(server.url), call=Call())
        await transport.aclose()
        call = Call()
        with pytest.raises(WebError, match="closed") as caught:
            await transport.send(_request(server.url), call=call)

    assert (caught.value.code, call.dispatch.sent) == ("WEB_PROVIDER_UNAVAILABLE", False)
    assert len(server.requests) == 1
