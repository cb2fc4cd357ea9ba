"""Search controls as vendors take them: canonical, and refused where a vendor cannot honour a value."""

from typing import Final

from webseam.core.controls import UnsupportedValueError, unsupported_value
from webseam.core.errors import Code, WebError
from webseam.core.forms import Checked, checked_controls
from webseam.core.types import SafeSearch, SearchControls
from webseam.providers.wires.countries import numeric
from webseam.providers.wires.languages import is_two_letter_language

EVERY_CONTROL: Final = frozenset(SearchControls.__slots__)
"""For vendors that honour all of them."""


def check(controls: SearchControls, provider: str) -> Checked:
    """The controls in their canonical form, also for who asks a provider without the seam.

    Raises:
        WebError: `INVALID_ARGS` naming the control and the form that it wants; `WEB_UNSUPPORTED_CONTROL` for a code
            that names nothing, which vendors ignore without a word (R132).
    """
    try:
        checked = checked_controls(controls)
    except WebError as error:
        error.provider = provider
        raise
    if checked.country is not None and numeric(checked.country) is None:
        raise unsupported("country", checked.country, "ISO 3166-1 has no such country.", provider)
    if checked.language is not None and not _is_assigned(checked.language):
        raise unsupported("language", checked.tag or "", "ISO 639 has no such language.", provider)
    return checked


def _is_assigned(language: str) -> bool:
    """Codes of three letters are too many for a table; vendors with a list of their own judge them."""
    return len(language) != 2 or is_two_letter_language(language)  # noqa: PLR2004 - ISO 639-1


def strict_only(asked: SafeSearch | None, provider: str) -> bool | None:
    """Safe search for a vendor with one switch: on for `strict`, off for `off`, None when not asked.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for `moderate`, which the switch cannot tell from `strict`.
    """
    if asked is None:
        return None
    if asked == "moderate":
        raise unsupported("safe_search", "moderate", 'It knows only "strict" and "off".', provider)
    return asked == "strict"


def unsupported(control: str, value: str, why: str, provider: str) -> UnsupportedValueError:
    """The error of a value that is well-formed but that this vendor cannot honour."""
    told = f"{provider} cannot honour {control} = {value[:40]!r}. {why} Leave it out, or choose another provider."
    return unsupported_value(control, told, provider)


def at_most(control: str, domains: tuple[str, ...], limit: int, provider: str) -> None:
    """Refuse more domains than the vendor takes: past its cap it returns nothing, without a word (R142).

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL`.
    """
    if len(domains) > limit:
        raise unsupported(control, f"{len(domains)} domains", f"It takes at most {limit}.", provider)


def excluded_alone(controls: Checked) -> tuple[str, ...]:
    """Domains to exclude for a vendor that takes one list (`Vendor.one_list`): none beside domains to include."""
    return () if controls.include_domains else controls.exclude_domains


def too_long(provider: str, length: int, most: int, what: str = "this one has") -> WebError:
    """The error of a query that is longer than the vendor takes: it would refuse the query, or cut it."""
    told = f"{provider} takes queries of at most {most} characters, and {what} {length}. Shorten it."
    return WebError(Code.PROVIDER_ERROR, told, provider=provider)


__all__ = ["EVERY_CONTROL", "Checked", "at_most", "check", "excluded_alone", "strict_only", "too_long", "unsupported"]
