"""Our tools inside other systems: `from webseam.adapters import dispatch, langchain_tools, ...`.

Each adapter takes a `Toolset`, renames no tool and adds no argument. Nothing of a framework is imported until its
adapter is called; `WebError` `WEB_CONFIG_INVALID` has the line that installs it, where it is missing.

Arguments that all of them take:

- `tools`: what is enabled, and what answers; the host closes it.
- `run`: the run that the calls are of, where `tools` serve several. Most take a function as well, from the framework's
  context of a call to its run, for an agent that serves several conversations.
- `call`: execution control of every call. A deadline in it is a point in time; for seconds use `timeout`.
- `timeout`: seconds for each call; one that takes longer is answered with `TOOL_TIMEOUT`, as text. `WebError`
  `INVALID_ARGS` is raised at once for a number that is no time.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webseam.surfaces.adapters.dispatch import dispatch
    from webseam.surfaces.adapters.google_adk import google_adk_tools
    from webseam.surfaces.adapters.langchain import langchain_tools
    from webseam.surfaces.adapters.llama_index import llama_index_tools
    from webseam.surfaces.adapters.openai_agents import openai_agents_tools
    from webseam.surfaces.adapters.pydantic_ai import pydantic_ai_toolset
    from webseam.surfaces.adapters.smolagents import smolagents_tools

_HOME = "webseam.surfaces.adapters"
_HOMES = {
    "dispatch": "dispatch",
    "google_adk_tools": "google_adk",
    "langchain_tools": "langchain",
    "llama_index_tools": "llama_index",
    "openai_agents_tools": "openai_agents",
    "pydantic_ai_toolset": "pydantic_ai",
    "smolagents_tools": "smolagents",
}

__all__ = [
    "dispatch",
    "google_adk_tools",
    "langchain_tools",
    "llama_index_tools",
    "openai_agents_tools",
    "pydantic_ai_toolset",
    "smolagents_tools",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{_HOME}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
