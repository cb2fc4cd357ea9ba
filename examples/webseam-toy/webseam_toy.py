"""A search vendor for webseam: the whole of it."""

import msgspec

from webseam import ProviderSpec, SearchResult, Source
from webseam.providers.wires.asking import Answer, Ask, Question
from webseam.providers.wires.rows import Row, text
from webseam.providers.wires.vendor import Vendor, provider

NATIVE = frozenset({"country"})


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `[providers.toy]` may set."""

    base_url: str = "https://api.toy.example"


def ask(question: Question[Options]) -> Ask:
    """What is sent below the base URL; what is None is left out."""
    return Ask(path="search", json={"q": question.query, "country": question.controls.country})


def read(answer: Answer[Options]) -> SearchResult:
    """What came back; an answer without the list is an error, and a row without a link is dropped and counted."""
    return answer.result(answer.rows("hits"), source)


def source(row: Row) -> Source | None:
    """One hit."""
    url = text(row.get("link"))
    return None if url is None else Source(url=url, title=text(row.get("name")))


VENDOR: Vendor[Options] = Vendor(ask=ask, read=read, native=lambda _options: NATIVE)
SPEC = ProviderSpec(
    kind="toy",
    capability="search",
    build=provider(VENDOR, Options),
    options=Options,
    key_env=("TOY_API_KEY",),
    summary="A toy: hits with titles.",
    controls=NATIVE,
)
