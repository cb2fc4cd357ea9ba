"""What an answer amounts to: a result about what was asked, a failure with one of our codes, or neither."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from soak_facts import End
from soak_subjects import subjects_in

from webseam.surfaces.gateway.problems import KINDS, MEDIA_TYPE, GatewayCode

OK: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """As it came; header names in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def header(self, name: str) -> str:
        """Blank where it is missing."""
        return next((value for key, value in self.headers.items() if key.lower() == name), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a request ended; see `Sent`."""

    end: End
    status: int = 0
    code: str = ""
    why: str = ""
    strangers: tuple[str, ...] = ()


class _UntypedError(Exception):
    """Neither a result nor a failure of ours; says why."""


def judged(answer: Answer | None, kind: str, number: str, subject: str, *, fault: str = "") -> Ended:
    """What an answer amounts to; None for a connection that broke.

    Args:
        answer: what came.
        kind: of the request; what comes from tools and over MCP has a form of its own.
        number: the id of the request.
        subject: what it was about.
        fault: how the connection broke.
    """
    if answer is None:
        return Ended(end="lost", why=fault)
    text = answer.body.decode("utf-8", "replace")
    strangers = tuple(one for one in subjects_in(text) if one != subject)
    try:
        if answer.header("x-request-id") != number:
            raise _UntypedError("the answer has another request's id")
        code = _code(answer, kind, number)
        if code == GatewayCode.FAULT or (code and code not in KINDS):
            raise _UntypedError(f"the code {code}")
        if not code and subject not in text:
            raise _UntypedError("the answer is not about what was asked")
    except _UntypedError as exc:
        return Ended(end="untyped", status=answer.status, why=str(exc), strangers=strangers)
    return Ended(end="failure" if code else "result", status=answer.status, code=code, strangers=strangers)


def gone(*, leaves: bool) -> Ended:
    """What it amounts to that a client waited no longer: it is one that leaves, or nobody answered it."""
    return Ended(end="left") if leaves else Ended(end="untyped", why="nobody answered")


def _code(answer: Answer, kind: str, number: str) -> str:
    """The code of a failure; blank for a result."""
    plain = _object(answer)
    if answer.header("content-type") == MEDIA_TYPE:
        return _problem(plain, answer.status, number)
    if answer.status != OK:
        raise _UntypedError(f"status {answer.status} as {answer.header('content-type')!r}")
    if kind.startswith("mcp"):
        return _tool_code(plain, "isError", (plain.get("structuredContent") or {}).get("error"))
    return _tool_code(plain, "is_error", plain.get("error")) if kind.startswith("tool") else ""


def _problem(plain: dict[str, Any], status: int, number: str) -> str:
    code = plain.get("code")
    if not isinstance(code, str) or not code:
        raise _UntypedError("a problem without a code")
    if plain.get("status") != status or plain.get("request_id") != number:
        raise _UntypedError(f"a problem that is not this answer's: {code}")
    return code


def _tool_code(plain: dict[str, Any], flag: str, error: Any) -> str:
    """A tool's failure is an answer with its code."""
    if not plain.get(flag):
        return ""
    code = error.get("code") if isinstance(error, dict) else None
    if not isinstance(code, str) or not code:
        raise _UntypedError("a failed tool without a code")
    return code


def _object(answer: Answer) -> dict[str, Any]:
    """The JSON object of an answer; over MCP, the result in it."""
    text = answer.body.decode("utf-8", "replace")
    if answer.header("content-type").startswith("text/event-stream"):
        told = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
        text = next((one for one in reversed(told) if one.strip()), "")
    try:
        plain = json.loads(text)
    except ValueError as exc:
        raise _UntypedError(f"no JSON under status {answer.status}, but {len(answer.body):,} bytes") from exc
    if isinstance(plain, dict) and "jsonrpc" in plain:
        plain = plain.get("result")
    if not isinstance(plain, dict):
        raise _UntypedError(f"no object under status {answer.status}")
    return plain
