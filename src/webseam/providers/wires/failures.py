"""The one mapping from a vendor's HTTP failure to a `WebError` (dsh-47, design: errors)."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import RETRY_AFTER_SECONDS, VENDOR_ERROR_BYTES
from webseam.core.text import one_line, redacted
from webseam.core.transport import VendorResponse
from webseam.net.retry_after import retry_after
from webseam.providers.wires.json_text import read_json

_QUOTA_CODES: Final = frozenset({"insufficient_quota", "insufficient_balance", "quota_exceeded", "billing_error"})
_DEPTH: Final = 4
"""Levels of an error body that are searched for its message; the deepest known shape has three."""

_RETRIED: Final = frozenset({408, 425})  # 4xx that ask for the same request again (RFC 9110 15.5.9, RFC 8470)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFacts:
    """What a vendor says beyond HTTP's own words.

    `quota_statuses` and `quota_codes` (lower case) mean an account that is used up, not one that is too fast.
    """

    quota_statuses: frozenset[int] = frozenset({402})
    quota_codes: frozenset[str] = frozenset()


PLAIN: Final = ErrorFacts()


def failure(
    response: VendorResponse, *, provider: str, facts: ErrorFacts = PLAIN, secrets: tuple[str, ...] = ()
) -> WebError:
    """The error of a response that is no 2xx. A body that is no JSON never hides the status."""
    payload = _payload(response.body)
    return status_error(
        provider,
        response.status,
        message_of(payload),
        codes=codes_of(payload),
        retry_after=_wait(response.headers, payload),
        throttled=_named_wait(payload) is not None,
        challenged=response.headers.get("cf-mitigated", "").lower() == "challenge",
        facts=facts,
        secrets=secrets,
    )


def status_error(
    provider: str,
    status: int,
    detail: str | None = None,
    *,
    codes: frozenset[str] = frozenset(),
    retry_after: float | None = None,
    throttled: bool = False,
    challenged: bool = False,
    facts: ErrorFacts = PLAIN,
    secrets: tuple[str, ...] = (),
) -> WebError:
    """The error of an HTTP status, whether it came as one or was told inside a body.

    `codes` are the vendor's machine-readable words, `throttled` says that it named a time to come back,
    `challenged` that a bot check stood in the way.
    """
    code, what, advice = _verdict(status, codes, facts, throttled=throttled, challenged=challenged)
    said = f": {one_line(redacted(detail, secrets)).rstrip('.')}" if detail else ""
    wait = f" It asks to wait {retry_after:.0f} s." if retry_after else ""
    return WebError(
        code,
        f"{provider} {what} (HTTP {status}){said}.{wait} {advice}",
        provider=provider,
        dispatched=True,
        retryable=code == Code.RATE_LIMITED or (code == Code.PROVIDER_ERROR and _passing(status)),
        retry_after=retry_after,
    )


def _passing(status: int) -> bool:
    return status >= 500 or status in _RETRIED  # noqa: PLR2004 - the server error class of RFC 9110


def _verdict(
    status: int, codes: frozenset[str], facts: ErrorFacts, *, throttled: bool, challenged: bool
) -> tuple[Code, str, str]:
    if challenged:
        return Code.PROVIDER_BLOCKED, "answered with a bot check", "Try again later, or use another provider."
    if status in facts.quota_statuses or codes & (_QUOTA_CODES | facts.quota_codes):
        return Code.QUOTA_EXHAUSTED, "has no quota or credit left for this key", "Top it up, or use another provider."
    if status == 429 or (throttled and not _passing(status)):  # noqa: PLR2004 - RFC 6585
        return Code.RATE_LIMITED, "limits the rate of calls", "Try again later."
    if status in (401, 403):
        return Code.PROVIDER_ERROR, "refused access", "Check the key of this provider."
    if _passing(status):
        return Code.PROVIDER_ERROR, "failed", "Try again later."
    return Code.PROVIDER_ERROR, "refused the request", "Change the request, or the options of this provider."


def message_of(payload: Any, depth: int = _DEPTH) -> str | None:
    """The sentence for people in an error body, whichever of the known shapes it has; None when there is none."""
    if isinstance(payload, str):
        return payload.strip() or None
    if depth == 0:
        return None
    if isinstance(payload, list):
        return "; ".join(filter(None, (_listed(part, depth - 1) for part in payload))) or None
    if not isinstance(payload, dict):
        return None
    inside = (message_of(payload.get(key), depth - 1) for key in ("error", "message", "detail", "msg"))
    return next(filter(None, inside), None)


def _listed(detail: Any, depth: int) -> str | None:
    """One entry of a list of validation errors: its message, and the field that it is about."""
    said = message_of(detail, depth)
    place = detail.get("loc") if isinstance(detail, dict) else None
    if said is None or not isinstance(place, list):
        return said
    return f"{'.'.join(str(part) for part in place if isinstance(part, str | int))}: {said}"


def codes_of(payload: Any) -> frozenset[str]:
    """The machine-readable words of an error body, lower case: `tag`, `code`, `type`, `status`."""
    return frozenset(
        value.lower()
        for part in _parts(payload)
        for key in ("tag", "code", "type", "status")
        if isinstance(value := part.get(key), str)
    )


def _parts(payload: Any) -> Iterator[Mapping[str, Any]]:
    """The error body and what it wraps."""
    if isinstance(payload, dict):
        yield payload
        yield from (part for key in ("error", "detail") if isinstance(part := payload.get(key), dict))


def _payload(body: bytes) -> Any:
    if len(body) > VENDOR_ERROR_BYTES:
        return None
    try:
        return read_json(body)
    except (ValueError, RecursionError):  # an HTML page, an empty body: the status speaks for itself
        return None


def _named_wait(payload: Any) -> float | None:
    """Seconds that the body itself names."""
    for part in _parts(payload):
        for key in ("retry_after_seconds", "retry_after"):
            value = part.get(key)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return float(min(max(value, 0), RETRY_AFTER_SECONDS))
    return None


def _wait(headers: Mapping[str, str], payload: Any) -> float | None:
    """Seconds to wait: `retry-after-ms` (Anthropic, OpenAI), `Retry-After`, or what the body names.

    An HTTP date is read against the server's own `Date`: our clock may be wrong.
    """
    milliseconds = headers.get("retry-after-ms", "").strip()
    if milliseconds.isascii() and milliseconds.isdigit():
        return min(float(milliseconds) / 1_000, RETRY_AFTER_SECONDS)
    sent = _timestamp(headers.get("date"))
    told = retry_after(headers.get("retry-after"), now=time.time if sent is None else lambda: sent)
    return _named_wait(payload) if told is None else told


def _timestamp(field: str | None) -> float | None:
    try:
        return parsedate_to_datetime(field or "").timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
