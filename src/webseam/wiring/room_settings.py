"""The configuration as the other rooms take it."""

from collections.abc import Mapping

from webseam.core.guarantees import Judge
from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.types import SearchControls
from webseam.wiring.proxies import proxy_settings
from webseam.wiring.schema import Config, SearchSection


def seam_settings(config: Config) -> SeamSettings:
    """Times and policy of the seam."""
    return SeamSettings(
        search_seconds=config.search.timeout,
        fetch_seconds=config.fetch.timeout,
        extract_seconds=config.extract.timeout,
        max_results=config.search.max_results,
        ungrounded=config.search.ungrounded,
        controls=config.search.controls,
        default_controls=default_controls(config.search),
    )


def default_controls(search: SearchSection) -> SearchControls:
    """Controls that hold for every search."""
    return SearchControls(
        include_domains=search.default_include_domains,
        exclude_domains=search.default_exclude_domains,
        published_after=search.default_published_after or None,
        published_before=search.default_published_before or None,
        country=search.default_country or None,
        language=search.default_language or None,
        safe_search=search.default_safe_search or None,
    )


def host_rules(fetch: FetchSettings) -> Judge:
    """The rules of `fetch` for hosts and ports, for what plugins are asked and bring back.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a private network or host that does not parse.
    """
    from webseam.net.policy import AddressPolicy  # noqa: PLC0415 - the address tables load where calls are made

    return AddressPolicy.of(fetch).check_target


def fetch_settings(config: Config, environ: Mapping[str, str]) -> FetchSettings:
    """Limits and exceptions of fetching."""
    return FetchSettings(
        max_bytes=config.fetch.max_bytes,
        max_pdf_bytes=config.fetch.max_pdf_bytes,
        max_redirects=config.fetch.max_redirects,
        private_networks=config.fetch.private_networks,
        private_hosts=config.fetch.private_hosts,
        nameservers=config.fetch.nameservers,
        images=config.fetch.images,
        ca_bundle=config.fetch.ca_bundle or None,
        proxy=proxy_settings(config.fetch, environ),
        robots=config.fetch.robots,
        cache=config.fetch.cache,
        stale_if_error=config.fetch.stale_if_error,
    )
