"""What the adapters share: a framework imported when it is asked for, and tools called as the host wants it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, TypeAlias

from webseam.core.call import Call, Dispatch
from webseam.core.errors import Code, WebError
from webseam.tools.result import ToolResult
from webseam.tools.run import Run
from webseam.tools.toolset import Toolset

WhichRun: TypeAlias = Run | Callable[[Any], Run] | None
"""The run of all calls, or a function from the framework's context of a call to its run."""


def framework(install: str, *modules: str) -> tuple[Any, ...]:
    """The modules of a framework, which an adapter loads when it is first used.

    Raises:
        WebError: `WEB_CONFIG_INVALID` with the line that installs it, where they cannot be imported.
    """
    try:
        return tuple(import_module(one) for one in modules)
    except ImportError as exc:
        raise WebError(
            Code.CONFIG_INVALID,
            f"This adapter needs {install}, which cannot be imported ({type(exc).__name__}: {exc}). "
            f'Install it: pip install "{install}"',
        ) from exc


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls tools with what the host gave the adapter for every call; nothing but cancellation leaves a call."""

    tools: Toolset
    run: WhichRun = None
    call: Call | None = None
    timeout: float | None = None

    async def __call__(
        self, name: str, args: object, context: Any = None, *, dispatch: Dispatch | None = None
    ) -> ToolResult:
        """The answer to arguments as the model sent them; `dispatch` is marked where a request may have left."""
        run = self.run(context) if callable(self.run) else self.run
        return await self.tools.call(name, args, run=run, call=self._watched(dispatch), timeout=self.timeout)

    def tagged(self, **tags: str) -> "Caller":
        """The same with these tags on its calls, where the host did not set them itself."""
        call = Call() if self.call is None else self.call
        return replace(self, call=replace(call, tags={**tags, **call.tags}))

    def _watched(self, dispatch: Dispatch | None) -> Call | None:
        if dispatch is None:
            return self.call
        call = Call() if self.call is None else self.call
        dispatch.above = call.dispatch
        return replace(call, dispatch=dispatch)


def for_host(result: ToolResult) -> dict[str, Any]:
    """What stands beside the text, for the host: `structured` or `error`, and `meta`; JSON data."""
    told = {"structured": result.structured, "error": result.error, "meta": result.meta}
    return {name: dict(value) for name, value in told.items() if value}
