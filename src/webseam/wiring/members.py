"""One key of a pool: the provider that was built with it, its turns, and what its vendor's refusals teach."""

from dataclasses import dataclass, field
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.limits import KEY_REST_SECONDS, KEY_SPENT_SECONDS
from webseam.core.plugin import Secret
from webseam.core.providers import is_available
from webseam.core.shared import TurnTaker

_NEVER: Final = float("-inf")


@dataclass(slots=True, eq=False)
class Member:
    """One key.

    `rests` is until when calls prefer another key, `promised` when the vendor itself said that it may be used again:
    both points on the pool's clock. Neither key nor source stands in `repr`.
    """

    provider: Any = field(repr=False)
    secret: Secret = field(repr=False)
    turns: TurnTaker | None = field(default=None, repr=False)
    rests: float = _NEVER
    promised: float = _NEVER

    def usable(self) -> bool:
        """Whether a call with this key could be made; local."""
        return self.secret.configured() and is_available(self.provider)[0]

    def turn_in(self) -> float:
        """Seconds until its rate lets another call through."""
        return 0.0 if self.turns is None else self.turns.wait()

    def free_in(self, now: float) -> float:
        """Seconds until it has a turn and rests no longer."""
        return max(self.rests - now, self.turn_in())

    def known_wait(self, now: float) -> float | None:
        """`free_in` where it is above 0 and the vendor or the rate says so; our own guess at a rest is not told."""
        ends = self.promised if self.rests > now else now
        wait = max(ends - now, self.turn_in())
        return wait if ends >= now and wait > 0 else None

    def worked(self) -> None:
        """A call succeeded, so it need not rest."""
        self.rests = self.promised = _NEVER

    def learn(self, error: WebError, now: float) -> None:
        """Rest after a refusal of key, quota or rate; turns pause for as long as the vendor asked."""
        told = error.retry_after
        if is_spent(error):
            self.rests = now + KEY_SPENT_SECONDS
        elif is_limited(error):
            self.rests = now + (KEY_REST_SECONDS if told is None else told)
            if self.turns is not None and told is not None:
                self.turns.pause(told)
        else:
            return
        self.promised = _NEVER if told is None else now + told


def rotates(error: WebError) -> bool:
    """Whether another key may fare better: this one is missing, refused, used up or too fast."""
    return is_spent(error) or is_limited(error) or error.code == Code.PROVIDER_CREDENTIAL_MISSING


def is_spent(error: WebError) -> bool:
    """Whether the vendor refused the key, or has no quota left for it."""
    return error.code == Code.QUOTA_EXHAUSTED or error.status in (401, 402)


def is_limited(error: WebError) -> bool:
    """Whether the key was used too often."""
    return error.code == Code.RATE_LIMITED or error.status == 429  # noqa: PLR2004 - RFC 6585
