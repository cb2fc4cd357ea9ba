"""The local index: pages taken in once, found by their words without network or key. SQLite FTS5, ranked by BM25."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import INDEX_TITLE_WEIGHT, TITLE_CHARS
from webseam.core.text import one_line
from webseam.core.url import ascii_host, web_url
from webseam.stores.blocking import Stop, in_thread
from webseam.stores.place import INDEX_FILE
from webseam.stores.query import Query, parse_query
from webseam.stores.schema import reading, writing
from webseam.stores.snippet import Marker, snippet
from webseam.stores.words import token_stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page to be found.

    `text` is plain text, `indexed_at` ISO 8601 in UTC, `published_at` the page's own string.
    """

    url: str
    text: str
    indexed_at: str
    title: str | None = None
    published_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A page that answers a query; a higher `score` (BM25, comparable within one search only) is better."""

    url: str
    title: str | None
    snippet: str | None
    published_at: str | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Hits, best first. `more`: others were left out by the limit. `partial`: no page held all of the words, so these
    hold some of them. `unread`: words of the query beyond the limit. `wordless`: nothing in the query to look for.
    """  # noqa: D205 - the fields are the summary

    hits: tuple[Hit, ...] = ()
    more: bool = False
    partial: bool = False
    unread: int = 0
    wordless: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStats:
    """Pages in the index, bytes of its file, and when the newest page was taken in (None when empty)."""

    documents: int
    bytes: int
    updated_at: str | None


class LocalIndex:
    """One SQLite file. Any number of readers work beside one writer, within this process and across processes.

    Every call opens the file, works in a thread, and closes it again, so that calls never wait for each other, a
    cancelled call ends its own work only, and nothing is left open.

    Args:
        path: the file; made by the first `add`.
        read_only: refuse to write.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only

    async def add(self, documents: Iterable[Document]) -> None:
        """Take in a batch: all of it or, on an error or cancellation, none. A known URL is replaced.

        URLs are kept in canonical form without fragment.

        Raises:
            WebError: `WEB_INVALID_URL` or `WEB_BLOCKED_URL` for a URL that nobody could open; `WEB_CONFIG_INVALID`
                or `WEB_PROVIDER_ERROR` when the file cannot be written.
        """
        self._writable()
        rows = [(web_url(one.url), one) for one in documents]

        def work(stop: Stop) -> None:
            with writing(self.path, stop) as connection:
                for url, document in rows:
                    stop.check()
                    _put(connection, url.document, url.name, document)

        await in_thread(work)

    async def remove(self, url: str) -> bool:
        """Forget a page; whether it was there. Raises as `add`."""
        self._writable()
        key = web_url(url).document

        def work(stop: Stop) -> bool:
            with writing(self.path, stop) as connection:
                return _delete(connection, key)

        return await in_thread(work)

    async def search(
        self,
        query: str,
        *,
        limit: int,
        include_domains: Sequence[str] = (),
        exclude_domains: Sequence[str] = (),
    ) -> Found:
        """The best `limit` pages for a query of plain words, in any script; see `stores.query` for what it may hold.

        Pages that hold every word come first and alone; only when there is none, pages that hold some of them
        (`partial`). The order is the score's, then the URL's. A domain includes its subdomains; a domain that is no
        host name includes nothing.

        Raises:
            WebError: `WEB_PROVIDER_UNAVAILABLE` when nothing is indexed yet, `WEB_CONFIG_INVALID` for a file that
                is not a readable index.
        """
        asked = parse_query(query)
        where, hosts = _host_filter(asked, include_domains, exclude_domains)

        def work(stop: Stop) -> Found:
            with reading(self.path, stop) as connection:
                if not asked.terms:
                    return Found(wordless=True)
                rows = _matching(connection, asked.all_of, where, hosts, limit + 1)
                partial = not rows
                if partial:
                    rows = _matching(connection, asked.any_of, where, hosts, limit + 1)
                marker = Marker(asked.terms)
                hits = tuple(_hit(connection, row, marker, stop) for row in rows[:limit])
                more = len(rows) > limit
                return Found(hits=hits, more=more, partial=partial and bool(rows), unread=asked.unread)

        return await in_thread(work)

    async def stats(self) -> IndexStats:
        """Size and age. Raises as `search`."""

        def work(stop: Stop) -> IndexStats:
            with reading(self.path, stop) as connection:
                count, newest = connection.execute("SELECT count(*), max(indexed_at) FROM documents").fetchone()
                (pages,) = connection.execute("PRAGMA page_count").fetchone()
                (size,) = connection.execute("PRAGMA page_size").fetchone()
                return IndexStats(documents=count, bytes=pages * size, updated_at=newest)

        return await in_thread(work)

    def _writable(self) -> None:
        if self.read_only:
            raise WebError(Code.CONFIG_INVALID, "This index was opened for reading. Open it for writing to change it.")


def _put(connection: sqlite3.Connection, url: str, host: str, document: Document) -> None:
    _delete(connection, url)
    title = one_line(document.title, limit=TITLE_CHARS) if document.title else None
    published = one_line(document.published_at) if document.published_at else None
    row = connection.execute(
        "INSERT INTO documents(url, host, title, published_at, indexed_at) VALUES(?, ?, ?, ?, ?)",
        (url, host, title or None, published or None, one_line(document.indexed_at)),
    ).lastrowid
    text = document.text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate cannot be stored
    connection.execute("INSERT INTO texts(id, text) VALUES(?, ?)", (row, text))
    connection.execute(
        "INSERT INTO words(rowid, title, text) VALUES(?, ?, ?)",
        (row, token_stream(document.title or ""), token_stream(text)),
    )


def _delete(connection: sqlite3.Connection, url: str) -> bool:
    found = connection.execute("SELECT id FROM documents WHERE url = ?", (url,)).fetchone()
    if found is None:
        return False
    connection.execute("DELETE FROM words WHERE rowid = ?", found)
    connection.execute("DELETE FROM texts WHERE id = ?", found)
    connection.execute("DELETE FROM documents WHERE id = ?", found)
    return True


_Row = tuple[int, str, str | None, str | None, float]


def _matching(
    connection: sqlite3.Connection, expression: str, where: str, hosts: Sequence[str], limit: int
) -> list[_Row]:
    """Rows without their text: the sorter holds every match."""
    return connection.execute(
        f"SELECT documents.id, url, documents.title, published_at, bm25(words, {INDEX_TITLE_WEIGHT}, 1.0) AS score "  # noqa: S608 - a constant, and clauses of our own making
        f"FROM words JOIN documents ON documents.id = words.rowid "
        f"WHERE words MATCH ?{where} ORDER BY score, url LIMIT ?",
        (expression, *hosts, limit),
    ).fetchall()


def _hit(connection: sqlite3.Connection, row: _Row, marker: Marker, stop: Stop) -> Hit:
    stop.check()
    number, url, title, published_at, score = row
    (text,) = connection.execute("SELECT text FROM texts WHERE id = ?", (number,)).fetchone()
    return Hit(url=url, title=title, snippet=snippet(text, marker), published_at=published_at, score=-score)


def _host_filter(asked: Query, include: Sequence[str], exclude: Sequence[str]) -> tuple[str, list[str]]:
    """SQL and its values. What `site:` asks holds together with what the domains ask."""
    clauses: list[str] = []
    values: list[str] = []
    for names, wanted in ((include, True), (asked.include, True), ((*exclude, *asked.exclude), False)):
        if not names:
            continue
        hosts = [host for host in map(ascii_host, names) if host is not None]
        within = " OR ".join([_WITHIN] * len(hosts)) or "0"
        clauses.append(f" AND {'' if wanted else 'NOT '}({within})")
        values.extend(host for host in hosts for _ in range(3))
    return "".join(clauses), values


_WITHIN: Final = "host = ? OR substr(host, -length(?) - 1) = '.' || ?"


__all__ = ["INDEX_FILE", "Document", "Found", "Hit", "IndexStats", "LocalIndex"]
