"""The form of each search control: checked once, at the seam, before any provider is asked."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, get_args

from webseam.core.errors import Code, WebError
from webseam.core.text import one_line
from webseam.core.types import ControlStatus, SafeSearch, SearchControls
from webseam.core.url import ascii_host

SAFETY: Final[tuple[SafeSearch, ...]] = get_args(SafeSearch)
"""Levels of safe search, the loosest first."""

DAY_FORM: Final = "an ISO 8601 day such as 2026-03-02"
COUNTRY_FORM: Final = "two letters (ISO 3166-1 alpha-2) such as SE"
LANGUAGE_FORM: Final = "a BCP 47 tag such as sv or pt-BR"

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COUNTRY: Final = re.compile(r"[A-Za-z]{2}", re.ASCII)
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,8}", re.ASCII)  # RFC 5646 section 2.1
_FORMER: Final = {"in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro"}
"""Withdrawn primary subtags and what the registry prefers (RFC 5646 section 2.2.1)."""

_SHOWN_CHARS: Final = 60  # of a value that is refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Controls in their canonical form: ASCII hosts, days, an upper-case country, a lower-case primary language.

    `tag` is the whole language tag in lower case, for vendors that tell `pt-br` from `pt` or know scripts. A code that
    was withdrawn is given as its successor: `iw` as `he`.
    """

    include_domains: tuple[str, ...]
    exclude_domains: tuple[str, ...]
    after: date | None
    before: date | None
    country: str | None
    language: str | None
    tag: str | None = None

    @property
    def one_sided(self) -> dict[str, ControlStatus]:
        """For a vendor that takes one list of domains: with both asked, the seam holds the exclusion."""
        return {"exclude_domains": "enforced"} if self.include_domains and self.exclude_domains else {}


def checked_controls(controls: SearchControls) -> Checked:
    """The controls, each well-formed; a blank one is absent.

    Raises:
        WebError: `INVALID_ARGS`; the message starts with the name of the control and says which form it wants.
    """
    after = _day("published_after", controls.published_after)
    before = _day("published_before", controls.published_before)
    if after is not None and before is not None and after > before:
        raise malformed("published_after", f"not later than published_before ({before})", str(after))
    tag = _preferred(_shaped("language", controls.language, is_language, LANGUAGE_FORM).lower())
    if controls.safe_search and text_of("safe_search", controls.safe_search) not in SAFETY:
        raise malformed("safe_search", f"one of {', '.join(SAFETY)}", controls.safe_search)
    return Checked(
        include_domains=_hosts("include_domains", controls.include_domains),
        exclude_domains=_hosts("exclude_domains", controls.exclude_domains),
        after=after,
        before=before,
        country=_shaped("country", controls.country, is_country, COUNTRY_FORM).upper() or None,
        language=tag.partition("-")[0] or None,
        tag=tag or None,
    )


def is_day(text: str) -> bool:
    """Whether `text` is a day of the calendar, written `2026-03-02`."""
    return day_of(text) is not None


def day_of(text: str) -> date | None:
    """The day written `2026-03-02`, or None: ISO 8601's other forms are no control."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def is_country(text: str) -> bool:
    """Whether `text` has the form of an ISO 3166-1 alpha-2 code."""
    return _COUNTRY.fullmatch(text) is not None


def is_language(text: str) -> bool:
    """Whether `text` has the form of a BCP 47 tag with a primary subtag of ISO 639."""
    return _LANGUAGE.fullmatch(text) is not None


def malformed(control: str, wanted: str, value: str) -> WebError:
    """The error of a control's value that has the wrong form."""
    return invalid(f"{control} must be {wanted}; it is {one_line(value, limit=_SHOWN_CHARS)!r}.")


def invalid(message: str) -> WebError:
    """`INVALID_ARGS`."""
    return WebError(Code.INVALID_ARGS, message)


def expect(name: str, value: object, kinds: Any, wanted: str) -> None:
    """Refuse a value of the wrong type; True and False are no numbers.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise invalid(f"{name} must be {wanted}, not {type(value).__name__}.")


def text_of(name: str, value: object) -> str:
    """The value, which must be text.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    expect(name, value, str, "text")
    return str(value)


def _day(control: str, value: str | None) -> date | None:
    if value is None or not text_of(control, value):
        return None
    day = day_of(value)
    if day is None:
        raise malformed(control, DAY_FORM, value)
    return day


def _shaped(control: str, value: str | None, fits: Any, wanted: str) -> str:
    if value is None or not text_of(control, value):
        return ""
    if not fits(value):
        raise malformed(control, wanted, value)
    return value


def _preferred(tag: str) -> str:
    name, dash, rest = tag.partition("-")
    return _FORMER.get(name, name) + dash + rest


def _hosts(control: str, values: tuple[str, ...]) -> tuple[str, ...]:
    expect(control, values, (tuple, list), "several host names")
    hosts: list[str] = []
    for value in values:
        host = ascii_host(text_of(f"A domain of {control}", value))
        if host is None:
            raise malformed(
                control, "host names such as example.com, without scheme, port or path (they include subdomains)", value
            )
        hosts.append(host)
    return tuple(dict.fromkeys(hosts))
