"""Tags, entities, redirect wrappers and vendors' tracking, taken off once and nothing else with them."""

import html
from base64 import urlsafe_b64encode
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import searching
from webseam.core.call import Call
from webseam.core.limits import WRAPPED_URL_CHARS
from webseam.core.types import SearchRequest, SearchResult, Source
from webseam.core.url import is_web_url
from webseam.providers.wires.clean import plain_text, unwrap

PAGE = "https://ex.test/p?q=a+b&x=%C3%A9%20%2520#top"

# Text --------------------------------------------------------------------------------------------------


@pytest.mark.req("search:clean:tags")
@pytest.mark.parametrize(
    ("given_", "plain"),
    [
        ("<strong>Kelp</strong> farming", "Kelp farming"),
        ("<b>Kelp</b>s and <B>weed</B>", "Kelps and weed"),
        ('a <span class="searchmatch">kelp</span> bed', "a kelp bed"),
        ("one<br>two<br/>three<br />four", "one two three four"),
        ("<p>one</p><p>two</p>", "one two"),
        ("<em\nclass='x' data-y=1>kelp</em>", "kelp"),
        ('<a href="https://ex.test/?a=1&amp;b=2">kelp</a>', "kelp"),
        ("cut <strong>off in the mid", "cut off in the mid"),
        ("Kelp&#x27;s &amp; weed&rsquo;s &lt;b&gt; &#8212; R&D", "Kelp's & weed\u2019s <b> \u2014 R&D"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&amp;amp;", "&amp;"),
        ("a &lt b &copy 2026 &nosuch; &#x;", "a &lt b &copy 2026 &nosuch; &#x;"),
        ("&#xD800;&#0;", "\ufffd\ufffd"),
        ("a\u00a0\n\t b&nbsp;c", "a b c"),
        ("a < b and c > d", "a < b and c > d"),
        ("List<int>, Map<K, V>", "List<int>, Map<K, V>"),
        ("x<y>z", "x<y>z"),
        ("if a <b and c> d", "if a <b and c> d"),
        ("a Box<A>, an Option<u> and x<i>y", "a Box<A>, an Option<u> and x<i>y"),
        ("Foo<P> and weed<b>off", "Foo<P> and weed<b>off"),
        ("sea<b>weed</b>, Vec<b> too, one<p>two", "seaweed, Vec too, one two"),
        ("\u6d77<b>\u5e26 cut", "\u6d77\u5e26 cut"),
        ("10<sup>-3</sup> m<SUP>2</SUP>, 1<sup>st</sup>, H<sub>2</sub>O", "10\u207b\xb3 m\xb2, 1st, H2O"),
        ("<sup>&lt;2</sup>&lt;sup&gt;2&lt;/sup&gt;", "<2<sup>2</sup>"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("use the <title> tag", "use the <title> tag"),
        ("<bold>x</bold>", "<bold>x</bold>"),
        ("< b>x", "< b>x"),
    ],
)
def test_inline_tags_and_entities_go_and_other_text_stays(given_: str, plain: str) -> None:
    assert plain_text(given_) == plain


@pytest.mark.req("search:clean:tags")
@pytest.mark.parametrize("value", ["", " \n", "<b></b>", "&nbsp;", None, 3, ["x"], {"x": 1}])
def test_what_says_nothing_is_absent(value: object) -> None:
    assert plain_text(value) is None


@pytest.mark.req("search:clean:tags")
@given(st.text())
def test_text_that_a_vendor_escaped_comes_back_as_it_was(text: str) -> None:
    assert plain_text(html.escape(text)) == (" ".join(text.split()) or None)


@pytest.mark.req("search:clean:tags")
@given(
    st.text() | st.lists(st.sampled_from(["<b>", "</b", ">", "<br", "/", "&", "amp;", "#x27;", " ", "="])).map("".join)
)
def test_any_text_becomes_text_that_is_tidy(text: str) -> None:
    plain = plain_text(text)
    assert plain is None or plain == " ".join(plain.split()) != ""


@pytest.mark.req("search:clean:tags")
@given(st.text(st.characters(exclude_characters="&<")))
def test_text_without_markup_is_cleaned_once_and_for_all(text: str) -> None:
    once = plain_text(text)
    assert once == (" ".join(text.split()) or None)
    assert plain_text(once) == once


# URLs --------------------------------------------------------------------------------------------------


def bing(url: str) -> str:
    return f"https://www.bing.com/ck/a?!&&p=0f&u=a1{urlsafe_b64encode(url.encode()).decode().rstrip('=')}&ntb=1"


WRAPPERS: list[Callable[[str], str]] = [
    lambda url: f"https://duckduckgo.com/l/?uddg={quote(url, safe='')}&rut=0f",
    lambda url: f"//duckduckgo.com/l/?kh=-1&uddg={quote(url, safe='')}",
    lambda url: f"http://html.duckduckgo.com/l/?uddg={quote(url, safe=':/')}",
    bing,
    lambda url: f"https://www.google.com/url?sa=t&q={quote(url, safe='')}&ved=2",
    lambda url: f"https://google.co.uk/url?q=kelp&url={quote(url, safe='')}",
    lambda url: f"https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU={quote(url, safe='')}/RK=2/RS=x-",
]
NOT_WRAPPED = [
    "https://ex.test/",
    "https://ex.test",
    "HTTPS://Ex.Test:443/a/../b?utm_source=newsletter&utm_medium=openai#ws",
    "https://ex.test/?utm_source=openai2",
    "https://ex.test/#utm_source=openai",
    "https://ex.test/#section",
    "https://ex.test/#section#ws_call_id=ws_1",
    "https://ex.test/?ws_call_id=ws_1",
    "https://duckduckgo.com/?q=kelp",
    "https://duckduckgo.com/l/?rut=1",
    "https://duckduckgo.com/l/?uddg=",
    "https://duckduckgo.com/l/?uddg=javascript%3Aalert(1)",
    "https://duckduckgo.com/l/?uddg=ftp%3A%2F%2Fex.test%2F",
    "https://duckduckgo.com/l/?uddg=%2Frelative",
    "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fex.test%2F%0A",
    "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fex.test%2Fa%20b",
    "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fex.test%2F%E9",
    "https://duckduckgo.com/x/l/?uddg=https%3A%2F%2Fex.test%2F",
    "https://duckduckgo.com.evil.test/l/?uddg=https%3A%2F%2Fex.test%2F",
    "https://duckduckgo.com@evil.test/l/?uddg=https%3A%2F%2Fex.test%2F",
    "https://evil.test/?https://duckduckgo.com/l/?uddg=https%3A%2F%2Fex.test%2F",
    "https://www.bing.com/ck/a?u=a1!!!!",
    "https://www.bing.com/ck/a?u=a1_w",
    "https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9leC5!0ZXN0Lw",
    "https://www.bing.com/ck/a?u=aHR0cHM6Ly9leC50ZXN0Lw",
    "https://www.bing.com/search?q=kelp&u=a1aHR0cHM6Ly9leC50ZXN0Lw",
    "https://www.google.com/url?q=kelp",
    "https://maps.google.com/url?q=https://ex.test/",
    "https://google.evil.test/url?q=https://ex.test/",
    "https://search.yahoo.com/RU=https%3a%2f%2fex.test/RK=2",
    "//ex.test/duckduckgo.com/",
    "https://[::1/google.com",
    "google.com",
    "",
    "\ud800bing.com",
]


@pytest.mark.req("search:clean:wrappers")
@pytest.mark.parametrize("wrap", WRAPPERS)
@pytest.mark.parametrize(
    "url", [PAGE, "http://ex.test", "https://ex.test/%2F%252F?u=https%3A%2F%2Fo.test", "https://é.test/ü"]
)
def test_a_redirect_wrapper_is_undone_and_its_target_decoded_once(wrap: Callable[[str], str], url: str) -> None:
    assert unwrap(wrap(url)) == url


@pytest.mark.req("search:clean:wrappers")
def test_a_wrapper_inside_another_is_undone_too() -> None:
    url = PAGE
    for wrap in (WRAPPERS[0], bing, WRAPPERS[2], *WRAPPERS[4:]):
        url = wrap(url)
    assert unwrap(url) == PAGE


@pytest.mark.req("search:clean:wrappers")
def test_the_wrappers_fragment_goes_to_a_target_without_one() -> None:
    assert unwrap("https://www.google.com/url?q=https://ex.test/p#:~:text=kelp") == "https://ex.test/p#:~:text=kelp"
    assert unwrap("https://www.google.com/url?q=https%3A%2F%2Fex.test%2F%23a#b") == "https://ex.test/#a"


@pytest.mark.req("search:clean:wrappers")
@pytest.mark.parametrize("url", NOT_WRAPPED)
def test_any_other_url_stays_as_it_is_to_the_letter(url: str) -> None:
    assert unwrap(url) == url


@pytest.mark.req("search:clean:tracking")
@pytest.mark.parametrize(
    ("url", "bare"),
    [
        ("https://ex.test/p#ws_call_id=ws_123", "https://ex.test/p"),
        ("https://Ex.test/p?a=1#ws_call_id=", "https://Ex.test/p?a=1"),
        ("https://ex.test/p?utm_source=openai", "https://ex.test/p"),
        ("https://ex.test/p?a=%2f&utm_source=openai&b=+#top", "https://ex.test/p?a=%2f&b=+#top"),
        ("https://ex.test/p?utm_source=openai#top", "https://ex.test/p#top"),
        ("https://ex.test/p?utm_source=openai#ws_call_id=1", "https://ex.test/p"),
        (WRAPPERS[0]("https://ex.test/p?utm_source=openai"), "https://ex.test/p"),
    ],
)
def test_what_vendors_add_to_a_url_goes_and_nothing_else(url: str, bare: str) -> None:
    assert unwrap(url) == bare


PARTS = st.sampled_from(
    [
        "https://",
        "//",
        "duckduckgo.com/l/?uddg=",
        "www.google.com/url?q=",
        "bing.com/ck/a?u=a1",
        "r.search.yahoo.com/RU=",
        "/RK=2",
        "https%3A%2F%2Fex.test%2F",
        "aHR0cHM6Ly9leC50ZXN0Lw",
        "ex.test/",
        "utm_source=openai",
        "#ws_call_id=1",
        "&",
        "?",
        "#",
        "%",
        "%25",
        " ",
    ]
)


@pytest.mark.req("search:clean:wrappers", "search:clean:tracking")
@given(st.text(st.characters(exclude_categories=())) | st.lists(PARTS, max_size=10).map("".join))
def test_any_text_is_unwrapped_once_and_for_all_and_never_grows(url: str) -> None:
    bare = unwrap(url)
    assert unwrap(bare) == bare
    assert len(bare) <= len(url)


@pytest.mark.req("search:clean:wrappers")
@given(
    st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="#"), max_size=40),
    st.sampled_from(WRAPPERS),
)
def test_whatever_was_wrapped_comes_back_in_its_own_spelling(path: str, wrap: Callable[[str], str]) -> None:
    url = f"https://ex.test/{path}"
    assert not is_web_url(url) or unwrap(wrap(url)) == unwrap(url)


LONG = 400_000  # quadratic work on so many parts would take hours
HOSTILE = {
    "open tags": "<b" * LONG,
    "spaces in a tag": "<b" + " " * LONG + "x",
    "attributes": "<b" + " a=b" * LONG,
    "bare attributes": "<b" + " a" * LONG,
    "equals signs": "<b a" + "=" * LONG,
    "open quotes": "<b a='" * LONG,
    "open entities": "&a" * LONG,
    "a long entity": "&" + "a" * LONG + ";",
    "a long number": "&#" + "1" * LONG + ";",
}


@pytest.mark.req("search:clean:linear")
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_read_in_one_pass(text: str) -> None:
    assert plain_text(text) == " ".join(text.split())


@pytest.mark.req("search:clean:linear")
def test_a_url_too_long_to_be_one_is_not_looked_into() -> None:
    wrapped = "https://www.google.com/url?q=" * WRAPPED_URL_CHARS + "https://ex.test/"
    assert unwrap(wrapped) == wrapped
    deep = ("https://www.google.com/url?q=" * (WRAPPED_URL_CHARS // 29 - 1)) + "https://ex.test/"
    assert unwrap(deep) == "https://ex.test/"


# At the seam -------------------------------------------------------------------------------------------


class Wrapping:
    """A vendor whose hits come in wrappers."""

    id = "wrapping"

    def available(self) -> bool:
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        call.dispatch.mark()
        urls = [
            PAGE,
            *(wrap(PAGE) for wrap in WRAPPERS),
            "https://o.test/#ws_call_id=1",
            "https://o.test/#ws_call_id=2",
        ]
        return SearchResult(
            provider=self.id,
            content=request.query,
            sources=tuple(Source(url=unwrap(url), title=plain_text("<b>Kelp</b>")) for url in urls),
        )


@pytest.mark.req("search:clean:folded")
async def test_hits_that_are_the_same_page_once_unwrapped_are_folded_and_counted() -> None:
    result = await searching(Wrapping()).search("kelp", max_results=2)
    assert [one.url for one in result.sources] == [PAGE, "https://o.test/"]
    assert result.dropped == {"duplicate": len(WRAPPERS) + 1}
    assert not result.truncated
