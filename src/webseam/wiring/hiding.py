"""What must not stand in a recording: which texts are secret, in which spellings, and how they are taken out."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from html import escape
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from webseam.core.limits import BASE64_CHARS_LEAST, HIDING_DEPTH, KEYS_REMEMBERED, SECRET_CHARS_LEAST
from webseam.core.settings import ProxySettings

REMOVED: Final = "[secret]"

T = TypeVar("T")

_HEX: Final = re.compile("%[0-9A-F]{2}")
_PLACEHOLDER: Final = re.compile(r"\{\w+\}")
_SECRET_NAME: Final = re.compile(
    r"(?:^|[-_])(?:(?:api|app)?key|auth|pass|pwd|sig|sid|jwt|app[-_]?id)$"
    r"|(?:token|secret|passwd|password|passphrase|authorization|credentials?|signature)$",
    re.IGNORECASE,
)
"""Narrow: what stands under such a name is taken out wherever it stands, and `keywords` or `sort` are no secrets."""

_PUBLIC_HEADERS: Final = frozenset(
    {"accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "content-type", "user-agent"}
)
"""They hold words that pages hold too: without `application/json` a recorded page would not be what it was."""

_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


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


def without(value: T, secrets: Iterable[str]) -> T:
    """A value without the secrets, wherever a text in it holds one; the value itself where none does."""
    known = tuple(secrets)
    return value if not known else _cleaned(value, known)


def _cleaned(value: Any, secrets: tuple[str, ...], depth: int = HIDING_DEPTH) -> Any:
    if isinstance(value, str):
        return scrubbed(value, secrets) if any(secret in value for secret in secrets) else value
    if isinstance(value, dict | list | tuple) and depth == 0:
        return type(value).__name__
    if isinstance(value, dict):
        held = [part for pair in value.items() for part in pair]
        clean = _each(held, secrets, depth)
        return value if clean is held else dict(zip(clean[::2], clean[1::2], strict=True))
    if isinstance(value, list | tuple):
        clean = _each(value, secrets, depth)
        return clean if clean is value or isinstance(value, list) else tuple(clean)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {one.name: getattr(value, one.name) for one in fields(value)}
        changed = {name: new for name, old in parts.items() if (new := _cleaned(old, secrets, depth)) is not old}
        return replace(value, **changed) if changed else value
    return value


def _each(values: Sequence[Any], secrets: tuple[str, ...], depth: int) -> Sequence[Any]:
    """Each one without the secrets; the values themselves where none holds one."""
    clean = [_cleaned(one, secrets, depth - 1) for one in values]
    return clean if any(new is not old for new, old in zip(clean, values, strict=True)) else values


def worth_hiding(secrets: Iterable[str]) -> tuple[str, ...]:
    """Every spelling of the secrets, the longest first, so that one inside another does not leave its rest.

    Those that are too short are words.
    """
    told = {one for secret in secrets if len(secret) >= SECRET_CHARS_LEAST for one in _spellings(secret)}
    return tuple(sorted(told, key=len, reverse=True))


def hidden(told: Callable[[], Sequence[str]]) -> Callable[[], tuple[str, ...]]:
    """`worth_hiding` of what is `told` at each call, and of what was told before: a call that runs may have used it."""
    ever: dict[str, None] = {}
    last: Sequence[str] | None = None
    known: tuple[str, ...] = ()

    def now() -> tuple[str, ...]:
        nonlocal last, known
        if (current := told()) is not last and current != last:
            ever.update(dict.fromkeys(current))
            for one in [*ever][:-KEYS_REMEMBERED]:
                del ever[one]
            known = worth_hiding(ever)
        last = current
        return known

    return now


def _spellings(secret: str) -> Iterator[str]:
    """As it is, as URLs, JSON, HTML and Basic authentication (RFC 7617) hold it; of `user:password` its end too."""
    yield from (secret, quote(secret), quote(secret, ""), quote_plus(secret), escape(secret))
    yield from (json.dumps(secret)[1:-1], json.dumps(secret)[1:-1].replace("/", "\\/"))
    yield from (_HEX.sub(lambda found: found[0].lower(), quote(secret, safe)) for safe in ("/", ""))
    yield from _in_base64(secret.encode("utf-8", "surrogatepass"))
    password = secret.partition(":")[2]
    if len(password) >= SECRET_CHARS_LEAST:
        yield password


def _in_base64(secret: bytes) -> Iterator[str]:
    """Alone and inside something longer, such as `user:secret` for a user that is not known here; for URLs too.

    Three bytes are four characters, so that there are three ways to stand in it; what also depends on a neighbour is
    left off.
    """
    yield b64encode(secret).decode("ascii")
    for before in range(3):
        ends = (before + len(secret)) // 3 * 4
        inner = b64encode(bytes(before) + secret)[4 if before else 0 : ends].decode("ascii")
        if len(inner) >= BASE64_CHARS_LEAST:
            yield from (inner, inner.replace("+", "-").replace("/", "_"))


def proxy_secrets(settings: Iterable[ProxySettings]) -> Iterator[str]:
    """Passwords in proxies' URLs, as written, as meant, and with their user as `Proxy-Authorization` holds them."""
    for one in settings:
        for url in (one.http, one.https):
            user, password = _userinfo(url or "")
            yield from (password, unquote(password))
            if password:
                yield f"{unquote(user)}:{unquote(password)}"


def url_secrets(url: str) -> Iterator[str]:
    """The password in a URL, as written and as meant."""
    password = _userinfo(url)[1]
    return iter((password, unquote(password)) if password else ())


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
        if name == "headers" and isinstance(value, Mapping):
            yield from _in_headers(value)
        else:
            yield from _named(name, value)


def _named(name: str, value: Any) -> Iterator[str]:
    """What may be a key in what stands under this name."""
    if isinstance(value, str):
        yield from _in_url(value)
        if _SECRET_NAME.search(_HUMP.sub("_", name)):
            yield value
    elif isinstance(value, Mapping):
        for inner, part in value.items():
            yield from _named(str(inner), part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _named(name, part)


def _in_headers(headers: Mapping[str, Any]) -> Iterator[str]:
    """Every value of those that may be anything, and of `Authorization` what stands behind its scheme's name."""
    for name, value in headers.items():
        if isinstance(value, str) and name.lower() not in _PUBLIC_HEADERS:
            yield value
            if name.lower().endswith("authorization"):
                yield value.rpartition(" ")[2]


def _in_url(url: str) -> Iterator[str]:
    password = _userinfo(url)[1]
    yield from (password, unquote(password))
    for name, value in parse_qsl(url.partition("?")[2]):
        if _SECRET_NAME.search(_HUMP.sub("_", name)):
            yield value
