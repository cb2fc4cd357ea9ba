"""Bodies of requests: bounded, in time, and JSON that means one thing only (RFC 8259, RFC 7493)."""

import asyncio
import json
import re
from math import isfinite
from typing import Any, Final, NoReturn

from starlette.types import Receive

from webseam.core.limits import GATEWAY_BODY_BYTES, GATEWAY_BODY_DEPTH, GATEWAY_BODY_SECONDS
from webseam.core.text import is_text
from webseam.core.waiting import Begun
from webseam.surfaces.gateway.header_fields import HeaderFields
from webseam.surfaces.gateway.problems import GatewayCode, Problem

_JSON: Final = re.compile(r'application/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?', re.IGNORECASE | re.ASCII)


class ClientGoneError(Exception):
    """The client has left; nobody reads an answer."""


async def read_object(headers: HeaderFields, receive: Receive) -> dict[str, Any]:
    """The JSON object in a request's body.

    Raises:
        Problem: it is no JSON by its type, is larger than 64 kB, does not arrive within 10 s, or is no JSON object.
        ClientGoneError: the client left meanwhile.
    """
    _check_type(headers)
    return parsed(await _read(headers, receive))


def _check_type(headers: HeaderFields) -> None:
    kinds = headers.getlist("content-type")
    if len(kinds) != 1 or _JSON.fullmatch(kinds[0].strip()) is None:
        raise Problem(GatewayCode.MEDIA_TYPE, "Send Content-Type: application/json, in UTF-8.")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise Problem(GatewayCode.MEDIA_TYPE, "Send the body without a Content-Encoding.")


async def _read(headers: HeaderFields, receive: Receive) -> bytes:
    declared = headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and (len(declared) > 12 or int(declared) > GATEWAY_BODY_BYTES):  # noqa: PLR2004 - a terabyte
        raise _too_large()
    begun = Begun(_arrived(receive))
    if not begun.waits:
        return begun.value
    try:
        async with asyncio.timeout(GATEWAY_BODY_SECONDS):
            return await begun.rest()
    except TimeoutError as exc:
        raise Problem(
            GatewayCode.BODY_TIMEOUT,
            f"The body did not arrive within {GATEWAY_BODY_SECONDS:g} s.",
            headers=(("connection", "close"),),
        ) from exc


async def _arrived(receive: Receive) -> bytes:
    """The whole body; most have arrived with their headers."""
    pieces: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > GATEWAY_BODY_BYTES:
            raise _too_large()
        more = message.get("more_body", False)
    return b"".join(pieces)


def _too_large() -> Problem:
    return Problem(
        GatewayCode.BODY_TOO_LARGE,
        f"A body has at most {GATEWAY_BODY_BYTES:,} bytes.",
        headers=(("connection", "close"),),  # the rest of it is not read
    )


def parsed(data: bytes) -> dict[str, Any]:
    """The object that `data` is.

    Raises:
        Problem: it is not UTF-8, not JSON, no object, nested too deep, or could be read in two ways: a name that stands
            twice, a number that is none or too large, half a character.
    """
    try:
        value = _DECODER.decode(data.decode())
    except UnicodeDecodeError as exc:
        raise _malformed("The body is not UTF-8.") from exc
    except RecursionError as exc:
        raise _malformed("The body is nested too deep.") from exc
    except ValueError as exc:
        raise _malformed("The body is not valid JSON.") from exc
    if not isinstance(value, dict):
        raise _malformed("The body must be one JSON object.")
    _check(value, 1)
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _malformed("A name stands twice in one object of the body.")
    return found


def _no_number(_text: str) -> NoReturn:
    raise _malformed("NaN and Infinity are no JSON.")


def _number(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise _malformed("A number in the body is too large.")
    return value


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_number, parse_float=_number)
"""Made once: `json.loads` would make one for each body."""


def _check(value: Any, depth: int) -> None:
    if isinstance(value, str):
        if not is_text(value):
            raise _malformed("The body holds half a character (a lone surrogate).")
    elif isinstance(value, dict | list):
        if depth > GATEWAY_BODY_DEPTH:
            raise _malformed("The body is nested too deep.")
        for one in (*value, *value.values()) if isinstance(value, dict) else value:
            _check(one, depth + 1)


def _malformed(detail: str) -> Problem:
    return Problem(GatewayCode.MALFORMED, detail)
