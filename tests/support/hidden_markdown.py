"""Markdown with raw HTML made at random, and what a renderer shows of it."""

import re
from typing import Final

import cmarkgfm.cmark  # type: ignore[import-untyped]  # it ships none
from hypothesis import strategies as st
from turbohtml import parse

from webseam.content.rare import rare_elements
from webseam.content.unseen import marked_elements, remove_unseen

_WORD: Final = re.compile(r"w[0-9]+q")
_PARTS: Final = (
    *(
        "W",
        "W W",
        "\n",
        "\n\n",
        "- W",
        "\n- W",
        "\n> W",
        "\n  W",
        "\n    W",
        "\n\n    W",
        "`W`",
        "`<!-- W -->`",
    ),
    *(
        "\n```\nW",
        "\n```\n",
        "\n~~~\n",
        "<!-- W -->",
        "-->",
        "\n<!-- W\n\nW -->",
        "\n\n<!-- W",
        "<div hidden>",
        "</div>",
    ),
    *("\n<div hidden>\n", "\n</div>\n", "<span hidden>W</span>", "<p hidden>", "</p>"),
    *(
        "<b>W</b>",
        "<b style='display:none'>W</b>",
        "\n<script>\nW\n</script>\n",
        "<script>W</script>",
        "<style>W",
    ),
    *(
        "<template>W</template>",
        "<?W?>",
        "\n| W | W |\n|---|---|\n| W <span hidden>W</span> | W |\n",
        "\n# W",
        "\n---\n",
        "\n===\n",
    ),
    *("\\<b hidden>", "[W](<W>)", "\n1. W", "\n2) W", "\t", "\n\tW", "\n- > W", "\n> - W", "\n>W", "<details>"),
    *(
        "</details>",
        "<pre>",
        "\n<pre>\nW\n\nW\n</pre>\n",
        "<table><tr><td>W</td></tr></table>",
        "<ins>W</ins>",
        "<del hidden>W</del>",
        "<table hidden><tr><td>W</td></tr></table>",
    ),
    *("&lt;!-- W", "**W**", "  \n", "<h1 hidden>W</h1>", "<li hidden>W"),
)


def markdown() -> st.SearchStrategy[str]:
    """Texts of such parts, each word of its own: `w0q`, `w1q`...

    What depends on whether a list is loose, on tables left open in tables, and on this renderer's own ways with lone
    backticks and lone tags behind a list is left out.
    """
    return st.lists(st.sampled_from(_PARTS), min_size=1, max_size=12).map(_numbered)


def _numbered(parts: list[str]) -> str:
    first, *rest = "".join(parts).split("W")
    return first + "".join(f"w{number}q{part}" for number, part in enumerate(rest))


def words(text: str) -> set[str]:
    """The words in a text."""
    return set(_WORD.findall(text))


def rendered(text: str) -> str:
    """The HTML that GitHub's renderer makes of Markdown, raw HTML in it as it stands."""
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    return str(cmarkgfm.cmark.markdown_to_html_with_extensions(text, options=options, extensions=["table"]))


def shown(text: str) -> set[str]:
    """The words that a reader of the rendered page sees, by the rules for HTML pages."""
    doc = parse(f"<body><p>.</p>{rendered(text)}", positions=False, scripting=True)
    remove_unseen(doc, rare_elements(doc), marked_elements(doc))
    return words(doc.text)


def in_tags(text: str) -> set[str]:
    """Words in tags, such as targets of links, and behind fences: neither shown nor hidden."""
    return (
        words(" ".join(re.findall(r"(?:```|~~~).*", text)))
        | words(" ".join(re.findall(r"<[^<>!]*>", rendered(text))))
        | words(" ".join(re.findall(r"<w[0-9]+q>", text)))
    )
