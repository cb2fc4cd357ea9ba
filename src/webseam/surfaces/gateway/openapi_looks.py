"""What the OpenAPI document says of looks at a gateway: activity, providers, usage, policy and the console's files."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from webseam.core.ledger import Entry
from webseam.core.limits import ACTIVITY_SHOWN, USAGE_HOURS_MOST
from webseam.surfaces.gateway.console import FOLDER, assets
from webseam.surfaces.gateway.reply import JSON
from webseam.surfaces.gateway.schemas import Schema, Schemas

Body: TypeAlias = Callable[[str, Schema, str], dict[str, Any]]

RECORD: Final = "Record"
_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_TIME: Final[Schema] = {"type": "number"}
_TRUTH: Final[Schema] = {"type": "boolean"}
_COUNTS: Final[Schema] = {"type": "object", "additionalProperties": _COUNT}
_TEXTS: Final[Schema] = {"type": "array", "items": _TEXT}
_LATENCY: Final = dict.fromkeys(("p50_ms", "p95_ms", "p99_ms"), _TIME)


def records(schemas: Schemas) -> Schema:
    """Put the schema of a record among the components; what is asked for with it."""
    schemas.of(Entry)
    record = schemas.components.pop(Entry.__name__)
    del record["properties"]["run"]
    schemas.components[RECORD] = record
    return _ref(RECORD)


@dataclass(frozen=True, slots=True)
class Looks:
    """The operations.

    Args:
        schemas: gets the components.
        body: makes a response of a text, a schema and a media type.
        failures: responses of every operation.
    """

    schemas: Schemas
    body: Body
    failures: dict[str, Any]

    def paths(self) -> dict[str, Any]:
        """By path."""
        recent = _object(records={**_list(records(self.schemas)), "maxItems": ACTIVITY_SHOWN}, missed=_COUNT)
        usage = "Calls, times, errors and cost of the last hours, from the record of calls or from memory."
        asked = {"requestBody": {"required": True, "content": {JSON: {"schema": _hours()}}}}
        return {
            "/v1/console": {"get": self._look("console", "What the console begins with.", _begin())},
            "/v1/activity": {"get": self._look("activity", "The recent calls, the newest first.", recent)},
            "/v1/activity/stream": {"get": self._look("activity_stream", _STREAM, _TEXT, "text/event-stream")},
            "/v1/providers": {"get": self._look("providers", "Who would be asked now, and why.", _providers())},
            "/v1/policy": {"get": self._look("policy", "What holds for this token, in words.", _policy())},
            "/v1/usage": {"post": {**self._look("usage", usage, _usage()), **asked}},
            **self._files(),
        }

    def _look(self, name: str, text: str, schema: Schema, media_type: str = JSON) -> dict[str, Any]:
        responses = {"200": self.body(text, schema, media_type), **self.failures}
        return {"operationId": name, "summary": text, "responses": responses}

    def _files(self) -> dict[str, Any]:
        """The page and what it loads, as far as they are there; for everybody, as they hold no data."""
        found = assets()
        names = [path.removeprefix(FOLDER) for path in found if path.startswith(FOLDER)]
        told: dict[str, Any] = {}
        if "/" in found:
            told["/"] = {"get": self._file("page", "The console.", {"text/html"})}
        if names:
            types = {found[FOLDER + one].media_type.partition(";")[0] for one in names}
            schema = {"type": "string", "enum": names}
            name = {"name": "name", "in": "path", "required": True, "schema": schema}
            told[f"{FOLDER}{{name}}"] = {
                "get": {**self._file("console_file", "A file of the console.", types), "parameters": [name]}
            }
        return told

    def _file(self, name: str, text: str, types: set[str]) -> dict[str, Any]:
        answers = {
            "200": {"description": text, "content": {one: {"schema": _TEXT} for one in sorted(types)}},
            "304": {"description": "The client has it already."},
        }
        return {"operationId": name, "summary": text, "security": [], "responses": {**answers, **self.failures}}


_STREAM: Final = (
    "Calls as they end, as server-sent events: `call` with a record, `missed` with how many a slow reader has lost."
)


def _begin() -> Schema:
    keeps = {"type": "string", "enum": ["off", "file", "fleet"]}
    return _object(version=_TEXT, tenant=_TEXT, admin=_TRUTH, tools=_TEXTS, ledger=keeps, text=_TRUTH, now=_TIME)


def _providers() -> Schema:
    health = _object({"p50_ms": _TIME, "p95_ms": _TIME, "last_at": _TIME}, calls=_COUNT, failed=_COUNT, codes=_COUNTS)
    one = _object(
        {"reason": _TEXT},
        id=_TEXT,
        kind=_TEXT,
        selected=_TRUTH,
        available=_TRUTH,
        allowed=_TRUTH,
        health=health,
    )
    section = _object(
        {"error": _object(code=_TEXT, message=_TEXT)},
        capability=_TEXT,
        mode=_TEXT,
        selected=_TEXTS,
        why=_TEXTS,
        providers=_list(one),
    )
    return _object(capabilities=_list(section))


def _policy() -> Schema:
    rule = _object(text=_TEXT, origin=_TEXT)
    return _object(sections=_list(_object(title=_TEXT, rules=_list(rule))))


def _usage() -> Schema:
    bucket = _object(_LATENCY, at=_TIME, calls=_COUNT, failed=_COUNT, cached=_COUNT, costs=_COUNTS)
    counts = dict.fromkeys(("calls", "failed", "denied", "cached", "dispatched", "unpriced"), _COUNT)
    row = _object({"key": _TEXT, **_LATENCY}, **counts, costs=_COUNTS)
    sizes = dict.fromkeys(("bytes", "input_tokens", "output_tokens"), _COUNT)
    return _object(
        {"tenants": _list(row), "counted_from": _TIME},
        since=_TIME,
        until=_TIME,
        source={"type": "string", "enum": ["ledger", "memory"]},
        complete=_TRUTH,
        lost=_COUNT,
        buckets=_list(bucket),
        tools=_list(row),
        providers=_list(row),
        codes=_list(_object(code=_TEXT, calls=_COUNT)),
        whole=_object(_LATENCY, **counts, **sizes, costs=_COUNTS),
    )


def _hours() -> Schema:
    hours = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": USAGE_HOURS_MOST}, {"type": "null"}]}
    return {"type": "object", "properties": {"hours": hours}, "additionalProperties": False}


def _object(optional: dict[str, Schema] | None = None, /, **required: Schema) -> Schema:
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": [*required]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
