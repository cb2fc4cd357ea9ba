"""Several callers over the same providers, each with its own permission: a gateway's tenants share keys and sockets."""

from collections.abc import Collection
from contextlib import AsyncExitStack
from copy import copy
from dataclasses import replace

from webseam.core.gate import Gate
from webseam.core.web import Web


def shared_web(web: Web, *, gate: Gate | None, only: Collection[str] = ()) -> Web:
    """A `Web` over the providers of `web`, as they are registered now.

    It closes by itself and leaves them open; `web` must outlive it. Times, policy and observers are the same.

    Args:
        web: whose providers these are.
        gate: permission for calls that bring none of their own, in the place of that of `web`.
        only: ids that may be used; empty is all. A choice that names none of them leaves the decision open, so that the
            only one left is taken, and several are ambiguous.
    """
    other = copy(web)
    other._callers = replace(web._callers, gate=gate)  # noqa: SLF001 - a copy of this very object, here and below
    other._closing = AsyncExitStack()  # noqa: SLF001 - see above
    if only:
        other._registries = web._registries.only(only)  # noqa: SLF001 - see above
    return other
