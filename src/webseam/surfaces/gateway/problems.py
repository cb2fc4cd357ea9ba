"""Failures as RFC 9457 problem details: our codes, each with its HTTP status."""

from collections.abc import Mapping
from enum import StrEnum
from math import ceil
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line, redacted
from webseam.surfaces.gateway.reply import Headers, Reply, to_json

MEDIA_TYPE: Final = "application/problem+json"
TYPES: Final = "https://github.com/webseam/webseam/blob/HEAD/docs/gateway.md#"
"""Where each code is explained; with the code behind it, the `type` of a problem."""
DETAIL_CHARS: Final = 4_000
"""Characters of a detail; it may hold a whole redirect target."""


class GatewayCode(StrEnum):
    """What the gateway itself refuses a request with."""

    MALFORMED = "GATEWAY_MALFORMED"
    UNAUTHORIZED = "GATEWAY_UNAUTHORIZED"
    HOST_REFUSED = "GATEWAY_HOST_REFUSED"
    ORIGIN_REFUSED = "GATEWAY_ORIGIN_REFUSED"
    NOT_FOUND = "GATEWAY_NOT_FOUND"
    METHOD_NOT_ALLOWED = "GATEWAY_METHOD_NOT_ALLOWED"
    BODY_TIMEOUT = "GATEWAY_BODY_TIMEOUT"
    BODY_TOO_LARGE = "GATEWAY_BODY_TOO_LARGE"
    MEDIA_TYPE = "GATEWAY_MEDIA_TYPE"
    BUSY = "GATEWAY_BUSY"
    DRAINING = "GATEWAY_DRAINING"
    FAULT = "GATEWAY_FAULT"


KINDS: Final[Mapping[str, tuple[int, str]]] = {
    GatewayCode.MALFORMED: (400, "The request is malformed"),
    GatewayCode.UNAUTHORIZED: (401, "A token is needed"),
    GatewayCode.HOST_REFUSED: (403, "The Host is not this gateway's"),
    GatewayCode.ORIGIN_REFUSED: (403, "The Origin is not allowed"),
    GatewayCode.NOT_FOUND: (404, "There is nothing here"),
    GatewayCode.METHOD_NOT_ALLOWED: (405, "The method is not allowed"),
    GatewayCode.BODY_TIMEOUT: (408, "The body did not arrive"),
    GatewayCode.BODY_TOO_LARGE: (413, "The body is too large"),
    GatewayCode.MEDIA_TYPE: (415, "The body is not JSON"),
    GatewayCode.BUSY: (503, "The gateway is full"),
    GatewayCode.DRAINING: (503, "The gateway is shutting down"),
    GatewayCode.FAULT: (500, "The gateway failed"),
    Code.INVALID_ARGS: (422, "An argument cannot be used"),
    Code.INVALID_URL: (422, "The URL cannot be used"),
    Code.UNSUPPORTED_CONTROL: (422, "A control is not supported"),
    Code.BLOCKED_URL: (403, "The URL is blocked"),
    Code.REDIRECT_BLOCKED: (403, "The redirect leads elsewhere"),
    Code.ROBOTS_DISALLOWED: (403, "The site's robots.txt disallows it"),
    Code.DENIED: (403, "The policy does not allow it"),
    Code.OFFLINE: (403, "The network is turned off"),
    Code.REPLAY_MISS: (404, "The recording does not hold it"),
    Code.RATE_LIMITED: (429, "Too many calls"),
    Code.QUOTA_EXHAUSTED: (429, "The vendor's quota is used up"),
    Code.BUDGET_EXHAUSTED: (429, "The budget is spent"),
    Code.PROVIDER_ERROR: (502, "The provider or page server failed"),
    Code.PROVIDER_BLOCKED: (502, "The provider or page server refused us"),
    Code.UPSTREAM_FAILED: (502, "The provider's own sources failed"),
    Code.SEARCH_UNGROUNDED: (502, "No search backs the answer"),
    Code.ROUTE_EXHAUSTED: (502, "Every provider failed"),
    Code.FETCH_TOO_LARGE: (502, "The page is too large"),
    Code.UNSUPPORTED_CONTENT_TYPE: (502, "The page is no text"),
    Code.PROVIDER_UNAVAILABLE: (503, "No provider is available"),
    Code.PROVIDER_CONFIGURED_MISSING: (503, "The configured provider is not installed"),
    Code.PROVIDER_CONFIGURED_UNAVAILABLE: (503, "The configured provider is not available"),
    Code.PROVIDER_AMBIGUOUS: (503, "Several providers are available and none is chosen"),
    Code.DUPLICATE_PROVIDER: (503, "Two providers have one id"),
    Code.PROVIDER_CREDENTIAL_MISSING: (503, "The provider's key is missing"),
    Code.CONFIG_INVALID: (503, "The gateway's configuration cannot be used"),
    Code.ABORTED: (503, "The call was ended"),
    Code.FETCH_TIMEOUT: (504, "The fetch did not end in time"),
    Code.SEARCH_TIMEOUT: (504, "The search did not end in time"),
    Code.EXTRACT_TIMEOUT: (504, "The extraction did not end in time"),
    Code.TOOL_TIMEOUT: (504, "The tool did not end in time"),
}
"""Status and title by code."""

_PLUGINS: Final = (502, "The provider failed")
"""Of a code that a plugin added."""


class Problem(Exception):  # noqa: N818 - RFC 9457's own word
    """A request that ends in a refusal or failure.

    Args:
        code: one of `KINDS`, or a plugin's.
        detail: what the client should do, free of secrets.
        headers: beside the usual ones.
        retry_after: seconds to wait.
        members: further members of the answer.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        headers: Headers = (),
        retry_after: float | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(str(code), detail)
        self.code = str(code)
        self.detail = detail
        self.headers = headers
        self.retry_after = retry_after
        self.members = members or {}

    @property
    def status(self) -> int:
        """The HTTP status of its code."""
        return KINDS.get(self.code, _PLUGINS)[0]

    def reply(self, request_id: str) -> Reply:
        """The answer."""
        status, title = KINDS.get(self.code, _PLUGINS)
        plain = {
            "type": f"{TYPES}{self.code.lower()}",
            "title": title,
            "status": status,
            "detail": one_line(redacted(self.detail), limit=DETAIL_CHARS),
            "code": self.code,
            "request_id": request_id,
            **self.members,
        }
        wait = () if self.retry_after is None else (("retry-after", str(max(1, ceil(self.retry_after)))),)
        return Reply(
            status=status, body=to_json(plain), media_type=MEDIA_TYPE, headers=(*self.headers, *wait), code=self.code
        )


def problem_of(error: WebError) -> Problem:
    """The problem that a call ended in; it holds what `WebError.to_dict` tells."""
    members = error.to_dict()
    status = members.pop("status", None)
    for told in ("code", "message"):
        del members[told]
    if status is not None:
        members["provider_status"] = status
    return Problem(error.code, error.message, retry_after=error.retry_after, members=members)
