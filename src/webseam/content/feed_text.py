"""A feed as Markdown: its head, and a dated list of entries, whichever format they came in."""

import html as entities
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from webseam.content.links import absolute
from webseam.content.listings import Listing
from webseam.content.markdown import html_to_markdown
from webseam.content.metadata import made_metadata
from webseam.content.paging import cut
from webseam.content.plain_text import plain_text
from webseam.core.limits import FEED_CHARS, FEED_ENTRY_CHARS, FEED_LINKS, SHOWN_LINE_CHARS, TITLE_CHARS

_HEADING: Final = re.compile(r"(#{1,6})(?= )")
_FENCE: Final = re.compile(r"(`{3,}|~{3,})")
_DEEPEST: Final = 6
_SPECIAL: Final = re.compile(r"[\\\[\]<*`]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_TYPE: Final = re.compile(r"[\w.+-]{1,60}/[\w.+-]{1,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A string of a feed: HTML, or plain; `base` is the URL that its links mean."""

    value: str
    html: bool = False
    base: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enclosure:
    """A file of an entry: sound, film, anything."""

    url: str
    type: str | None = None
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry, as the feed gives it; absent is None."""

    title: Text | None = None
    url: str | None = None
    date: str | None = None
    author: str | None = None
    text: Text | None = None
    enclosures: tuple[Enclosure, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed says about itself."""

    title: Text | None = None
    description: Text | None = None
    url: str | None = None
    author: str | None = None
    language: str | None = None
    updated: str | None = None


def listed(feed: Feed, entries: Iterable[Entry], *, total: int, url: str, malformed: bool = False) -> Listing:
    """The feed as Markdown; entries that do not fit, of `total`, are counted in its last line."""
    parts, size, shown, shortened = list(_head(feed, url)), 0, 0, False
    for entry in entries:
        text, was_cut = _entry(entry, feed_url=url)
        size += len(text)
        if shown and size > FEED_CHARS:
            break
        parts.append(text)
        shown, shortened = shown + 1, shortened or was_cut
    left_out = max(0, total - shown)
    if left_out:
        parts.append(f"*{left_out:,} further entries of this feed are left out.*")
    elif not shown:
        parts.append("*The feed has no entries.*")
    metadata = made_metadata(
        url,
        title=one_line(feed.title),
        description=one_line(feed.description),
        author=feed.author,
        language=feed.language,
        modified_at=feed.updated,
    )
    return Listing(
        text="\n\n".join(parts),
        metadata=metadata,
        left_out=left_out,
        cut=shortened or left_out > 0,
        malformed=malformed,
    )


def one_line(text: Text | None) -> str | None:
    """The words of a string on one line; None when there are none."""
    if text is None:
        return None
    words = plain_text(text.value)[0] if text.html else text.value
    return " ".join(words.split()) or None


def _head(feed: Feed, url: str) -> Iterator[str]:
    title, description = one_line(feed.title), one_line(feed.description)
    yield f"# {_label(title or 'Feed', limit=TITLE_CHARS)}"
    if description is not None and description != title:
        yield _label(description, limit=FEED_ENTRY_CHARS)
    page = None if feed.url is None else absolute(feed.url, url)
    facts = [f"<{page}>" if page else "", f"Updated {_label(feed.updated)}" if feed.updated else ""]
    if any(facts):
        yield ", ".join(filter(None, facts))


def _entry(entry: Entry, *, feed_url: str) -> tuple[str, bool]:
    title = _label(one_line(entry.title) or "Untitled", limit=TITLE_CHARS)
    target = None if entry.url is None else absolute(entry.url, feed_url)
    parts = [f"## [{title}]({_target(target)})" if target else f"## {title}"]
    facts = (_label(entry.date or ""), f"by {_label(entry.author)}" if entry.author else "")
    parts.append(", ".join(filter(None, facts)))
    text = _body(entry.text, entry.title, feed_url)
    end = cut(text, offset=0, limit=FEED_ENTRY_CHARS).end
    parts.append(demoted(text[:end].rstrip(), by=2))
    if end < len(text):
        parts.append(f"*{len(text) - end:,} further characters of this entry are left out.*")
    parts.append("\n".join(_enclosures(entry, feed_url)))
    return "\n\n".join(filter(None, parts)), end < len(text)


def _body(text: Text | None, title: Text | None, feed_url: str) -> str:
    if text is None or (one_line(text) == one_line(title)):
        return ""
    html = text.value if text.html else _as_html(text.value)
    base = absolute(text.base or "", feed_url) or feed_url
    return html_to_markdown(html, url=base, pictures=False).text


def _as_html(text: str) -> str:
    paragraphs = (part for part in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n")) if part.strip())
    return "".join(f"<p>{entities.escape(part.strip()).replace(chr(10), '<br>')}</p>" for part in paragraphs)


def demoted(text: str, *, by: int) -> str:
    """Markdown whose headings are `by` levels deeper, at most six; code stays, and a fence left open is closed."""
    lines, fence = text.split("\n"), ""
    for at, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            ended = mark is not None and mark[1].startswith(fence) and not line[mark.end() :].strip()
            fence = "" if ended else fence
        elif mark is not None:
            fence = mark[1]
        elif (heading := _HEADING.match(line)) is not None:
            lines[at] = "#" * min(_DEEPEST, len(heading[1]) + by) + line[heading.end() :]
    return "\n".join([*lines, fence] if fence else lines)


def _enclosures(entry: Entry, feed_url: str) -> Iterator[str]:
    for one in entry.enclosures[:FEED_LINKS]:
        target = absolute(one.url, feed_url)
        if target is None or target.startswith("mailto:"):
            continue
        kind = one.type if one.type and _TYPE.fullmatch(one.type) else ""
        facts = ", ".join(filter(None, (kind, f"{one.size:,} bytes" if one.size else "")))
        yield f"- File: <{target}>" + (f" ({facts})" if facts else "")
    if len(entry.enclosures) > FEED_LINKS:
        yield f"- {len(entry.enclosures) - FEED_LINKS:,} further files"


def _label(text: str, *, limit: int = SHOWN_LINE_CHARS) -> str:
    """One line of plain text as Markdown that shows exactly it."""
    line = " ".join(text.split())
    line = line if len(line) <= limit else line[: limit - 3].rstrip() + "..."
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", line)


def _target(url: str) -> str:
    return f"<{url}>" if any(mark in url for mark in "()") else url
