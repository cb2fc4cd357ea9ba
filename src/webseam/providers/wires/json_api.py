"""JSON over HTTP: one way to ask a vendor, and one to read what it answers."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.events import RequestRecorded
from webseam.core.plugin import Kit
from webseam.core.text import one_line, redacted
from webseam.core.transport import Transport, VendorRequest, VendorResponse, VendorStream
from webseam.providers.wires.failures import PLAIN, ErrorFacts, failure, message_of
from webseam.providers.wires.json_text import read_json


class JsonApi:
    """Sends JSON for one provider and tells its failures by the one mapping."""

    __slots__ = ("_facts", "_transport", "provider")

    def __init__(self, kit: Kit, facts: ErrorFacts = PLAIN) -> None:
        self.provider = kit.id
        self._transport: Transport = kit.transport
        self._facts = facts

    async def post(
        self,
        url: str,
        body: Mapping[str, Any],
        *,
        call: Call,
        headers: Mapping[str, str] | None = None,
        secrets: tuple[str, ...] = (),
        accept: str = "application/json",
        expected: frozenset[int] = frozenset(),
    ) -> VendorResponse:
        """`exchange` of a POST with a JSON body."""
        request = VendorRequest(
            provider=self.provider,
            method="POST",
            url=url,
            headers={"Accept": accept} | dict(headers or {}),
            json=body,
            secrets=secrets,
        )
        return await self.exchange(request, call=call, expected=expected)

    async def exchange(
        self, request: VendorRequest, *, call: Call, expected: frozenset[int] = frozenset()
    ) -> VendorResponse:
        """Send a request and return the 2xx response, or one whose status the caller expected.

        The observer hears of the request before it leaves; when it raises, or the caller aborts, nothing
        leaves (dsh-63, dsh-68).

        Raises:
            WebError: by status; see `failures`. `WEB_PROVIDER_ERROR` from the transport.
        """
        self._announce(request, call)
        response = await self._transport.send(request, call=call)
        if not succeeded(response.status) and response.status not in expected:
            raise self.failure(response, request.secrets)
        return response

    @asynccontextmanager
    async def streamed(self, request: VendorRequest, *, call: Call) -> AsyncIterator[VendorStream]:
        """As `exchange`, for a response that is read as it arrives."""
        self._announce(request, call)
        async with self._transport.stream(request, call=call) as stream:
            if not succeeded(stream.status):
                raise self.failure(await stream.whole(), request.secrets)
            yield stream

    def failure(self, response: VendorResponse, secrets: tuple[str, ...]) -> WebError:
        """The error of a response that is no success, by this vendor's facts."""
        return failure(response, provider=self.provider, facts=self._facts, secrets=secrets)

    def _announce(self, request: VendorRequest, call: Call) -> None:
        body = deepcopy(request.json if request.form is None else dict(request.form))
        endpoint = redacted(request.url, request.secrets)
        call.emit(RequestRecorded(provider=self.provider, endpoint=endpoint, body=body))
        call.check()

    async def ask(
        self,
        url: str,
        body: Mapping[str, Any],
        *,
        call: Call,
        headers: Mapping[str, str] | None = None,
        secrets: tuple[str, ...] = (),
    ) -> dict[str, Any]:
        """Send `body` and return the JSON object that comes back.

        Raises:
            WebError: as `post`, and `WEB_PROVIDER_ERROR` for anything but a JSON object.
        """
        response = await self.post(url, body, call=call, headers=headers, secrets=secrets)
        payload = decoded(response, self.provider, secrets)
        if not isinstance(payload, dict):
            raise misshapen(self.provider, f"a JSON {type(payload).__name__} where an object belongs")
        return payload


def succeeded(status: int) -> bool:
    """Whether a status says that the vendor answered."""
    return 200 <= status < 300  # noqa: PLR2004 - the success class of RFC 9110


def decoded(response: VendorResponse, provider: str, secrets: tuple[str, ...] = ()) -> Any:
    """The JSON of a 2xx response, without the secrets.

    Raises:
        WebError: `WEB_PROVIDER_ERROR` for an empty body, a page of HTML, broken or bottomless JSON.
    """
    if not response.body.strip(b"\xef\xbb\xbf \t\r\n"):
        raise misshapen(provider, f"an empty body (HTTP {response.status})")
    try:
        return read_json(response.body, secrets)
    except (ValueError, RecursionError) as exc:
        kind = one_line(redacted(response.headers.get("content-type", "no content type"), secrets), limit=60)
        raise misshapen(provider, f"a body that is not JSON (HTTP {response.status}, {kind})") from exc


def misshapen(provider: str, found: str) -> WebError:
    """The error of a success that cannot be read."""
    return WebError(
        Code.PROVIDER_ERROR,
        f"{provider} answered with {found}. Check the base URL of this provider, or try again later.",
        provider=provider,
        dispatched=True,
    )


def lacking(provider: str, payload: Mapping[str, Any], field: str, secrets: tuple[str, ...]) -> WebError:
    """The error of a JSON object without the field that makes it an answer; passes on what it says instead."""
    said = message_of(payload)
    told = f' It said: "{one_line(redacted(said, secrets))}".' if said else ""
    error = misshapen(provider, f"an object without a usable {field!r}")
    return WebError(error.code, error.message + told, provider=provider, dispatched=True)
