"""What the seam itself costs a call: a provider that answers at once, behind `Web.search` and `Web.fetch`."""

import asyncio
import statistics
import time

from webseam.core.call import Call
from webseam.core.types import FetchRequest, FetchResult, SearchRequest, SearchResult, Source, TextBody
from webseam.core.web import Web

CALLS = 5_000
ROUNDS = 9
PROMISED_US = 50.0


class Instant:
    """A provider of both kinds that costs nothing."""

    id = "instant"
    sources = tuple(Source(url=f"https://host{n}.example/page", title="A title", snippet="Words.") for n in range(8))
    found = SearchResult(provider="instant", sources=sources)
    page = FetchResult(provider="instant", url="https://a.example/", status_code=200, body=TextBody(content="x"))

    def available(self) -> bool:
        """Always."""
        return True

    async def search(self, _request: SearchRequest, *, call: Call) -> SearchResult:
        """Eight hits."""
        _ = call
        return self.found

    async def fetch(self, _request: FetchRequest, *, call: Call) -> FetchResult:
        """One page."""
        _ = call
        return self.page


async def measure() -> dict[str, float]:
    """Median microseconds of CPU a call, by capability."""
    web = Web()
    web.register_search(Instant())
    web.register_fetch(Instant())
    times: dict[str, list[float]] = {"search": [], "fetch": []}
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            await web.search("kelp farming permits")
        times["search"].append((time.process_time() - start) / CALLS * 1e6)
        start = time.process_time()
        for _ in range(CALLS):
            await web.fetch("https://a.example/some/page?x=1")
        times["fetch"].append((time.process_time() - start) / CALLS * 1e6)
    return {name: statistics.median(rows) for name, rows in times.items()}


def main() -> None:
    """Print the figures."""
    for name, spent in asyncio.run(measure()).items():
        print(f"the seam costs {spent:.1f} us of CPU a {name} (under {PROMISED_US:.0f} promised)")


if __name__ == "__main__":
    main()
