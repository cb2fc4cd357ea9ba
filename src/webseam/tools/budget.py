"""How much an answer may hold: in characters, and in estimated tokens where that is asked for."""

from dataclasses import dataclass
from typing import Self

from webseam.content.tokens import estimated_tokens, fitting


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Characters and estimated tokens that are left, both of which hold; tokens None are not counted.

    Below zero nothing fits any more.
    """

    chars: int
    tokens: int | None = None

    @classmethod
    def of(cls, chars: int, tokens: int) -> Self:
        """What settings say: 0 tokens are not counted."""
        return cls(chars=chars, tokens=tokens or None)

    def less(self, *texts: str) -> "Budget":
        """What is left beside `texts`."""
        tokens = None if self.tokens is None else self.tokens - sum(map(estimated_tokens, texts))
        return Budget(chars=self.chars - sum(map(len, texts)), tokens=tokens)

    def share(self, parts: int) -> "Budget":
        """One part in so many."""
        return Budget(chars=self.chars // parts, tokens=None if self.tokens is None else self.tokens // parts)

    def covers(self, other: "Budget") -> bool:
        """Whether `other` is a part of this."""
        return self.chars >= other.chars and (self.tokens or 0) >= (other.tokens or 0)

    def holds(self, text: str) -> bool:
        """Whether `text` fits."""
        return len(text) <= self.chars and (self.tokens is None or estimated_tokens(text) <= self.tokens)

    def room(self, text: str, start: int = 0) -> int:
        """How many characters of `text` from `start` on fit, though it may end before."""
        if self.tokens is None or self.chars < 1:
            return max(0, self.chars)
        return fitting(text, self.tokens, start=start, most=self.chars)
