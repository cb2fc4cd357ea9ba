"""The composition root: a configuration becomes a `Web` with its providers."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Kit, Seams
from webseam.core.providers import AnyProvider
from webseam.core.settings import FetchSettings, SeamSettings, ToolSettings
from webseam.core.text import one_line
from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.wiring.catalogue import Plan, Planned, Skipped, make_plan
from webseam.wiring.config import Loaded
from webseam.wiring.plugins import CAPABILITIES, Discover, load_plugins
from webseam.wiring.schema import Config
from webseam.wiring.transport import LazyTransport

REAL = Seams()


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


@dataclass(frozen=True, slots=True)
class Built:
    """A `Web` and the plan it was built from."""

    web: Web
    plan: Plan


def build(
    loaded: Loaded,
    *,
    seams: Seams = REAL,
    capabilities: Sequence[Capability] = CAPABILITIES,
    gate: Gate | None = None,
    emit: Emit = silent,
    discover: Discover = entry_points,
    lenient: bool = False,
) -> Built:
    """Build a `Web`; nothing is dialled and no HTTP client is imported.

    Args:
        loaded: the configuration.
        seams: what touches the outside.
        capabilities: what is needed; of the others only kinds with a table of their own are loaded and checked.
        gate: permission for calls that bring none.
        emit: observer for calls that bring none.
        discover: reads the installed entry points.
        lenient: build over a secrets file that cannot be used too: to look at, not to call.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    config = loaded.config
    only = loaded.environ.get("WEBSEAM_LOAD_PLUGINS", "")
    installed = load_plugins(
        capabilities,
        also=[table.kind for table in config.providers.values()],
        disabled=config.plugins.disabled,
        only=only,
        discover=discover,
    )
    plan = make_plan(loaded, installed, capabilities)
    if plan.problem is not None and not lenient:
        raise plan.problem
    web = Web(
        search=plan.choices.get("search"),
        fetch=plan.choices.get("fetch"),
        extract=plan.choices.get("extract"),
        settings=seam_settings(config),
        gate=gate,
        emit=emit,
        clock=seams.clock,
        tools=tool_settings(config, plan.notice),
        known=_known(plan, capabilities),
    )
    _register(web, plan, loaded, seams)
    return Built(web, plan)


def _known(plan: Plan, capabilities: Sequence[Capability]) -> dict[Capability, tuple[str, ...]]:
    """Ids that a configuration could name here."""
    entries: list[Planned | Skipped] = [*plan.planned, *plan.skipped]
    return {kind: tuple(one.id for one in entries if one.capability == kind) for kind in capabilities}


def _register(web: Web, plan: Plan, loaded: Loaded, seams: Seams) -> None:
    fetch = fetch_settings(loaded.config)
    transport = LazyTransport(seams=seams, ca_bundle=fetch.ca_bundle)
    web.at_close(transport.aclose)
    add: dict[Capability, Any] = {
        "search": web.register_search,
        "fetch": web.register_fetch,
        "extract": web.register_extract,
    }
    for one in plan.planned:
        kit = Kit(
            id=one.id,
            options=one.options,
            secret=one.secret,
            transport=transport,
            fetch=fetch,
            data_dir=loaded.places.data,
            seams=seams,
            on_close=web.at_close,
        )
        add[one.capability](_made(one, kit))


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
    if provider.id != one.id:
        return Unusable(one.id, f"its plugin calls itself {one_line(str(provider.id))!r}")
    return provider


# Configuration as the rooms take it --------------------------------------------------------------------


def seam_settings(config: Config) -> SeamSettings:
    """Times and policy of the seam."""
    return SeamSettings(
        search_seconds=config.search.timeout,
        fetch_seconds=config.fetch.timeout,
        extract_seconds=config.extract.timeout,
        max_results=config.search.max_results,
        ungrounded=config.search.ungrounded,
        controls=config.search.controls,
    )


def fetch_settings(config: Config) -> FetchSettings:
    """Limits and exceptions of fetching."""
    return FetchSettings(
        max_bytes=config.fetch.max_bytes,
        max_redirects=config.fetch.max_redirects,
        private_networks=config.fetch.private_networks,
        private_hosts=config.fetch.private_hosts,
        images=config.fetch.images,
        ca_bundle=config.fetch.ca_bundle or None,
    )


def tool_settings(config: Config, notice: str | None) -> ToolSettings:
    """What a model sees; `notice` is said once per search answer."""
    return ToolSettings(
        search=config.tools.search,
        fetch=config.tools.fetch,
        max_queries=config.tools.max_queries,
        search_controls=config.tools.search_controls,
        fetch_arguments=config.tools.fetch_arguments,
        fetch_chars=config.tools.fetch_chars,
        search_chars=config.tools.search_chars,
        snippet_chars=config.tools.snippet_chars,
        search_notice=notice,
    )
