"""`--offline`: the outside as it is without a network. Names and sockets are refused before anything leaves."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Seams


class NoResolver:
    """Knows no name."""

    async def resolve(self, host: str, /) -> Sequence[str]:
        """Raises: `WEB_OFFLINE`."""
        del host
        raise offline()


def no_socket(_info: Any) -> Any:
    """Raises: `WEB_OFFLINE`."""
    raise offline()


def without_network(seams: Seams) -> Seams:
    """The same clocks, and nobody to ask; what is kept on this machine (the local index, pages in a cache) answers."""
    return replace(seams, resolver=NoResolver(), socket_factory=no_socket)


def offline() -> WebError:
    """The refusal."""
    return WebError(
        Code.OFFLINE, "This run is offline, so nothing was sent. Leave out --offline (offline=True) to use the network."
    )
