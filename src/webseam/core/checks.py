"""What a call may ask, checked before a provider sees it: types too, since models and config files write requests."""

from math import inf

from webseam.core.forms import checked_controls, expect, invalid
from webseam.core.limits import QUERY_CHARS
from webseam.core.text import is_text, one_line
from webseam.core.types import SearchControls, SearchRequest


def check_search(request: SearchRequest) -> None:
    """Refuse a request that no vendor could answer.

    Raises:
        WebError: `INVALID_ARGS` for a blank, over-long or broken query, a bound below 1, a control of the wrong form,
            or a value of the wrong type.
    """
    expect("query", request.query, str, "text")
    bare = request.query.strip()
    if not bare or not (bare.isprintable() or one_line(bare)):  # of invisible characters alone
        raise invalid("The query is blank. Say what to search for.")
    if not is_text(request.query):
        raise invalid("The query holds half a character (a lone surrogate). Send it again as text.")
    if len(request.query) > QUERY_CHARS:
        raise invalid(f"The query has {len(request.query):,} characters; at most {QUERY_CHARS:,} are sent. Shorten it.")
    if request.max_results is not None:
        expect("max_results", request.max_results, int, "a whole number")
        if request.max_results < 1:
            raise invalid(f"max_results is {request.max_results}; it must be 1 or more.")
    expect("controls", request.controls, SearchControls, "SearchControls")
    checked_controls(request.controls)


def check_url(url: object) -> None:
    """Refuse what is no text; what it means is the URL parser's business.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    expect("url", url, str, "text")


def seconds_of(timeout: float | None, default: float) -> float:
    """The seconds a call has.

    Raises:
        WebError: `INVALID_ARGS` for what is no positive, finite number.
    """
    if timeout is None:
        return default
    expect("timeout", timeout, (int, float), "a number of seconds")
    if not 0 < timeout < inf:  # NaN fails it too
        raise invalid(f"timeout is {timeout}; it must be a positive, finite number of seconds.")
    return timeout
