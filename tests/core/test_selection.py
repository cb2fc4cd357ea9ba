"""Which provider a call goes to: design 3, dsh-12 to dsh-15, R152 to R155."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import extract, hits, outcome, page, refused, searching
from webseam.core.errors import Code, WebError
from webseam.core.selection import Choice, FanOut, Route, normalise_choice, select
from webseam.core.web import Web
from webseam.testing import ScriptedExtract, ScriptedFetch, ScriptedSearch

IDS = ("a", "b", "c", "d")


def scripted(key: str, *, available: bool = True) -> ScriptedSearch:
    return ScriptedSearch(key, [hits(f"https://{key}.test/")], available=available)


@pytest.mark.req("core:selection:table")
@pytest.mark.parametrize(
    ("configured", "registered", "expected"),
    [
        ("a", {"a": True}, "a"),
        ("a", {"a": True, "b": True}, "a"),
        ("a", {}, Code.PROVIDER_CONFIGURED_MISSING),
        ("a", {"b": True}, Code.PROVIDER_CONFIGURED_MISSING),
        ("a", {"a": False}, Code.PROVIDER_CONFIGURED_UNAVAILABLE),
        ("a", {"a": False, "b": True}, Code.PROVIDER_CONFIGURED_UNAVAILABLE),
        (None, {"a": True}, "a"),
        (None, {"a": False, "b": True, "c": False}, "b"),
        (None, {"a": True, "b": True}, Code.PROVIDER_AMBIGUOUS),
        (None, {"a": True, "b": True, "c": False}, Code.PROVIDER_AMBIGUOUS),
        (None, {}, Code.PROVIDER_UNAVAILABLE),
        (None, {"a": False}, Code.PROVIDER_UNAVAILABLE),
        (None, {"a": False, "b": False}, Code.PROVIDER_UNAVAILABLE),
    ],
)
async def test_every_row_of_the_selection_table(
    configured: str | None, registered: dict[str, bool], expected: str
) -> None:
    web = searching(*(scripted(key, available=state) for key, state in registered.items()), search=configured)
    if isinstance(expected, Code):
        assert (await refused(web.search("kelp"))).code == expected
    else:
        assert (await web.search("kelp")).provider == expected


@pytest.mark.req("core:selection:configured-unavailable")
async def test_a_configured_provider_that_is_unavailable_never_becomes_another_one_in_silence() -> None:
    other = scripted("a")
    error = await refused(searching(other, scripted("b", available=False), search="b").search("kelp"))
    assert error.code == Code.PROVIDER_CONFIGURED_UNAVAILABLE
    assert error.provider == "b"
    assert other.script.requests == []


@pytest.mark.req("core:selection:ambiguous")
async def test_ambiguity_lists_the_ids_and_names_the_setting() -> None:
    error = await refused(searching(scripted("zeta"), scripted("alpha"), scripted("off", available=False)).search("x"))
    assert "alpha, zeta" in error.message
    assert "search.provider" in error.message
    assert "off" not in error.message


@pytest.mark.req("core:selection:blank")
@pytest.mark.parametrize("blank", ["", " ", "\t\n", [], [""], ["", "  "], Route(()), FanOut(("",)), None])
async def test_a_blank_choice_is_no_choice(blank: Choice) -> None:
    assert (await searching(scripted("a"), search=blank).search("kelp")).provider == "a"


@pytest.mark.req("core:selection:blank")
def test_a_choice_is_trimmed_and_its_members_count_once() -> None:
    assert normalise_choice(" exa ") == "exa"
    assert normalise_choice([" exa", "", "brave", "exa"]) == Route(("exa", "brave"))
    assert normalise_choice(FanOut(("exa", "exa ", "brave"))) == FanOut(("exa", "brave"))


@pytest.mark.req("core:selection:nearest")
@pytest.mark.parametrize("typo", ["tavly", "Tavily", "TAVILY", "tavilly"])
async def test_an_unknown_id_suggests_the_nearest_registered_one(typo: str) -> None:
    error = await refused(searching(scripted("tavily"), scripted("exa"), search=typo).search("kelp"))
    assert error.code == Code.PROVIDER_CONFIGURED_MISSING
    assert repr(typo) in error.message
    assert "Did you mean 'tavily'?" in error.message
    assert "Registered: exa, tavily." in error.message


@pytest.mark.req("core:selection:nearest")
async def test_an_id_like_nothing_registered_suggests_nothing() -> None:
    error = await refused(searching(scripted("exa"), search="wikipedia").search("kelp"))
    assert "Did you mean" not in error.message
    assert "None is registered." in (await refused(Web(search="exa").search("kelp"))).message


@pytest.mark.req("core:selection:separate")
async def test_each_capability_has_a_registry_of_its_own() -> None:
    web = Web(fetch="s")
    web.register_search(ScriptedSearch("s", [hits()]))
    web.register_search(ScriptedSearch("both", [hits()], available=False))
    web.register_fetch(ScriptedFetch("both", [page()]))
    error = await refused(web.fetch("https://example.test/"))
    assert error.code == Code.PROVIDER_CONFIGURED_MISSING
    assert "No fetch provider 's' is registered." in error.message
    assert "Registered: both." in error.message
    assert (await web.search("kelp")).provider == "s"


@pytest.mark.req("core:selection:separate")
async def test_fetch_is_unavailable_though_search_exists_and_the_other_way_round() -> None:
    web = Web()
    web.register_search(scripted("a"))
    assert (await refused(web.fetch("https://example.test/"))).code == Code.PROVIDER_UNAVAILABLE
    assert (await refused(web.extract("https://example.test/"))).code == Code.PROVIDER_UNAVAILABLE
    web.register_extract(ScriptedExtract("x", [extract()]))
    assert (await web.extract("https://example.test/")).markdown == "# Hello"


@pytest.mark.req("core:selection:each-call")
async def test_availability_is_asked_at_each_call() -> None:
    one, two = scripted("a"), scripted("b", available=False)
    web = searching(one, two)
    assert (await web.search("kelp")).provider == "a"
    one.usable, two.usable = False, True
    assert (await web.search("kelp")).provider == "b"
    one.usable = True
    assert (await refused(web.search("kelp"))).code == Code.PROVIDER_AMBIGUOUS


class Broken(ScriptedSearch):
    """A provider whose checks fail."""

    def __init__(self, key: str, *, reason_only: bool = False) -> None:
        super().__init__(key, [hits()])
        self.reason_only = reason_only

    def available(self) -> bool:
        if self.reason_only:
            return False
        raise OSError("no such keyring")

    def unavailable_reason(self) -> str | None:
        raise RuntimeError("nor a reason")


@pytest.mark.req("core:selection:broken-check")
@pytest.mark.parametrize("reason_only", [False, True])
async def test_a_provider_whose_check_fails_is_unavailable_and_breaks_nobody_else(*, reason_only: bool) -> None:
    web = searching(Broken("broken", reason_only=reason_only), scripted("a"))
    assert (await web.search("kelp")).provider == "a"
    state = web.describe()[0].providers[1]
    assert (state.id, state.available) == ("broken", False)
    assert state.reason is not None
    assert "check failed" in state.reason
    pinned = searching(Broken("broken", reason_only=reason_only), search="broken")
    assert (await refused(pinned.search("kelp"))).code == Code.PROVIDER_CONFIGURED_UNAVAILABLE


def outcome_of(choice: str | None, registered: dict[str, bool]) -> str:
    try:
        return select("search", choice, registered)
    except WebError as error:
        return f"{error.code} {error.message}"


@pytest.mark.req("core:selection:order")
@given(
    order=st.permutations(IDS),
    states=st.fixed_dictionaries({key: st.sampled_from([True, False, None]) for key in IDS}),
    choice=st.sampled_from([None, "a", "b", "zz"]),
)
def test_the_order_of_registration_decides_nothing(
    order: list[str], states: dict[str, bool | None], choice: str | None
) -> None:
    straight = {key: state for key in IDS if (state := states[key]) is not None}
    shuffled = {key: straight[key] for key in order if key in straight}
    assert outcome_of(choice, straight) == outcome_of(choice, shuffled)


CHOICES: Any = st.one_of(
    st.none(),
    st.sampled_from(IDS),
    st.lists(st.sampled_from(IDS), max_size=3),
    st.lists(st.sampled_from(IDS), max_size=3).map(lambda ids: FanOut(tuple(ids))),
)


@pytest.mark.req("core:describe:agrees")
@given(
    order=st.permutations(IDS),
    states=st.fixed_dictionaries({key: st.sampled_from([True, False, None]) for key in IDS}),
    choice=CHOICES,
)
async def test_describe_agrees_with_what_a_call_does(
    order: list[str], states: dict[str, bool | None], choice: Choice
) -> None:
    present = [(key, state) for key in order if (state := states[key]) is not None]
    web = searching(*(scripted(key, available=state) for key, state in present), search=choice)
    described = web.describe()[0]
    assert [(one.id, one.available) for one in described.providers] == sorted(present)
    result = await outcome(web.search("kelp"))
    if isinstance(result, WebError):
        assert described.error is not None
        assert (described.error.code, described.error.message) == (result.code, result.message)
        assert described.selected == ()
    else:
        assert described.error is None
        answered = tuple(result.provider.split("+"))
        assert answered == (described.selected if isinstance(described.choice, FanOut) else described.selected[:1])


@pytest.mark.req("core:describe:agrees")
def test_describe_covers_all_three_capabilities_and_says_why_not() -> None:
    web = Web(fetch=["http", "reader"])
    web.register_fetch(ScriptedFetch("http", [page()], available=False, reason="the CA bundle is missing"))
    search, fetch, extraction = web.describe()
    assert (search.capability, fetch.capability, extraction.capability) == ("search", "fetch", "extract")
    assert fetch.choice == Route(("http", "reader"))
    assert fetch.providers[0].reason == "the CA bundle is missing"
    assert fetch.error is not None
    assert "http: WEB_PROVIDER_CONFIGURED_UNAVAILABLE, reader: WEB_PROVIDER_CONFIGURED_MISSING" in fetch.error.message


@pytest.mark.req("core:selection:no-fanout")
@pytest.mark.parametrize("capability", ["fetch", "extract"])
def test_only_search_fans_out(capability: str) -> None:
    options: dict[str, Any] = {capability: FanOut(("a", "b"))}
    with pytest.raises(WebError, match="Only search can fan out") as caught:
        Web(**options)
    assert caught.value.code == Code.CONFIG_INVALID
