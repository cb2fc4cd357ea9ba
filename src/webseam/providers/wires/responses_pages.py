"""What an answer on the Responses wire says: the pages it names, and its prose with marks that lead to them."""

from collections.abc import Iterator, Mapping
from typing import Final

from webseam.providers.wires.citations import pointed
from webseam.providers.wires.clean import unwrap
from webseam.providers.wires.rows import Row, items, mapping, text

CALLS: Final = frozenset({"web_search_call", "bing_grounding_call"})
"""Items that are calls of the search tool."""

_NUMBER_DIGITS: Final = 2  # of the citations of one answer


def is_call(item: Row) -> bool:
    """Whether an item of the output is a call of the search tool."""
    return text(item.get("type")) in CALLS


def pages_of(parts: list[Row], done: list[Row], payload: Row) -> tuple[dict[str, str | None], list[object]]:
    """Each page once with the first title that it was given, and the entries that name none."""
    pages: dict[str, str | None] = {}
    odd: list[object] = []
    met = ({"url": url} for url in items(payload.get("citations")))  # xAI: every page met, by its URL alone
    for row in (*_cited(parts), *_consulted(done), *met):
        named = mapping(row)
        url = text(named.get("url"))
        if url is None:
            odd.append(None)
        else:
            page = unwrap(url)
            pages[page] = pages.get(page) or _title(named)
    return pages, odd


def _title(row: Row) -> str | None:
    """A title; xAI gives the number of the citation in its place, while a page may well be called 1984."""
    title = text(row.get("title"))
    return None if title is None or (title.isdecimal() and len(title) <= _NUMBER_DIGITS) else title


def _cited(parts: list[Row]) -> Iterator[Row]:
    for part in parts:
        yield from _annotations(part)


def _annotations(part: Row) -> Iterator[Row]:
    """Citations of web pages; other kinds, such as of files, are none of ours."""
    for row in map(mapping, items(part.get("annotations"))):
        if row.get("type", "url_citation") == "url_citation":
            yield mapping(row.get("url_citation")) or row


def _consulted(done: list[Row]) -> Iterator[object]:
    """Pages opened, then pages that the searches listed; an entry of kind `api` is no page."""
    actions = [mapping(call.get("action")) for call in done]
    yield from ({"url": action["url"]} for action in actions if text(action.get("url")))
    for action in actions:
        for row in items(action.get("sources")):
            if mapping(row).get("type") != "api":
                yield row


def parts_of(output: list[Row], *, whole: bool) -> list[Row]:
    """The parts of the messages from the first call of the tool on: what stands before it only announces it.

    A `whole` answer without a message after its calls said it before them; in half an answer it may still be to come.
    """
    kinds = [text(item.get("type")) for item in output]
    start = next((at for at, kind in enumerate(kinds) if kind in CALLS), 0)
    if whole and "message" not in kinds[start:]:
        start = 0
    messages = (item for item in output[start:] if item.get("type") == "message")
    return [part for message in messages for part in items(message.get("content")) if isinstance(part, dict)]


def prose_of(parts: list[Row], pages: list[str]) -> str | None:
    """What was said, a refusal included; where the vendor's own pointers to `pages` stood, marks lead to them."""
    numbers = {url: at for at, url in enumerate(pages, 1)}
    return text("\n\n".join(filter(None, (_marked(part, numbers).strip() for part in parts))))


def _marked(part: Row, numbers: Mapping[str, int]) -> str:
    said = next((part[name] for name in ("text", "refusal") if isinstance(part.get(name), str)), "")
    return pointed(said, _annotations(part), numbers)
