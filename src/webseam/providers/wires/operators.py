"""Domains as operators of the query, for vendors that have no field for them.

They only raise the share of hits that count: vendors differ in what they match, so the seam holds the domains anyway.
"""

from webseam.core.controls import unsupported_value
from webseam.core.forms import Checked
from webseam.providers.wires.controls import too_long


def with_sites(query: str, include: tuple[str, ...], exclude: tuple[str, ...] = ()) -> str:
    """`query`, narrowed to some domains and away from others: `kelp (site:a.test OR site:b.test) -site:c.test`.

    The operators count against a vendor's cap on the length of a query.
    """
    wanted = " OR ".join(f"site:{domain}" for domain in include)
    parts = (query, f"({wanted})" if len(include) > 1 else wanted, *(f"-site:{domain}" for domain in exclude))
    return " ".join(part for part in parts if part)


def sites_within(most: int, query: str, controls: Checked, provider: str) -> str:
    """`with_sites` for a vendor that takes at most `most` characters. Exclusions that do not fit stay out.

    Without one of these fewer hits count, and none is wrong: the seam drops what a domain excludes.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` when the domains to include do not fit: without them nothing might count.
    """
    whole = with_sites(query, controls.include_domains)
    if controls.include_domains and len(whole) > most:
        told = too_long(provider, len(whole), most, "with the domains to include it has").message
        raise unsupported_value("include_domains", told, provider)
    for domain in controls.exclude_domains:
        longer = with_sites(whole, (), (domain,))
        if len(longer) > most:
            break
        whole = longer
    return whole
