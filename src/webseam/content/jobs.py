"""What a worker can do: a table of jobs, each from a head and bytes to a head and bytes.

A job imports what it needs when it runs, so that a worker loads only what its jobs use. It returns what it found out;
whatever it raises reaches the caller as `WorkerFailed`. A head must not have the key `failure`.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from webseam.content.frames import bytes_text, text_bytes

Head: TypeAlias = dict[str, Any]
Job: TypeAlias = Callable[[Head, bytes], tuple[Head, bytes]]


def _markdown(head: Head, body: bytes) -> tuple[Head, bytes]:
    """HTML to Markdown: `url`, `pictures`, `view`, `engine`."""
    from webseam.content.markdown import html_to_markdown  # noqa: PLC0415 - see above
    from webseam.content.metadata import packed_metadata  # noqa: PLC0415 - see above

    html = bytes_text(body)
    del body
    made = html_to_markdown(
        html,
        url=head["url"],
        pictures=bool(head.get("pictures", True)),
        view=head.get("view", "page"),
        engine=head.get("engine", "own"),
    )
    found = {
        "hidden": made.hidden,
        "cut": made.cut,
        "mostly_hidden": made.mostly_hidden,
        "metadata": packed_metadata(made.metadata),
        "view": made.view,
        "left_out": made.left_out,
        "engine": made.engine,
    }
    return found, text_bytes(made.text)


def _hidden(_head: Head, body: bytes) -> tuple[Head, bytes]:
    """Markdown to what readers see of it."""
    from webseam.content.hidden_html import without_hidden  # noqa: PLC0415 - see above

    made = without_hidden(bytes_text(body))
    return {"hidden": made.hidden, "is_open": made.is_open, "holds_most": made.holds_most}, text_bytes(made.text)


def _pdf(_head: Head, body: bytes) -> tuple[Head, bytes]:
    """The pages of a PDF as a JSON list of texts; `trouble` in the head where it cannot be opened."""
    from webseam.content.pdf import PdfUnreadable, pdf_text  # noqa: PLC0415 - see above

    try:
        read = pdf_text(body)
    except PdfUnreadable as exc:
        return {"trouble": exc.trouble}, b""
    found = {
        "page_count": read.page_count,
        "unmapped": read.unmapped,
        "unreadable": read.unreadable,
        "cut": read.cut,
        "title": read.title,
        "author": read.author,
        "published_at": read.created,
        "modified_at": read.modified,
    }
    return found, json.dumps(read.pages).encode()


def _listing(head: Head, body: bytes) -> tuple[Head, bytes]:
    """A feed or sitemap to Markdown: `url`, `form`; `text` in the head where it is none after all."""
    from webseam.content.listings import listing  # noqa: PLC0415 - see above
    from webseam.content.metadata import packed_metadata  # noqa: PLC0415 - see above

    made = listing(bytes_text(body), head["form"], url=head["url"])
    if made is None:
        return {"text": True}, b""
    found = {
        "metadata": packed_metadata(made.metadata),
        "left_out": made.left_out,
        "cut": made.cut,
        "malformed": made.malformed,
    }
    return found, text_bytes(made.text)


def _office(_head: Head, body: bytes) -> tuple[Head, bytes]:
    """The Markdown of a document; `trouble` in the head where it cannot be read."""
    from webseam.content.office import office_head, office_text  # noqa: PLC0415 - see above
    from webseam.content.office_package import OfficeUnreadable  # noqa: PLC0415 - see above

    try:
        read = office_text(body)
    except OfficeUnreadable as exc:
        return {"trouble": exc.trouble, "kind": exc.kind}, b""
    return office_head(read), text_bytes(read.text)


JOBS: Final[Mapping[str, Job]] = MappingProxyType(
    {"pdf": _pdf, "markdown": _markdown, "listing": _listing, "office": _office, "hidden": _hidden}
)
