"""A loopback server that plays a vendor's API: it answers each request with the next of its answers."""

import json
from asyncio import StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from support.net import Request, answer, serve


@dataclass(slots=True)
class Api:
    """`url` of the server, and the bodies that it received."""

    url: str
    received: list[dict[str, Any]] = field(default_factory=list)


@asynccontextmanager
async def playing(*answers: dict[str, Any]) -> AsyncIterator[Api]:
    """Serve `answers` in order, as JSON."""
    left = [json.dumps(one).encode() for one in answers]
    api = Api("")

    async def handler(request: Request, writer: StreamWriter) -> None:
        body = await request.reader.readexactly(int(request.headers["content-length"]))
        api.received.append(json.loads(body))
        writer.write(answer(left.pop(0), content_type="application/json"))

    async with serve(handler) as server:
        api.url = server.url
        yield api


# OpenAI Responses --------------------------------------------------------------------------------------


def responses_answer(output: list[dict[str, Any]]) -> dict[str, Any]:
    """What OpenAI's Responses answers."""
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "m",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def function_call(one: dict[str, Any], args: str | None = None) -> dict[str, Any]:
    """A call in it; `args` instead of the JSON of its own."""
    return {
        "type": "function_call",
        "id": f"fc_{one['id']}",
        "call_id": one["id"],
        "name": one["name"],
        "arguments": json.dumps(one["args"]) if args is None else args,
        "status": "completed",
    }


MESSAGE = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "content": [{"type": "output_text", "text": "done", "annotations": []}],
}
