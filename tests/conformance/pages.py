"""Fixture resources, prompts and completions."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.uri_template import UriTemplate

from conformance.plain_tools import IMAGE, PNG, Context, embedded
from conformance.round_tools import CONTEXT, answered, asked, field

TEMPLATE: Final = "test://template/{id}/data"
_TEXT_URI: Final = "test://static-text"
_IMAGE_URI: Final = "test://static-binary"
_WATCHED_URI: Final = "test://watched-resource"
_TEXTS: Final = {
    _TEXT_URI: "This is the content of the static text resource.",
    _WATCHED_URI: "This resource can be watched.",
}

Prompt: TypeAlias = types.GetPromptResult | types.InputRequiredResult
Say: TypeAlias = Callable[[types.GetPromptRequestParams], Awaitable[Prompt]]


def _resource(uri: str, mime_type: str) -> types.Resource:
    name = uri.partition("://")[2]
    return types.Resource(uri=uri, name=name, description=f"Fixture: {name}.", mime_type=mime_type)


async def _list_resources(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    texts = [_resource(uri, "text/plain") for uri in _TEXTS]
    return types.ListResourcesResult(resources=[*texts, _resource(_IMAGE_URI, "image/png")])


async def _list_templates(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    one = types.ResourceTemplate(
        uri_template=TEMPLATE, name="template", description="Fixture: a template.", mime_type="application/json"
    )
    return types.ListResourceTemplatesResult(resource_templates=[one])


async def _read(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[_contents(str(params.uri))])


def _contents(uri: str) -> types.TextResourceContents | types.BlobResourceContents:
    if uri in _TEXTS:
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text=_TEXTS[uri])
    if uri == _IMAGE_URI:
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=PNG)
    found = UriTemplate.parse(TEMPLATE).match(uri)
    if found is None:
        raise MCPError(types.INVALID_PARAMS, "Resource not found", {"uri": uri})
    data = {"id": found["id"], "templateTest": True, "data": f"Data for ID: {found['id']}"}
    return types.TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(data))


async def accepted(_context: Context, _params: types.RequestParams) -> types.EmptyResult:
    """Agree to what has no effect here."""
    return types.EmptyResult()


def _said(*content: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=one) for one in content])


def _words(text: str) -> types.TextContent:
    return types.TextContent(text=text)


async def _simple(_params: types.GetPromptRequestParams) -> Prompt:
    return _said(_words("This is a simple prompt for testing."))


async def _with_arguments(params: types.GetPromptRequestParams) -> Prompt:
    given = params.arguments or {}
    return _said(_words(f"Prompt with arguments: arg1='{given.get('arg1')}', arg2='{given.get('arg2')}'"))


async def _with_resource(params: types.GetPromptRequestParams) -> Prompt:
    uri = (params.arguments or {}).get("resourceUri", _TEXT_URI)
    inner = embedded(uri, "Embedded resource content for testing.")
    return _said(inner, _words("Please process the embedded resource above."))


async def _with_image(_params: types.GetPromptRequestParams) -> Prompt:
    return _said(IMAGE, _words("Please analyze the image above."))


async def _with_question(params: types.GetPromptRequestParams) -> Prompt:
    if not answered(params, CONTEXT):
        return asked(CONTEXT)
    return _said(_words(f"The context is {field(params, 'user_context', 'context')}."))


_PROMPTS: Final[dict[str, tuple[Say, tuple[str, ...]]]] = {
    "test_simple_prompt": (_simple, ()),
    "test_prompt_with_arguments": (_with_arguments, ("arg1", "arg2")),
    "test_prompt_with_embedded_resource": (_with_resource, ("resourceUri",)),
    "test_prompt_with_image": (_with_image, ()),
    "test_input_required_result_prompt": (_with_question, ()),
}


async def _list_prompts(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    def arguments(names: tuple[str, ...]) -> list[types.PromptArgument]:
        return [types.PromptArgument(name=name, description=f"Fixture: {name}.", required=True) for name in names]

    return types.ListPromptsResult(
        prompts=[
            types.Prompt(name=name, description=f"Fixture: {name}.", arguments=arguments(names))
            for name, (_, names) in _PROMPTS.items()
        ]
    )


async def _get_prompt(_context: Context, params: types.GetPromptRequestParams) -> Prompt:
    if params.name not in _PROMPTS:
        raise MCPError(types.INVALID_PARAMS, f"There is no prompt {params.name!r}.")
    return await _PROMPTS[params.name][0](params)


async def _complete(_context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))


HANDLERS: Final[Mapping[str, Any]] = {
    "on_list_resources": _list_resources,
    "on_list_resource_templates": _list_templates,
    "on_read_resource": _read,
    "on_subscribe_resource": accepted,
    "on_unsubscribe_resource": accepted,
    "on_list_prompts": _list_prompts,
    "on_get_prompt": _get_prompt,
    "on_completion": _complete,
}
"""By the names of the SDK's own arguments."""
