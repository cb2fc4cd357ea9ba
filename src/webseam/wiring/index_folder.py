"""Take in a folder of HTML, Markdown and text files as the site that they are published as."""

import asyncio
import os
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from webseam.content.charset import decode
from webseam.content.index_text import front_matter, html_title, markdown_title, markdown_to_plain
from webseam.content.markdown import html_to_markdown
from webseam.content.sniff import utf16_codec
from webseam.core.errors import Code, WebError
from webseam.core.limits import INDEX_BATCH, INDEX_FILE_BYTES
from webseam.core.url import Url, web_url
from webseam.stores.index import Document, LocalIndex
from webseam.wiring.index_report import IndexReport, Outcome, Skipped, Tell, refused, report, tell, utc_now

_HTML: Final = (".html", ".htm", ".xhtml")
_MARKDOWN: Final = (".md", ".markdown")
_TEXT: Final = (".txt", ".text")
_INDEX: Final = b"index.html"
_PATH_SAFE: Final = "!$&'()*+,;=:@~"  # RFC 3986 section 3.3: pchar
_SUFFIXES_NAMED: Final = 5


async def index_folder(
    index: LocalIndex,
    folder: Path,
    *,
    base_url: str,
    progress: Tell | None = None,
    now: Callable[[], str] = utc_now,
) -> IndexReport:
    """Take in every `.html`, `.htm`, `.xhtml`, `.md`, `.markdown`, `.txt` and `.text` file under `folder`.

    A file's URL is `base_url`, taken as a folder with or without its last slash, and the percent-encoded relative
    path; `index.html` is the page of its folder (`docs/index.html` is `docs/`), as web servers have it. Titles: HTML
    `<title>` or first `<h1>`, Markdown front matter or first `#` heading, text none. Bytes that are wrong in the
    file's encoding become U+FFFD.

    Left alone: names that begin with a dot, as web servers do. Skipped with the reason: links that lead out of the
    folder, unreadable, binary, empty and over-long files; files of other types are counted in one line. Links to
    folders are not followed.

    Raises:
        WebError: `INVALID_ARGS` when `folder` is no folder or `base_url` has a query or fragment; `WEB_INVALID_URL` or
            `WEB_BLOCKED_URL` for a base that is no http(s) URL; what `LocalIndex.add` raises when the index cannot be
            written.
    """
    base = _base(base_url)
    inputs, outcomes = await asyncio.to_thread(_inputs, folder)
    for one in outcomes:
        tell(progress, one)
    for start in range(0, len(inputs), INDEX_BATCH):
        made = await asyncio.to_thread(_read_all, inputs[start : start + INDEX_BATCH], base, now())
        await index.add(one for one in made if isinstance(one, Document))
        for each in made:
            outcomes.append(each.url if isinstance(each, Document) else each)
            tell(progress, outcomes[-1])
    return report(outcomes)


def _base(base_url: str) -> Url:
    base = web_url(base_url)
    if base.query or base.fragment:
        raise WebError(Code.INVALID_ARGS, "The base URL has a query or a fragment. Give the URL of the folder alone.")
    return base if base.path.endswith("/") else web_url(f"{base.href}/")


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    relative: bytes


def _inputs(folder: Path) -> tuple[list[_File], list[Outcome]]:
    """Files to read, in the order of their names, and what is left out before it is opened."""
    if not folder.is_dir():
        raise WebError(Code.INVALID_ARGS, f"{_shown(folder)} is not a folder. Give the folder that holds the pages.")
    root = Path(os.path.realpath(folder))
    files: list[_File] = []
    left: list[Outcome] = []
    others: Counter[str] = Counter()

    def unread(error: OSError) -> None:
        left.append(_unreadable(Path(error.filename), error))

    for parent, folders, names in os.walk(root, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        left.extend(_outside(path) for name in folders if _leads_out(path := Path(parent, name), root))
        for path in (Path(parent, name) for name in sorted(names) if not name.startswith(".")):
            if path.suffix.lower() not in (*_HTML, *_MARKDOWN, *_TEXT):
                others[path.suffix.lower() or "no suffix"] += 1
            elif _leads_out(path, root):
                left.append(_outside(path))
            else:
                files.append(_File(path, os.fsencode(path.relative_to(root))))
    if others:
        left.append(_of_other_types(folder, others))
    return files, left


def _leads_out(path: Path, root: Path) -> bool:
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(root)


def _outside(path: Path) -> Skipped:
    return Skipped(target=_shown(path), code="outside", message="The link leads out of the folder.")


def _shown(path: Path) -> str:
    """A file name may hold bytes that are no text."""
    return os.fsencode(path).decode("utf-8", "replace")


def _of_other_types(folder: Path, others: Counter[str]) -> Skipped:
    named = ", ".join(f"{suffix} {count:,}" for suffix, count in others.most_common(_SUFFIXES_NAMED))
    more = ", \u2026" if len(others) > _SUFFIXES_NAMED else ""
    return Skipped(
        target=_shown(folder),
        code="other_type",
        message=f"{others.total():,} files are no HTML, Markdown or text ({named}{more}).",
    )


def _read_all(files: list[_File], base: Url, now: str) -> list[Document | Skipped]:
    return [_read(file, base, now) for file in files]


def _read(file: _File, base: Url, now: str) -> Document | Skipped:
    target = _shown(file.path)
    try:
        url = _url_of(file.relative, base)
        data = _bytes_of(file.path)
    except WebError as exc:
        return refused(target, exc)
    except OSError as exc:
        return _unreadable(file.path, exc)
    if b"\0" in data and utf16_codec(data) is None:
        return Skipped(target=target, code=Code.UNSUPPORTED_CONTENT_TYPE, message="This is binary data, not text.")
    title, text = _words(file.path.suffix.lower(), data, url)
    if not text.strip():
        return Skipped(target=target, code="empty", message="The file holds no text.")
    return Document(url=url, title=title, text=text, indexed_at=now)


def _url_of(relative: bytes, base: Url) -> str:
    parent, slash, name = relative.replace(os.sep.encode(), b"/").rpartition(b"/")
    path = parent + slash + (b"" if name == _INDEX else name)
    return web_url(base.href + quote(path, safe=f"/{_PATH_SAFE}")).document


def _bytes_of(path: Path) -> bytes:
    """The whole file; a pipe or device is never opened, because reading it may never end."""
    size = path.stat()
    if not stat.S_ISREG(size.st_mode):
        raise WebError(Code.UNSUPPORTED_CONTENT_TYPE, "This is no regular file.")
    with path.open("rb") as opened:
        data = opened.read(INDEX_FILE_BYTES + 1)
    if len(data) > INDEX_FILE_BYTES:
        raise WebError(
            Code.FETCH_TOO_LARGE,
            f"The file has {size.st_size:,} bytes; at most {INDEX_FILE_BYTES:,} are read. Split it.",
        )
    return data


def _words(suffix: str, data: bytes, url: str) -> tuple[str | None, str]:
    """Title and plain text. A title is the file's own or none."""
    text = decode(data, label=None, html=suffix in _HTML).text
    if suffix in _HTML:
        return html_title(text), markdown_to_plain(html_to_markdown(text, url=url).text)
    if suffix in _MARKDOWN:
        title, body = front_matter(text)
        return title or markdown_title(body), markdown_to_plain(body)
    return None, text


def _unreadable(path: Path, error: OSError) -> Skipped:
    return Skipped(
        target=_shown(path), code="unreadable", message=f"It cannot be read ({error.strerror or 'I/O error'})."
    )
