"""A search through whichever provider, route or fan-out is chosen, with the guarantees on its answer."""

from typing import Literal

from webseam.core.call import Call
from webseam.core.controlled import controlled_search
from webseam.core.guarantees import guarantee
from webseam.core.offer import Offer
from webseam.core.providers import SearchProvider
from webseam.core.routes import run_fanout
from webseam.core.selection import FanOut
from webseam.core.types import SearchRequest, SearchResult


async def searched(
    offer: Offer[SearchProvider],
    request: SearchRequest,
    call: Call,
    *,
    mode: Literal["strict", "lenient"],
    configured: frozenset[str],
) -> SearchResult:
    """The answer, held to what was asked; that of a fan-out once more, as its parts are merged.

    Args:
        offer: the providers.
        request: with the controls that are in force.
        call: execution control.
        mode: what becomes of a control that a provider does not have.
        configured: names of those controls that the configuration set, not the caller.

    Raises:
        WebError: see `Code`.
    """

    async def run(provider: SearchProvider, own: Call) -> SearchResult:
        return await controlled_search(provider, request, call=own, mode=mode, configured=configured)

    if not isinstance(offer.choice, FanOut):
        return await offer.ask(run, call)
    return guarantee(await run_fanout(offer.choice.ids, offer.looker(run), call), request, {})
