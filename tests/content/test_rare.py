"""The walk that tells which kinds of elements a page holds."""

import pytest
from turbohtml import parse

from webseam.content.blocks import BLOCK_EDITS
from webseam.content.fields import FIELD_EDITS
from webseam.content.markdown import html_to_markdown
from webseam.content.media import MEDIA_EDITS
from webseam.content.phrases import PHRASE_EDITS
from webseam.content.rare import RARE, rare_elements, rare_tag

_EACH = "".join(f"<{tag}>x</{tag}> " for tag in sorted(RARE))
_PAGES = {
    "every kind": f"<p>{_EACH}",
    "in cells": f"<table><colgroup><col></colgroup><tfoot><tr><td>{_EACH}</td></tr></tfoot></table>",
    "in drawings and formulas": f"<svg>{_EACH}<foreignObject>{_EACH}</foreignObject></svg><math><mtext>{_EACH}</math>",
    "in templates": f"<template>{_EACH}</template><div><template shadowrootmode=open>{_EACH}</template></div>",
    "in upper case": _EACH.upper(),
    "within each other": "".join(f"<{tag}>" for tag in sorted(RARE)) * 3,
    "in text that is no markup": f"<script>{_EACH}</script><noscript>{_EACH}</noscript><iframe>{_EACH}</iframe>",
    "none": "<p>Kelp",
}


@pytest.mark.req("fidelity:page:walk")
@pytest.mark.parametrize("html", _PAGES.values(), ids=_PAGES)
def test_the_walk_finds_what_a_selector_for_each_tag_finds(html: str) -> None:
    doc = parse(html, positions=False, scripting=True)

    assert rare_elements(doc) == {tag: found for tag in RARE if (found := doc.select(tag))}


@pytest.mark.req("fidelity:page:walk")
@pytest.mark.parametrize(
    ("selector", "tag"),
    [
        ("svg", "svg"),
        ("td hr", "hr"),
        ("time:empty", "time"),
        ("area[href]", "area"),
        ("tfoot:has(~tbody)", "tfoot"),
        ('figure[class*="high light"] pre', None),
        ('input[type="a b>c"]', "input"),
        ("blockquote+blockquote", "blockquote"),
        ("col.wide", "col"),
        ("ol>li", None),
        ("div.fragment", None),
    ],
)
def test_a_selector_is_skipped_only_for_the_tag_that_it_ends_in(selector: str, tag: str | None) -> None:
    assert rare_tag(selector) == tag


@pytest.mark.req("fidelity:page:walk")
@pytest.mark.parametrize("selector", [*BLOCK_EDITS, *FIELD_EDITS, *MEDIA_EDITS, *PHRASE_EDITS])
def test_no_edit_is_for_a_list_of_selectors(selector: str) -> None:
    assert "," not in selector


@pytest.mark.req("fidelity:page:about")
def test_leaving_the_metadata_out_changes_nothing_else() -> None:
    html = "<title>Kelp</title><meta name=author content='A. Reed'><h1>Kelp</h1><p>Season <b>one</b>.<p hidden>no</p>"

    whole = html_to_markdown(html, url="https://a.test/")
    bare = html_to_markdown(html, url="https://a.test/", about=False)

    assert whole.metadata is not None
    assert bare.metadata is None
    assert (bare.text, bare.hidden) == (whole.text, whole.hidden)


_WORDS = "The quick brown fox jumps over the lazy dog, twice a day."
_LINKS = "".join(f"<a href=https://b.test/{n}><img src=https://b.test/{n}.png></a>" for n in range(4))


@pytest.mark.req("fidelity:copies:once")
@pytest.mark.parametrize(
    "html",
    [
        f"<p><span class=wide>{_WORDS}</span></p><p><span class=narrow>{_WORDS}</span></p>",
        f"<p class=wide>{_WORDS}</p><p>{_WORDS}</p>",
        f"<div class=wide>{_WORDS}</div><div class=narrow>\n <i></i>{_WORDS}</div>",
        f"<div class=wide>{_LINKS}</div><div class=narrow>{_LINKS}</div>",
        f"<p>a</p><p>b</p><script>0</script><p class=a>{_WORDS}</p><script>1</script><p class=b>{_WORDS}</p>",
    ],
)
def test_a_quick_look_misses_no_copy(html: str) -> None:
    assert html_to_markdown(f"<p>before</p>{html}<h2>after</h2>", url="https://a.test/").hidden == 1
