"""The one mapping from a vendor's HTTP failure to a `WebError` (dsh-47, design: errors)."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import MESSAGE_CHARS, VENDOR_ERROR_BYTES
from webseam.core.text import one_line, redacted
from webseam.core.transport import VendorResponse
from webseam.providers.wires.json_text import read_json
from webseam.providers.wires.rows import status_told
from webseam.providers.wires.waits import named_wait, parts, seconds_to_wait

_SPENT: Final = "quota_exceeded"
_BAD_KEY: Final = "invalid_api_key"
_QUOTA_CODES: Final = frozenset({"insufficient_quota", "insufficient_balance", _SPENT, "billing_error"})
_RATE_CODES: Final = frozenset(
    {"rate_limited", "rate_limit_exceeded", "rate_limit_error", "too_many_requests", "resource_exhausted"}
)
_STATUS_NAMES: Final = ("status", "code", "statusCode", "status_code")
_MEANT: Final[Mapping[str, int]] = {Code.QUOTA_EXHAUSTED: 402, Code.RATE_LIMITED: 429}
_TOLD: Final = ("error", "message", "detail", "msg", "status_message", "errors", "title")  # the last two: JSON:API
_SENTENCE: Final = re.compile(r"[A-Z][\w\s.,:;'!?()/-]+")
_WORD: Final = re.compile(r"[\w.-]+")
_DEPTH: Final = 4
"""Levels of an error body that are searched for its message; the deepest known shape has three."""

_RETRIED: Final = frozenset({408, 425})  # 4xx that ask for the same request again (RFC 9110 15.5.9, RFC 8470)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFacts:
    """What a vendor says beyond HTTP's own words.

    `quota_statuses`, `quota_codes` and `quota_words` mean an account that is used up, not one that is too fast. The
    words are for vendors without codes: parts of the sentence in the error. Codes and words are in lower case. `spent`
    reads it off an error body whose numbers or nested reasons tell it, and `hurried` does for one that is too fast.
    `setup` says, for a status that comes with a body that is no JSON, how the service must be set up. `key_words` are
    said of a bad key by vendors whose status (400) does not tell.
    """

    quota_statuses: frozenset[int] = frozenset({402})
    quota_codes: frozenset[str] = frozenset()
    quota_words: tuple[str, ...] = ()
    blocked_statuses: frozenset[int] = frozenset()
    spent: Callable[[Any], bool] = lambda _payload: False
    hurried: Callable[[Any], bool] = lambda _payload: False
    setup: Mapping[int, str] = field(default_factory=dict)
    key_words: tuple[str, ...] = ()

    def codes_in(self, detail: str | None) -> frozenset[str]:
        """A sentence that speaks of a used-up account or of a bad key, as the code that it stands for."""
        said = (detail or "").lower()
        meanings = ((_SPENT, self.quota_words), (_BAD_KEY, self.key_words))
        return frozenset(code for code, words in meanings if any(one in said for one in words))


PLAIN: Final = ErrorFacts()


def failure(
    response: VendorResponse,
    *,
    provider: str,
    facts: ErrorFacts = PLAIN,
    secrets: tuple[str, ...] = (),
    now: Callable[[], float] = time.time,
) -> WebError:
    """The error of a response that is no 2xx. A body that is no JSON never hides the status.

    `now` is the wall clock that points in time are read against, where the server sends no `Date`.
    """
    payload = _payload(response.body)
    challenged = response.headers.get("cf-mitigated", "").lower() == "challenge"
    if response.status in facts.setup and payload is None and not challenged:
        return _misfit(provider, response.status, facts.setup[response.status])
    return status_error(
        provider,
        response.status,
        message_of(payload) or _plain(response.body),
        codes=codes_of(payload) | ({_SPENT} if facts.spent(payload) else frozenset()),
        retry_after=seconds_to_wait(response.status, response.headers, payload, now=now),
        throttled=named_wait(payload) is not None or facts.hurried(payload),
        challenged=challenged,
        facts=facts,
        secrets=secrets,
    )


def told_error(
    payload: Any, *, provider: str, answered: int = 200, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError | None:
    """The error that a body tells under a success: by the HTTP status it names, or by words for a quota or a rate.

    `answered` is the status that really came.
    None where it tells neither: what such a body is, its reader knows better.
    """
    said, wait = message_of(payload), named_wait(payload)
    codes = codes_of(payload) | ({_SPENT} if facts.spent(payload) else frozenset())
    throttled = wait is not None or facts.hurried(payload)
    named = (status_told(part.get(name)) for part in parts(payload) for name in _STATUS_NAMES)
    meant = _verdict(400, codes | facts.codes_in(said), facts, throttled=throttled, challenged=False)[0]
    status = next(filter(None, named), None) or _MEANT.get(meant)
    if status is None:
        return None
    return status_error(
        provider,
        status,
        said,
        answered=answered,
        codes=codes,
        retry_after=wait,
        throttled=throttled,
        facts=facts,
        secrets=secrets,
    )


def status_error(
    provider: str,
    status: int,
    detail: str | None = None,
    *,
    answered: int | None = None,
    codes: frozenset[str] = frozenset(),
    retry_after: float | None = None,
    throttled: bool = False,
    challenged: bool = False,
    facts: ErrorFacts = PLAIN,
    secrets: tuple[str, ...] = (),
) -> WebError:
    """The error of an HTTP status, whether it came as one or was told inside a body.

    `answered` is the status that really came, where it was told inside a body: the message does not claim another.
    `codes` are the vendor's machine-readable words, `throttled` says that it named a time to come back,
    `challenged` that a bot check stood in the way.
    """
    codes |= facts.codes_in(detail)
    code, what, advice = _verdict(status, codes, facts, throttled=throttled, challenged=challenged)
    failing = _passing(status) and _BAD_KEY not in codes
    came = f"HTTP {status}" if answered in (None, status) else f"told inside HTTP {answered}, meaning HTTP {status}"
    said = f": {one_line(redacted(detail, secrets)).rstrip('.')}" if detail else ""
    wait = f" It asks to wait {retry_after:.0f} s." if retry_after else ""
    return WebError(
        code,
        f"{provider} {what} ({came}){said}.{wait} {advice}",
        provider=provider,
        dispatched=True,
        retryable=code == Code.RATE_LIMITED or (code == Code.PROVIDER_ERROR and failing),
        retry_after=retry_after,
        status=status,
    )


def _misfit(provider: str, status: int, advice: str) -> WebError:
    """The service runs, but not as it must; a route may go on to the next member."""
    return WebError(
        Code.PROVIDER_CONFIGURED_UNAVAILABLE,
        f"{provider} refused the request (HTTP {status}) with a page instead of JSON. {advice}",
        provider=provider,
        dispatched=True,
        status=status,
    )


def _passing(status: int) -> bool:
    return status >= 500 or status in _RETRIED  # noqa: PLR2004 - the server error class of RFC 9110


def _verdict(
    status: int, codes: frozenset[str], facts: ErrorFacts, *, throttled: bool, challenged: bool
) -> tuple[Code, str, str]:
    if challenged or status in facts.blocked_statuses:
        return Code.PROVIDER_BLOCKED, "answered with a bot check", "Try again later, or use another provider."
    if (status in facts.quota_statuses and not throttled) or codes & (_QUOTA_CODES | facts.quota_codes):
        return Code.QUOTA_EXHAUSTED, "has no quota or credit left for this key", "Top it up, or use another provider."
    throttled = throttled or bool(codes & _RATE_CODES)
    if status == 429 or (throttled and not _passing(status)):  # noqa: PLR2004 - RFC 6585
        return Code.RATE_LIMITED, "limits the rate of calls", "Try again later."
    if status in (401, 403) or _BAD_KEY in codes:
        return Code.PROVIDER_ERROR, "refused access", "Check the key of this provider."
    if _passing(status):
        return Code.PROVIDER_ERROR, "failed", "Try again later."
    return Code.PROVIDER_ERROR, "refused the request", "Change the request, or the options of this provider."


def message_of(payload: Any, depth: int = _DEPTH) -> str | None:
    """The sentence for people in an error body, whichever of the known shapes it has; None when there is none."""
    if isinstance(payload, str):
        return _unpacked(payload.strip(), depth)
    if depth == 0:
        return None
    if isinstance(payload, list):
        return "; ".join(filter(None, (_listed(part, depth - 1) for part in payload))) or None
    if not isinstance(payload, dict):
        return None
    inside = (message_of(payload.get(key), depth - 1) for key in (*_first_told(payload), *_TOLD))
    return next(filter(None, inside), None)


def _first_told(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The sentence stands in `message` where `error` is but a word (Valyu), or names the status (NestJS)."""
    named = payload.get("error")
    bare = isinstance(named, str) and _WORD.fullmatch(named) is not None
    return ("message",) if bare or isinstance(payload.get("message"), list) else ()


def _unpacked(said: str, depth: int) -> str | None:
    """A sentence; gateways put the whole inner error there as JSON (Foundry)."""
    if not said.startswith("{"):
        return said or None
    try:
        return message_of(read_json(said.encode()), depth) or said
    except (ValueError, RecursionError):
        return said


def _listed(detail: Any, depth: int) -> str | None:
    """One entry of a list of validation errors: its message, and the field that it is about."""
    said = message_of(detail, depth)
    place = detail.get("loc") if isinstance(detail, dict) else None
    if said is None or not isinstance(place, list):
        return said
    return f"{'.'.join(str(part) for part in place if isinstance(part, str | int))}: {said}"


def codes_of(payload: Any) -> frozenset[str]:
    """The machine-readable words and numbers of an error body, lower case: `tag`, `code`, `type`, `status`."""
    return frozenset(
        str(value).lower()
        for part in parts(payload)
        for key in ("tag", "code", "type", "status")
        if isinstance(value := part.get(key), str | int)
    )


def _plain(body: bytes) -> str | None:
    """The sentence of a vendor whose errors are plain text, under whatever type (Marginalia); no markup, no data."""
    said = body[: MESSAGE_CHARS + 1].decode("utf-8", "replace")
    return said.strip() or None if len(body) <= MESSAGE_CHARS and _SENTENCE.fullmatch(said) else None


def _payload(body: bytes) -> Any:
    if len(body) > VENDOR_ERROR_BYTES:
        return None
    try:
        return read_json(body)
    except (ValueError, RecursionError):  # an HTML page, an empty body: the status speaks for itself
        return None
