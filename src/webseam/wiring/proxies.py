"""The proxies of fetching, from configuration; the environment is read only where the configuration says so."""

import re
from collections.abc import Mapping
from typing import Final

from webseam.core.settings import NO_PROXY, ProxySettings
from webseam.wiring.schema import FetchSection

ENVIRONMENT: Final = "environment"
"""What `fetch.proxy` says to mean `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`."""

_CGI: Final = "REQUEST_METHOD"  # in a CGI process HTTP_PROXY is the client's `Proxy` header (CVE-2016-5385)
_BETWEEN: Final = re.compile(r"[,\s]+")


def proxy_settings(fetch: FetchSection, environ: Mapping[str, str]) -> ProxySettings:
    """The settings; none where `fetch.proxy` is blank, whatever the environment holds.

    Of a variable in both cases the lower-case one counts, as in curl. `fetch.no_proxy` adds to `NO_PROXY`.
    """
    named = fetch.proxy.strip()
    if not named:
        return NO_PROXY
    if named != ENVIRONMENT:
        return ProxySettings(http=named, https=named, no_proxy=fetch.no_proxy, trusted=fetch.trust_proxy)
    every = _variable(environ, "all_proxy")
    http = environ.get("http_proxy") if _CGI in environ else _variable(environ, "http_proxy")
    found = ProxySettings(
        http=http or every,
        https=_variable(environ, "https_proxy") or every,
        no_proxy=(*fetch.no_proxy, *filter(None, _BETWEEN.split(_variable(environ, "no_proxy") or ""))),
        trusted=fetch.trust_proxy,
    )
    return found if found.http or found.https else NO_PROXY


def _variable(environ: Mapping[str, str], name: str) -> str | None:
    return (environ.get(name) or environ.get(name.upper()) or "").strip() or None
