"""Results and definitions in MCP's form: text for the model, structure for the host, pictures as blocks."""

from typing import TYPE_CHECKING, Any, Final

import mcp_types as types

from webseam.tools.output import attempts

if TYPE_CHECKING:
    from webseam.tools.result import ToolResult

PERMISSION_META: Final = "webseam/permission"
"""Where a result's `_meta` holds the decisions that were taken for it."""

ERROR_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "code": {"type": "string"},
        "message": {"type": "string"},
        "provider": {"type": "string"},
        "dispatched": {"type": "boolean"},
        "retryable": {"type": "boolean"},
        "retry_after": {"type": "number"},
        "status": {"type": "integer"},
        "attempts": attempts(),
    },
    "required": ["code", "message", "dispatched", "retryable"],
    "additionalProperties": False,
}
"""What stands under `error` in the structure of a failed call: `WebError.to_dict()`."""


def call_result(result: "ToolResult", *, structured: bool = True) -> types.CallToolResult:
    """What came of a call.

    The text stands once, as Markdown: no JSON text beside it repeats the structure. A failed call has its error there,
    also where `structured` is off, which leaves out the structure of the others. Its message then is the text: such a
    client may show its model the structure instead, and what a server said stands in a boundary there too.
    """
    pictures = [types.ImageContent(type="image", data=one.data, mime_type=one.media_type) for one in result.images]
    decisions = result.meta.get("permission")
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=result.text), *pictures],
        structured_content=_structure(result) if structured else _code_alone(result),
        is_error=result.is_error,
        _meta=None if decisions is None else {PERMISSION_META: decisions},
    )


def _structure(result: "ToolResult") -> dict[str, Any] | None:
    if result.error is not None:
        return {"error": dict(result.error)}
    return None if result.structured is None else dict(result.structured)


def _code_alone(result: "ToolResult") -> dict[str, Any] | None:
    return None if result.error is None else {"error": {**result.error, "message": result.text}}


def tool_of(definition: dict[str, Any], *, structured: bool = True) -> types.Tool:
    """A definition of `Toolset.definitions("mcp")` as the SDK takes it; without an output schema where none holds.

    Clients exist that hold the structure of a failed call to the output schema, too, so the schema admits the error.
    """
    shown = {key: value for key, value in definition.items() if key != "outputSchema"}
    if structured:
        shown["outputSchema"] = _admitting_errors(definition["outputSchema"])
    return types.Tool.model_validate(shown, by_name=False)


def _admitting_errors(schema: dict[str, Any]) -> dict[str, Any]:
    """A closed object schema that an error alone satisfies too, without `anyOf`, which some clients refuse (R188)."""
    open_ended = {key: value for key, value in schema.items() if key != "required"}
    return {**open_ended, "properties": {**schema["properties"], "error": ERROR_SCHEMA}, "minProperties": 1}
