"""What an index keeps of Markdown and HTML: the words, and the page's own title."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.index_text import front_matter, html_title, markdown_title, markdown_to_plain


@pytest.mark.req("content:index-text:markdown")
@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("# Kelp *farming* #", "Kelp farming"),
        ("Some **bold**, _soft_ and ~~old~~ `code`", "Some bold, soft and old code"),
        ("[a link](https://x.test/a_(b) 'title') and [see][ref]", "a link and see"),
        ("[![picture](p.png)](https://x.test/)", "picture"),
        ("<https://x.test/> &amp; <b>tag</b>", "https://x.test/ &  tag"),
        ("> - quoted\n> * item\n1. first", "quoted\nitem\n1. first"),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a   b \n\n 1   2"),
        ("Setext\n======\n\n[ref]: https://x.test/\n\n* * *\nend", "Setext\n\n\n\n\n\nend"),
        ("snake_case __init__ 2 * 3 a\\*b", "snake_case init 2 * 3 a*b"),
        ("```py\n# not *this*\n```\nafter", "# not *this*\nafter"),
        ("~~~\n```\n~~~\n*x*", "```\nx"),
        ("[not a link] (and) [x]( y", "[not a link] (and) [x]( y"),
        ("Seen <!-- unseen --> words\r\n\r\n<div hidden>\r\n\r\nunseen\r\n\r\n</div>", "Seen  words"),
        ("", ""),
    ],
)
def test_markdown_becomes_the_words_a_reader_sees(markdown: str, plain: str) -> None:
    assert markdown_to_plain(markdown) == plain


@pytest.mark.req("content:index-text:markdown")
@given(words=st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), max_size=30), text=st.text(max_size=200))
def test_no_word_is_lost_and_nothing_is_raised(words: list[str], text: str) -> None:
    assert markdown_to_plain(" ".join(words)) == " ".join(words)
    assert markdown_to_plain(f"{text.replace('<', '')}\n\nkelp").endswith("kelp")  # a comment may hide all behind it
    assert isinstance(markdown_to_plain(text), str)
    assert isinstance(markdown_title(text), str | None)
    title, body = front_matter(text)
    assert title is None
    assert text.endswith(body)


@pytest.mark.req("content:index-text:title")
@pytest.mark.parametrize(
    ("markdown", "title"),
    [
        ("```\n# no\n```\n## two\n# Yes *it* is #\n# later", "Yes it is"),
        ("#hashtag\n#  \n    # code\ntext", None),
        ("", None),
    ],
)
def test_a_markdown_title_is_the_first_heading_of_the_first_level(markdown: str, title: str | None) -> None:
    assert markdown_title(markdown) == title


@pytest.mark.req("content:index-text:title")
@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> A &amp;\n B </title><h1>Head</h1>", "A & B"),
        ("<svg><title>no</title></svg><h1>The <b>head</b></h1>", "The head"),
        ("<title> </title><h1>Head</h1>", "Head"),
        ("<h2>two</h2><p>text", None),
        ("", None),
    ],
)
def test_an_html_title_is_the_pages_own_or_none(html: str, title: str | None) -> None:
    assert html_title(html) == title


@pytest.mark.req("content:index-text:title")
@pytest.mark.parametrize(
    ("markdown", "title", "body"),
    [
        ('---\na: b\ntitle: "Front"\n---\ntext', "Front", "text"),
        ("---\r\ntitle: it's\r\n---\r\ntext", "it's", "text"),
        ("---\na: b\n---\n# H", None, "# H"),
        ("---\ntitle:\n---\nx", None, "x"),
        ("---\ntitle: never closed\ntext", None, "---\ntitle: never closed\ntext"),
        ("text\n---\ntitle: late\n---\n", None, "text\n---\ntitle: late\n---\n"),
    ],
)
def test_front_matter_gives_its_title_and_goes(markdown: str, title: str | None, body: str) -> None:
    assert front_matter(markdown) == (title, body)
