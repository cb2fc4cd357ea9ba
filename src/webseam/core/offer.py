"""The providers of one capability and the choice among them, as one call finds them."""

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from webseam.core.attempts import attempt
from webseam.core.call import Call
from webseam.core.copying import changed
from webseam.core.events import Selected, silent
from webseam.core.providers import ExtractProvider, FetchProvider, SearchProvider, charging, is_available
from webseam.core.registry import Registry
from webseam.core.routes import Member, run_route
from webseam.core.selection import FanOut, Route, select
from webseam.core.types import ExtractResult, FetchResult, SearchResult

P = TypeVar("P", SearchProvider, FetchProvider, ExtractProvider)
R = TypeVar("R", SearchResult, FetchResult, ExtractResult)


@dataclass(slots=True)
class Offer(Generic[P]):
    """Selection at a call: what is registered and available is looked up at the moment each try begins.

    `known` ids could be registered, for the suggestion when one is misspelt. `check` raises where nothing may begin
    any more. Changed by nobody; not frozen, as each call makes one and that would take three times as long.
    """

    registry: Registry[P]
    choice: str | Route | FanOut | None
    known: Iterable[str]
    check: Callable[[], None]

    async def ask(self, run: Callable[[P, Call], Coroutine[Any, Any, R]], call: Call) -> R:
        """The answer of the chosen provider or route, with every try in its `attempts`.

        Raises:
            WebError: nothing can be selected, or what the tries came to.
        """
        choice, capability = self.choice, self.registry.capability
        if isinstance(choice, Route):
            return await run_route(capability, choice.ids, self.looker(run), call)
        assert not isinstance(choice, FanOut)  # noqa: S101 - the constructor refuses it, search has taken its own
        picked, provider = self._picked(choice)
        if call.emit is not silent:
            call.emit(Selected(capability=capability, provider=picked, configured=choice is not None))
        tried = await attempt(capability, picked, lambda own: run(provider, charging(provider, own)), call)
        if tried.error is not None:
            tried.error.attempts = tried.attempts
            raise tried.error
        assert tried.result is not None  # noqa: S101 - one of the two is always set
        return changed(tried.result, attempts=tried.attempts)

    def looker(self, run: Callable[[P, Call], Coroutine[Any, Any, R]]) -> Callable[[str], Member[R]]:
        """Find members of a route or fan-out at the moment each is tried."""

        def look(member: str) -> Member[R]:
            _, provider = self._picked(member)
            return lambda own: run(provider, charging(provider, own))

        return look

    def _picked(self, choice: str | None) -> tuple[str, P]:
        """Pick among the providers that are present now; only those that matter are asked for their availability."""
        self.check()
        present: Mapping[str, P] = dict(self.registry.items())
        asked = present if choice is None else {key: one for key, one in present.items() if key == choice}
        states = {key: is_available(one) for key, one in asked.items()}
        usable = [key for key, (is_usable, _) in states.items() if is_usable]
        if len(usable) == 1:
            return usable[0], present[usable[0]]
        picked = select(
            self.registry.capability,
            choice,
            dict.fromkeys(present, False) | {key: is_usable for key, (is_usable, _) in states.items()},
            known=self.known,
            reasons={key: reason for key, (_, reason) in states.items()},
        )
        return picked, present[picked]
