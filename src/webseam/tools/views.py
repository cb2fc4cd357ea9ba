"""What a host shows of a call: before it ends, and rebuilt from its stored meta afterwards (dsh-88, dsh-89)."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from webseam.tools.parameters import EXTRACT, FETCH, SEARCH

KINDS: Final[Mapping[str, str]] = {SEARCH: "search", FETCH: "fetch", EXTRACT: "extract"}


def pending_view(name: str, args: object) -> dict[str, Any] | None:
    """A plain card for a call that has not ended: its kind and title. Never raises."""
    if name not in KINDS:
        return None
    return {"card": "generic", "kind": KINDS[name], "title": _title(name, args)}


def finished_view(name: str, args: object, meta: object) -> dict[str, Any] | None:
    """The card of a finished call, from `ToolResult.meta` alone; None when the meta is absent or malformed.

    Never raises, whatever an old log holds, and never fetches.
    """
    if name not in KINDS or not isinstance(meta, Mapping):
        return None
    body = _BODIES[name](meta)
    return None if body is None else {"card": "web", "kind": KINDS[name], "title": _title(name, args), **body}


def _title(name: str, args: object) -> str:
    given = _given(args)
    if name != SEARCH:
        return _text(given.get("url")) or ""
    queries = given.get("queries")
    if isinstance(queries, list | tuple):
        return ", ".join(one for one in queries if isinstance(one, str))
    return _text(given.get("query")) or ""


def _given(args: object) -> Mapping[Any, Any]:
    if isinstance(args, str):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            return {}  # a title is not worth an error
    return args if isinstance(args, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _search(meta: Mapping[Any, Any]) -> dict[str, Any] | None:
    sources, truncated, answer = meta.get("sources"), meta.get("truncated"), meta.get("answer")
    if not isinstance(sources, list | tuple) or not isinstance(truncated, bool):
        return None
    if not all(_is_source(one) for one in sources) or not isinstance(answer, str | None):
        return None
    view: dict[str, Any] = {"sources": [dict(one) for one in sources], "truncated": truncated}
    return view if answer is None else view | {"answer": answer}


def _is_source(value: object) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("url"), str):
        return False
    return all(isinstance(value.get(name), str | None) for name in ("title", "snippet", "published_at"))


def _fetch(meta: Mapping[Any, Any]) -> dict[str, Any] | None:
    url, status, truncated = meta.get("url"), meta.get("status_code"), meta.get("truncated")
    if not isinstance(url, str) or not isinstance(truncated, bool):
        return None
    if not isinstance(status, int) or isinstance(status, bool):
        return None
    return {"url": url, "status_code": status, "truncated": truncated}


def _extract(meta: Mapping[Any, Any]) -> dict[str, Any] | None:
    url, title, truncated = meta.get("url"), meta.get("title"), meta.get("truncated")
    if not isinstance(url, str) or not isinstance(truncated, bool) or not isinstance(title, str | None):
        return None
    view: dict[str, Any] = {"url": url, "truncated": truncated}
    return view if title is None else view | {"page_title": title}


_BODIES: Final[Mapping[str, Callable[[Mapping[Any, Any]], dict[str, Any] | None]]] = {
    SEARCH: _search,
    FETCH: _fetch,
    EXTRACT: _extract,
}
