"""The tokens of a gateway: made, looked up at each request, and revoked.

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

from webseam.core.forms import invalid
from webseam.core.limits import GATEWAY_TOKENS
from webseam.wiring.atomic import locked
from webseam.wiring.tenants import FREE, Holder, Policy, check_name, check_policy
from webseam.wiring.tokens_file import NO_TOKENS, KeptTokens, Token, read_tokens, unusable, write_tokens

PREFIX: Final = "wst"
DAYS_MOST: Final = 36_500
"""A hundred years: a date beyond year 9999 cannot be written."""
_TOKEN: Final = re.compile(rf"{PREFIX}_([0-9a-f]{{12}})_[A-Za-z0-9_\-]{{43}}", re.ASCII)
_NOBODY: Final = hashlib.sha256(b"").hexdigest()
_OTHERS: Final = 0o077


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
        self._kept = NO_TOKENS
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
            raise invalid(f"A token holds for more than 0 and at most {DAYS_MOST:,} days; leave days out for good.")
        with locked(self.path):
            kept = self._current()
            if len(kept.tokens) >= GATEWAY_TOKENS:
                raise invalid(f"There are {GATEWAY_TOKENS:,} tokens already. Revoke those that nobody uses.")
            token, text = self._drawn(tenant, days)
            chosen = kept.tenants.get(tenant, FREE) if policy is None else policy
            self._write(
                KeptTokens(tenants={**kept.tenants, tenant: chosen}, tokens=(*kept.tokens, token)),
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
                raise invalid(f"There is no token or tenant {name!r}. `webseam tokens list` shows them.")
            left = tuple(one for one in kept.tokens if one not in gone)
            tenants = {one: policy for one, policy in kept.tenants.items() if one != name}
            self._write(KeptTokens(tenants=tenants, tokens=left))
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

    def _current(self) -> KeptTokens:
        """What the file holds, read again when it has changed."""
        try:
            told = os.stat(self.path)  # noqa: PTH116 - at each request, and `Path.stat` takes three times as long
        except FileNotFoundError:
            if self._seen is not None or self._kept is not NO_TOKENS:
                self._take(NO_TOKENS, None)
            return self._kept
        except OSError as exc:
            raise unusable(self.path, exc.strerror or type(exc).__name__) from exc
        seen = told.st_ino, told.st_mtime_ns, told.st_size
        if seen != self._seen:
            if told.st_mode & _OTHERS:
                raise unusable(self.path, "others may read it; run `chmod 600` on it")
            self._take(read_tokens(self.path, told.st_size), seen)
        return self._kept

    def _take(self, kept: KeptTokens, seen: tuple[int, int, int] | None) -> None:
        if kept != self._kept:
            self.revision += 1
        self._kept, self._seen = kept, seen
        self._by_id = {one.id: one for one in kept.tokens}

    def _write(self, kept: KeptTokens) -> None:
        write_tokens(self.path, kept)
        self._seen = None
