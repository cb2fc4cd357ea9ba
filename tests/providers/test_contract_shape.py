"""What the contract kit says of something that cannot be put to the test at all: one sentence, and no other."""

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from support.toy import HITS, SPEC, Options, spec
from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult
from webseam.testing import provider_contract


class Loose(msgspec.Struct):
    base_url: str = ""


class Needy(Options, frozen=True, kw_only=True, forbid_unknown_fields=True):
    place: str


class Elsewhere(msgspec.Struct, forbid_unknown_fields=True):
    endpoint: str = ""


def _raises(*_arguments: object) -> Any:
    raise RuntimeError("no")


class Mute:
    native_controls = frozenset({"country"})

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id

    def available(self) -> bool:
        return True


class Deaf(Mute):
    async def search(self, request: SearchRequest) -> SearchResult:
        return SearchResult(provider=request.query)


class Hasty(Mute):
    def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        return SearchResult(provider=request.query, raw=call)


async def _later() -> bool:
    return True


def built_as(kind: Any) -> ProviderSpec:
    """Whatever it is, where a provider is expected."""
    return replace(SPEC, build=kind)


UNFIT: list[tuple[Any, str]] = [
    ({"kind": "toy"}, "it is no ProviderSpec but dict"),
    (replace(SPEC, controls=("country",)), "spec.controls is a tuple, and must be a frozenset"),  # type: ignore[arg-type]
    (
        spec(native_controls=frozenset({"country", "region"})),
        (
            "native_controls names region; the search controls are country, exclude_domains, include_domains, "
            "language, published_after, published_before, safe_search"
        ),
    ),
    (replace(SPEC, options=dict), "spec.options is no msgspec.Struct class"),
    (
        replace(SPEC, options=Loose),
        "its options ignore a misspelt name; declare them with forbid_unknown_fields=True",
    ),
    (
        replace(SPEC, options=Needy),
        "its options need a default for every field: Missing required argument 'place'",
    ),
    (
        replace(SPEC, options=Elsewhere),
        (
            "its options do not take those of this test (Object contains unknown field `base_url`); `point` and "
            "`options` say which to set"
        ),
    ),
    (replace(SPEC, build=_raises), "it cannot be built: RuntimeError: no"),
    (
        built_as(lambda _kit: None),
        "spec.build made a NoneType without an id; a provider has id, available() and search()",
    ),
    (spec(available=_raises), "available() raises RuntimeError: no"),
    (spec(available=_later), "it has no available() that answers at once (def, not async def)"),
    (spec(available=None), "it has no available() that answers at once (def, not async def)"),
    (built_as(Mute), "it has no search() that takes a request and, by name, a call"),
    (built_as(Deaf), "it has no search() that takes a request and, by name, a call"),
    (
        built_as(Hasty),
        "the good reply ended in TypeError: object SearchResult can't be used in 'await' expression",
    ),
]


@pytest.mark.req("search:contract:fits")
@pytest.mark.parametrize(("kind", "told"), UNFIT, ids=range(len(UNFIT)))
def test_what_cannot_be_tested_is_told_in_one_sentence_and_alone(kind: Any, told: str) -> None:
    with pytest.raises(AssertionError) as caught:
        provider_contract(kind, reply=HITS)
    assert str(caught.value).splitlines()[1:] == [f"- {told}"]


@pytest.mark.req("search:contract:fits")
@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"reply": {"hits": []}}, TypeError),
        ({"reply": HITS, "greeting": ["hello"]}, TypeError),
        ({"reply": HITS, "key": " "}, ValueError),
        ({"reply": HITS, "query": ""}, ValueError),
    ],
)
def test_a_call_of_the_kit_that_could_prove_nothing_is_refused(options: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        provider_contract(SPEC, **options)
