"""Seeded mutation: what a hostile server or model may write, made from honest examples and troublesome pieces."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

MUTATIONS: Final = 6
"""Most changes to one example: more leave nothing of it that a parser would go on with."""

SEED_CHARS: Final = 4_000
"""An input is cut here: longer ones only cost time, and the length caps have tests of their own."""

ODD: Final = (
    "\x00", "\t", "\n", "\r\n", " ", "\x7f", "\x85", "\xa0", "\xad", "\u200b", "\u2028", "\u202e", "\ufeff", "\ufffd",
    "\ud800", "\udcff", "\U0001f600", "\u0130", "\u1e9e", "\uff0e", "\u3002", "\u2024", "\u2488",
    "%", "%2", "%00", "%ff", "%c0%ae", "/", "\\", "//", "?", "#", "@", ":", ";", ",", "=", '"', "'", "[", "]", "..",
    ".", "-", "_", "+", "*", "|", "^", "0", "1", "255", "256", "65535", "65536", "99999999999999999999", "-1", "0x7f",
    "0177", "1e9",
)  # fmt: skip
"""Characters at which parsers part company."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Examples to start from and pieces to put in."""

    examples: Sequence[str]
    pieces: Sequence[str] = ODD

    def draw(self, rng: Random) -> str:
        """One input; the same generator state gives the same input."""
        return self.changed(rng.choice(self.examples), rng)

    def changed(self, text: str, rng: Random, *, most: int = MUTATIONS) -> str:
        """`text` with one to `most` changes."""
        for _ in range(rng.randint(1, most)):
            text = rng.choice(_CHANGES)(text, self, rng)
        return text[:SEED_CHARS]


def _span(text: str, rng: Random) -> tuple[int, int]:
    start = rng.randint(0, len(text))
    return start, min(len(text), start + rng.choice((0, 1, 1, 2, 4, 16)))


def _insert(text: str, corpus: Corpus, rng: Random) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(corpus.pieces) + text[at:]


def _replace(text: str, corpus: Corpus, rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + rng.choice(corpus.pieces) + text[end:]


def _delete(text: str, _corpus: Corpus, rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[end:]


def _repeat(text: str, _corpus: Corpus, rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:end] + text[start:end] * rng.choice((1, 2, 8, 64)) + text[end:]


def _splice(text: str, corpus: Corpus, rng: Random) -> str:
    other = rng.choice(corpus.examples)
    return text[: rng.randint(0, len(text))] + other[rng.randint(0, len(other)) :]


def _nudge(text: str, _corpus: Corpus, rng: Random) -> str:
    """One bit of one character's low byte."""
    if not text:
        return text
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(8))) + text[at + 1 :]


def _percent(text: str, _corpus: Corpus, rng: Random) -> str:
    if not text:
        return text
    at = rng.randrange(len(text))
    return f"{text[:at]}%{ord(text[at]) & 0xFF:02x}{text[at + 1 :]}"


def _case(text: str, _corpus: Corpus, rng: Random) -> str:
    start, end = _span(text, rng)
    return text[:start] + text[start:end].swapcase() + text[end:]


_CHANGES: Final[tuple[Callable[[str, Corpus, Random], str], ...]] = (
    _insert, _insert, _replace, _replace, _delete, _repeat, _splice, _nudge, _percent, _case,
)  # fmt: skip


def as_bytes(text: str) -> bytes:
    """An input as octets: each character's low byte, so that a mutated Latin-1 example keeps its other bytes."""
    return bytes(ord(char) & 0xFF for char in text)
