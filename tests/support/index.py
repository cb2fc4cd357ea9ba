"""Documents and indexes for tests."""

from pathlib import Path

from webseam.stores.index import Document, Found, LocalIndex

NOW = "2026-11-30T08:00:00Z"


def page(url: str, text: str, title: str | None = None, *, published_at: str | None = None) -> Document:
    return Document(url=url, text=text, title=title, published_at=published_at, indexed_at=NOW)


async def filled(folder: Path, *documents: Document) -> LocalIndex:
    """A new index in `folder` that holds `documents`."""
    index = LocalIndex(folder / "index.sqlite3", read_only=False)
    await index.add(documents)
    return index


async def found(index: LocalIndex, query: str, *, limit: int = 50) -> list[str]:
    """URLs of the pages that hold all of the query, best first."""
    answer = await index.search(query, limit=limit)
    return [] if answer.partial else urls(answer)


def urls(answer: Found) -> list[str]:
    return [hit.url for hit in answer.hits]
