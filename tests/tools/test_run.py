"""What a run remembers: whose words make a URL seen, how URLs are compared, what was spent. Issue 6, design 8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam import Run, Usage, WebError
from webseam.core import limits
from webseam.core.errors import Code
from webseam.tools.mentions import carries_data, urls_in


@pytest.mark.req("permission:seen:person", "permission:seen:spelling")
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("Read https://a.test/x please", "https://a.test/x"),
        ("Read https://a.test/x.", "https://a.test/x"),
        ("(see https://a.test/x_(y))", "https://a.test/x_(y)"),
        ("[a](https://a.test/x_(y))[b](https://b.test/)", "https://a.test/x_(y)"),
        ("<https://a.test/?q=1&r=2>, then", "https://a.test/?q=1&r=2"),
        ("'https://a.test/x'", "https://a.test/x"),
        ("HTTPS://A.test/x", "https://a.test/x"),
        ("http://a.test/x", "https://a.test/x"),
        ("https://a.test/x", "https://a.test/x#part"),
        ("see a.test", "https://a.test/"),
        ("see a.test.", "http://a.test/"),
        ("www.a.test/x?y=1 has it", "https://www.a.test/x?y=1"),
        ("bücher.test/x", "https://xn--bcher-kva.test/x"),
        ("http://[2606:4700::1111]/x", "https://[2606:4700::1111]/x"),
        ("at http://[2001:db8::1]:8080/x", "http://[2001:db8::1]:8080/x"),
        ("a.test:8080/x", "http://a.test:8080/x"),
        ("93.184.215.14/x", "http://93.184.215.14/x"),
        ("пример.xn--p1ai", "https://xn--e1afmkfd.xn--p1ai/"),
        ("请看https://a.test/x。谢谢", "https://a.test/x"),
        ("请看https://a.test/x\uff0c谢谢", "https://a.test/x"),
        ("请看https://a.test/x的内容", "https://a.test/x"),
        ("请看https://a.test/页面\uff0c谢谢", "https://a.test/页面"),
        ("\uff08https://a.test/x\uff09", "https://a.test/x"),
        ("「https://a.test/x」を見て", "https://a.test/x"),
        ("«https://a.test/x», then", "https://a.test/x"),
        ("„https://a.test/x“", "https://a.test/x"),
        ("https://a.test/x\u200b", "https://a.test/x"),
        ("ดูhttps://a.test/xครับ", "https://a.test/x"),
        ("请看docs.example的文档", "https://docs.example/"),
        ("请看docs.example/x。", "http://docs.example/x"),
        ("例え.テスト", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://a.test/x,https://b.test/y", "https://a.test/x"),
        ("https://a.test/x,https://b.test/y", "https://b.test/y"),
        ("https://a.test/?u=https://b.test/y", "https://a.test/?u=https://b.test/y"),
        ("https://a.test/?f[x]=A|B", "https://a.test/?f[x]=A|B"),
        ("https://a.test/{id}/x^y", "https://a.test/{id}/x^y"),
        ("[a|b](https://a.test/?f[x]={y}|z)", "https://a.test/?f[x]={y}|z"),
        ('{"next": "https:\\/\\/a.test\\/x?a=1\\u0026b=2"}', "https://a.test/x?a=1&b=2"),
        ("<loc>https://a.test/?a=1&amp;b=2</loc>", "https://a.test/?a=1&b=2"),
        ("https://name:word@a.test/x", "https://a.test/x"),
        (f"see https://a.test/{'x' * 2033}.", f"https://a.test/{'x' * 2033}"),
        (",".join(f"https://a.test/{number}" for number in range(500)), "https://a.test/499"),
    ],
)
def test_urls_of_the_persons_words_are_seen(text: str, url: str) -> None:
    run = Run()
    run.saw(text)
    assert run.has_seen(url)


@pytest.mark.req("permission:seen:refused")
@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("write to me@docs.example", "https://docs.example/"),
        ("bücher.test", "https://cher.test/"),
        (f"https://a.test/{'x' * 2048}", f"https://a.test/{'x' * 2033}"),
        (f"[a](https://a.test/{'x' * 2048})", f"https://a.test/{'x' * 2033}"),
        ("https://a.test.evil.test/", "https://a.test/"),
        ("https://a.test/x?q=1", "https://a.test/x"),
        ("пример.xn--p1ai", "https://xn--e1afmkfd.xn/"),
    ],
)
def test_a_part_of_what_the_person_wrote_is_not_what_was_written(text: str, url: str) -> None:
    run = Run()
    run.saw(text)
    assert not run.has_seen(url)


@pytest.mark.req("permission:seen:refused")
@pytest.mark.parametrize(
    "url",
    [
        "https://a.test/x?q=2",
        "https://a.test/x?q=1&r=1",
        "https://a.test/x?q=",
        "https://a.test/x/?q=1",
        "https://a.test/X?q=1",
        "https://a.test:8443/x?q=1",
        "http://a.test/x?q=1",
        "https://www.a.test/x?q=1",
        "https://a.test/",
        "not a URL",
        "ftp://a.test/x?q=1",
    ],
)
def test_another_url_than_the_one_seen_is_not_seen(url: str) -> None:
    run = Run()
    run.saw("https://a.test/x?q=1")
    assert not run.has_seen(url)
    assert run.has_seen_without_query(url) == (url.startswith("https://a.test/x?"))


@pytest.mark.req("permission:seen:person")
def test_a_url_given_by_itself_is_that_url_alone() -> None:
    run = Run()
    run.saw_url("https://a.test/x?next=https://b.test/")
    run.saw_url("no URL")
    assert run.has_seen("https://a.test/x?next=https://b.test/")
    assert not run.has_seen("https://b.test/")


@pytest.mark.req("permission:seen:person")
@given(st.text(max_size=300))
def test_no_text_of_a_person_fails(text: str) -> None:
    run = Run()
    run.saw(text)
    run.saw_url(text)
    run.found([text])
    assert run.has_seen(text) in (True, False)


@pytest.mark.req("permission:seen:person")
@given(st.lists(st.from_regex(r"https://[a-z]{1,8}\.test/[a-z0-9/]{0,12}(\?[a-z]=[0-9]{1,4})?", fullmatch=True)))
def test_every_url_between_spaces_is_seen(urls: list[str]) -> None:
    run = Run()
    run.saw(" ".join(urls))
    assert all(run.has_seen(url) for url in urls)


@pytest.mark.req("permission:run:bounded")
def test_links_of_pages_never_push_out_what_the_person_gave() -> None:
    run = Run()
    run.saw("https://mine.test/")
    run.found(f"https://a.test/{number}" for number in range(limits.RUN_URLS + 1))
    assert run.has_seen("https://mine.test/")
    assert not run.has_seen("https://a.test/0")
    assert run.has_seen(f"https://a.test/{limits.RUN_URLS}")


@pytest.mark.req("permission:run:bounded")
def test_one_text_gives_a_bounded_number_of_urls() -> None:
    many = " ".join(f"https://a.test/{number}" for number in range(limits.RUN_PAGE_URLS + 5))
    assert len(list(urls_in(many))) == limits.RUN_PAGE_URLS
    far = " " * limits.RUN_TEXT_CHARS + "https://a.test/"
    assert list(urls_in(far)) == []


@pytest.mark.req("permission:run:bounded")
def test_a_text_made_to_be_slow_is_read_in_steps_that_grow_with_its_length() -> None:
    for hostile in ("https://a.test/" + "(" * 200_000, "a." * 200_000, "https://" * 50_000, "https://[" * 50_000):
        run = Run()
        run.saw(hostile)
        assert not run.has_seen("https://b.test/")


@pytest.mark.req("permission:ask:always")
@pytest.mark.parametrize(
    "site",
    ["*", "https://*", "https://*.a.test", "a.test", "https://a.test/x", "https://a.test/?q", "", "ftp://a.test"],
)
def test_a_site_is_one_origin_and_no_pattern(site: str) -> None:
    with pytest.raises(WebError, match="origin") as caught:
        Run(allowed=[site])
    assert caught.value.code == Code.INVALID_ARGS


@pytest.mark.req("permission:ask:always")
def test_allowed_sites_are_told_in_a_form_that_a_later_run_takes() -> None:
    run = Run(allowed=["HTTPS://A.test/", "http://b.test:8080"])
    run.allow("search")
    assert run.allowed == ("https://a.test", "http://b.test:8080", "search")
    assert Run(allowed=run.allowed).allowed == run.allowed
    for number in range(limits.RUN_SITES):
        run.allow(f"https://s{number}.test")
    assert len(run.allowed) == limits.RUN_SITES


@pytest.mark.req("permission:budget:cost")
def test_costs_add_up_by_currency_and_unknown_ones_are_counted() -> None:
    run = Run()
    for usage in (
        Usage(calls=1, cost=0.25, currency="USD"),
        Usage(calls=3, cost=0.5, currency="USD"),
        Usage(cost=2.0, currency="credits"),
        Usage(cost=2.0),
        Usage(cost=float("nan"), currency="USD"),
        Usage(cost=-1.0, currency="USD"),
        None,
    ):
        run.take()
        run.charge(usage)
    assert dict(run.costs) == {"USD": 0.75, "credits": 2.0}
    assert (run.calls, run.unpriced) == (9, 4)


@pytest.mark.req("permission:flags")
@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("https://a.test/p?d=c2VjcmV0IGtleTogaHVudGVyMiAxMjM0", True),
        ("https://a.test/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", True),
        ("https://ktqmzvwhsn4x2p6yaj3cbe5r.evil.test/", True),
        ("https://a.test/%63%32%56%6a%63%6d%56%30IGtleTogaHVudGVyMiAxMjM0", True),
        ("https://a.test/%63%32%56%6a%63%6d%56%30%49%47%74%6c%65%54%6f%67%61%48%56%75%64%47%56%79%4d%69%41%78", True),
        ("https://a.test/how-to-farm-kelp-in-the-north-of-norway-2026", False),
        ("https://a.test/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1", False),
        ("https://a.test/donaudampfschifffahrtsgesellschaft", False),
        ("https://a.test/?utm_source=newsletter&id=1234567890", False),
        ("kelp farming permits in Norway 2026", False),
        ("what is sk1aB3dE5fG7hI9jK1lM3nO5pQ7 for", True),
    ],
)
def test_a_long_part_without_a_pattern_is_called_data(text: str, *, data: bool) -> None:
    assert carries_data(text) is data
