"""The one error class and all of our codes.

WebError
    .code        what happened, an open string; branch on it
    .message     what a person should do next
    .provider    who failed, where one did
    .dispatched  True when the request may have left the process, so it may have been billed
    .retryable   the same call may succeed later
    .retry_after seconds, where a vendor or server named them
    .attempts    every try of a route, in order
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from webseam.core.limits import RETRY_AFTER_SECONDS

if TYPE_CHECKING:
    from webseam.core.types import Attempt


class Code(StrEnum):
    """Our codes (design: errors). Codes are open strings: a plugin may add its own."""

    PROVIDER_UNAVAILABLE = "WEB_PROVIDER_UNAVAILABLE"
    PROVIDER_CONFIGURED_MISSING = "WEB_PROVIDER_CONFIGURED_MISSING"
    PROVIDER_CONFIGURED_UNAVAILABLE = "WEB_PROVIDER_CONFIGURED_UNAVAILABLE"
    PROVIDER_AMBIGUOUS = "WEB_PROVIDER_AMBIGUOUS"
    DUPLICATE_PROVIDER = "WEB_DUPLICATE_PROVIDER"
    PROVIDER_CREDENTIAL_MISSING = "WEB_PROVIDER_CREDENTIAL_MISSING"
    CONFIG_INVALID = "WEB_CONFIG_INVALID"
    UNSUPPORTED_CONTROL = "WEB_UNSUPPORTED_CONTROL"

    INVALID_URL = "WEB_INVALID_URL"
    BLOCKED_URL = "WEB_BLOCKED_URL"
    REDIRECT_BLOCKED = "WEB_REDIRECT_BLOCKED"
    ROBOTS_DISALLOWED = "WEB_ROBOTS_DISALLOWED"
    DENIED = "WEB_DENIED"
    OFFLINE = "WEB_OFFLINE"

    PROVIDER_ERROR = "WEB_PROVIDER_ERROR"
    PROVIDER_BLOCKED = "WEB_PROVIDER_BLOCKED"
    UPSTREAM_FAILED = "WEB_UPSTREAM_FAILED"
    SEARCH_UNGROUNDED = "WEB_SEARCH_UNGROUNDED"
    ROUTE_EXHAUSTED = "WEB_ROUTE_EXHAUSTED"
    FETCH_TOO_LARGE = "WEB_FETCH_TOO_LARGE"
    UNSUPPORTED_CONTENT_TYPE = "WEB_UNSUPPORTED_CONTENT_TYPE"

    FETCH_TIMEOUT = "WEB_FETCH_TIMEOUT"
    SEARCH_TIMEOUT = "WEB_SEARCH_TIMEOUT"
    EXTRACT_TIMEOUT = "WEB_EXTRACT_TIMEOUT"
    TOOL_TIMEOUT = "TOOL_TIMEOUT"
    ABORTED = "WEB_ABORTED"

    RATE_LIMITED = "WEB_RATE_LIMITED"
    QUOTA_EXHAUSTED = "WEB_QUOTA_EXHAUSTED"
    BUDGET_EXHAUSTED = "WEB_BUDGET_EXHAUSTED"

    REPLAY_MISS = "WEB_REPLAY_MISS"

    INVALID_ARGS = "INVALID_ARGS"


_EXITS: Final[dict[int, tuple[Code, ...]]] = {
    2: (Code.INVALID_ARGS,),
    3: (
        Code.PROVIDER_UNAVAILABLE,
        Code.PROVIDER_CONFIGURED_MISSING,
        Code.PROVIDER_CONFIGURED_UNAVAILABLE,
        Code.PROVIDER_AMBIGUOUS,
        Code.DUPLICATE_PROVIDER,
        Code.PROVIDER_CREDENTIAL_MISSING,
        Code.CONFIG_INVALID,
        Code.UNSUPPORTED_CONTROL,
    ),
    4: (
        Code.INVALID_URL,
        Code.BLOCKED_URL,
        Code.REDIRECT_BLOCKED,
        Code.ROBOTS_DISALLOWED,
        Code.DENIED,
        Code.OFFLINE,
    ),
    5: (
        Code.PROVIDER_ERROR,
        Code.PROVIDER_BLOCKED,
        Code.UPSTREAM_FAILED,
        Code.SEARCH_UNGROUNDED,
        Code.ROUTE_EXHAUSTED,
        Code.FETCH_TOO_LARGE,
        Code.UNSUPPORTED_CONTENT_TYPE,
    ),
    6: (
        Code.FETCH_TIMEOUT,
        Code.SEARCH_TIMEOUT,
        Code.EXTRACT_TIMEOUT,
        Code.TOOL_TIMEOUT,
        Code.ABORTED,
    ),
    7: (Code.RATE_LIMITED, Code.QUOTA_EXHAUSTED, Code.BUDGET_EXHAUSTED),
    8: (Code.REPLAY_MISS,),
}
EXIT_CODES: Final[dict[str, int]] = {str(code): number for number, codes in _EXITS.items() for code in codes}
"""Exit code of the command line per error code; an unknown code exits 5."""

FINAL_CODES: Final[frozenset[str]] = frozenset(
    map(
        str,
        (
            Code.ABORTED,
            Code.TOOL_TIMEOUT,
            Code.INVALID_ARGS,
            Code.CONFIG_INVALID,
            Code.BUDGET_EXHAUSTED,
            Code.REPLAY_MISS,
            *_EXITS[4],
        ),
    )
)
"""Codes that end a route: the caller's abort, a policy denial, an invalid request, a spent budget."""

TIMEOUT_CODES: Final[frozenset[str]] = frozenset(
    map(str, (Code.FETCH_TIMEOUT, Code.SEARCH_TIMEOUT, Code.EXTRACT_TIMEOUT))
)
"""Codes that end a route when the call's own time is over; a provider's inner timeout with time left does not."""

_RETRYABLE: Final[frozenset[str]] = TIMEOUT_CODES | frozenset(
    map(str, (Code.UPSTREAM_FAILED, Code.RATE_LIMITED, Code.TOOL_TIMEOUT))
)


class WebError(Exception):
    """Every failure that webseam reports.

    Args:
        code: one of `Code`, or a plugin's own string.
        message: one or two sentences for a person, free of secrets, private addresses and raw bodies.
        provider: id of the provider that failed.
        dispatched: the request may have left the process and may have been billed.
        retryable: the same call may succeed later; by default told from the code.
        retry_after: seconds to wait, where the other side named them; at most a day, and none for what is no time.
        attempts: the tries of a route.
        status: the HTTP status of the failure: as the provider answered, or what its words inside a success stand for.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        provider: str | None = None,
        dispatched: bool = False,
        retryable: bool | None = None,
        retry_after: float | None = None,
        attempts: Sequence["Attempt"] = (),
        status: int | None = None,
    ) -> None:
        super().__init__(str(code), message)  # both, so that an error survives pickling and copying
        self.code = str(code)
        self.message = message
        self.provider = provider
        self.dispatched = dispatched
        self.retryable = self.code in _RETRYABLE if retryable is None else retryable
        self.retry_after = _wait(retry_after)
        self.attempts = tuple(attempts)
        self.status = status

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    @property
    def exit_code(self) -> int:
        """What the command line exits with: 2 usage, 3 set-up, 4 refused, 5 failed, 6 time, 7 limits, 8 replay."""
        return EXIT_CODES.get(self.code, 5)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; holds no secret, and leaves out what is not known."""
        plain: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.provider is not None:
            plain["provider"] = self.provider
        plain["dispatched"] = self.dispatched
        plain["retryable"] = self.retryable
        if self.retry_after is not None:
            plain["retry_after"] = self.retry_after
        if self.status is not None:
            plain["status"] = self.status
        if self.attempts:
            plain["attempts"] = [attempt.to_dict() for attempt in self.attempts]
        return plain


def _wait(seconds: float | None) -> float | None:
    """A plugin's may be infinite, or no number at all: no header could hold it, and JSON neither."""
    if seconds is None or not seconds >= 0:
        return None
    return min(seconds, RETRY_AFTER_SECONDS)


def closed() -> WebError:
    """The error of a call that outlived its `Web`."""
    return WebError(Code.PROVIDER_UNAVAILABLE, "This Web is closed. Open another one for further calls.")
