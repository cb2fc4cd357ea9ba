"""Honest search controls: each one asked is honoured by the vendor, enforced here, or refused; none is dropped."""

from collections.abc import Mapping
from typing import Final, Literal

from webseam.core.errors import Code, WebError
from webseam.core.providers import Provider
from webseam.core.types import ControlStatus, SearchControls

ENFORCEABLE: Final = frozenset({"include_domains", "exclude_domains"})
"""Controls that can be held soundly on the results alone; a date or language cannot."""


def control_plan(provider: Provider, controls: SearchControls) -> dict[str, ControlStatus]:
    """Who honours each control that is set, for this provider."""
    asked = controls.asked()
    if not asked:
        return {}
    native: frozenset[str] = getattr(provider, "native_controls", frozenset())
    plan: dict[str, ControlStatus] = {}
    for name in asked:
        plan[name] = "native" if name in native else "enforced" if name in ENFORCEABLE else "unsupported"
    return plan


def refuse_unsupported(
    provider: Provider, plan: Mapping[str, ControlStatus], mode: Literal["strict", "lenient"]
) -> None:
    """In strict mode a control that nobody honours ends the call before anything leaves.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` naming the controls.
    """
    lost = sorted(name for name, status in plan.items() if status == "unsupported")
    if lost and mode == "strict":
        raise WebError(
            Code.UNSUPPORTED_CONTROL,
            f"{provider.id} cannot honour: {', '.join(lost)}. Leave it out, choose another provider, "
            f'or set search.controls = "lenient" to search without it.',
            provider=provider.id,
        )


_WEAKNESS: Final[dict[ControlStatus, int]] = {"native": 0, "enforced": 1, "unsupported": 2}


def weakest(parts: list[Mapping[str, ControlStatus]]) -> dict[str, ControlStatus]:
    """Of several results, the weakest status per control: what may be relied on for all of them."""
    merged: dict[str, ControlStatus] = {}
    for part in parts:
        for name, status in part.items():
            if name not in merged or _WEAKNESS[status] > _WEAKNESS[merged[name]]:
                merged[name] = status
    return merged
