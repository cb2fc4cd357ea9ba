"""Fixture tools that talk to the client while they run: log, progress, and the questions of the 2025-11-25 era."""

import asyncio
import json
import warnings
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError

from conformance.plain_tools import Answer, Context, FixtureTool, Run, text

PAUSE_SECONDS: Final = 0.05
"""Between two messages, as the scenarios ask."""

_ONE_TEXT: Final = {"type": "string"}


def _asking(name: str) -> Mapping[str, Any]:
    return {"type": "object", "properties": {name: _ONE_TEXT}, "required": [name], "additionalProperties": False}


async def _logged(context: Context, _params: types.CallToolRequestParams) -> Answer:
    steps = ("Tool execution started", "Tool processing data", "Tool execution completed")
    for number, step in enumerate(steps):
        if number:
            await asyncio.sleep(PAUSE_SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MCPDeprecationWarning)  # deprecated, and still what a scenario asks for
            await context.session.send_log_message("info", step, related_request_id=context.request_id)
    return text("Logged three messages.")


async def _progressed(context: Context, _params: types.CallToolRequestParams) -> Answer:
    for done in (0, 50, 100):
        if done:
            await asyncio.sleep(PAUSE_SECONDS)
        await context.session.report_progress(done, 100)
    return text("Reported progress three times.")


async def _sampled(context: Context, params: types.CallToolRequestParams) -> Answer:
    prompt = str((params.arguments or {}).get("prompt", ""))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MCPDeprecationWarning)  # as above
        told = await context.session.create_message(
            [types.SamplingMessage(role="user", content=types.TextContent(text=prompt))],
            max_tokens=100,
            related_request_id=context.request_id,
        )
    said = told.content.text if isinstance(told.content, types.TextContent) else told.content.type
    return text(f"LLM response: {said}")


async def _elicited(context: Context, message: str, schema: dict[str, Any]) -> str:
    told = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return f"action={told.action}, content={json.dumps(told.content)}"


async def _elicit(context: Context, params: types.CallToolRequestParams) -> Answer:
    message = str((params.arguments or {}).get("message", ""))
    fields = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    return text(f"User response: {await _elicited(context, message, schema)}")


def _form(message: str, properties: Mapping[str, Any]) -> Run:
    async def run(context: Context, _params: types.CallToolRequestParams) -> Answer:
        schema = {"type": "object", "properties": dict(properties)}
        return text(f"Elicitation completed: {await _elicited(context, message, schema)}")

    return run


async def _needs_sampling(context: Context, _params: types.CallToolRequestParams) -> Answer:
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "This tool needs a client that samples.",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return text("The client samples.")


_DEFAULTS: Final = {
    "name": {"type": "string", "default": "John Doe"},
    "age": {"type": "integer", "default": 30},
    "score": {"type": "number", "default": 95.5},
    "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
    "verified": {"type": "boolean", "default": True},
}
_OPTIONS: Final = ["option1", "option2", "option3"]


def _titled(word: str) -> list[dict[str, str]]:
    return [{"const": f"value{at}", "title": f"{nth} {word}"} for at, nth in enumerate(("First", "Second", "Third"), 1)]


_ENUMS: Final = {
    "untitledSingle": {"type": "string", "enum": _OPTIONS},
    "titledSingle": {"type": "string", "oneOf": _titled("Option")},
    "legacyEnum": {
        "type": "string",
        "enum": ["opt1", "opt2", "opt3"],
        "enumNames": ["Option One", "Option Two", "Option Three"],
    },
    "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _OPTIONS}},
    "titledMulti": {"type": "array", "items": {"anyOf": _titled("Choice")}},
}

TALKING: Final = (
    FixtureTool("test_tool_with_logging", _logged),
    FixtureTool("test_logging_tool", _logged),
    FixtureTool("test_tool_with_progress", _progressed),
    FixtureTool("test_sampling", _sampled, _asking("prompt")),
    FixtureTool("test_elicitation", _elicit, _asking("message")),
    FixtureTool("test_elicitation_sep1034_defaults", _form("Review the defaults.", _DEFAULTS)),
    FixtureTool("test_elicitation_sep1330_enums", _form("Choose.", _ENUMS)),
    FixtureTool("test_missing_capability", _needs_sampling),
)
