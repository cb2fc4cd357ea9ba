"""A vendor's plugin that prints: while it loads, when it is called, and through a child process."""

import subprocess
import sys

from support.cli import Odd
from webseam.core.call import Call
from webseam.core.plugin import ProviderSpec
from webseam.core.types import SearchRequest, SearchResult

sys.stdout.write("printed while it loads\n")


class Loud(Odd):
    """Says what it does, where nobody should."""

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        sys.stdout.write("printed by a call\n")
        sys.stdout.flush()
        subprocess.run([sys.executable, "-c", "print('written by a child')"], check=True)  # noqa: ASYNC221 - a rude plugin
        return await super().search(request, call=call)


SPEC = ProviderSpec(kind="loud", capability="search", build=Loud, keyless=True)
