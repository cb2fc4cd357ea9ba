"""Who may use a gateway: tenants, what each is allowed, and their tokens, in one file of the data folder.

A token is 256 random bits, shown once and kept as its SHA-256. A slow hash is for secrets that people choose: nobody
can try 2^256 values, however fast a trial is, and a slow one would cost every request.
"""

import hashlib
import hmac
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.limits import GATEWAY_TOKENS, GATEWAY_TOKENS_FILE_BYTES, URL_CHARS
from webseam.core.settings import PermissionSettings
from webseam.core.text import one_line
from webseam.tools.hosts import host_entry
from webseam.wiring.atomic import locked, replace_file
from webseam.wiring.rates import RATE_FORM, parse_rate
from webseam.wiring.setting_checks import PROVIDER_ID
from webseam.wiring.setting_types import Action, Calls, Dollars, QueryChars

TOKENS_FILE: Final = "tokens.json"
"""Name of the file in the data directory."""
VERSION: Final = 1
PREFIX: Final = "wst"
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.\-]{0,63}")
LOCAL_TENANT: Final = "local"
"""Whoever uses a gateway while it asks for no token; there is no token of this name, which would see their pages."""
_TOKEN: Final = re.compile(rf"{PREFIX}_([0-9a-f]{{12}})_[A-Za-z0-9_\-]{{43}}", re.ASCII)
DAYS_MOST: Final = 36_500
"""A hundred years: a date beyond year 9999 cannot be written."""
_ID: Final = re.compile(r"[0-9a-f]{12}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NOBODY: Final = hashlib.sha256(b"").hexdigest()
_OTHERS: Final = 0o077


class Policy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a tenant may do. Empty and 0 are no bound, as in `[permission]`, which holds besides.

    `providers` are ids; `rate` is written as `60/min`, over all calls of the tenant. `calls_per_day` and
    `cost_per_day`, in US dollars, are for a day in UTC. `admin` may see the calls, use and cost of
    every tenant, and the gateway's own addresses.
    """

    providers: tuple[str, ...] = ()
    search: Action = "allow"
    fetch: Action = "allow"
    unseen: Action = "allow"
    flagged: Action = "allow"
    allow_hosts: tuple[str, ...] = ("*",)
    deny_hosts: tuple[str, ...] = ()
    max_query_chars: QueryChars = URL_CHARS
    rate: str = ""
    calls_per_day: Calls = 0
    cost_per_day: Dollars = 0.0
    admin: bool = False

    def permission(self) -> PermissionSettings:
        """The part that permission holds to."""
        return PermissionSettings(
            search=self.search,
            fetch=self.fetch,
            unseen=self.unseen,
            flagged=self.flagged,
            allow_hosts=self.allow_hosts,
            deny_hosts=self.deny_hosts,
            max_query_chars=self.max_query_chars,
        )


FREE: Final = Policy()
"""Nothing beyond what the configuration holds."""


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is kept of a token. Times are ISO 8601 in UTC; `expires` blank is never."""

    id: str
    tenant: str
    sha256: str
    created: str
    expires: str = ""


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    version: int = VERSION
    tenants: dict[str, Policy] = {}
    tokens: tuple[Token, ...] = ()


_NO_FILE: Final = _File()


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """Who sent a request: the token's id, its tenant, and what that may do."""

    token: str
    tenant: str
    policy: Policy = FREE


class TokenBook:
    """The tokens of one gateway; whoever changes the file is heeded at the next request, and `revision` grows.

    Args:
        path: the file; none is no tokens.
        now: seconds since 1970.
    """

    def __init__(self, path: Path, *, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._now = now
        self._seen: tuple[int, int, int] | None = None
        self._kept = _NO_FILE
        self.revision = 0
        self._by_id: dict[str, Token] = {}

    def look(self) -> None:
        """Read the file, where it has changed.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a file that cannot be used.
        """
        self._current()

    def is_unused(self, *, looked: bool = False) -> bool:
        """Whether there never was a token, as far as the file tells: that of a last one that was revoked stays.

        Args:
            looked: the answer is as of the last `look`.

        Raises:
            WebError: as `look`.
        """
        if not looked:
            self.look()
        return self._seen is None

    def is_empty(self) -> bool:
        """Whether there is no token at all.

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a file that cannot be used.
        """
        return not self._current().tokens

    def holder(self, given: str, *, looked: bool = False) -> Holder | None:
        """Whose token this is; None for one that is unknown, revoked or over.

        The time that it takes tells nothing of any token.

        Args:
            given: what was sent.
            looked: the answer is as of the last `look`.

        Raises:
            WebError: as `look`.
        """
        kept = self._kept if looked else self._current()
        form = _TOKEN.fullmatch(given)
        found = None if form is None else self._by_id.get(form[1])
        digest = hashlib.sha256(given.encode("utf-8", "surrogatepass")).hexdigest()
        same = hmac.compare_digest(digest, _NOBODY if found is None else found.sha256)
        if found is None or not same or self._is_over(found):
            return None
        return Holder(token=found.id, tenant=found.tenant, policy=kept.tenants.get(found.tenant, FREE))

    def tokens(self) -> tuple[Token, ...]:
        """All of them, in the order they were made; those that are over too."""
        return self._current().tokens

    def policies(self) -> Mapping[str, Policy]:
        """What each tenant may do."""
        return self._current().tenants

    def is_over(self, token: Token) -> bool:
        """Whether its time has passed."""
        return self._is_over(token)

    def create(self, tenant: str, policy: Policy | None, *, days: float | None = None) -> tuple[Token, str]:
        """A new token of `tenant` and its text, which is nowhere else.

        Args:
            tenant: an old or a new one.
            policy: what it may do from now on; None leaves it as it is.
            days: how long the token holds; None is for good.

        Raises:
            WebError: `INVALID_ARGS` for a name or policy that cannot be; `WEB_CONFIG_INVALID` for a file that cannot be
                used.
        """
        check_name(tenant)
        if policy is not None:
            check_policy(policy)
        if days is not None and not 0 < days <= DAYS_MOST:  # NaN fails it too
            raise _wrong(f"A token holds for more than 0 and at most {DAYS_MOST:,} days; leave days out for good.")
        with locked(self.path):
            kept = self._current()
            if len(kept.tokens) >= GATEWAY_TOKENS:
                raise _wrong(f"There are {GATEWAY_TOKENS:,} tokens already. Revoke those that nobody uses.")
            token, text = self._drawn(tenant, days)
            chosen = kept.tenants.get(tenant, FREE) if policy is None else policy
            self._write(
                _File(tenants={**kept.tenants, tenant: chosen}, tokens=(*kept.tokens, token)),
            )
        return token, text

    def revoke(self, name: str) -> tuple[Token, ...]:
        """Forget a token by its id, or a tenant with all its tokens; the tokens that were forgotten.

        Raises:
            WebError: `INVALID_ARGS` when there is no such token or tenant; `WEB_CONFIG_INVALID` as `create`.
        """
        with locked(self.path):
            kept = self._current()
            gone = tuple(one for one in kept.tokens if name in (one.id, one.tenant))
            if not gone and name not in kept.tenants:
                raise _wrong(f"There is no token or tenant {name!r}. `webseam tokens list` shows them.")
            left = tuple(one for one in kept.tokens if one not in gone)
            tenants = {one: policy for one, policy in kept.tenants.items() if one != name}
            self._write(_File(tenants=tenants, tokens=left))
        return gone

    # The file ----------------------------------------------------------------------------------------

    def _drawn(self, tenant: str, days: float | None) -> tuple[Token, str]:
        number = secrets.token_hex(6)
        text = f"{PREFIX}_{number}_{secrets.token_urlsafe(32)}"
        made = datetime.fromtimestamp(self._now(), UTC).replace(microsecond=0)
        expires = "" if days is None else (made + timedelta(days=days)).isoformat()
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Token(id=number, tenant=tenant, sha256=digest, created=made.isoformat(), expires=expires), text

    def _is_over(self, token: Token) -> bool:
        return bool(token.expires) and datetime.fromisoformat(token.expires).timestamp() <= self._now()

    def _current(self) -> _File:
        """What the file holds, read again when it has changed."""
        try:
            told = os.stat(self.path)  # noqa: PTH116 - at each request, and `Path.stat` takes three times as long
        except FileNotFoundError:
            if self._seen is not None or self._kept is not _NO_FILE:
                self._take(_NO_FILE, None)
            return self._kept
        except OSError as exc:
            raise _unusable(self.path, exc.strerror or type(exc).__name__) from exc
        seen = told.st_ino, told.st_mtime_ns, told.st_size
        if seen != self._seen:
            if told.st_mode & _OTHERS:
                raise _unusable(self.path, "others may read it; run `chmod 600` on it")
            self._take(_read(self.path, told.st_size), seen)
        return self._kept

    def _take(self, kept: _File, seen: tuple[int, int, int] | None) -> None:
        if kept != self._kept:
            self.revision += 1
        self._kept, self._seen = kept, seen
        self._by_id = {one.id: one for one in kept.tokens}

    def _write(self, kept: _File) -> None:
        replace_file(self.path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
        self._seen = None


def _read(path: Path, size: int) -> _File:
    if size > GATEWAY_TOKENS_FILE_BYTES:
        raise _unusable(path, "it is too large")
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as exc:
        raise _unusable(path, exc.strerror or type(exc).__name__) from exc
    except (msgspec.DecodeError, ValueError) as exc:
        raise _unusable(path, "it is damaged") from exc
    if kept.version != VERSION:
        raise _unusable(path, f"another version of webseam wrote it ({kept.version})")
    try:
        _check_kept(kept)
    except WebError as error:
        raise _unusable(path, error.message) from error
    return kept


def _check_kept(kept: _File) -> None:
    """Whether everything in a file holds, which people edit too: a bound that cannot be read would bound nothing.

    Raises:
        WebError: with what is wrong.
    """
    for tenant, policy in kept.tenants.items():
        try:
            check_name(tenant)
            check_policy(policy)
        except WebError as error:
            raise _wrong(f"tenant {one_line(tenant, limit=64)!r}: {error.message}") from error
    for token in kept.tokens:
        if not (_ID.fullmatch(token.id) and _DIGEST.fullmatch(token.sha256) and _is_time(token.expires)):
            raise _wrong("a token is damaged")
        if token.tenant not in kept.tenants:
            raise _wrong(f"token {token.id} is of a tenant that is not there")
    if len({token.id for token in kept.tokens}) < len(kept.tokens):
        raise _wrong("two tokens have one id")


def _is_time(expires: str) -> bool:
    try:
        return not expires or datetime.fromisoformat(expires).tzinfo is not None
    except ValueError:
        return False


def check_name(tenant: str) -> None:
    """Whether a tenant may be called so.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if tenant == LOCAL_TENANT:
        raise _wrong(f"{LOCAL_TENANT!r} is whoever needs no token. Choose another name.")
    if NAME.fullmatch(tenant) is None:
        raise _wrong("A tenant's name has up to 64 lower-case letters, digits, dots, dashes and underscores.")


def check_policy(policy: Policy) -> None:
    """Whether every part of it can be held to.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    for one in policy.providers:
        if PROVIDER_ID.fullmatch(one) is None:
            raise _wrong(f"{one!r} is no provider id. `webseam providers` lists them.")
    hosts = (*policy.deny_hosts, *(() if policy.allow_hosts == ("*",) else policy.allow_hosts))
    for one in hosts:
        if host_entry(one) is None:
            raise _wrong(f"{one!r} is no host. Write docs.example, or *.docs.example for its subdomains.")
    if policy.rate and parse_rate(policy.rate) is None:
        raise _wrong(f"{policy.rate!r} is no rate. Write {RATE_FORM}.")


def _wrong(message: str) -> WebError:
    return WebError(Code.INVALID_ARGS, message)


def _unusable(path: Path, reason: str) -> WebError:
    return WebError(
        Code.CONFIG_INVALID, f"{path}: the tokens cannot be used ({reason}). Mend it, or delete it and make new tokens."
    )
