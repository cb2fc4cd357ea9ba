"""Loopback in the place of the Internet: a resolver that plays scripts, and sockets that map judged addresses.

A client built with `ScriptedResolver` and `Wire.make` believes that it talks to public addresses; every byte stays on
loopback, and no rule of the client had to be loosened for it.
"""

import asyncio
import errno
import fnmatch
import socket
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webseam.net.guard import CountedSocket

_FILLERS = 4
"""Connections that fill a backlog of 0 on every system seen."""


@dataclass
class ScriptedResolver:
    """Answers by name pattern over successive look-ups; the last answer repeats.

    A step is a list of addresses, or a dict with `error` (`SERVFAIL`, else unknown) or `delay_s` and `answers`.
    """

    names: Mapping[str, Sequence[Any]]
    asked: Counter[str] = field(default_factory=Counter)

    async def resolve(self, host: str, /) -> Sequence[str]:
        """See `webseam.net.resolver.Resolver`."""
        script = next((steps for name, steps in self.names.items() if fnmatch.fnmatch(host, name)), None)
        self.asked[host] += 1
        if script is None:
            raise socket.gaierror(socket.EAI_NONAME, "unknown in this script")
        step = script[min(self.asked[host], len(script)) - 1]
        if not isinstance(step, dict):
            return tuple(step)
        if "error" in step:
            kind = socket.EAI_AGAIN if step["error"] == "SERVFAIL" else socket.EAI_NONAME
            raise socket.gaierror(kind, step["error"])
        await asyncio.sleep(step.get("delay_s", 0))
        return tuple(step["answers"])


@dataclass
class Wire:
    """Where judged addresses really lead: (address, port) or address -> loopback port, "refused" or "timeout".

    Attributes:
        default: the loopback port of what `routes` does not name; None refuses.
        peers: what the socket says of its peer, where that is not the address dialled.
        dialled: every address that was connected, in order.
        made: every socket that was made.
    """

    default: int | None = None
    routes: dict[Any, Any] = field(default_factory=dict)
    peers: dict[str, str] = field(default_factory=dict)
    dialled: list[str] = field(default_factory=list)
    made: list[socket.socket] = field(default_factory=list)
    hole: list[socket.socket] = field(default_factory=list)

    def make(self, info: Any) -> CountedSocket:
        """A socket for an `AddrInfoType`; hand this method to the fetcher."""
        made = MappedSocket(family=socket.AF_INET, type=socket.SOCK_STREAM)
        made.wire = self
        made.pretended = info[0]
        self.made.append(made)
        return made

    def target(self, address: str, port: int) -> Any:
        """Where `address` and `port` lead."""
        return self.routes.get((address, port), self.routes.get(address, self.default))

    def black_hole(self) -> int:
        """A loopback port whose backlog is full, so that a connect hangs; it lasts as long as this object."""
        if not self.hole:
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            listener.listen(0)
            weakref.finalize(self, _close_all, self.hole)
            self.hole.append(listener)
            for _ in range(_FILLERS):
                filler = socket.socket()
                filler.setblocking(False)
                filler.connect_ex(listener.getsockname())
                self.hole.append(filler)
        return int(self.hole[0].getsockname()[1])


def _close_all(sockets: list[socket.socket]) -> None:
    for one in sockets:
        one.close()


class MappedSocket(CountedSocket):
    """A socket that believes it is connected to the public address while it talks to loopback."""

    wire: Wire
    pretended: int
    remote: tuple[str, int] = ("", 0)

    @property
    def family(self) -> Any:
        """The family of the address that was judged."""
        return self.pretended

    def connect(self, address: Any, /) -> None:
        """Connect to where the wire leads."""
        host, port = str(address[0]), int(address[1])
        self.remote = (host, port)
        self.wire.dialled.append(host)
        target = self.wire.target(host, port)
        if target == "timeout":
            target = self.wire.black_hole()
        if target in (None, "refused"):
            raise ConnectionRefusedError(errno.ECONNREFUSED, "refused by the script")
        super().connect(("127.0.0.1", target))

    def getpeername(self) -> Any:
        """The address that was judged, or what the wire was told to say."""
        host = self.wire.peers.get(self.remote[0], self.remote[0])
        return (host, self.remote[1])
