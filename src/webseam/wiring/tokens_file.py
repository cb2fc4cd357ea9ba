"""The file of tokens in the data folder: what is kept of each, and whether all that it holds can be held to."""

import re
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.forms import invalid
from webseam.core.limits import GATEWAY_TOKENS_FILE_BYTES
from webseam.core.text import one_line
from webseam.wiring.atomic import replace_file
from webseam.wiring.tenants import Policy, check_name, check_policy

TOKENS_FILE: Final = "tokens.json"
"""Name of the file in the data directory."""
VERSION: Final = 1
_ID: Final = re.compile(r"[0-9a-f]{12}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


class Token(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is kept of a token. Times are ISO 8601 in UTC; `expires` blank is never."""

    id: str
    tenant: str
    sha256: str
    created: str
    expires: str = ""


class KeptTokens(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the file holds: every tenant's policy, and the tokens in the order they were made."""

    version: int = VERSION
    tenants: dict[str, Policy] = {}
    tokens: tuple[Token, ...] = ()


NO_TOKENS: Final = KeptTokens()


def read_tokens(path: Path, size: int) -> KeptTokens:
    """What the file at `path` holds, whose size is told by whoever looked.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a file that cannot be read, or says what cannot be held to.
    """
    if size > GATEWAY_TOKENS_FILE_BYTES:
        raise unusable(path, "it is too large")
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=KeptTokens)
    except OSError as exc:
        raise unusable(path, exc.strerror or type(exc).__name__) from exc
    except (msgspec.DecodeError, ValueError) as exc:
        raise unusable(path, "it is damaged") from exc
    if kept.version != VERSION:
        raise unusable(path, f"another version of webseam wrote it ({kept.version})")
    try:
        _check_kept(kept)
    except WebError as error:
        raise unusable(path, error.message) from error
    return kept


def write_tokens(path: Path, kept: KeptTokens) -> None:
    """Put a new file in the place of the old one.

    Raises:
        WebError: `WEB_CONFIG_INVALID` where it cannot be written.
    """
    replace_file(path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def _check_kept(kept: KeptTokens) -> None:
    """Whether everything in a file holds, which people edit too: a bound that cannot be read would bound nothing.

    Raises:
        WebError: with what is wrong.
    """
    for tenant, policy in kept.tenants.items():
        try:
            check_name(tenant)
            check_policy(policy)
        except WebError as error:
            raise invalid(f"tenant {one_line(tenant, limit=64)!r}: {error.message}") from error
    for token in kept.tokens:
        if not (_ID.fullmatch(token.id) and _DIGEST.fullmatch(token.sha256) and _is_time(token.expires)):
            raise invalid("a token is damaged")
        if token.tenant not in kept.tenants:
            raise invalid(f"token {token.id} is of a tenant that is not there")
    if len({token.id for token in kept.tokens}) < len(kept.tokens):
        raise invalid("two tokens have one id")


def _is_time(expires: str) -> bool:
    try:
        return not expires or datetime.fromisoformat(expires).tzinfo is not None
    except ValueError:
        return False


def unusable(path: Path, reason: str) -> WebError:
    """The error of a file that cannot be used: why, and what mends it."""
    return WebError(
        Code.CONFIG_INVALID, f"{path}: the tokens cannot be used ({reason}). Mend it, or delete it and make new tokens."
    )
