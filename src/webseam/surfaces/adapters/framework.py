"""What the adapters share: a framework imported when it is asked for, and tools called as the host wants it."""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from importlib import import_module
from math import inf
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


def chosen(tools: Toolset, names: Iterable[str] | None) -> list[dict[str, Any]]:
    """The definitions of the tools with these names (one name, or several), in their order; of all, where it is None.

    Raises:
        WebError: `INVALID_ARGS` for a name that is not on.
    """
    published = {one["name"]: one for one in tools.definitions("openai")}
    wanted = list(published) if names is None else [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in published:
            known = ", ".join(published) or "none"
            raise WebError(Code.INVALID_ARGS, f"There is no tool {name!r}. Tools that are on: {known}.")
    return [published[name] for name in wanted]


def publishing(base: Any, method: str, value: Mapping[str, Any]) -> Any:
    """A subclass of a framework's class whose `method` answers `value`, whatever it is asked with; a copy each time."""
    return type(base.__name__, (base,), {method: staticmethod(lambda *_args, **_options: deepcopy(value))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Calls tools with what the host gave the adapter for every call.

    Nothing but cancellation leaves a call, and what the host's own function for `run` raises.

    Raises:
        WebError: `INVALID_ARGS` for a `timeout` that is no time, so that the host hears of it and not its model.
    """

    tools: Toolset
    run: WhichRun = None
    call: Call | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        if self.timeout is not None and not 0 < self.timeout < inf:  # NaN fails it too
            message = f"timeout is {self.timeout}; it must be a positive, finite number of seconds."
            raise WebError(Code.INVALID_ARGS, message)

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
