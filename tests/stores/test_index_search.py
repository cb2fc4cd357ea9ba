"""What a query finds, in any script, and how it is ranked and shown."""

import asyncio
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.index import filled, found, page, urls
from webseam.core.errors import WebError
from webseam.core.limits import INDEX_QUERY_TERMS, SEARCH_SNIPPET_CHARS
from webseam.stores.index import LocalIndex
from webseam.stores.words import fold, tokens

KELP = page("https://sea.test/kelp", "How to ask for a permit to farm kelp.", "Kelp permits")
CRAB = page("https://sea.test/crab", "Crab pots need a permit too. Crab season opens in May.", "Crab season")
WOOD = page("https://wood.test/", "An oak forest grows slowly.", "Oaks")

_text = st.text(max_size=300)


@pytest.mark.req("stores:index:any-query")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(max_size=200) | st.text(alphabet="\"*():^+-{}ANDORNEART, \0\\'sitekelp", max_size=60))
def test_no_query_is_syntax(query: str) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            index = await filled(Path(folder), KELP, WOOD)
            answer = await index.search(query, limit=5)
            assert set(urls(answer)) <= {KELP.url, WOOD.url}
            if not any(mark in query for mark in '"\u201c\u201d\u201e:'):
                both = await index.search(f"kelp {query}", limit=5)
                assert KELP.url in urls(both)

    asyncio.run(run())


@pytest.mark.req("stores:index:every-word")
@settings(max_examples=60, deadline=None)
@given(text=_text, title=st.none() | st.text(max_size=40))
def test_a_page_is_found_by_each_of_its_words(text: str, title: str | None) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            index = await filled(Path(folder), page("https://a.test/", text, title), WOOD)
            for word in f"{title or ''} {text}".split():
                if tokens(fold(word)) and "site:" not in fold(word):
                    assert "https://a.test/" in await found(index, word), word
                    quotable = word.replace('"', " ")
                    assert "https://a.test/" in await found(index, f'"{quotable}"') or not tokens(fold(quotable))

    asyncio.run(run())


@pytest.mark.req("stores:index:scripts")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("東京大学の学生は天気予報を見る。", "東京"),
        ("東京大学の学生は天気予報を見る。", "大学の学生"),
        ("東京大学の学生は天気予報を見る。", "学"),
        ("東京大学の学生は天気予報を見る。", "天気 東京"),
        ("用iPhone手机上网", "iphone 手机"),
        ("ｶﾀｶﾅの店", "カタカナ"),
        ("서울에서 만나요", "서울"),
        ("กรุงเทพมหานครเป็นเมืองหลวง", "เมืองหลวง"),
        ("Ёлка стоит в лесу", "елка"),
        ("Разрешения на лов рыбы", "разрешение"),
        ("Straße nach Zürich", "strasse zurich"),
        ("cafe\u0301 au lait", "caf\u00e9"),
        ("हिन्दी किताब", "हिन्दी"),
        ("שָׁלוֹם עולם", "שלום"),
        ("مُحَمَّد كتاب", "محمد"),
        ("ΟΔΟΣ Αθήνα", "οδος αθηνα"),
        ("soft\u00adware ﬁnance", "software finance"),
        ("İstanbul", "istanbul"),
        ("\uff26\uff55\uff4c\uff4c size", "full"),
    ],
)
async def test_every_script_is_found(tmp_path: Path, text: str, query: str) -> None:
    index = await filled(tmp_path, page("https://a.test/", text), WOOD)
    assert await found(index, query) == ["https://a.test/"]


@pytest.mark.req("stores:index:scripts")
@pytest.mark.parametrize(("text", "query"), [("京都の東", "東京"), ("हिन्दी", "हान्दा"), ("中国人民", "国中")])
async def test_the_same_signs_in_another_order_are_another_word(tmp_path: Path, text: str, query: str) -> None:
    index = await filled(tmp_path, page("https://a.test/", text))
    assert await found(index, query) == []


@pytest.mark.req("stores:index:forms")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("one permit", "permits"),
        ("two permits", "permit"),
        ("a company", "companies"),
        ("three boxes", "box"),
        ("farmed kelp", "farming"),
        ("farming kelp", "farm"),
        ("a farmer", "farms"),
        ("running water", "run"),
        ("a long run", "running"),
        ("they baked it", "bake"),
        ("Genehmigungen", "genehmigung"),
    ],
)
async def test_other_forms_of_a_word_count(tmp_path: Path, text: str, query: str) -> None:
    index = await filled(tmp_path, page("https://a.test/", text))
    assert await found(index, query) == ["https://a.test/"]


@pytest.mark.req("stores:index:forms")
@pytest.mark.parametrize(
    ("word", "form"), [("permit", "permits"), ("permits", "permit"), ("cat", "cats"), ("companies", "company")]
)
async def test_the_word_itself_ranks_above_its_forms(tmp_path: Path, word: str, form: str) -> None:
    others = [page(f"https://x.test/{n}", "nothing of the kind is said here") for n in range(8)]
    near = page("https://a.test/", f"the {form} of the county stand here")
    exact = page("https://b.test/", f"the {word} of the county stand here")
    index = await filled(tmp_path, near, exact, *others)
    assert await found(index, word) == ["https://b.test/", "https://a.test/"]


@pytest.mark.req("stores:index:phrase")
async def test_double_quotes_ask_for_words_side_by_side(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "permit to farm kelp"), page("https://b.test/", "kelp farm"))
    assert await found(index, '"farm kelp"') == ["https://a.test/"]
    assert await found(index, "\u201cfarm kelp\u201d") == ["https://a.test/"]
    assert await found(index, '"farms kelp"') == []
    assert sorted(await found(index, '"farm kelp')) == ["https://a.test/", "https://b.test/"]


@pytest.mark.req("stores:index:all-then-some")
async def test_all_words_first_and_some_only_when_no_page_has_all(tmp_path: Path) -> None:
    index = await filled(tmp_path, KELP, CRAB, WOOD)
    every = await index.search("kelp permit", limit=5)
    some = await index.search("kelp oak submarine", limit=5)
    none = await index.search("submarine", limit=5)
    assert (urls(every), every.partial) == ([KELP.url], False)
    assert (sorted(urls(some)), some.partial) == ([KELP.url, WOOD.url], True)
    assert (none.hits, none.partial) == ((), False)


@pytest.mark.req("stores:index:site")
async def test_site_narrows_to_a_host_and_other_operators_are_words(tmp_path: Path) -> None:
    sub = page("https://www.wood.test/kelp", "kelp in the wood")
    index = await filled(tmp_path, KELP, WOOD, sub, page("https://notwood.test/", "kelp"))
    assert await found(index, "site:wood.test kelp") == [sub.url]
    assert sorted(await found(index, "kelp -site:wood.test")) == ["https://notwood.test/", KELP.url]
    assert await found(index, "site:WOOD.test. oak") == [WOOD.url]
    assert await found(index, "intitle:kelp") == []
    assert (await index.search("site:wood.test", limit=5)).wordless


@pytest.mark.req("stores:index:domains")
async def test_domains_hold_for_subdomains_and_nothing_else(tmp_path: Path) -> None:
    pages = [page(f"https://{host}/", "kelp") for host in ("a.test", "x.a.test", "ba.test", "m\u00fcnchen.test")]
    index = await filled(tmp_path, *pages)

    async def hosts(include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()) -> list[str]:
        return urls(await index.search("kelp", limit=9, include_domains=include, exclude_domains=exclude))

    assert await hosts(("A.test",)) == ["https://a.test/", "https://x.a.test/"]
    assert await hosts(("a.test",), ("x.a.test",)) == ["https://a.test/"]
    assert await hosts((), ("a.test", "ba.test")) == ["https://xn--mnchen-3ya.test/"]
    assert await hosts(("M\u00dcNCHEN.test",)) == ["https://xn--mnchen-3ya.test/"]
    assert await hosts(("a%.test", "_.test")) == []
    assert await hosts(("no host/",)) == []


@pytest.mark.req("stores:index:ranking")
async def test_a_title_counts_more_than_a_mention_and_equals_stand_by_url(tmp_path: Path) -> None:
    filler = [page(f"https://z.test/{n}", "other things") for n in range(6)]
    titled = page("https://t.test/", "about many things of the sea " * 5, "Kelp")
    mention = page("https://m.test/", "kelp is one of many things of the sea " + "and so on " * 12)
    index = await filled(tmp_path, mention, titled, *filler)
    assert await found(index, "kelp") == [titled.url, mention.url]
    assert await found(index, "other things") == [one.url for one in filler]


@pytest.mark.req("stores:index:ranking")
async def test_words_side_by_side_rank_above_words_apart(tmp_path: Path) -> None:
    apart = page("https://a.test/", "river water runs past the old bank of sand today")
    close = page("https://b.test/", "past the old sand runs water today of the river bank")
    index = await filled(tmp_path, apart, close, *(page(f"https://z.test/{n}", "no") for n in range(6)))
    assert await found(index, "river bank") == [close.url, apart.url]


@pytest.mark.req("stores:index:snippet")
async def test_a_snippet_shows_the_passages_that_answer(tmp_path: Path) -> None:
    text = (
        "start of it all. " + "padding words here " * 60 + "\n\nThe kelp\tpermit  is free.\n\n" + "more padding " * 90
    )
    text += "Apply before the deadline. " + "end padding " * 40
    index = await filled(tmp_path, page("https://a.test/", text))
    (hit,) = (await index.search("kelp permit deadline", limit=1)).hits
    assert hit.snippet is not None
    assert "The kelp permit is free." in hit.snippet
    assert "Apply before the deadline." in hit.snippet
    assert hit.snippet.startswith("\u2026 ")
    assert hit.snippet.endswith(" \u2026")
    assert hit.snippet.count("\u2026") == 3


@pytest.mark.req("stores:index:snippet")
async def test_a_page_found_by_its_title_shows_its_beginning(tmp_path: Path) -> None:
    index = await filled(tmp_path, page("https://a.test/", "Opening words. " + "rest " * 200, "Kelp"))
    (hit,) = (await index.search("kelp", limit=1)).hits
    assert hit.snippet is not None
    assert hit.snippet.startswith("Opening words.")
    assert hit.snippet.endswith("\u2026")


@pytest.mark.req("stores:index:snippet")
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=2_000), query=st.text(min_size=1, max_size=20))
def test_a_snippet_is_one_printable_line_of_the_page(text: str, query: str) -> None:
    async def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            index = await filled(Path(folder), page("https://a.test/", text, "kelp"))
            for asked in (query, "kelp", text[:50]):
                for hit in (await index.search(asked, limit=1)).hits:
                    shown = hit.snippet or ""
                    assert len(shown) <= 2 * SEARCH_SNIPPET_CHARS
                    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in shown)
                    for part in shown.split("\u2026"):
                        assert "".join(part.split()) in _bare(text)

    asyncio.run(run())


def _bare(text: str) -> str:
    """The page as a snippet may show it: no space, no control or invisible character."""
    from webseam.core.text import one_line  # noqa: PLC0415 - used here only

    return "".join(one_line(text, limit=10_000).replace("\u2026", "").split())


@pytest.mark.req("stores:index:bounded-query")
async def test_a_query_of_very_many_words_is_cut_and_says_so(tmp_path: Path) -> None:
    words = [f"word{n}" for n in range(600)]
    index = await filled(tmp_path, page("https://a.test/", " ".join(words)))
    answer = await index.search(" ".join(words), limit=1)
    assert urls(answer) == ["https://a.test/"]
    assert answer.unread == 600 - INDEX_QUERY_TERMS


async def test_a_limit_that_leaves_hits_out_is_told(tmp_path: Path) -> None:
    index = await filled(tmp_path, *(page(f"https://a.test/{n}", "kelp") for n in range(4)))
    assert (await index.search("kelp", limit=3)).more
    assert not (await index.search("kelp", limit=4)).more


async def test_nothing_indexed_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="webseam index") as caught:
        await LocalIndex(tmp_path / "none.sqlite3", read_only=True).search("kelp", limit=1)
    assert caught.value.code == "WEB_PROVIDER_UNAVAILABLE"
