# ruff: noqa: E501, RUF001 - markup and sentences stand as a site would send them
"""Pages in the markup styles of the web: the same words as a news site, a blog, a forum, a shop would wrap them.

`data-keep` marks a block that belongs to the main content, `data-either` one that may stay or go; the rest is furniture.
"""

from collections.abc import Callable, Iterator
from html import escape
from itertools import cycle, islice

from support.main_words import Words

SCRIPT = (
    "<script>" + "window.dataLayer=window.dataLayer||[];function t(a){return a&&a.push({event:'x'})}" * 20 + "</script>"
)


def paragraphs(words: Words, count: int, start: int = 0, each: int = 3) -> list[str]:
    """`count` paragraphs of `each` sentences, from sentence `start` on."""
    endless = islice(cycle(words.sentences), start, None)
    return [words.joint.join(islice(endless, each)) for _ in range(count)]


def keep(texts: list[str], tag: str = "p", attributes: str = "") -> str:
    return "\n".join(f"<{tag} data-keep{attributes}>{text}</{tag}>" for text in texts)


def links(texts: tuple[str, ...], wrap: str = "li") -> str:
    return "".join(f'<{wrap}><a href="/p/{place}">{escape(text)}</a></{wrap}>' for place, text in enumerate(texts))


def article(words: Words, count: int = 6) -> str:
    """Headed paragraphs with a quote, a list and a link in running text."""
    texts = paragraphs(words, count)
    texts[1] = texts[1][:40] + f'<a href="/about">{texts[1][40:60]}</a>' + texts[1][60:]
    half = count // 2
    return "\n".join(
        (
            keep(texts[:half]),
            f"<h2 data-keep>{words.headings[0]}</h2>",
            keep(texts[half:]),
            f"<blockquote data-keep><p>{words.sentences[2]}</p></blockquote>",
            f"<h2 data-keep>{words.headings[1]}</h2>",
            "<ul>" + keep(list(words.sentences[6:9]), "li") + "</ul>",
        )
    )


def page(words: Words, body: str, attributes: str = "") -> str:
    head = f"<head><meta charset=utf-8><title>{words.title} | Example</title>{SCRIPT}<style>.a{{b:c}}</style></head>"
    return f'<!DOCTYPE html><html lang="{words.language}">{head}<body {attributes}>\n{body}\n{SCRIPT}</body></html>'


def semantic(words: Words) -> str:
    return page(
        words,
        f"""<header><a href="/">Example</a><nav><ul>{links(words.menu)}</ul></nav></header>
<main><article><header><h1 data-keep>{words.title}</h1><p class=byline data-either>{words.byline}</p></header>
{article(words)}<footer><ul class=tags>{links(words.menu[:3])}</ul></footer></article>
<aside><h2>{words.menu[1]}</h2><ul>{links(words.teasers)}</ul></aside></main>
<footer><p>© Example 2026</p><ul>{links(words.menu)}</ul></footer>
<div class="cookie-banner" role="dialog"><p>{words.cookies}</p><button>OK</button></div>""",
    )


def weblog(words: Words) -> str:
    talk = "".join(
        f'<li class="comment"><div class="comment-body"><cite>A{place}</cite><p>{text}</p><a href="#r">Reply</a></div></li>'
        for place, text in enumerate(words.remarks)
    )
    return page(
        words,
        f"""<div id="page" class="hfeed site has-sidebar"><div id="masthead"><p class="site-title"><a href="/">Example</a></p>
<div class="main-navigation"><ul class="menu">{links(words.menu)}</ul></div></div>
<div id="content"><div id="primary"><div class="post hentry type-post"><h1 class="entry-title" data-keep>{words.title}</h1>
<div class="entry-meta" data-either>{words.byline}</div><div class="entry-content">{article(words)}
<div class="sharedaddy sd-sharing"><h3>Share</h3><ul>{links(("Mail", "Print", "Chat"))}</ul></div>
<div id="jp-relatedposts"><h3>{words.menu[1]}</h3><p><a href="/1">{words.teasers[0]}</a></p><p><a href="/2">{words.teasers[1]}</a></p></div>
</div></div><div id="comments" class="comments-area"><h2>3</h2><ol class="comment-list">{talk}</ol>
<form id="respond"><p>{words.letter}</p><textarea></textarea><input type=submit></form></div></div>
<div id="secondary" class="widget-area"><div class="widget"><h3>{words.menu[2]}</h3><ul>{links(words.teasers)}</ul></div>
<div class="widget"><p>{words.letter}</p><input><button>OK</button></div></div></div>
<div id="colophon">© Example <a href="/x">Theme</a></div></div>""",
        'class="home has-comments with-sidebar nav-open"',
    )


def hashed(words: Words) -> str:
    cards = "".join(
        f'<div class="css-9f{place}"><a href="/t{place}"><div class="x1q"><span>{title}</span></div></a>'
        f'<div class="x8z">{words.byline}</div></div>'
        for place, title in enumerate(words.teasers)
    )
    texts = "".join(f'<div class="css-1k2"><span data-keep>{text}</span></div>' for text in paragraphs(words, 7))
    menu = links(words.menu, "div")
    return page(
        words,
        f"""<div id="root"><div class="sc-a1"><div class="sc-b2">{menu}</div></div><div class="sc-c3"><div class="sc-d4">
<div class="css-t0"><h1 class="css-h1" data-keep>{words.title}</h1><div class="css-by" data-either>{words.byline}</div></div>
<div class="css-body">{texts}</div><div class="css-rec"><h3>{words.menu[1]}</h3>{cards}</div></div>
<div class="sc-e5"><div class="css-m">{words.menu[2]}</div>{cards}</div></div><div class="sc-f6">{menu}</div>
<div class="css-0q1"><div class="css-0q2"><div>{words.cookies}</div><div><button>OK</button><button>No</button></div></div></div></div>""",
    )


def tables(words: Words) -> str:
    body = "<br><br>".join(paragraphs(words, 6))
    menu = "".join(
        f'<tr><td><font size=1><a href="/{n}">{name}</a></font></td></tr>' for n, name in enumerate(words.menu)
    )
    return page(
        words,
        f"""<table width=100% border=0><tr><td colspan=3><img src=logo.gif alt=Example></td></tr>
<tr><td width=150 valign=top><table>{menu}</table></td>
<td valign=top><h1 data-keep><font face=Arial>{words.title}</font></h1><font size=2><div data-keep>{body}</div></font></td>
<td width=150 valign=top><b>{words.menu[1]}</b><br>{"<br>".join(f'<a href="/{n}">{text}</a>' for n, text in enumerate(words.teasers))}</td></tr>
<tr><td colspan=3 align=center><font size=1>{" | ".join(f'<a href="/{n}">{text}</a>' for n, text in enumerate(words.menu))}</font></td></tr></table>""",
    )


def plain(words: Words) -> str:
    return page(
        words,
        f"""<p><a href="/">Example</a> &gt; <a href="/a">{words.menu[1]}</a></p><h1 data-keep>{words.title}</h1>
<p data-either>{words.byline}</p>{article(words, 8)}<hr><p>{" | ".join(f'<a href="/{n}">{t}</a>' for n, t in enumerate(words.menu))}</p>""",
    )


def breaks(words: Words) -> str:
    ad = '<div class="ad-slot" id="ad-3"><small>Advertisement</small><div></div></div>'
    first, second = ("<br/><br/>\n".join(paragraphs(words, 3, start)) for start in (0, 5))
    return page(
        words,
        f"""<div id=top><div class=logo><a href="/">Example</a></div><div class=menu>{links(words.menu, "span")}</div></div>
<div id=wrap><div class=left><div class=headline data-keep><h2>{words.title}</h2></div><div class=social>{links(("Post", "Mail", "Chat"))}</div>
<div class=text><div data-keep>{first}</div>{ad}<div data-keep>{second}</div></div>
<div class=box><b>{words.menu[2]}</b>{links(words.teasers, "div")}</div></div><div class=right>{ad}{links(words.teasers, "p")}</div></div>
<div id=bottom>© Example {links(words.menu, "span")}</div>""",
    )


def forum(words: Words) -> str:
    posts = "".join(
        f"""<div class="post" id="p{n}"><div class="postprofile"><a href="/u/{n}">user{n}</a><br>Posts: 1{n}7</div>
<div class="postbody"><p class="author" data-either>user{n}</p><div class="content" data-keep>{text}</div>
<ul class="post-buttons">{links(("Quote", "Report"))}</ul><div class="signature">-- <a href="/s">user{n}</a></div></div></div>"""
        for n, text in enumerate((*paragraphs(words, 3), *words.remarks))
    )
    return page(
        words,
        f"""<div id="wrap"><div id="page-header"><a href="/">Example</a><ul>{links(words.menu)}</ul></div><div id="page-body">
<h2 class="topic-title" data-keep><a href="/t">{words.title}</a></h2><div class="pagination"><a href="?2">2</a> <a href="?3">3</a></div>
{posts}<div class="jumpbox"><select><option>{words.menu[0]}</option></select></div></div>
<div id="page-footer"><ul>{links(words.menu)}</ul><p>Powered by <a href="/f">Forum</a></p></div></div>""",
    )


def manual(words: Words) -> str:
    tree = "".join(
        f'<li><a href="/{n}">{name}</a><ul>{links(words.teasers)}</ul></li>' for n, name in enumerate(words.menu)
    )
    rows = "".join(
        f"<tr><td data-keep><code>--opt{n}</code></td><td data-keep>{words.sentences[n]}</td></tr>" for n in range(4)
    )
    texts = paragraphs(words, 4, each=2)
    return page(
        words,
        f"""<div class="navbar"><a href="/">Example</a><form role=search><input></form></div><div class="container-fluid"><div class="row">
<div class="col-3 bd-sidebar"><ul>{tree}</ul></div><div class="col-7 bd-content" role="main"><ol class="breadcrumb">{links(words.menu[:3])}</ol>
<h1 data-keep>{words.title}</h1>{keep(texts[:2])}<pre data-keep><code class="language-sh">run --all \\
  --jobs 4 | sort -u</code></pre><h2 data-keep>{words.headings[0]}</h2><div class="admonition note"><p data-keep>{words.sentences[9]}</p></div>
<table><thead><tr><th data-keep>Option</th><th data-keep>{words.menu[3]}</th></tr></thead><tbody>{rows}</tbody></table>{keep(texts[2:])}
<div class="prev-next"><a href="/p">{words.teasers[0]}</a> <a href="/n">{words.teasers[1]}</a></div><p><a href="/edit">Edit this page</a></p></div>
<div class="col-2 toc"><ul>{links(words.headings)}</ul></div></div></div><footer>© Example</footer>""",
    )


def shop(words: Words) -> str:
    rows = "".join(
        f"<tr><th data-keep>{name}</th><td data-keep>{n} × 40 mm</td></tr>" for n, name in enumerate(words.menu[:5])
    )
    tiles = "".join(
        f'<li class="tile"><a href="/{n}"><img src=x.jpg><span>{title}</span></a><span class="price">{n}9,90</span><button>+</button></li>'
        for n, title in enumerate(words.teasers)
    )
    return page(
        words,
        f"""<div class="header"><a href="/">Example</a><input type=search><ul class="nav">{links(words.menu)}</ul><a href="/cart">0</a></div>
<ul class="breadcrumbs">{links(words.menu[:3])}</ul><div class="product"><div class="gallery"><img src=a.jpg></div>
<div class="summary"><h1 data-keep>{words.title}</h1><p class="price" data-either>39,90</p><button>OK</button></div>
<div class="description">{keep(paragraphs(words, 3))}<table class="specs">{rows}</table></div></div>
<div class="related products"><h2>{words.menu[4]}</h2><ul>{tiles}</ul></div><div class="newsletter"><p>{words.letter}</p><input><button>OK</button></div>
<div class="footer"><ul>{links(words.menu)}</ul></div>""",
    )


def listing(words: Words) -> str:
    cards = "".join(
        f'<div class="card"><h3 data-keep><a href="/{n}">{words.teasers[n % 4]}</a></h3><p data-keep>{text}</p><a href="/{n}" class="go">→</a></div>'
        for n, text in enumerate(paragraphs(words, 9, each=1))
    )
    return page(
        words,
        f"""<header><a href="/">Example</a><nav><ul>{links(words.menu)}</ul></nav></header><div class="page"><h1 data-keep>{words.title}</h1>
<div class="cards">{cards}</div><div class="pagination">{links(("1", "2", "3"), "span")}</div></div>
<footer><ul>{links(words.menu)}</ul>© Example</footer>""",
    )


def discussed(words: Words) -> str:
    talk = "".join(
        f'<div class="c-item"><div class="c-meta">user{n}</div><div class="c-text">{text} {words.remarks[(n + 1) % 3]}</div></div>'
        for n, text in enumerate(words.remarks * 5)
    )
    return page(
        words,
        f"""<div class="top">{links(words.menu, "span")}</div><div class="story"><h1 data-keep>{words.title}</h1>
<div class="story-body">{keep(paragraphs(words, 4))}</div></div><section class="reader-comments" id="comments"><h2>15</h2>{talk}
<form><textarea></textarea><button>OK</button></form></section><div class="bottom">{links(words.menu, "span")}</div>""",
    )


def several(words: Words) -> str:
    more = "".join(
        f'<article class="teaser"><h3><a href="/{n}">{title}</a></h3><p>{words.sentences[n]}</p></article>'
        for n, title in enumerate(words.teasers)
    )
    return page(
        words,
        f"""<nav><ul>{links(words.menu)}</ul></nav><main><article class="full"><h1 data-keep>{words.title}</h1>
<figure><img src=a.jpg alt=""><figcaption data-keep>{words.sentences[10]}</figcaption></figure>{article(words)}</article>
<section class="grid"><h2>{words.menu[1]}</h2>{more}</section></main><footer>{links(words.menu, "span")}</footer>""",
    )


def paywalled(words: Words) -> str:
    return page(
        words,
        f"""<header class="site"><a href="/">Example</a>{links(words.menu, "span")}</header><div class="l-main"><div class="article">
<h1 data-keep>{words.title}</h1><p class="lead" data-keep>{words.sentences[0]}</p><div class="article__body">{keep(paragraphs(words, 2, 1))}</div>
<div class="paywall"><h3>{words.menu[7]}</h3><p>{words.letter}</p><button>OK</button><a href="/login">Login</a></div></div>
<div class="l-side">{links(words.teasers, "p")}</div></div><div class="legal-footer">{links(words.menu, "span")}</div>""",
    )


def answers(words: Words) -> str:
    posts = "".join(
        f"""<div class="answer" id="a{n}"><div class="votes"><button>+</button><span>{n}7</span><button>-</button></div><div class="s-prose">
{keep([text])}<pre data-keep><code>x = f({n})</code></pre></div><div class="post-menu"><a href="#s">Share</a> <a href="#e">Edit</a></div></div>"""
        for n, text in enumerate(paragraphs(words, 3, 4, each=2))
    )
    return page(
        words,
        f"""<div class="topbar">{links(words.menu, "span")}</div><div class="container"><div id="left">{links(words.menu, "div")}</div><div id="content">
<h1 data-keep><a href="/q">{words.title}</a></h1><div id="mainbar"><div class="question" id="question"><div class="votes"><button>+</button>3</div>
<div class="s-prose">{keep(paragraphs(words, 2, each=2))}</div></div><h2 data-either>3</h2>{posts}</div>
<div id="sidebar"><h4>{words.menu[1]}</h4>{links(words.teasers, "div")}</div></div></div>""",
    )


def recipe(words: Words) -> str:
    return page(
        words,
        f"""<header><nav>{links(words.menu, "span")}</nav></header><div class="wrapper"><div class="content-area"><h1 data-keep>{words.title}</h1>
<div class="jump"><a href="#r">↓</a></div>{keep(paragraphs(words, 3))}<div class="recipe-card"><h2 data-keep>{words.headings[0]}</h2>
<ul class="ingredients">{keep([f"{n}00 g {name}" for n, name in enumerate(words.menu[:6], 1)], "li")}</ul><h2 data-keep>{words.headings[1]}</h2>
<ol class="steps">{keep(list(words.sentences[3:8]), "li")}</ol></div><div class="rating">★★★★ <button>OK</button></div></div>
<aside class="sidebar"><div class="about"><p>{words.letter}</p><a href="/about">→</a></div>{links(words.teasers, "div")}</aside></div>
<footer>{links(words.menu, "span")}</footer>""",
    )


def wiki(words: Words) -> str:
    box = "".join(
        f"<tr><th data-either>{name}</th><td data-either>{n}</td></tr>" for n, name in enumerate(words.menu[:4])
    )
    return page(
        words,
        f"""<div id="mw-page-base"></div><div id="content" class="mw-body" role="main"><h1 id="firstHeading" data-keep>{words.title}</h1>
<div id="bodyContent"><div id="jump-to-nav"><a href="#n">→</a></div><div class="mw-parser-output"><table class="infobox">{box}</table>
{keep(paragraphs(words, 2))}<div id="toc" class="toc"><ul>{links(words.headings)}</ul></div><h2 data-keep>{words.headings[0]}</h2>{keep(paragraphs(words, 3, 4))}
<h2 data-keep>{words.headings[1]}</h2>{keep(paragraphs(words, 2, 8))}<table class="navbox"><tr><td>{links(words.teasers, "span")}</td></tr></table></div>
<div id="catlinks"><ul>{links(words.menu[:3])}</ul></div></div></div><div id="mw-navigation"><div id="mw-head">{links(words.menu, "span")}</div></div>
<div id="footer" role="contentinfo"><ul><li>CC</li></ul></div>""",
    )


def postback(words: Words) -> str:
    return page(
        words,
        f"""<form method="post" action="./x.aspx" id="form1"><input type="hidden" value="{"dDwt" * 500}"><div id="ctl00_Top"><a href="/">Example</a>
{links(words.menu, "span")}</div><div id="ctl00_Main"><span id="ctl00_Title"><h1 data-keep>{words.title}</h1></span><span id="ctl00_Body">
{article(words)}</span></div><div id="ctl00_Right"><div>{words.letter}<input type=text><input type=submit></div>{links(words.teasers, "div")}</div>
<div id="ctl00_Foot">© Example {links(words.menu, "span")}</div></form>""",
    )


STYLES: dict[str, Callable[[Words], str]] = {
    style.__name__: style
    for style in (
        *(semantic, weblog, hashed, tables, plain, breaks, forum, manual, shop, listing),
        *(discussed, several, paywalled, answers, recipe, wiki, postback),
    )
}
HELD_OUT = ("breaks", "several", "wiki", "postback")
"""Styles that were not looked at while the rules were made."""


def generated() -> Iterator[tuple[str, str]]:
    """Name and HTML of every style in each of four languages or more."""
    from support.main_words import LANGUAGES  # noqa: PLC0415 - the sentences are large

    for number, (name, style) in enumerate(STYLES.items()):
        for place in range(5):
            words = LANGUAGES[(number * 2 + place * 2) % len(LANGUAGES)]
            yield f"{name}-{words.language}", style(words)
