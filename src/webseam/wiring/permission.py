"""`[permission]` as the gate of a `Web`."""

from webseam.core.gate import Gate
from webseam.core.settings import PermissionSettings
from webseam.tools.permission import Permission
from webseam.tools.run import Run
from webseam.wiring.schema import PermissionSection


def gate_of(section: PermissionSection, run: Run | None, gate: Gate | None) -> Gate | None:
    """The configured permission, over `run`, with the host's own `gate` behind it; that gate alone where none is set.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for settings that would hold nothing back.
    """
    settings = permission_settings(section)
    if run is None and settings == PermissionSettings():
        return gate
    return Permission(settings, run=run, also=gate)


def permission_settings(section: PermissionSection) -> PermissionSettings:
    """What a run may do."""
    return PermissionSettings(
        search=section.search,
        fetch=section.fetch,
        unseen=section.unseen,
        flagged=section.flagged,
        allow_hosts=section.allow_hosts,
        deny_hosts=section.deny_hosts,
        max_query_chars=section.max_query_chars,
        max_calls=section.max_calls,
        max_cost=section.max_cost,
    )
