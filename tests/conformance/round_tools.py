"""Fixture tools of the 2026-07-28 era that answer with a question, and go on when it comes back answered."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import mcp_types as types

from conformance.plain_tools import Answer, Context, FixtureTool, Run, text

Requests = Mapping[str, types.InputRequest]


def _elicitation(message: str, name: str, kind: str = "string") -> types.ElicitRequest:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def _sampling(prompt: str, tokens: int) -> types.CreateMessageRequest:
    said = types.SamplingMessage(role="user", content=types.TextContent(text=prompt))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[said], max_tokens=tokens))


_ROOTS: Final = types.ListRootsRequest(params=types.RequestParams())
NAME: Final[Requests] = {"user_name": _elicitation("What is your name?", "name")}
_CAPITAL: Final[Requests] = {"capital_question": _sampling("What is the capital of France?", 100)}
_CONFIRM: Final[Requests] = {"confirm": _elicitation("Please confirm", "ok", "boolean")}
_SEVERAL: Final[Requests] = {**NAME, "greeting": _sampling("Generate a greeting", 50), "client_roots": _ROOTS}
CONTEXT: Final[Requests] = {"user_context": _elicitation("What context should the prompt use?", "context")}


def asked(requests: Requests, state: str | None = None) -> types.InputRequiredResult:
    """The question; the state is sealed on its way out by the server's boundary."""
    return types.InputRequiredResult(input_requests=dict(requests), request_state=state)


def answered(params: types.InputResponseRequestParams, requests: Requests) -> bool:
    """Whether every question has its answer; what else came is ignored."""
    return set(requests) <= set(params.input_responses or {})


def field(params: types.InputResponseRequestParams, key: str, name: str) -> str:
    """One field of the form that a person filled in."""
    told = (params.input_responses or {}).get(key)
    content = told.content if isinstance(told, types.ElicitResult) else None
    return str((content or {}).get(name, ""))


def _greets(params: types.CallToolRequestParams) -> str:
    return f"Hello, {field(params, 'user_name', 'name')}!"


def _samples(params: types.CallToolRequestParams) -> str:
    told = (params.input_responses or {}).get("capital_question")
    content = told.content if isinstance(told, types.CreateMessageResult) else None
    return content.text if isinstance(content, types.TextContent) else "Nothing was said."


def _roots(params: types.CallToolRequestParams) -> str:
    told = (params.input_responses or {}).get("client_roots")
    roots = told.roots if isinstance(told, types.ListRootsResult) else []
    return "Roots: " + ", ".join(str(root.uri) for root in roots)


def _once(requests: Requests, say: Callable[[types.CallToolRequestParams], str], state: str | None = None) -> Run:
    """Ask, then say; a state that was given out must come back."""

    async def run(_context: Context, params: types.CallToolRequestParams) -> Answer:
        if answered(params, requests) and params.request_state == state:
            return text(say(params))
        return asked(requests, state)

    return run


_STEPS: Final = (
    {"step1": _elicitation("Step 1: What is your name?", "name")},
    {"step2": _elicitation("Step 2: What is your favorite color?", "color")},
)


async def _two_rounds(_context: Context, params: types.CallToolRequestParams) -> Answer:
    step = int(params.request_state or 0)
    if params.request_state is None or not answered(params, _STEPS[step]):
        return asked(_STEPS[step], str(step))
    if step + 1 < len(_STEPS):
        return asked(_STEPS[step + 1], str(step + 1))
    return text("Both steps are done.")


async def _as_declared(context: Context, params: types.CallToolRequestParams) -> Answer:
    """Ask no more than the client declared it can answer."""
    declared = context.session.client_capabilities or types.ClientCapabilities()
    offers: list[tuple[Any, Requests]] = [(declared.elicitation, NAME), (declared.sampling, _CAPITAL)]
    wanted = {key: one for has, requests in offers if has is not None for key, one in requests.items()}
    return text("Asked as declared.") if not wanted or answered(params, wanted) else asked(wanted)


async def _streamed(context: Context, params: types.CallToolRequestParams) -> Answer:
    await context.session.report_progress(1, 2)
    return text("Confirmed.") if answered(params, _CONFIRM) else asked(_CONFIRM)


_PREFIX: Final = "test_input_required_result_"

ROUNDS: Final = (
    FixtureTool(f"{_PREFIX}elicitation", _once(NAME, _greets)),
    FixtureTool(f"{_PREFIX}sampling", _once(_CAPITAL, _samples)),
    FixtureTool(f"{_PREFIX}list_roots", _once({"client_roots": _ROOTS}, _roots)),
    FixtureTool(f"{_PREFIX}request_state", _once(_CONFIRM, lambda _: "state-ok", "asked")),
    FixtureTool(f"{_PREFIX}multiple_inputs", _once(_SEVERAL, _greets, "asked")),
    FixtureTool(f"{_PREFIX}multi_round", _two_rounds),
    FixtureTool(f"{_PREFIX}tampered_state", _once(_CONFIRM, lambda _: "state-ok", "asked")),
    FixtureTool(f"{_PREFIX}capabilities", _as_declared),
    FixtureTool("test_streaming_elicitation", _streamed),
)
