"""The local index as a search provider: what `webseam index` took in, found without network or key.

[providers.local]
path = ""       # default: index.sqlite3 in webseam's data directory
"""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.limits import INDEX_MAX_RESULTS, INDEX_QUERY_TERMS, INDEX_RESULTS
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.providers.wires.options import checked
from webseam.stores.place import INDEX_FILE, NOTHING_INDEXED

if TYPE_CHECKING:
    from webseam.stores.index import Found, Hit


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`path`: the index file; empty for the one in the data directory. `~` is the home directory."""

    path: str = ""


class LocalSearch:
    """Searches one index file, opened anew for every call: an index built meanwhile is found at once.

    Nothing leaves the process, so no attempt is ever `dispatched`.
    """

    native_controls: Final = frozenset({"include_domains", "exclude_domains"})

    def __init__(self, provider: str, path: Path) -> None:
        self.id = provider
        self._path = path

    def available(self) -> bool:
        """Whether the file is there."""
        return self._path.is_file()

    def unavailable_reason(self) -> str | None:
        """What to do while it is not."""
        return None if self.available() else NOTHING_INDEXED

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """Search the index; cancelling the call ends the work.

        At most `INDEX_MAX_RESULTS` hits, `INDEX_RESULTS` when nobody asked for a number; `truncated` when that
        bound, not the request's, left pages out.

        Raises:
            WebError: `WEB_PROVIDER_UNAVAILABLE` when the file went away or is empty, `WEB_CONFIG_INVALID` when it
                is no readable index, `WEB_ABORTED` or `WEB_SEARCH_TIMEOUT` when the call was over before it began.
        """
        from webseam.stores.index import LocalIndex  # noqa: PLC0415 - SQLite loads with the first search, not with us

        call.check("search")
        asked = request.max_results
        limit = min(INDEX_RESULTS if asked is None else asked, INDEX_MAX_RESULTS)
        try:
            found = await LocalIndex(self._path, read_only=True).search(
                request.query,
                limit=limit,
                include_domains=request.controls.include_domains,
                exclude_domains=request.controls.exclude_domains,
            )
        except WebError as exc:
            exc.provider = self.id  # the store does not know under which id it serves
            raise
        return SearchResult(
            provider=self.id,
            sources=tuple(map(_source, found.hits)),
            truncated=found.more and limit != asked,
            notices=tuple(_notices(found)),
        )


def _source(hit: "Hit") -> Source:
    return Source(url=hit.url, title=hit.title, snippet=hit.snippet, published_at=hit.published_at)


def _notices(found: "Found") -> list[str]:
    notices = []
    if found.wordless:
        notices.append("The query holds no words to look for.")
    if found.partial:
        notices.append("No page of the local index holds all of these words; the pages given hold some of them.")
    if found.unread:
        notices.append(f"Only the first {INDEX_QUERY_TERMS} words were looked for; {found.unread} more were not.")
    return notices


def _build(kit: Kit) -> LocalSearch:
    options = checked(kit, Options)
    return LocalSearch(kit.id, Path(options.path).expanduser() if options.path.strip() else kit.data_dir / INDEX_FILE)


SPEC: Final = ProviderSpec(
    kind="local",
    capability="search",
    build=_build,
    options=Options,
    keyless=True,
    summary="Pages taken in by `webseam index`: a local SQLite index, no network and no key.",
    controls=LocalSearch.native_controls,
)

__all__ = ["SPEC", "LocalSearch", "Options"]
