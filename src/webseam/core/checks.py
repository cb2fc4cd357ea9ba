"""What a call may ask, checked before a provider sees it: types too, since models and config files write requests."""

from math import inf
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.limits import QUERY_CHARS
from webseam.core.text import is_text, one_line
from webseam.core.types import SearchControls, SearchRequest
from webseam.core.url import ascii_host

_SHOWN_CHARS = 80  # of a domain that is none


def check_search(request: SearchRequest) -> None:
    """Refuse a request that no vendor could answer.

    Raises:
        WebError: `WEB_INVALID_ARGS` for a blank, over-long or broken query, a bound below 1, a domain that is none,
            or a value of the wrong type.
    """
    _expect("query", request.query, str, "text")
    bare = request.query.strip()
    if not bare or not (bare.isprintable() or one_line(bare)):  # of invisible characters alone
        raise _invalid("The query is blank. Say what to search for.")
    if not is_text(request.query):
        raise _invalid("The query holds half a character (a lone surrogate). Send it again as text.")
    if len(request.query) > QUERY_CHARS:
        raise _invalid(
            f"The query has {len(request.query):,} characters; at most {QUERY_CHARS:,} are sent. Shorten it."
        )
    if request.max_results is not None:
        _expect("max_results", request.max_results, int, "a whole number")
        if request.max_results < 1:
            raise _invalid(f"max_results is {request.max_results}; it must be 1 or more.")
    _expect("controls", request.controls, SearchControls, "SearchControls")
    for names in (request.controls.include_domains, request.controls.exclude_domains):
        _expect("A domain control", names, (tuple, list), "several host names")
    for name in (*request.controls.include_domains, *request.controls.exclude_domains):
        _expect("A domain", name, str, "text")
        if ascii_host(name) is None:
            raise _invalid(
                f"{one_line(name, limit=_SHOWN_CHARS)!r} is not a domain. Give host names such as example.com, without "
                "scheme, port or path; subdomains are included."
            )


def check_url(url: object) -> None:
    """Refuse what is no text; what it means is the URL parser's business.

    Raises:
        WebError: `WEB_INVALID_ARGS`.
    """
    _expect("url", url, str, "text")


def seconds_of(timeout: float | None, default: float) -> float:
    """The seconds a call has.

    Raises:
        WebError: `WEB_INVALID_ARGS` for what is no positive, finite number.
    """
    if timeout is None:
        return default
    _expect("timeout", timeout, (int, float), "a number of seconds")
    if not 0 < timeout < inf:  # NaN fails it too
        raise _invalid(f"timeout is {timeout}; it must be a positive, finite number of seconds.")
    return timeout


def _expect(name: str, value: object, kinds: Any, wanted: str) -> None:
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise _invalid(f"{name} must be {wanted}, not {type(value).__name__}.")


def _invalid(message: str) -> WebError:
    return WebError(Code.INVALID_ARGS, message)
