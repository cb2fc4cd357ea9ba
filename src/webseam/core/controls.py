"""Honest search controls: each one asked is honoured by the vendor, enforced here, or refused; none is dropped."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from webseam.core.errors import Code, WebError
from webseam.core.forms import SAFETY, checked_controls, expect, invalid
from webseam.core.providers import Provider
from webseam.core.types import ControlStatus, SafeSearch, SearchControls, SearchRequest
from webseam.core.url import ascii_host, in_domain

ENFORCEABLE: Final = frozenset({"include_domains", "exclude_domains"})
"""Controls that can be held soundly on the results alone; a date or language cannot."""

SETTING: Final = "search.default_"
"""What stands before a control's name in the configuration."""


_UNSET: Final = SearchControls()


class UnsupportedValueError(WebError):
    """A control's value that is well-formed but that this vendor cannot honour; raised before anything leaves.

    `control` is the name of the `SearchControls` field: a lenient seam goes on without it.
    """

    control: str = ""


def unsupported_value(control: str, message: str, provider: str) -> UnsupportedValueError:
    """The error of one control's value."""
    error = UnsupportedValueError(Code.UNSUPPORTED_CONTROL, message, provider=provider)
    error.control = control
    return error


def without(controls: SearchControls, name: str) -> SearchControls:
    """The same controls, one of them not asked."""
    return replace(controls, **{name: getattr(_UNSET, name)})


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
    provider: Provider,
    plan: Mapping[str, ControlStatus],
    mode: Literal["strict", "lenient"],
    configured: frozenset[str] = frozenset(),
) -> None:
    """In strict mode a control that nobody honours ends the call before anything leaves.

    Args:
        provider: who would be asked.
        plan: who honours what.
        mode: `lenient` lets the call go on.
        configured: the controls that the request did not ask for itself.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` naming the controls.
    """
    lost = sorted(name for name, status in plan.items() if status == "unsupported")
    if lost and mode == "strict":
        raise WebError(
            Code.UNSUPPORTED_CONTROL,
            f"{provider.id} cannot honour: {', '.join(lost)}.{_origin(configured.intersection(lost))} Leave it out, "
            f'choose another provider, or set search.controls = "lenient" to search without it.',
            provider=provider.id,
        )


def with_origin(error: WebError, configured: frozenset[str]) -> WebError:
    """A provider's refusal of a control's value, with where the value may have come from, which no provider knows."""
    return WebError(
        error.code,
        f"{error.message}{_origin(configured)}",
        provider=error.provider,
        dispatched=error.dispatched,
        retryable=error.retryable,
        retry_after=error.retry_after,
        attempts=error.attempts,
        status=error.status,
    )


def _origin(names: frozenset[str]) -> str:
    if not names:
        return ""
    listed = ", ".join(f"{SETTING}{name}" for name in sorted(names))
    return f" From the configuration: {listed}."


_WEAKNESS: Final[dict[ControlStatus, int]] = {"native": 0, "enforced": 1, "unsupported": 2}


def weakest(parts: list[Mapping[str, ControlStatus]]) -> dict[str, ControlStatus]:
    """Of several results, the weakest status per control: what may be relied on for all of them."""
    merged: dict[str, ControlStatus] = {}
    for part in parts:
        for name, status in part.items():
            if name not in merged or _WEAKNESS[status] > _WEAKNESS[merged[name]]:
                merged[name] = status
    return merged


# Configured defaults -----------------------------------------------------------------------------------


def check_defaults(defaults: SearchControls) -> None:
    """Refuse configured controls of a form that no request may have.

    Raises:
        WebError: `WEB_CONFIG_INVALID` naming the setting.
    """
    try:
        expect("controls", defaults, SearchControls, "SearchControls")
        checked_controls(defaults)
    except WebError as error:
        raise WebError(Code.CONFIG_INVALID, f"{SETTING}{error.message}") from error


def in_force(request: SearchRequest, defaults: SearchControls) -> tuple[SearchRequest, frozenset[str]]:
    """The request with the configured controls, and the names of those that it did not ask for itself.

    The request's own country, language and dates win; excluded domains add up; of two levels of safe search the
    stricter holds. Configured `include_domains` are pinned: a request may only narrow within them.

    Args:
        request: well-formed.
        defaults: well-formed.

    Raises:
        WebError: `INVALID_ARGS` when the request asks for what the configuration rules out.
    """
    own = request.controls
    if not defaults.asked():
        return request, frozenset()
    controls = SearchControls(
        include_domains=_narrowed(own.include_domains, defaults),
        exclude_domains=tuple(dict.fromkeys((*own.exclude_domains, *defaults.exclude_domains))),
        published_after=own.published_after or defaults.published_after,
        published_before=own.published_before or defaults.published_before,
        country=own.country or defaults.country,
        language=own.language or defaults.language,
        safe_search=stricter(own.safe_search, defaults.safe_search),
    )
    _check_order(own, controls)
    added = frozenset(name for name in defaults.asked() if _value(controls, name) != _value(own, name))
    return replace(request, controls=controls), added


def _value(controls: SearchControls, name: str) -> object:
    """For comparison: callers write lists, too."""
    value = getattr(controls, name)
    return tuple(value) if isinstance(value, list) else value


def stricter(one: SafeSearch | None, other: SafeSearch | None) -> SafeSearch | None:
    """Of two levels the one that filters more; what is not set says nothing."""
    return max((level for level in (one, other) if level), key=SAFETY.index, default=None)


def lies_within(name: str, domains: tuple[str, ...]) -> bool:
    """Whether a domain is one of `domains`, or inside one of them."""
    host = ascii_host(name) or ""
    return any(in_domain(host, ascii_host(domain) or "") for domain in domains)


def _narrowed(asked: tuple[str, ...], defaults: SearchControls) -> tuple[str, ...]:
    pinned, excluded = defaults.include_domains, defaults.exclude_domains
    for name in asked:
        if pinned and not lies_within(name, pinned):
            raise invalid(
                f"include_domains asks for {name!r}, but the configuration ({SETTING}include_domains) allows only "
                f"{', '.join(pinned)}. Leave it out, or ask for domains inside these."
            )
        if lies_within(name, excluded):
            raise invalid(
                f"include_domains asks for {name!r}, which the configuration ({SETTING}exclude_domains) rules out. "
                f"Leave it out."
            )
    return tuple(asked) or pinned


def _check_order(own: SearchControls, merged: SearchControls) -> None:
    """One end of a span of days is the request's, the other the configuration's: days in ISO 8601 sort as text."""
    after, before = merged.published_after, merged.published_before
    if after and before and after > before:
        lacking = "published_before" if own.published_after else "published_after"
        raise invalid(
            f"published_after ({after}) is later than published_before ({before}), and {lacking} comes from the "
            f"configuration ({SETTING}{lacking}). Give {lacking} too."
        )
