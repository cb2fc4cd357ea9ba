"""What must not stand in a recording: which texts are secret, in which spellings, and how they are taken out."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from webseam.core.limits import SECRET_CHARS_LEAST
from webseam.core.settings import ProxySettings

REMOVED: Final = "[secret]"

_PLACEHOLDER: Final = re.compile(r"\{\w+\}")
_SECRET_NAME: Final = re.compile(r"(?:^|[-_])(?:api)?key$|(?:token|secret|password)$", re.IGNORECASE)


def scrubbed(plain: Any, secrets: Iterable[str]) -> Any:
    """Plain data without the secrets, wherever a text holds one."""
    if isinstance(plain, str):
        for secret in secrets:
            plain = plain.replace(secret, REMOVED)
        return plain
    if isinstance(plain, dict):
        return {scrubbed(key, secrets): scrubbed(value, secrets) for key, value in plain.items()}
    if isinstance(plain, list):
        return [scrubbed(value, secrets) for value in plain]
    return plain


def worth_hiding(secrets: Iterable[str]) -> tuple[str, ...]:
    """Every spelling of the secrets, the longest first, so that one inside another does not leave its rest.

    Those that are too short are words.
    """
    told = {one for secret in secrets if len(secret) >= SECRET_CHARS_LEAST for one in _spellings(secret)}
    return tuple(sorted(told, key=len, reverse=True))


def hidden(told: Callable[[], Iterable[str]]) -> Callable[[], tuple[str, ...]]:
    """`worth_hiding` of what is `told` at each call, worked out anew when that is something else."""
    last: tuple[str, ...] = ()
    known: tuple[str, ...] = ()

    def now() -> tuple[str, ...]:
        nonlocal last, known
        if (current := tuple(told())) != last:
            last, known = current, worth_hiding(current)
        return known

    return now


def _spellings(secret: str) -> Iterator[str]:
    """As it is, as URLs, JSON and Basic authentication (RFC 7617) hold it, and the password of `user:password`."""
    yield from (secret, quote(secret), quote(secret, ""), quote_plus(secret), json.dumps(secret)[1:-1])
    yield b64encode(secret.encode("utf-8", "surrogatepass")).decode("ascii")
    password = secret.partition(":")[2]
    if len(password) >= SECRET_CHARS_LEAST:
        yield password


def proxy_secrets(settings: Iterable[ProxySettings]) -> Iterator[str]:
    """Passwords in proxies' URLs, as written, as meant, and with their user as `Proxy-Authorization` holds them."""
    for one in settings:
        for url in (one.http, one.https):
            user, password = _userinfo(url or "")
            yield from (password, unquote(password))
            if password:
                yield f"{unquote(user)}:{unquote(password)}"


def _userinfo(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:  # a proxy that is no URL is refused where it is used
        return "", ""
    return parts.username or "", parts.password or ""


def told_options(options: Mapping[str, Any]) -> Iterator[str]:
    """What of a provider's own options may be a key: header values, and what URLs and parameters hold under such names.

    A placeholder, such as `{query}`, is none.
    """
    return (one for one in _told(options) if not _PLACEHOLDER.search(one))


def _told(options: Mapping[str, Any]) -> Iterator[str]:
    for name, value in options.items():
        if isinstance(value, str):
            yield from _in_url(value)
        elif isinstance(value, Mapping):
            yield from _in_headers(value) if name == "headers" else _in_parameters(value)


def _in_headers(headers: Mapping[str, Any]) -> Iterator[str]:
    """Every value, and of `Authorization` what stands behind its scheme's name."""
    for name, value in headers.items():
        if isinstance(value, str):
            yield value
            if name.lower().endswith("authorization"):
                yield value.rpartition(" ")[2]


def _in_url(url: str) -> Iterator[str]:
    password = _userinfo(url)[1]
    yield from (password, unquote(password))
    for name, value in parse_qsl(url.partition("?")[2]):
        if _SECRET_NAME.search(name):
            yield value


def _in_parameters(given: Mapping[str, Any]) -> Iterator[str]:
    for name, value in given.items():
        if isinstance(value, Mapping):
            yield from _in_parameters(value)
        elif isinstance(value, str) and _SECRET_NAME.search(name):
            yield value
