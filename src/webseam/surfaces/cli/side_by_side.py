"""The same question to several providers at once, each through a `Web` of its own, all under one deadline."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module

from webseam.core.call import Call
from webseam.core.deadline import Deadline
from webseam.core.errors import WebError
from webseam.core.together import together
from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.surfaces.cli.session import Session
from webseam.tools.compare import Outcome


def usable_ids(session: Session) -> tuple[str, ...]:
    """The search providers that are registered and available, sorted; in a replay those that were.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    web = session.build(("search",), {}).web
    usable = [one.id for one in web.describe()[0].providers if one.available]
    if web.tape is None:
        return tuple(usable)
    return tuple(web.tape.draw("usable search providers", lambda: " ".join(usable)).split())


async def ask_each(
    session: Session, ids: Sequence[str], query: str, *, max_results: int | None, seconds: float | None
) -> list[Outcome]:
    """Everybody's answer in the order of `ids`; a failure is an answer too. `seconds` None: the configured time.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    wanted: list[tuple[Capability, str]] = [("search", one) for one in ids]
    async with opened_each(session, wanted, seconds=seconds) as (webs, call):
        with session.out.status(f"asking {', '.join(ids)} ..."):
            asked = zip(ids, webs, strict=True)
            return await together(_ask(one, web, query, max_results, call) for one, web in asked)


@asynccontextmanager
async def opened_each(
    session: Session, wanted: Sequence[tuple[Capability, str]], *, seconds: float | None
) -> AsyncIterator[tuple[list[Web], Call]]:
    """A `Web` for each capability and id, at least one, and the call that all share; closed at the end.

    Raises:
        WebError: `WEB_CONFIG_INVALID`.
    """
    import_module("webseam.net.vendor")  # or the first call of each would be charged with loading the HTTP client
    async with AsyncExitStack() as stack:
        webs: list[Web] = []
        for capability, one in wanted:
            as_it_is = {"cache": "off"} if capability == "search" else {}  # as it answers now
            built = session.build((capability,), {capability: {"provider": one, **as_it_is}})
            webs.append(await stack.enter_async_context(built.web))
        first = webs[0]
        deadline = Deadline.after(seconds or first.settings.search_seconds, clock=first.clock)
        yield webs, Call(deadline=deadline, gate=first.gate)  # one run, with one budget


async def _ask(provider: str, web: Web, query: str, most: int | None, call: Call) -> Outcome:
    try:
        answer = await web.search(query, max_results=most, call=call)
    except WebError as error:
        return Outcome(provider=provider, answer=error)
    return Outcome(provider=provider, answer=answer)
