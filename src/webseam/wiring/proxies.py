"""The proxies of fetching and of vendors; the environment is read only where the configuration says so."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from webseam.core.settings import NO_PROXY, ProxySettings
from webseam.wiring.schema import FetchSection, SearchSection

ENVIRONMENT: Final = "environment"
"""What `fetch.proxy` or `search.proxy` says to mean `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`."""

_CGI: Final = "REQUEST_METHOD"  # in a CGI process HTTP_PROXY is the client's `Proxy` header (CVE-2016-5385)
_BETWEEN: Final = re.compile(r"[,\s]+")


def proxy_settings(fetch: FetchSection, environ: Mapping[str, str]) -> ProxySettings:
    """The way to pages; none where `fetch.proxy` is blank, whatever the environment holds.

    Of a variable in both cases the lower-case one counts, as in curl. `fetch.no_proxy` adds to `NO_PROXY`.
    """
    found = _read(fetch.proxy, fetch.no_proxy, environ)
    return NO_PROXY if found is None else replace(found, trusted=fetch.trust_proxy)


def vendor_proxy_settings(search: SearchSection, environ: Mapping[str, str]) -> ProxySettings:
    """The way to vendors: the same of `search.proxy` and `search.no_proxy`."""
    found = _read(search.proxy, search.no_proxy, environ)
    return NO_PROXY if found is None else replace(found, section="search")


def _read(proxy: str, direct: tuple[str, ...], environ: Mapping[str, str]) -> ProxySettings | None:
    named = proxy.strip()
    if not named:
        return None
    if named != ENVIRONMENT:
        return ProxySettings(http=named, https=named, no_proxy=direct)
    every = _variable(environ, "all_proxy")
    http = (environ.get("http_proxy") if _CGI in environ else _variable(environ, "http_proxy")) or every
    https = _variable(environ, "https_proxy") or every
    listed = filter(None, _BETWEEN.split(_variable(environ, "no_proxy") or ""))
    return ProxySettings(http=http, https=https, no_proxy=(*direct, *listed)) if http or https else None


def _variable(environ: Mapping[str, str], name: str) -> str | None:
    return (environ.get(name) or environ.get(name.upper()) or "").strip() or None
