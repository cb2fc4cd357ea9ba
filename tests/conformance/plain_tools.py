"""Fixture tools that answer at once: each kind of content, an error, and two schemas that must survive the listing."""

import base64
import struct
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext

Context: TypeAlias = ServerRequestContext[Any, Any]
Answer: TypeAlias = types.CallToolResult | types.InputRequiredResult
Run: TypeAlias = Callable[[Context, types.CallToolRequestParams], Awaitable[Answer]]

NOTHING: Final[Mapping[str, Any]] = {"type": "object", "properties": {}, "additionalProperties": False}


@dataclass(frozen=True, slots=True)
class FixtureTool:
    """A tool that a scenario asks for by name."""

    name: str
    run: Run
    schema: Mapping[str, Any] = field(default_factory=lambda: NOTHING)

    @property
    def listed(self) -> types.Tool:
        return types.Tool(name=self.name, description=f"Fixture: {self.name}.", input_schema=dict(self.schema))


def text(words: str) -> types.CallToolResult:
    """A result of one text block."""
    return types.CallToolResult(content=[types.TextContent(text=words)])


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _red_dot() -> str:
    """A PNG of one red pixel (PNG 1.2, section 3)."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    parts = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + _chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


def _silence() -> str:
    """A WAV of one silent sample."""
    body = (
        b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8_000, 8_000, 1, 8) + b"data" + struct.pack("<I", 1) + b"\x80"
    )
    return base64.b64encode(b"RIFF" + struct.pack("<I", len(body)) + body).decode()


PNG: Final = _red_dot()
WAV: Final = _silence()
IMAGE: Final = types.ImageContent(data=PNG, mime_type="image/png")


def embedded(uri: str, words: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    """A resource that travels inside a message."""
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=words))


def _always(*content: types.ContentBlock, is_error: bool = False) -> Run:
    async def run(_context: Context, _params: types.CallToolRequestParams) -> Answer:
        return types.CallToolResult(content=list(content), is_error=is_error)

    return run


_WORDS: Final = types.TextContent(text="This is a simple text response for testing.")
_MIXED: Final = (
    types.TextContent(text="Multiple content types test:"),
    IMAGE,
    embedded("test://mixed-content-resource", '{"test":"data","value":123}', "application/json"),
)
_FAILURE: Final = types.TextContent(text="This tool intentionally returns an error for testing")

RICH_SCHEMA: Final[Mapping[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADER_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "additionalProperties": False,
}

PLAIN: Final = (
    FixtureTool("test_simple_text", _always(_WORDS)),
    FixtureTool("test_image_content", _always(IMAGE)),
    FixtureTool("test_audio_content", _always(types.AudioContent(data=WAV, mime_type="audio/wav"))),
    FixtureTool(
        "test_embedded_resource",
        _always(embedded("test://embedded-resource", "This is an embedded resource content.")),
    ),
    FixtureTool("test_multiple_content_types", _always(*_MIXED)),
    FixtureTool("test_error_handling", _always(_FAILURE, is_error=True)),
    FixtureTool("json_schema_2020_12_tool", _always(_WORDS), RICH_SCHEMA),
    FixtureTool("test_custom_header", _always(_WORDS), HEADER_SCHEMA),
)
