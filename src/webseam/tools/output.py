"""JSON Schemas (2020-12) of the structured channel: closed objects which every structured result satisfies (R181)."""

from dataclasses import fields
from typing import Any, Final

from webseam.core.settings import ToolSettings
from webseam.core.types import PageMetadata

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TEXT: Final = {"type": "string"}
_FLAG: Final = {"type": "boolean"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_NUMBER: Final = {"type": "number"}


def _closed(required: dict[str, Any], optional: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _counts() -> dict[str, Any]:
    return {"type": "object", "additionalProperties": _COUNT}


def attempts() -> dict[str, Any]:
    """What each try came to."""
    outcome = {"type": "string", "enum": ["ok", "ungrounded", "failed", "skipped"]}
    return _list(
        _closed(
            {"provider": _TEXT, "outcome": outcome, "dispatched": _FLAG, "elapsed": _NUMBER},
            {"code": _TEXT, "free": _FLAG},
        )
    )


def _usage() -> dict[str, Any]:
    counts = ("calls", "input_tokens", "output_tokens")
    return _closed({}, {"cost": _NUMBER, "currency": _TEXT, **dict.fromkeys(counts, _COUNT)})


def _view() -> dict[str, Any]:
    onward = {"type": ["integer", "null"], "minimum": 0}
    return _closed({"offset": _COUNT, "end": _COUNT, "total": _COUNT, "next_offset": onward}, {})


def _notes() -> dict[str, Any]:
    return _list(_closed({"code": _TEXT}, {"detail": _TEXT}))


def _cache() -> dict[str, Any]:
    return _closed({"age": _NUMBER, "stale": _FLAG, "revalidated": _FLAG}, {})


def _outline() -> dict[str, Any]:
    return _list(_closed({"level": _COUNT, "title": _TEXT, "offset": _COUNT}, {}))


def search_output(settings: ToolSettings) -> dict[str, Any]:
    """Schema of a structured `web_search` result."""
    asked = {"query": _TEXT} if settings.max_queries == 1 else {"queries": _list(_TEXT)}
    status = {"type": "string", "enum": ["native", "enforced", "unsupported"]}
    source = _closed({"url": _TEXT}, {"title": _TEXT, "snippet": _TEXT, "published_at": _TEXT})
    required = {
        **asked,
        "provider": _TEXT,
        "grounding": {"type": "string", "enum": ["searched", "ungrounded"]},
        "sources": _list(source),
        "truncated": _FLAG,
        "dropped": _counts(),
        "controls": {"type": "object", "additionalProperties": status},
        "notices": _list(_TEXT),
        "attempts": attempts(),
    }
    optional = {"answer": _TEXT, "usage": _usage(), "cache": _cache(), "notes": _notes()}
    return {"$schema": _DIALECT, **_closed(required, optional)}


def _metadata() -> dict[str, Any]:
    texts = [one.name for one in fields(PageMetadata) if one.name != "feeds"]
    return _closed({}, {**dict.fromkeys(texts, _TEXT), "feeds": _list(_TEXT)})


def fetch_output() -> dict[str, Any]:
    """Schema of a structured `web_fetch` result."""
    required = {
        "url": _TEXT,
        "provider": _TEXT,
        "status_code": {"type": "integer"},
        "body_kind": {"type": "string", "enum": ["html", "text", "pdf", "document", "image"]},
        "content": _TEXT,
        "view": _view(),
        "truncated": _FLAG,
        "cut_by": _list({"type": "string", "enum": ["bytes", "pages", "conversion", "view"]}),
        "notes": _notes(),
        "redirects": _list(_closed({"status_code": {"type": "integer"}, "url": _TEXT}, {})),
        "removed": _counts(),
        "hidden": _COUNT,
        "received_bytes": _COUNT,
        "digest": _TEXT,
        "fetched_again": _FLAG,
        "attempts": attempts(),
    }
    optional = {
        "media_type": _TEXT,
        "page_count": _COUNT,
        "charset": _TEXT,
        "charset_source": {"type": "string", "enum": ["bom", "header", "meta", "utf-8", "detected", "default"]},
        "fallback": _TEXT,
        "changed": _FLAG,
        "retry_after": _NUMBER,
        "cache": _cache(),
        "metadata": _metadata(),
        "view_mode": {"type": "string", "enum": ["page", "main"]},
        "engine": {"type": "string", "enum": ["own", "trafilatura"]},
        "left_out": _COUNT,
        "outline": _outline(),
        "passages": _list(_closed({"offset": _COUNT, "text": _TEXT, "headings": _list(_TEXT), "matches": _COUNT}, {})),
        "matches": _list(_closed({"phrase": _TEXT, "total": _COUNT, "shown": _COUNT}, {})),
        "mostly_hidden": {"type": "string", "enum": ["shown", "left_out"]},
    }
    return {"$schema": _DIALECT, **_closed(required, optional)}


def extract_output() -> dict[str, Any]:
    """Schema of a structured `web_extract` result."""
    required = {
        "url": _TEXT,
        "provider": _TEXT,
        "content": _TEXT,
        "view": _view(),
        "truncated": _FLAG,
        "cut_by": _list({"type": "string", "enum": ["extractor", "view"]}),
        "notes": _notes(),
        "removed": _counts(),
        "hidden": _COUNT,
        "digest": _TEXT,
        "extracted_again": _FLAG,
        "attempts": attempts(),
    }
    optional = {
        **dict.fromkeys(("title", "author", "published_at"), _TEXT),
        "changed": _FLAG,
        "usage": _usage(),
        "outline": _outline(),
    }
    return {"$schema": _DIALECT, **_closed(required, optional)}
