"""The providers of a plan, made and registered: one for each key of several, a stand-in for a broken one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, Seams
from webseam.core.providers import AnyProvider
from webseam.core.shared import TurnTaker
from webseam.core.text import one_line
from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.wiring.catalogue import Plan, Planned
from webseam.wiring.config import Loaded
from webseam.wiring.fleet import Fleet, turns_of
from webseam.wiring.host_rates import host_turns_of
from webseam.wiring.members import Member
from webseam.wiring.pools import Pool
from webseam.wiring.provider_tables import Pooling
from webseam.wiring.proxies import vendor_proxy_settings
from webseam.wiring.room_settings import fetch_settings
from webseam.wiring.transport import LazyTransport


@dataclass(frozen=True, slots=True)
class Unusable:
    """Stands in for a named provider that could not be made: never available, and `providers` says why."""

    id: str
    problem: str

    def available(self) -> bool:
        """Never."""
        return False

    def unavailable_reason(self) -> str:
        """What went wrong."""
        return self.problem


def register(web: Web, plan: Plan, loaded: Loaded, seams: Seams, fleet: Fleet | None, *, offline: bool) -> None:
    """Register every provider that `plan` has; nothing is dialled.

    Raises:
        WebError: `WEB_CONFIG_INVALID` from a provider that refuses its settings.
    """
    fetch = fetch_settings(loaded.config, loaded.environ)
    if offline and fetch.cache == "fleet":
        fetch = replace(fetch, cache="off")
    transport = LazyTransport(
        seams=seams, ca_bundle=fetch.ca_bundle, proxy=vendor_proxy_settings(loaded.config.search, loaded.environ)
    )
    web.at_close(transport.aclose)
    add: dict[Capability, Any] = {
        "search": web.register_search,
        "fetch": web.register_fetch,
        "extract": web.register_extract,
    }
    polite = host_turns_of(loaded.config.fetch.host_rate, fleet, seams)
    turns: dict[str, tuple[TurnTaker | None, ...]] = {}
    for one in plan.planned:
        kits = [
            Kit(
                id=one.id,
                options=one.options,
                secret=source,
                transport=transport,
                fetch=fetch,
                data_dir=loaded.places.data,
                seams=seams,
                on_close=web.at_close,
                read=web.page_for,
                shared=fleet,
                host_turns=polite,
            )
            for source in one.secret.sources
        ]
        if one.pooling is None:
            provider = _made(one, kits[0])
        else:  # a key is one key, whichever of its vendor's capabilities is called
            own = turns.get(one.id) or _turns(one, one.pooling, seams, fleet)
            turns[one.id] = own
            provider = _pooled(one, kits, one.pooling, own)
        add[one.capability](provider)


def _turns(one: Planned, pooling: Pooling, seams: Seams, fleet: Fleet | None) -> tuple[TurnTaker | None, ...]:
    rate, sources = pooling.rate, one.secret.sources
    return tuple(None if rate is None else turns_of(fleet, rate, one.kind, source, seams) for source in sources)


def _pooled(
    one: Planned, kits: Sequence[Kit], pooling: Pooling, turns: Sequence[TurnTaker | None]
) -> AnyProvider | Unusable:
    """A provider for each key behind one that takes them in turn; the first that could not be made stands for all."""
    made = [_made(one, kit) for kit in kits]
    members = [
        Member(provider=provider, secret=kit.secret, turns=own)
        for provider, kit, own in zip(made, kits, turns, strict=True)
    ]
    broken = next((provider for provider in made if isinstance(provider, Unusable)), None)
    return broken or Pool(members, patience=pooling.patience, clock=kits[0].seams.clock)


def _made(one: Planned, kit: Kit) -> AnyProvider | Unusable:
    """The provider, or its stand-in: one plugin's fault is not everybody's; a wrong setting is."""
    if one.spec is None:
        return Unusable(one.id, one.problem or "its plugin did not load")
    try:
        provider = one.spec.build(kit)
    except WebError as error:
        if error.code == Code.CONFIG_INVALID:
            raise
        return Unusable(one.id, error.message)
    except Exception as exc:  # noqa: BLE001 - a plugin's fault must not take the other providers down
        return Unusable(one.id, f"could not be built ({type(exc).__name__}: {one_line(str(exc))})")
    lacking = [name for name in ("id", "available", one.capability) if not hasattr(provider, name)]
    if lacking:
        return Unusable(one.id, f"its plugin made a {type(provider).__name__} without {' and '.join(lacking)}")
    if provider.id != one.id:
        return Unusable(one.id, f"its plugin calls itself {one_line(str(provider.id))!r}")
    return provider
