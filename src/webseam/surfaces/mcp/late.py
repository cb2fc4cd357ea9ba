"""Tools that are listed at once and opened at the first call: a client waits for the list, not for what it may need.

Nothing here imports a provider, a parser or an HTTP client before `prepare` or a call.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webseam.core.errors import Code, WebError
from webseam.core.limits import MCP_PREPARE_SECONDS
from webseam.core.settings import ToolSettings
from webseam.tools.prompt import guidance
from webseam.tools.schema import definitions

if TYPE_CHECKING:
    from webseam.core.call import Call
    from webseam.surfaces.mcp.server import Tools
    from webseam.tools.result import ToolResult
    from webseam.tools.run import Run

_log = logging.getLogger("webseam")


@dataclass(frozen=True, slots=True)
class Opened:
    """Tools that can be called, and how to close them with all that is below."""

    tools: "Tools"
    aclose: Callable[[], Awaitable[None]]


class LateTools:
    """The tools of a configuration that is read now and built when needed, in a thread beside the event loop.

    Where it cannot be built every call is refused with the reason, and the next call tries again: once the
    configuration is mended, calls go through.

    Args:
        settings: which tools are on, and with which arguments.
        build: opens them.
    """

    def __init__(self, settings: ToolSettings, build: Callable[[], Opened]) -> None:
        self._settings = settings
        self._build = build
        self._building: asyncio.Task[Opened] | None = None
        self._soon: asyncio.TimerHandle | None = None

    def definitions(self, style: str) -> list[dict[str, Any]]:
        """As `Toolset.definitions`."""
        return definitions(self._settings, style)

    def prompt(self) -> str:
        """As `Toolset.prompt`."""
        return guidance(self._settings)

    def prepare(self) -> None:
        """Begin to build, so that the first call waits less; a failure is told by the call."""
        if self._building is None or _failed(self._building):
            self._building = asyncio.create_task(asyncio.to_thread(self._build))
            self._building.add_done_callback(_failed)  # looks at a failure that no call may ever ask for

    def prepare_soon(self) -> None:
        """`prepare`, once the answer that is being made has left; not when `aclose` comes first."""
        self._stay()
        self._soon = asyncio.get_running_loop().call_later(MCP_PREPARE_SECONDS, self.prepare)

    def _stay(self) -> None:
        if self._soon is not None:
            self._soon.cancel()

    async def call(
        self,
        name: str,
        args: object,
        *,
        call: "Call | None" = None,
        run: "Run | None" = None,
        timeout: float | None = None,
    ) -> "ToolResult":
        """As `Toolset.call`."""
        try:
            opened = await self._opened()
        except WebError as error:
            return _refused(error)
        except Exception as exc:  # noqa: BLE001 - as `Toolset.call` promises, every failure is a result
            _log.exception("The tools could not be opened")
            return _refused(_fault(exc))
        return await opened.tools.call(name, args, call=call, run=run, timeout=timeout)

    async def _opened(self) -> Opened:
        """What is built. A build that began before this call and fails has perhaps read what is mended by now."""
        if self._building is not None:
            await asyncio.wait([self._building])
        self.prepare()
        assert self._building is not None  # noqa: S101 - `prepare` has set it
        return await asyncio.shield(self._building)

    async def aclose(self) -> None:
        """Close what was opened."""
        self._stay()
        if self._building is None:
            return
        await asyncio.wait([self._building])
        if not _failed(self._building):
            await self._building.result().aclose()


def _failed(task: "asyncio.Task[Opened]") -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _fault(exc: Exception) -> WebError:
    error = WebError(
        Code.PROVIDER_UNAVAILABLE,
        f"The tools could not be opened ({type(exc).__name__}). This is a fault of ours or of a plugin; report it.",
    )
    error.__cause__ = exc
    return error


def _refused(error: WebError) -> "ToolResult":
    from webseam.tools.result import failed  # noqa: PLC0415 - a start that goes well does without

    return failed(error, lambda: secrets.token_hex(16))
