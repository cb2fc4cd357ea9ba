"""One search at one provider: which controls it honours is settled before, and held on the answer after."""

from dataclasses import replace
from typing import Literal

from webseam.core.call import Call
from webseam.core.controls import (
    ENFORCEABLE,
    UnsupportedValueError,
    control_plan,
    refuse_unsupported,
    with_origin,
    without,
)
from webseam.core.errors import Code, WebError
from webseam.core.guarantees import guarantee
from webseam.core.providers import SearchProvider
from webseam.core.types import ControlStatus, SearchRequest, SearchResult


async def controlled_search(
    provider: SearchProvider,
    request: SearchRequest,
    *,
    call: Call,
    mode: Literal["strict", "lenient"],
    configured: frozenset[str] = frozenset(),
) -> SearchResult:
    """Ask once, and hold the answer to the promises of the seam.

    Args:
        provider: who is asked.
        request: with every control in force.
        call: this attempt's own.
        mode: `lenient` goes on without a control, or the value of one, that the provider cannot honour.
        configured: controls that the request did not ask for itself.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` before anything leaves; else what the provider raises.
    """
    plan = control_plan(provider, request.controls)
    refuse_unsupported(provider, plan, mode, configured)
    try:
        if mode == "lenient":
            answer = await _lenient(provider, request, plan, call)
        else:
            answer = await provider.search(request, call=call)
    except WebError as error:
        if error.code != Code.UNSUPPORTED_CONTROL or not configured:
            raise
        raise with_origin(error, configured) from error
    return guarantee(answer, request, plan, raw=call.raw)


async def _lenient(
    provider: SearchProvider, request: SearchRequest, plan: dict[str, ControlStatus], call: Call
) -> SearchResult:
    """Leave out, one by one, the controls whose values the provider refuses before anything leaves; `plan` tells it."""
    while True:
        try:
            return await provider.search(request, call=call)
        except UnsupportedValueError as error:
            if error.control not in request.controls.asked() or call.dispatch.sent:
                raise
            request = replace(request, controls=without(request.controls, error.control))
            plan[error.control] = "enforced" if error.control in ENFORCEABLE else "unsupported"
