"""What goes into the query besides its words, and the codes of controls that Google and Brave want."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.errors import Code, WebError
from webseam.core.forms import Checked, checked_controls
from webseam.core.types import SearchControls
from webseam.providers.wires import brave, google_terms
from webseam.providers.wires.commands import without_commands
from webseam.providers.wires.operators import sites_within, with_sites

HOSTS = st.lists(st.from_regex(r"[a-z]{1,12}\.example", fullmatch=True), max_size=6, unique=True)


def asked(**controls: Any) -> Checked:
    """Controls as a vendor's file gets them."""
    return checked_controls(SearchControls(**controls))


@pytest.mark.req("search:query:operators")
@pytest.mark.parametrize(
    ("query", "include", "exclude", "sent"),
    [
        ("kelp", (), (), "kelp"),
        ("kelp", ("a.example",), (), "kelp site:a.example"),
        ("kelp OR alga", ("a.example", "b.example"), (), "kelp OR alga (site:a.example OR site:b.example)"),
        ("kelp", (), ("c.example", "d.example"), "kelp -site:c.example -site:d.example"),
        ("site:a.example", ("a.example",), (), "site:a.example site:a.example"),
    ],
)
def test_domains_become_operators(query: str, include: tuple[str, ...], exclude: tuple[str, ...], sent: str) -> None:
    assert with_sites(query, include, exclude) == sent


@pytest.mark.req("search:query:operators")
@given(query=st.text(min_size=1, max_size=60), include=HOSTS, exclude=HOSTS, most=st.integers(20, 200))
def test_operators_never_push_a_query_over_the_cap(
    query: str, include: list[str], exclude: list[str], most: int
) -> None:
    controls = asked(include_domains=tuple(include), exclude_domains=tuple(exclude))
    if include and len(with_sites(query, tuple(include))) > most:
        with pytest.raises(WebError, match="Shorten it"):
            sites_within(most, query, controls, "kelp")
        return

    whole = sites_within(most, query, controls, "kelp")

    assert len(whole) <= max(most, len(query))
    assert whole.startswith(query)
    assert all(f"site:{one}" in whole for one in include)


@pytest.mark.req("search:query:operators")
def test_exclusions_that_do_not_fit_stay_out_and_domains_to_include_are_an_error() -> None:
    excluded = asked(exclude_domains=("a.example", "b.example"))
    included = asked(include_domains=("a.example",))

    assert sites_within(25, "kelp", excluded, "kelp") == "kelp -site:a.example"
    with pytest.raises(WebError, match="at most 18 characters, and with the domains to include it has 19"):
        sites_within(18, "kelp", included, "kelp")


@pytest.mark.req("search:query:commands")
@pytest.mark.parametrize(
    ("query", "tame"),
    [
        ("!w kelp", "w kelp"),
        ("kelp !!g", "kelp g"),
        (":fr kelp <3", "fr kelp 3"),
        ("\\kelp", "kelp"),
        ("kelp! a:b x<y c\\d", "kelp! a:b x<y c\\d"),
        ('"a !w b"', '"a w b"'),
        ("kelp\n!w", "kelp\nw"),
        ("!!", '"!!"'),
    ],
)
def test_a_query_commands_no_engine(query: str, tame: str) -> None:
    assert without_commands(query) == tame


@pytest.mark.req("search:query:commands")
@given(st.text(st.sampled_from("!:<\\ab \t\n\u00a0\"'"), min_size=1, max_size=30).filter(str.strip))
def test_no_word_of_any_query_opens_with_a_mark_of_command(query: str) -> None:
    tame = without_commands(query)

    assert tame.strip()
    assert tame[0] == '"' or not any(word[0] in "!:<\\" for word in tame.split())


@pytest.mark.req("search:query:codes")
@pytest.mark.parametrize(
    ("tag", "at_brave", "at_google", "restricted"),
    [
        ("en", "en", "en", "lang_en"),
        ("en-GB", "en-gb", "en", "lang_en"),
        ("zh", "zh-hans", "zh-cn", "lang_zh-CN"),
        ("zh-Hant", "zh-hant", "zh-tw", "lang_zh-TW"),
        ("zh-Hant-CN", "zh-hant", "zh-tw", "lang_zh-TW"),
        ("zh-MO", "zh-hant", "zh-tw", "lang_zh-TW"),
        ("zh-SG", "zh-hans", "zh-cn", "lang_zh-CN"),
        ("pt", "pt-br", "pt", "lang_pt"),
        ("pt-PT", "pt-pt", "pt", "lang_pt"),
        ("ja", "jp", "ja", "lang_ja"),
        ("he", "he", "iw", "lang_iw"),
        ("iw", "he", "iw", "lang_iw"),
        ("nb", "nb", "no", "lang_no"),
        ("no", "nb", "no", "lang_no"),
        ("jp", None, None, None),
        ("tlh", None, None, None),
    ],
)
def test_a_language_becomes_the_code_of_whoever_is_asked(
    tag: str, at_brave: str | None, at_google: str | None, restricted: str | None
) -> None:
    controls = asked(language=tag)
    told: tuple[tuple[str | None, Callable[[], str | None]], ...] = (
        (at_brave, lambda: brave.language(controls, "kelp")),
        (at_google, lambda: google_terms.interface(controls, "kelp")),
        (restricted, lambda: google_terms.written_in(controls, "kelp", google_terms.WEB_SEARCH)),
    )
    for code, ask in told:
        if code is not None:
            assert ask() == code
            continue
        with pytest.raises(WebError) as caught:
            ask()
        assert caught.value.code == Code.UNSUPPORTED_CONTROL
        assert tag in caught.value.message


@pytest.mark.req("search:query:codes")
def test_great_britain_has_another_code_at_google_and_its_own_at_brave() -> None:
    controls = asked(country="gb")

    assert (google_terms.country(controls), brave.country(controls, "kelp")) == ("uk", "GB")


@pytest.mark.req("search:query:codes")
def test_nothing_asked_is_nothing_sent() -> None:
    controls = asked()

    assert brave.language(controls, "kelp") is None
    assert brave.country(controls, "kelp") is None
    assert brave.freshness(controls) is None
    assert brave.goggles(controls) is None
    assert google_terms.country(controls) is None
    assert google_terms.interface(controls, "kelp") is None
    assert google_terms.written_in(controls, "kelp", google_terms.WEB_SEARCH) is None
