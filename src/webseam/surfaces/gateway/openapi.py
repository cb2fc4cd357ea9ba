"""The OpenAPI 3.1 document, made of the vocabulary's types and the tools' own schemas."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from webseam.core.limits import GATEWAY_TIMEOUT_SECONDS
from webseam.core.settings import ToolSettings
from webseam.core.types import (
    ExtractRequest,
    ExtractResult,
    FetchRequest,
    FetchResult,
    SearchControls,
    SearchRequest,
    SearchResult,
)
from webseam.core.version import VERSION
from webseam.surfaces.gateway.openapi_looks import Looks
from webseam.surfaces.gateway.problems import KINDS, MEDIA_TYPE
from webseam.surfaces.gateway.reply import JSON
from webseam.surfaces.gateway.requests import BOUNDS
from webseam.surfaces.gateway.schemas import Schema, Schemas
from webseam.tools.result import ToolResult
from webseam.tools.schema import TITLES, description, enabled_tools, input_schema, output_schema

_RAW: Final = "SearchResult.raw"
_CALLS: Final = (
    ("/v1/search", "search", "Search the web.", SearchRequest, SearchResult),
    ("/v1/fetch", "fetch", "Fetch one page. Any HTTP status of its server is a result.", FetchRequest, FetchResult),
    ("/v1/extract", "extract", "Have a page read by an extractor.", ExtractRequest, ExtractResult),
)
_OPEN: Final[list[Any]] = []
"""The security of an operation that takes no token."""
_TEXT: Final[Schema] = {"type": "string"}


def document(settings: ToolSettings) -> dict[str, Any]:
    """What this gateway answers, with the tools that are on.

    Args:
        settings: of the tools.
    """
    schemas = Schemas(left_out=frozenset({_RAW}), bounds=BOUNDS)
    paths = dict(_library(schemas)) | dict(_tools(schemas, settings)) | _looks()
    paths |= Looks(schemas, _body, _failures()).paths()
    schemas.components["Problem"] = _problem()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "webseam gateway",
            "version": VERSION,
            "summary": "Web search and fetch for language-model agents.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "./"}],  # relative to this document (OpenAPI 3.1, 4.8.5): a proxy may serve it below a path
        "security": [{"token": []}, {}],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"Problem": _body("Why the request was refused or failed.", _ref("Problem"), MEDIA_TYPE)},
            "parameters": {"Timeout": _timeout(), "RequestId": _request_id()},
        },
    }


def _library(schemas: Schemas) -> Iterable[tuple[str, Any]]:
    for path, name, text, request, result in _CALLS:
        asked = schemas.closed(request)
        yield path, {"post": _call(name, text, asked, schemas.of(result))}
    schemas.closed(SearchControls)


def _tools(schemas: Schemas, settings: ToolSettings) -> Iterable[tuple[str, Any]]:
    schemas.of(ToolResult)
    for name, parameters in enabled_tools(settings).items():
        structured = output_schema(name, settings)
        del structured["$schema"]
        result = f"{name}_result"
        schemas.components[result] = structured
        answer = {"allOf": [_ref("ToolResult"), {"properties": {"structured": _ref(result)}}]}
        text = f"{description(name, settings)} A failure of the tool is an answer, with `is_error`."
        yield f"/v1/tools/{name}", {"post": _call(name, text, input_schema(parameters), answer, TITLES[name])}


def _call(name: str, text: str, asked: Schema, answered: Schema, summary: str | None = None) -> dict[str, Any]:
    parameters = [{"$ref": f"#/components/parameters/{one}"} for one in ("Timeout", "RequestId")]
    return {
        "operationId": name,
        "summary": summary or text,
        "description": text,
        "parameters": parameters,
        "requestBody": {"required": True, "content": {JSON: {"schema": asked}}},
        "responses": {"200": _body("The answer.", answered, JSON), **_failures()},
    }


def _looks() -> dict[str, Any]:
    definition = {"type": "object", "required": ["name", "inputSchema"]}
    tools = {"type": "object", "properties": {"tools": {"type": "array", "items": definition}}, "required": ["tools"]}
    status = {"type": "object", "properties": {"status": _TEXT}, "required": ["status"]}
    return {
        "/v1/tools": {"get": _look("list_tools", "The tools that are on, as MCP has them.", tools, closed=True)},
        "/healthz": {"get": _look("alive", "Whether the process runs.", status)},
        "/readyz": {"get": _look("ready", "Whether new calls are taken; 503 while shutting down.", status)},
        "/openapi.json": {"get": _look("openapi", "This document.", {"type": "object", "required": ["openapi"]})},
        "/metrics": {"get": _look("metrics", "For Prometheus.", _TEXT, closed=True, media_type="text/plain")},
    }


def _look(name: str, text: str, schema: Schema, *, closed: bool = False, media_type: str = JSON) -> dict[str, Any]:
    told = {"operationId": name, "summary": text, "responses": {"200": _body(text, schema, media_type), **_failures()}}
    return told if closed else {**told, "security": _OPEN}


def _failures() -> dict[str, Any]:
    statuses = sorted({status for status, _ in KINDS.values()})
    return {str(status): {"$ref": "#/components/responses/Problem"} for status in statuses}


def _body(text: str, schema: Schema, media_type: str) -> dict[str, Any]:
    return {"description": text, "content": {media_type: {"schema": schema}}}


def _problem() -> Schema:
    """RFC 9457, with what `WebError.to_dict` tells."""
    told: Mapping[str, Schema] = {
        **dict.fromkeys(("type", "title", "detail", "code", "request_id"), _TEXT),
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "dispatched": {"type": "boolean"},
        "retryable": {"type": "boolean"},
        "retry_after": {"type": "number"},
        "provider": _TEXT,
        "provider_status": {"type": "integer"},
        "attempts": {"type": "array", "items": _ref("Attempt")},
    }
    required = ["type", "title", "status", "detail", "code", "request_id"]
    return {"type": "object", "properties": dict(told), "required": required}


def _timeout() -> dict[str, Any]:
    schema = {"type": "number", "exclusiveMinimum": 0, "maximum": GATEWAY_TIMEOUT_SECONDS}
    return _header("Webseam-Timeout", "Seconds that the call may take; it can shorten the configured time.", schema)


def _request_id() -> dict[str, Any]:
    return _header("X-Request-Id", "Named in the answer and the log, where it is printable and short.", _TEXT)


def _header(name: str, text: str, schema: Schema) -> dict[str, Any]:
    return {"name": name, "in": "header", "required": False, "description": text, "schema": schema}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
