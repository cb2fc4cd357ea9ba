"""One parser, one canonical form: design 7, dsh-27, dsh-93."""

from collections.abc import Callable

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from support.core import refused
from webseam.core.errors import Code, WebError
from webseam.core.limits import URL_CHARS
from webseam.core.url import Url, ascii_host, host_of, in_domain, is_web_url, web_url
from webseam.core.web import Web

SPELLINGS = [
    ("HTTP://EXAMPLE.test:80/a/../b/./c?q#f", "http://example.test/b/c?q#f"),
    ("https://example.test:443", "https://example.test/"),
    ("https://example.test:8443/", "https://example.test:8443/"),
    ("https://example.test:/", "https://example.test/"),
    ("  https://example.test/ \n", "https://example.test/"),
    ("ht\ntps://exa\tmple.test/", "https://example.test/"),
    ("https:example.test", "https://example.test/"),
    ("https:\\\\example.test\\a\\b", "https://example.test/a/b"),
    ("https:///example.test", "https://example.test/"),
    ("https://exa%6Dple.test/", "https://example.test/"),
    ("https://example.test/%7Ea%c6", "https://example.test/%7Ea%c6"),
    ("https://example.test/a b", "https://example.test/a%20b"),
    ("https://example.test/ä?ö#ü", "https://example.test/%C3%A4?%C3%B6#%C3%BC"),
    ("https://bücher.test/", "https://xn--bcher-kva.test/"),
    ("https://BÜCHER.test/", "https://xn--bcher-kva.test/"),
    ("https://faß.test/", "https://xn--fa-hia.test/"),
    ("https://example\u3002test/", "https://example.test/"),
    ("https://\uff45xample.test/", "https://example.test/"),
    ("https://ex\u00adample.test/", "https://example.test/"),
    ("http://2130706433/", "http://127.0.0.1/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://0177.0.0.01/", "http://127.0.0.1/"),
    ("http://1.2.3/", "http://1.2.0.3/"),
    ("http://[::FFFF:1.2.3.4]/", "http://[::ffff:102:304]/"),
    ("http://[0:0:0:0:0:0:0:1]:80/", "http://[::1]/"),
    ("https://@example.test/", "https://example.test/"),
    ("https://:@example.test/", "https://example.test/"),
    ("https://example.test./", "https://example.test./"),
    ("https://a_b.test/", "https://a_b.test/"),
]


@pytest.mark.req("core:url:canonical")
@pytest.mark.parametrize(("text", "href"), SPELLINGS)
def test_every_spelling_has_one_canonical_form(text: str, href: str) -> None:
    assert web_url(text).href == href
    assert web_url(href) == web_url(text)


REFUSED = [
    ("", Code.INVALID_URL),
    ("example.test", Code.INVALID_URL),
    ("/path", Code.INVALID_URL),
    ("//example.test/", Code.INVALID_URL),
    ("https://", Code.INVALID_URL),
    ("https://a b/", Code.INVALID_URL),
    ("https://[::1", Code.INVALID_URL),
    ("https://[1.2.3.4]/", Code.INVALID_URL),
    ("https://a.test:65536/", Code.INVALID_URL),
    ("https://a.test:x/", Code.INVALID_URL),
    ("https://256.256.256.256/", Code.INVALID_URL),
    ("https://xn--a/", Code.INVALID_URL),
    ("https://a%00b.test/", Code.INVALID_URL),
    ("https://a%2fb.test/", Code.INVALID_URL),
    ("https://a\ud800.test/", Code.INVALID_URL),
    ("https://a.test/\udc80", Code.INVALID_URL),
    ("ftp://a.test/", Code.INVALID_URL),
    ("file:///etc/passwd", Code.INVALID_URL),
    ("javascript:alert(1)", Code.INVALID_URL),
    ("data:text/html,x", Code.INVALID_URL),
    ("blob:https://a.test/x", Code.INVALID_URL),
    ("ws://a.test/", Code.INVALID_URL),
    ("about:blank", Code.INVALID_URL),
    ("https://user@a.test/", Code.BLOCKED_URL),
    ("https://user:pw@a.test/", Code.BLOCKED_URL),
    ("https://:pw@a.test/", Code.BLOCKED_URL),
    ("https://a.test@b.test/", Code.BLOCKED_URL),
    ("https://a..test/", Code.INVALID_URL),
    ("https://.a.test/", Code.INVALID_URL),
    ("https://a.test../", Code.INVALID_URL),
    ("https://./", Code.INVALID_URL),
    (f"https://{'a' * 64}.test/", Code.INVALID_URL),
    (f"https://{'a.' * 126}test/", Code.INVALID_URL),
]


@pytest.mark.req("core:url:refused")
@pytest.mark.parametrize(("text", "code"), REFUSED)
async def test_what_cannot_be_asked_of_the_web_is_refused_by_fetch(text: str, code: Code) -> None:
    error = await refused(Web().fetch(text))
    assert (error.code, error.dispatched) == (code, False)
    assert "pw" not in error.message
    error.message.encode()


@pytest.mark.req("core:url:refused")
def test_a_backslash_does_not_smuggle_a_user_name() -> None:
    assert web_url("https://a.test\\@b.test/").host == "a.test"
    assert web_url("https://b.test/@a.test").host == "b.test"


@pytest.mark.req("core:url:refused")
@pytest.mark.parametrize(
    "name", ["a" * 63 + ".test", ".".join(["a" * 49] * 5) + ".abc", "localhost", "127.0.0.1", "[::1]"]
)
def test_a_possible_host_is_not_refused_for_its_length_or_kind(name: str) -> None:
    assert web_url(f"http://{name}/").host == name
    assert web_url(f"http://{name}/").name == name.strip("[]")


@pytest.mark.req("core:url:length")
@pytest.mark.parametrize("filler", ["a", "é", "\U0001f600"])
def test_the_cap_counts_code_points_and_is_inclusive(filler: str) -> None:
    start = "https://a.test/"
    fits = start + filler * (URL_CHARS - len(start))
    assert len(fits) == 2048
    assert web_url(fits).host == "a.test"
    with pytest.raises(WebError, match="2,049 characters; at most 2,048") as caught:
        web_url(fits + filler)
    assert caught.value.code == Code.INVALID_URL


@pytest.mark.req("core:url:order")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ftp://u:p@a..test/" + "x" * 2048, "characters"),
        ("ftp://u:p@a b/", "not a URL"),
        ("ftp://u:p@a..test/", "Only http and https"),
        ("https://u:p@a..test/", "user name or password"),
        ("https://a..test/", "possible DNS name"),
    ],
)
def test_length_comes_before_parse_before_scheme_before_credentials_before_host(text: str, said: str) -> None:
    with pytest.raises(WebError, match=said):
        web_url(text)


@pytest.mark.req("core:url:parts")
def test_the_parts_of_a_url() -> None:
    url = Url.parse("https://Example.test:8443/a/b?x=1#frag")
    assert (url.scheme, url.host, url.port, url.path, url.query, url.fragment) == (
        "https",
        "example.test",
        8443,
        "/a/b",
        "?x=1",
        "#frag",
    )
    assert url.origin == "https://example.test:8443"
    assert url.document == "https://example.test:8443/a/b?x=1"
    assert Url.parse("http://a.test:0/").port == 0
    assert Url.parse("https://a.test./").name == "a.test"


@pytest.mark.req("core:url:parts")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://a.test/", "https://A.test:443/x", True),
        ("http://a.test/", "http://a.test:80/", True),
        ("http://a.test/", "https://a.test/", False),
        ("https://a.test/", "https://a.test:8443/", False),
        ("https://a.test/", "https://www.a.test/", False),
        ("https://a.test/", "https://a.test./", False),
        ("http://[::1]/", "http://[0::1]:80/", True),
    ],
)
def test_same_origin_is_equal_scheme_host_and_port(one: str, other: str, *, same: bool) -> None:
    assert (Url.parse(one).origin == Url.parse(other).origin) is same


@pytest.mark.req("core:url:join")
@pytest.mark.parametrize(
    ("relative", "href"),
    [
        ("z", "https://a.test/d/z"),
        ("/z", "https://a.test/z"),
        ("?q", "https://a.test/d/p?q"),
        ("#f", "https://a.test/d/p#f"),
        ("//b.test/z", "https://b.test/z"),
        ("http://b.test", "http://b.test/"),
        ("../../z", "https://a.test/z"),
    ],
)
def test_a_relative_url_is_joined_to_the_page_it_stands_on(relative: str, href: str) -> None:
    assert web_url(relative, base=Url.parse("https://a.test/d/p")).href == href


@pytest.mark.req("core:url:join")
@pytest.mark.parametrize("relative", ["//u:p@b.test/", "javascript:x", "//[", "\ud800"])
def test_a_joined_url_is_held_to_the_same_rules(relative: str) -> None:
    with pytest.raises(WebError):
        web_url(relative, base=Url.parse("https://a.test/"))


@pytest.mark.req("core:url:host")
@pytest.mark.parametrize(
    ("text", "host"),
    [
        (" Example.TEST. ", "example.test"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("\uff41.test", "a.test"),
        ("0x7f.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("", None),
        ("  ", None),
        (".", None),
        ("a b", None),
        ("a.test/x", None),
        ("https://a.test", None),
        ("a.test:80", None),
        ("[::1]:80", None),
        ("u@a.test", None),
        ("*.a.test", None),
        ("a\\b", None),
        ("\ud800", None),
        ("my_host.test", "my_host.test"),
        (".a.test", None),
        ("a..test", None),
        ("a.test..", None),
        ("a.test,b.test", None),
        ("a.test\uff0cb.test", None),
        ("a.test;b.test", None),
        ("'a.test'", None),
        (f"{'x' * 64}.test", None),
        (f"{'x.' * 127}test", None),
    ],
)
def test_a_host_name_has_one_form_or_is_none(text: str, host: str | None) -> None:
    assert ascii_host(text) == host


def parsed(text: str, parse: Callable[[str], Url]) -> Url | WebError:
    try:
        return parse(text)
    except WebError as error:
        return error


LABEL = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=12).filter(
    lambda label: label[0].isalpha() and label[-1] != "-" and "--" not in label
)
NAMES = st.lists(LABEL, min_size=1, max_size=4).map(".".join)


@pytest.mark.req("core:url:host")
@given(name=NAMES)
def test_case_and_a_trailing_dot_make_no_other_host(name: str) -> None:
    assert ascii_host(name) == ascii_host(name.upper()) == ascii_host(f"{name}.") == name
    assert host_of(f"https://{name.upper()}.:8443/x") == name


@pytest.mark.req("core:url:host")
@given(name=NAMES, domain=NAMES)
def test_the_boundary_of_a_domain_is_a_dot(name: str, domain: str) -> None:
    assert in_domain(domain, domain)
    assert in_domain(f"{name}.{domain}", domain)
    assert not in_domain(f"{name}{domain}", domain)
    assert not in_domain(domain, f"{name}.{domain}")


@pytest.mark.req("core:url:canonical")
@given(text=st.text(max_size=40).map(lambda tail: f"https://a.test/{tail}") | st.text(max_size=60))
@example("http://a.test\\@b.test/")
@example("https://a.test/%")
@example("https://a.test/?#")
def test_a_canonical_url_survives_being_parsed_and_written_again(text: str) -> None:
    url = parsed(text, web_url)
    assume(isinstance(url, Url))
    assert isinstance(url, Url)
    assert Url.parse(url.href) == url
    assert url.href.isascii()
    assert url.href.startswith(f"{url.scheme}://{url.host}")
    assert is_web_url(url.href)


@pytest.mark.req("core:url:refused")
@given(text=st.text(st.characters(), max_size=80))
def test_no_text_at_all_makes_the_parser_raise_anything_but_our_error(text: str) -> None:
    known = is_web_url(text)
    url = parsed(text, Url.parse)
    if isinstance(url, Url):
        assert known is (url.scheme in ("http", "https") and bool(url.host))
    else:
        assert (url.code, known) == (Code.INVALID_URL, False)
    host_of(text)
    ascii_host(text)
