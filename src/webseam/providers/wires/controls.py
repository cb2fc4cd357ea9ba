"""Search controls as vendors take them: checked before anything leaves."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.types import ControlStatus, SearchControls
from webseam.core.url import ascii_host

_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COUNTRY: Final = re.compile(r"[A-Za-z]{2}", re.ASCII)
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", re.ASCII)  # RFC 5646: the primary subtag first


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Controls in their canonical form: ASCII hosts, days, an upper-case country, a lower-case language."""

    include_domains: tuple[str, ...]
    exclude_domains: tuple[str, ...]
    after: date | None
    before: date | None
    country: str | None
    language: str | None

    @property
    def one_sided(self) -> dict[str, ControlStatus]:
        """For a vendor that takes one list of domains: with both asked, the seam holds the exclusion."""
        return {"exclude_domains": "enforced"} if self.include_domains and self.exclude_domains else {}


def check(controls: SearchControls, provider: str) -> Checked:
    """The controls, each well-formed.

    Raises:
        WebError: `INVALID_ARGS` naming the control and the form that it wants.
    """
    after = _day("published_after", controls.published_after, provider)
    before = _day("published_before", controls.published_before, provider)
    if after is not None and before is not None and after > before:
        raise _bad("published_after", f"must not be later than published_before ({before})", str(after), provider)
    return Checked(
        include_domains=_hosts("include_domains", controls.include_domains, provider),
        exclude_domains=_hosts("exclude_domains", controls.exclude_domains, provider),
        after=after,
        before=before,
        country=_country(controls.country, provider),
        language=_language(controls.language, provider),
    )


def strict_only(controls: SearchControls, provider: str) -> bool | None:
    """Safe search for a vendor with one switch: on for `strict`, off for `off`, None when not asked.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for `moderate`, which the switch cannot tell from `strict`.
    """
    if controls.safe_search is None:
        return None
    if controls.safe_search == "moderate":
        raise unsupported("safe_search", "moderate", 'It knows only "strict" and "off".', provider)
    return controls.safe_search == "strict"


def unsupported(control: str, value: str, why: str, provider: str) -> WebError:
    """The error of a value that is well-formed but that this vendor cannot honour."""
    return WebError(
        Code.UNSUPPORTED_CONTROL,
        f"{provider} cannot honour {control} = {value[:40]!r}. {why} Leave it out, or choose another provider.",
        provider=provider,
    )


def at_most(control: str, domains: tuple[str, ...], limit: int, provider: str) -> None:
    """Refuse more domains than the vendor takes: past its cap it returns nothing, without a word (R142).

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL`.
    """
    if len(domains) > limit:
        raise unsupported(control, f"{len(domains)} domains", f"It takes at most {limit}.", provider)


def _bad(control: str, rule: str, value: str, provider: str) -> WebError:
    return WebError(Code.INVALID_ARGS, f"{control} {rule}; it is {value[:60]!r}.", provider=provider)


def _day(control: str, value: str | None, provider: str) -> date | None:
    if not value:
        return None
    try:
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError as exc:
        raise _bad(control, "must be a day of the calendar", value, provider) from exc
    raise _bad(control, "must be an ISO 8601 day such as 2026-03-02", value, provider)


def _country(value: str | None, provider: str) -> str | None:
    if not value:
        return None
    if not _COUNTRY.fullmatch(value):
        raise _bad("country", "must be two letters (ISO 3166-1 alpha-2) such as SE", value, provider)
    return value.upper()


def _language(value: str | None, provider: str) -> str | None:
    if not value:
        return None
    if not _LANGUAGE.fullmatch(value):
        raise _bad("language", "must be a BCP 47 tag such as sv or pt-BR", value, provider)
    return value.partition("-")[0].lower()


def _hosts(control: str, values: tuple[str, ...], provider: str) -> tuple[str, ...]:
    hosts: list[str] = []
    for value in values:
        host = ascii_host(value)
        if host is None:
            raise _bad(control, "must hold host names such as example.com, without scheme or path", value, provider)
        hosts.append(host)
    return tuple(dict.fromkeys(hosts))
