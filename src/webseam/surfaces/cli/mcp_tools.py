"""The tools that `webseam mcp` serves, opened from the configuration, and what is wrong with it told on stderr."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from webseam.core.errors import WebError
from webseam.surfaces.cli.output import CannotWriteError
from webseam.surfaces.cli.session import Session

if TYPE_CHECKING:
    from webseam.surfaces.mcp.late import LateTools, Opened


def tools_of(session: Session, *, strict: bool) -> "LateTools":
    """The tools of the configuration, as far as it is sound.

    Raises:
        WebError: with `strict`, the first reason why a call would be refused; others are told before it.
    """
    from webseam.surfaces.mcp.late import LateTools  # noqa: PLC0415 - help goes without
    from webseam.wiring.tool_settings import tool_settings  # noqa: PLC0415 - the same

    loaded = session.survey()
    opener = Opener(session)
    build: Callable[[], Opened] = opener.build
    if strict:
        opened = opener.strictly(loaded.problems)
        build = lambda: opened  # noqa: E731 - it is open
    for problem in loaded.problems:
        opener.tell(problem)
    return LateTools(tool_settings(loaded.config, None), build)


class Opener:
    """Opens the tools and tells what is wrong with them, each fault once."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: set[str] = set()

    def tell(self, error: WebError) -> None:
        """One line on stderr."""
        self._say(str(error), lambda: self._session.out.failed(error, as_json=False))

    def _say(self, text: str, write: Callable[[], None]) -> None:
        """Once, also where more stands behind it now; where nobody reads stderr, calls are answered all the same."""
        if any(text.startswith(one) for one in self._told):
            return
        self._told.add(text)
        try:
            write()
            self._session.out.stderr.flush()
        except (OSError, CannotWriteError):
            return

    def build(self) -> "Opened":
        """The tools.

        Raises:
            WebError: `WEB_CONFIG_INVALID`.
        """
        try:
            opened, faults = self._opened()
        except WebError as error:
            self.tell(error)
            raise
        for fault in faults:
            self.tell(fault)
        return opened

    def strictly(self, problems: Sequence[WebError]) -> "Opened":
        """The tools, where all of them could answer."""
        if not problems:
            opened, problems = self._opened()
        if not problems:
            return opened
        for problem in problems[1:]:
            self.tell(problem)
        raise problems[0]

    def _opened(self) -> "tuple[Opened, list[WebError]]":
        from webseam.surfaces.mcp.late import Opened  # noqa: PLC0415 - a start goes without the rest
        from webseam.tools.toolset import Toolset  # noqa: PLC0415 - the same
        from webseam.wiring.plugins import CAPABILITIES  # noqa: PLC0415 - the same

        built = self._session.build(CAPABILITIES, {})
        searches = built.plan.notice if built.web.tools.search else None
        reads = built.plan.extract_notice if built.web.tools.extract else None
        for notice in filter(None, (searches, reads)):
            self._session.out.note(f"webseam: {notice}")
        tools = Toolset(built.web, spans=False)  # the SDK makes a span of each request
        built.web.at_close(tools.aclose)
        on = [one for one in built.web.describe() if getattr(built.web.tools, one.capability, False)]
        return Opened(tools, built.web.aclose), [one.error for one in on if one.error is not None]
