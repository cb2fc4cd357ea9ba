"""Pages through whichever provider is chosen: what it is told, whom the gate was asked for, what it may bring back."""

from webseam.core.call import Call
from webseam.core.guarantees import Judge, check_told, held_page, held_url
from webseam.core.offer import Offer
from webseam.core.providers import ExtractProvider, FetchProvider
from webseam.core.types import ExtractRequest, ExtractResult, FetchRequest, FetchResult
from webseam.core.url import Url


async def fetched(
    offer: Offer[FetchProvider], request: FetchRequest, target: Url, call: Call, *, judge: Judge
) -> FetchResult:
    """The page; the gate is asked once, by the provider where it asks for each hop itself.

    Args:
        offer: the providers.
        request: as it was asked, for a provider that has URL rules of its own.
        target: the same, checked and canonical.
        call: execution control.
        judge: raises for a page that no provider is told of, and none may bring back.

    Raises:
        WebError: see `Code`.
    """
    asked = False

    async def run(provider: FetchProvider, own: Call) -> FetchResult:
        nonlocal asked
        if getattr(provider, "asks_gate", False):
            return await provider.fetch(request, call=own)
        check_told(provider, target, judge)
        if not asked:
            await own.permit("fetch", target.href)
            asked = True
        page = await provider.fetch(FetchRequest(url=target.href), call=own)
        if isinstance(page, FetchResult):  # another fault is told where tries are recorded
            held_url(page, target, judge)
        return page

    return await offer.ask(run, call)


async def extracted(offer: Offer[ExtractProvider], target: Url, call: Call, *, judge: Judge) -> ExtractResult:
    """The page as an extractor read it; the gate was asked before. See `fetched`."""
    canonical = ExtractRequest(url=target.href)

    async def run(provider: ExtractProvider, own: Call) -> ExtractResult:
        check_told(provider, target, judge)
        return held_page(await provider.extract(canonical, call=own), target, judge)

    return await offer.ask(run, call)
