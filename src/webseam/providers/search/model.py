"""The host's current model searches, where its API has a search of its own (enso-13): `Call.model` says which.

Nothing is guessed and nothing is switched in silence: a model whose API is not known here is an error that names those
that are, and what comes next is for the configured route to say.

[providers.model]
max_tokens = 8192       # longest answer
max_uses = 5            # searches in one answer, where the API has a bound on them
answer = true           # pass the model's prose on
"""

from dataclasses import dataclass, field, replace
from typing import Annotated, Final

import msgspec

from webseam.core.call import Call, ModelRef
from webseam.core.controls import ENFORCEABLE
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.text import one_line, redacted
from webseam.core.types import ControlStatus, SearchControls, SearchRequest, SearchResult
from webseam.core.url import web_url
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.model_apis import CONTROLS, WIRES, Routed, Wire
from webseam.providers.wires.options import checked
from webseam.providers.wires.vendor import VendorSearch


class ModelOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.model]`. Model, base URL and credentials come with each call, never from here."""

    max_tokens: Annotated[int, msgspec.Meta(ge=16, le=1_000_000)] = 8192
    max_uses: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    answer: bool = True


@dataclass(frozen=True, slots=True)
class _Credentials:
    """A `Secret` over the current model's own resolver, for one call."""

    provider: str
    ref: ModelRef = field(repr=False)

    def configured(self) -> bool:
        """Whether the model brings a resolver."""
        return self.ref.auth is not None

    async def resolve(self) -> str:
        """The key, asked now; raises `WEB_PROVIDER_CREDENTIAL_MISSING` where nobody gives one."""
        if self.ref.auth is None:
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"The current model ({_named(self.ref)}) brings no credentials. Give ModelRef(auth=...), "
                f"or choose another search.provider.",
                provider=self.provider,
            )
        key = await self.ref.auth()
        if not key or not key.strip():
            raise WebError(
                Code.PROVIDER_CREDENTIAL_MISSING,
                f"The credentials of the current model ({_named(self.ref)}) yield no key. Let ModelRef(auth=...) "
                f"return one, or choose another search.provider.",
                provider=self.provider,
            )
        return key


class ModelSearch:
    """Searches through the model that the call names; see `SearchProvider`. Keeps nothing between calls."""

    native_controls: Final = CONTROLS

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._kit = kit
        self._options = checked(kit, ModelOptions)

    def available(self) -> bool:
        """Always: which model it will be is known only in the call."""
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """Search through `call.model`, with its base URL and its credentials, both taken once (dsh-62).

        Raises:
            WebError: `WEB_PROVIDER_UNAVAILABLE` before anything leaves: no model in the call, an API that is not
                known here, no base URL. `WEB_PROVIDER_CREDENTIAL_MISSING` for a model without credentials. Else as
                the wire's own vendor.
        """
        call.check()
        ref = call.model
        if ref is None:
            raise self._unavailable("This call names no model. Give Call(model=ModelRef(...))")
        wire = WIRES.get(ref.api)
        if wire is None:
            raise self._unavailable(
                f"The current model ({_named(ref)}) speaks {_shown(ref.api)}, and its search, if it has one, is not "
                f"known here. Known are: {', '.join(WIRES)}. Give a model of these"
            )
        if not ref.id.strip():
            raise self._unavailable("The current model names no id. Give ModelRef(id=...)")
        vendor = wire.vendor(ref)
        options = Routed(
            base_url=self._base(ref, wire),
            model=ref.id,
            max_tokens=self._options.max_tokens,
            max_uses=self._options.max_uses,
            answer=self._options.answer,
        )
        statuses = self._held(request.controls, vendor.native(options))
        kit = replace(self._kit, options=options, secret=_Credentials(self.id, ref))
        result = await VendorSearch(kit, vendor, Routed).search(request, call=call)
        return replace(result, controls=statuses | dict(result.controls))

    def _base(self, ref: ModelRef, wire: Wire) -> str:
        base = ref.base_url or wire.homes.get(ref.provider)
        if not base:
            raise self._unavailable(
                f"The current model ({_named(ref)}) names no base URL, and none is known for this vendor. "
                f"Give ModelRef(base_url=...)"
            )
        try:
            web_url(base)
        except WebError as error:
            fault = f"The base URL of the current model ({_named(ref)}) cannot be used: {error.message}"
            raise self._unavailable(fault.rstrip(".") + ". Mend it") from error
        return wire.base(base)

    def _held(self, controls: SearchControls, native: frozenset[str]) -> dict[str, ControlStatus]:
        """Domains that this model's API does not honour are left to the seam; of other controls nobody would be left.

        Raises:
            WebError: `WEB_UNSUPPORTED_CONTROL`.
        """
        lost = [name for name in controls.asked() if name in CONTROLS and name not in native]
        for name in lost:
            if name not in ENFORCEABLE:
                raise unsupported(name, str(getattr(controls, name)), "The current model's search cannot.", self.id)
        return dict.fromkeys(lost, "enforced")

    def _unavailable(self, what: str) -> WebError:
        message = f"{what}, or choose another search.provider."
        return WebError(Code.PROVIDER_UNAVAILABLE, message, provider=self.id)


def _named(ref: ModelRef) -> str:
    return f"{_shown(ref.provider)}/{_shown(ref.id)}"


def _shown(name: str) -> str:
    """A name that the host chose, fit for a message."""
    return one_line(redacted(name), limit=60) or "unnamed"


SPEC = ProviderSpec(
    kind="model",
    capability="search",
    build=ModelSearch,
    options=ModelOptions,
    keyless=True,
    summary="The host's current model, through the search of its own API; only with a model in the call.",
    answer="option",
    controls=CONTROLS,
)
