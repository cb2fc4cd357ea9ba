"""Where a vendor answers and with which key: parsed once, taken together once per call."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, Secret
from webseam.core.url import Url, web_url

_VISIBLE: Final = range(0x21, 0x7F)  # what a credential in a header field may hold (RFC 9110 section 11.2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Endpoint and key of one call; a change of either reaches the next call, never half of this one (dsh-62)."""

    base: Url
    key: str | None = field(repr=False)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never stand in an error."""
        return () if self.key is None else (self.key,)

    @property
    def endpoint(self) -> str:
        """The base URL itself, without a fragment."""
        return self.base.document

    def url(self, path: str) -> str:
        """`path` below the base URL, whether or not that ends in a slash; a query of the base stays."""
        return f"{self.base.origin}{self.base.path.rstrip('/')}/{path.lstrip('/')}{self.base.query}"


class Account:
    """A vendor's base URL and credential source, as configured.

    Args:
        kit: brings the provider's id and its credential source.
        base_url: as configured; text that is no URL makes the provider unavailable instead of failing here.
        key_optional: go without a key when no source is set.
    """

    __slots__ = ("_base", "_fault", "_key_optional", "_secret", "provider")

    def __init__(self, kit: Kit, base_url: str, *, key_optional: bool = False) -> None:
        self.provider = kit.id
        self._secret: Secret = kit.secret
        self._key_optional = key_optional
        self._base: Url | None = None
        self._fault = ""
        try:
            self._base = web_url(base_url)
        except WebError as error:
            setting = f"providers.{self.provider}.base_url"
            self._fault = f"{setting}: {error.message}" if base_url.strip() else f"{setting} is not set"

    def unavailable_reason(self) -> str | None:
        """Why no call can be made, or None when one can; local, nothing is dialled."""
        if self._base is None:
            return self._fault
        if self._secret.configured():
            return None
        trouble: str | None = getattr(self._secret, "trouble", None)
        if trouble is not None:  # whether there is a key is not known, so it is neither missed nor done without
            return trouble
        return None if self._key_optional else f"no key is set for {self.provider} (`webseam keys set {self.provider}`)"

    def goes_keyless(self) -> bool:
        """Whether a call now would go without a key, and so to nobody's bill; local."""
        if not self._key_optional or self._secret.configured():
            return False
        return getattr(self._secret, "trouble", None) is None

    async def take(self, call: Call) -> Access:
        """Endpoint and key for one call, asked now (dsh-60). The call is checked before and after (dsh-63).

        Raises:
            WebError: `WEB_CONFIG_INVALID` for a base URL that is none, `WEB_PROVIDER_CREDENTIAL_MISSING` for
                a source that yields nothing usable, `WEB_PROVIDER_ERROR` for one that fails, `WEB_ABORTED`.
        """
        call.check()
        if self._base is None:
            raise WebError(Code.CONFIG_INVALID, self._fault, provider=self.provider)
        base = self._base
        if self.goes_keyless():
            return Access(base=base, key=None)
        key = await self._resolve()
        call.check()
        return Access(base=base, key=key)

    async def _resolve(self) -> str:
        """The key; a resolver that ignores cancellation is left behind, not waited for (dsh-63)."""
        task = asyncio.ensure_future(self._secret.resolve())
        try:
            key = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_forget)
            task.cancel()
            raise
        except WebError:
            raise
        except Exception as exc:
            raise WebError(
                Code.PROVIDER_ERROR,
                f"The key of {self.provider} could not be read ({type(exc).__name__}). Check its credential source.",
                provider=self.provider,
            ) from exc
        return self._usable(key)

    def _usable(self, key: str) -> str:
        bare = key.strip()
        if bare and all(ord(char) in _VISIBLE for char in bare):
            return bare
        fault = "holds characters that no header can carry" if bare else "is empty"
        raise WebError(
            Code.PROVIDER_CREDENTIAL_MISSING,
            f"The key of {self.provider} {fault}. Set it again: in the environment, the secrets file or the keyring.",
            provider=self.provider,
        )


def _forget(task: "asyncio.Future[str]") -> None:
    """Take the outcome that nobody waits for, so that the loop does not report it as lost."""
    if not task.cancelled():
        task.exception()
