"""The hostile local web: servers that flood, drip, lie, break off and redirect inwards, all on loopback.

`SCENARIOS` is the whole web, one line each, with the end that a careful fetcher owes its caller. `HostileWeb` serves
one of them so that it looks like a public site: names resolve to a public address, sockets lead to loopback.

    async with HostileWeb(scenario) as web:
        fetch = HttpFetch(settings=web.settings, resolver=web.resolver, make_socket=web.wire.make)
        ...  # fetch scenario.url: it ends in one of scenario.ends
    assert set(web.wire.dialled) <= {ADDRESS}

The pieces serve on their own: `RawServer` plays any `Play`, `Authority` issues certificates (it needs trustme, which
the extra `testing` installs), `ScriptedResolver` and `Wire` stand in for the network of any fetcher of webseam.
"""

from webseam.testing.web.certificates import Authority
from webseam.testing.web.hostile import HostileWeb
from webseam.testing.web.network import MappedSocket, ScriptedResolver, Wire
from webseam.testing.web.plays import Asked, Play, Visit
from webseam.testing.web.scenario import ADDRESS, PAGE, SITE, Scenario
from webseam.testing.web.server import RawServer
from webseam.testing.web.table import SCENARIOS

__all__ = [
    "ADDRESS",
    "PAGE",
    "SCENARIOS",
    "SITE",
    "Asked",
    "Authority",
    "HostileWeb",
    "MappedSocket",
    "Play",
    "RawServer",
    "Scenario",
    "ScriptedResolver",
    "Visit",
    "Wire",
]
