"""A model's plain words -> FTS5 expressions. Nothing of the query reaches FTS5 as syntax: only quoted tokens do.

Understood: "exact phrases" in double quotes, and `site:host` / `-site:host` for a host with its subdomains. All else
(`OR`, `NOT`, `-word`, `intitle:`, `*`, brackets) is plain text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from webseam.core.limits import INDEX_QUERY_TERMS
from webseam.core.url import ascii_host
from webseam.stores.words import fold, is_run, spans, tokens, word_forms

_PARTS: Final = re.compile(r'["\u201c\u201d\u201e]([^"\u201c\u201d\u201e]+)["\u201c\u201d\u201e]|(\S+)')
_SITE: Final = re.compile(r"(-?)site:(.+)", re.IGNORECASE)
_JOINTS: Final = frozenset("-._'\u2019:@&+")  # `don't`, `3.14`, `snake_case` are looked for as they stand
_BOOSTED: Final = range(2, 9)  # words of a query that are worth more where they stand side by side


@dataclass(frozen=True, slots=True)
class Term:
    """Tokens that stand side by side; `loose` admits other forms of a single word; `open_end` a longer last token."""

    tokens: tuple[str, ...]
    loose: bool = False
    open_end: bool = False

    def all_of(self) -> str:
        """The expression for this term as a whole."""
        if not self.loose:
            return _phrase(self.tokens, open_end=self.open_end)
        word = self.tokens[0]
        forms, beginning = word_forms(word)
        others = [form for form in forms[1:] if beginning is None or not form.startswith(beginning)]
        either = [_phrase((form,)) for form in (word, *others)]
        if beginning is not None:
            either.append(_phrase((beginning,), open_end=True))
        elif others:
            either.append(_phrase((word,)))  # BM25 adds up phrases: the word itself is to count more than its forms
        return f"({' OR '.join(either)})"

    def some_of(self) -> Iterable[str]:
        """Expressions of its parts."""
        if self.loose or self.open_end:
            return (self.all_of(),)
        return (_phrase((token,)) for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Query:
    """What to look for and where; `unread` counts the terms beyond the limit."""

    terms: tuple[Term, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    unread: int = 0

    @property
    def all_of(self) -> str:
        """Pages that hold every term; where the terms stand together a page ranks higher."""
        every = " AND ".join(term.all_of() for term in self.terms)
        if len(self.terms) not in _BOOSTED or any(term.open_end for term in self.terms):
            return every
        return f"{_phrase([token for term in self.terms for token in term.tokens])} OR ({every})"

    @property
    def any_of(self) -> str:
        """Pages that hold at least one part of a term."""
        return " OR ".join(dict.fromkeys(part for term in self.terms for part in term.some_of()))


def parse_query(text: str) -> Query:
    """Read `text`; never raises. A query of signs alone has no terms."""
    terms: dict[Term, None] = {}
    include: list[str] = []
    exclude: list[str] = []
    for match in _PARTS.finditer(text):
        quoted, bare = match[1], match[2]
        site = _SITE.fullmatch(bare) if bare else None
        host = ascii_host(site[2]) if site else None
        if site and host:
            (exclude if site[1] else include).append(host)
        else:
            terms.update(dict.fromkeys(_quoted(quoted) if quoted else _loose(bare)))
    kept = tuple(terms)[:INDEX_QUERY_TERMS]
    return Query(kept, tuple(include), tuple(exclude), len(terms) - len(kept))


def _quoted(text: str) -> list[Term]:
    found = [match[0] for match in spans(fold(text))]
    return [_term(found)] if found else []


def _loose(text: str) -> Iterable[Term]:
    """Terms of a text without spaces: words joined by one of `_JOINTS` stay together."""
    folded = fold(text)
    joined: list[str] = []
    end = -1
    for match in spans(folded):
        if joined and folded[end : match.start()] not in _JOINTS:
            yield _term(joined, loose=True)
            joined = []
        joined.append(match[0])
        end = match.end()
    if joined:
        yield _term(joined, loose=True)


def _term(found: list[str], *, loose: bool = False) -> Term:
    """A run's last, lone character is left off, because the run may go on in the page (`tokens`)."""
    made = tokens(" ".join(found))
    last = found[-1]
    if not is_run(last):
        return Term(tuple(made), loose=loose and len(made) == 1)
    return Term(tuple(made), open_end=True) if len(last) == 1 else Term(tuple(made[:-1]))


def _phrase(parts: Iterable[str], *, open_end: bool = False) -> str:
    """A quoted string of FTS5. Tokens are letters and digits, so none can end it."""
    return f'"{" ".join(parts)}"' + (" *" if open_end else "")
