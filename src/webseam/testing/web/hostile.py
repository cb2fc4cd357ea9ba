"""`HostileWeb`: one scenario of the table, served on loopback and wired to look like the Internet."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from webseam.core.settings import FetchSettings
from webseam.testing.web.certificates import Authority, Certificate
from webseam.testing.web.network import ScriptedResolver, Wire
from webseam.testing.web.plays import Asked
from webseam.testing.web.scenario import ADDRESS, SITE, Scenario
from webseam.testing.web.server import RawServer


class HostileWeb:
    """Serves one scenario while it is open.

    The site's names resolve to one public address; port 80 and, through TLS where the scenario has a certificate,
    port 443 of it lead to the scenario's server. Every other name is unknown, every other address refuses.

    Attributes:
        resolver: for the fetcher; counts the names asked.
        wire: its `make` is the fetcher's socket factory; records the addresses dialled.
        settings: of the fetcher: the scenario's cap, and trust in this web's authority.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.resolver = ScriptedResolver({SITE: [[ADDRESS]], f"*.{SITE}": [[ADDRESS]]})
        self.wire = Wire()
        self.settings = FetchSettings(max_bytes=scenario.cap)
        self._servers: list[RawServer] = []
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            plain = await stack.enter_async_context(RawServer(self.scenario.play))
            self._servers = [plain]
            self.wire.routes = {(ADDRESS, 80): plain.port, (ADDRESS, 443): plain.port}
            if self.scenario.certificate is not None:
                await self._serve_tls(stack, self.scenario.certificate)
            self._stack = stack.pop_all()
        return self

    async def _serve_tls(self, stack: AsyncExitStack, certificate: Certificate) -> None:
        authority = Authority(Path(stack.enter_context(TemporaryDirectory())))
        context = certificate(authority)
        secure = await stack.enter_async_context(RawServer(self.scenario.play, tls=context))
        self._servers.append(secure)
        if self.scenario.relay is not None:
            self._servers.append(await stack.enter_async_context(RawServer(self.scenario.relay(secure.port))))
        self.wire.routes[(ADDRESS, 443)] = self._servers[-1].port
        self.settings = FetchSettings(max_bytes=self.scenario.cap, ca_bundle=str(authority.bundle))

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    @property
    def requests(self) -> Sequence[Asked]:
        """What the servers were asked."""
        return [asked for server in self._servers for asked in server.requests]

    @property
    def connections(self) -> int:
        """How many the servers took."""
        return sum(server.connections for server in self._servers)

    async def left(self) -> None:
        """Wait until every connection has ended."""
        for server in self._servers:
            await server.left()
