"""Notes on a page: challenge, refresh, shell, empty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.content.signals import page_notes
from webseam.core.types import Note

PROSE = "<p>" + "Tides move the water twice a day along this coast. " * 8 + "</p>"


def codes(html: str, *, status: int = 200, **headers: str) -> list[str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return [note.code for note in page_notes(html, headers=named, status=status)]


@pytest.mark.req("content:signals:challenge")
def test_a_challenge_header_is_enough() -> None:
    assert codes(PROSE, cf_mitigated="challenge") == ["bot_challenge"]
    assert codes(PROSE, cf_mitigated="other") == []


@pytest.mark.req("content:signals:challenge")
@pytest.mark.parametrize(
    "title",
    [
        "Just a moment...",
        "Attention Required! | Cloudflare",
        "Pardon Our Interruption",
        "Are you a robot?",
        "DDoS-Guard",
        "Robot or human?",
    ],
)
def test_a_small_page_with_a_known_challenge_title_is_marked(title: str) -> None:
    html = f"<html><head><title>{title}</title></head><body>{PROSE}</body></html>"
    assert codes(html, status=403) == ["bot_challenge"]
    assert codes(html) == ["bot_challenge"]


@pytest.mark.req("content:signals:challenge")
def test_a_title_that_pages_have_too_counts_only_on_a_refusal() -> None:
    html = f"<title>Access denied errors explained</title><body>{PROSE}"
    assert codes(html) == []
    assert codes(html, status=403) == ["bot_challenge"]


@pytest.mark.req("content:signals:challenge")
def test_a_long_article_about_challenges_is_none() -> None:
    assert codes(f"<title>Just a moment: a history</title><body>{PROSE * 100}") == []


@pytest.mark.req("content:signals:challenge")
@pytest.mark.parametrize(
    "title", ["Just a moment in time: a poem", "How attention required rules work", "Attention required at crossings"]
)
def test_a_title_that_only_begins_like_a_challenge_is_none(title: str) -> None:
    assert codes(f"<title>{title}</title><body>{PROSE}") == []


@pytest.mark.req("content:signals:challenge")
@pytest.mark.parametrize("mark", ["window._cf_chl_opt={}", "https://geo.captcha-delivery.com/x", "_Incapsula_Resource"])
def test_the_script_of_a_challenge_counts_on_a_refusal(mark: str) -> None:
    html = f"<body><script>{mark}</script>{PROSE}"
    assert codes(html, status=403) == ["bot_challenge"]
    assert codes(html) == []


@pytest.mark.req("content:signals:refresh")
@pytest.mark.parametrize(
    ("html", "target"),
    [
        ('<meta http-equiv=REFRESH content="0; URL=/en/">', "/en/"),
        ("<meta http-equiv=refresh content=0;url=/en/>", "/en/"),
        ("<META content='5;url=https://a.test/?a=1&amp;b=2' HTTP-EQUIV='Refresh'>", "https://a.test/?a=1&b=2"),
        ("""<meta http-equiv="refresh" content="0; url='next page.html'">""", "next page.html"),
        ('<meta http-equiv="refresh" content="0, /plain">', "/plain"),
        ('<noscript><meta http-equiv="refresh" content="0;url=/nojs"></noscript>', "/nojs"),
        ('<meta name=a content="x>y"><meta http-equiv=refresh content="1;url=/z">', "/z"),
    ],
)
def test_a_meta_refresh_is_reported_with_its_target(html: str, target: str) -> None:
    notes = page_notes(f"<html><head>{html}</head><body>{PROSE}</body></html>", headers={}, status=200)
    assert notes == (Note(code="meta_refresh", detail=target),)


@pytest.mark.req("content:signals:refresh")
def test_a_refresh_header_is_reported() -> None:
    notes = page_notes(PROSE, headers={"refresh": "3; url=/next"}, status=200)
    assert notes == (Note(code="meta_refresh", detail="/next"),)


@pytest.mark.req("content:signals:refresh")
@pytest.mark.parametrize(
    "html",
    [
        "<meta http-equiv=refresh content=30>",
        "<!-- <meta http-equiv=refresh content='0;url=/old'> -->",
        "<meta name=refresh content='0;url=/x'>",
        "<meta http-equiv=refresh>",
    ],
)
def test_what_moves_nowhere_is_no_refresh(html: str) -> None:
    assert codes(f"<head>{html}</head><body>{PROSE}") == []


@pytest.mark.req("content:signals:javascript")
@pytest.mark.parametrize(
    "body",
    [
        "<noscript>You need to enable JavaScript.</noscript><div id='root'></div><script src=a.js></script>",
        "<div id=app></div><script>" + "x" * 100_000 + "</script>",
        "<noscript>This app works best with JavaScript.</noscript><div id=root>Loading...</div><script></script>",
        "<div id=__next></div><style>" + ".a{}" * 500 + "</style><script>1</script>",
        "<script src=/main.js></script>",
    ],
)
def test_an_empty_shell_needs_javascript(body: str) -> None:
    assert codes(f"<html><head><title>App</title></head><body>{body}</body></html>") == ["needs_javascript"]


@pytest.mark.req("content:signals:javascript")
@pytest.mark.parametrize(
    "body",
    [
        "<p>OK</p>",
        "<p>OK</p><script src=stats.js></script>",
        PROSE + "<noscript>Please enable JavaScript</noscript><script></script>",
        "<script>" + "x" * 200_000 + "</script>" + PROSE,
        "<img src=a.png><script></script>",
        "<noscript><img src=pixel.gif></noscript><script></script><p>Works in any browser, says this note.</p>",
        "<noscript>Enable JavaScript in your browser to comment.</noscript><p>A short, true note.</p><script></script>",
        "<noscript>JavaScript?</noscript><div id=root><p>Rendered on a server: kelp now.</p></div><script></script>",
        "<div>" * 3_000 + "text",
    ],
)
def test_a_short_or_late_real_page_does_not(body: str) -> None:
    assert codes(f"<html><body>{body}</body></html>") == []


@pytest.mark.req("content:signals:empty")
@pytest.mark.parametrize("html", ["", " \n", "<html><head><title>T</title></head><body></body></html>", "<!-- x -->"])
def test_a_page_without_content_is_empty(html: str) -> None:
    assert codes(html) == ["empty"]


@pytest.mark.req("content:signals:empty")
@pytest.mark.parametrize("body", ["<textarea>typed</textarea>", "<select><option>kelp</select>"])
def test_the_text_of_form_fields_is_content(body: str) -> None:
    assert codes(f"<body>{body}</body>") == []


@pytest.mark.req("content:signals:empty")
def test_a_picture_is_content() -> None:
    assert codes("<body><img src=a.png></body>") == []


@pytest.mark.req("content:signals:refresh")
@given(st.text(alphabet="<meta http-equiv=rfs\"'>;/!-scriptbody titlenoscript", max_size=80))
def test_no_page_makes_the_signals_fail(html: str) -> None:
    page_notes(html, headers={"refresh": html}, status=403)


SCRIPT = "<script src=/a.js></script>"


@pytest.mark.req("content:signals:challenge-marks")
@pytest.mark.parametrize(
    ("html", "status"),
    [
        ("<title>Nur einen Moment…</title><body><script>window._cf_chl_opt={}</script>", 200),
        ("<title>Un instant…</title><script src='/cdn-cgi/challenge-platform/h/b/orchestrate'></script>", 503),
        ("<body><iframe src=/_Incapsula_Resource>Request unsuccessful. Incapsula incident ID: 1", 200),
        ("<title>&nbsp;</title><meta http-equiv=refresh content=\"5; URL='/?bm-verify=A'\"><body>", 200),
        ("<body><div id=sec-if-cpt-container></div>", 428),
        ("<title>Robot Check</title><body>Enter the characters you see below.", 200),
        ("<title>Shop</title><body><form action='/errors/validateCaptcha'>Continue shopping", 200),
        (f"<title>x</title><body>Unusual traffic. <form id=captcha-form>{PROSE}", 429),
        ("<title>Verify</title><body><div class=g-recaptcha></div>Please verify", 403),
        ("<title>Checking</title><body><div class=cf-turnstile></div>", 503),
        ("<body><script>window.KPSDK={}</script>", 429),
        (
            "<title>Request Rejected</title><body>The requested URL was rejected. Please consult us.",
            200,
        ),
        ("<title>Your access to this site has been limited by the site owner</title>", 503),
    ],
)
def test_a_page_that_is_nothing_but_a_challenge_is_marked(html: str, status: int) -> None:
    assert "bot_challenge" in codes(html, status=status)


@pytest.mark.req("content:signals:challenge-marks")
@pytest.mark.parametrize(
    ("html", "status"),
    [
        (f"<title>What is a CAPTCHA? Robot checks explained</title><body>{PROSE}", 200),
        ("<title>Sign in</title><form><input type=password></form><div class=g-recaptcha></div>", 401),
        (f"<title>Contact</title><body>{PROSE}<div class=cf-turnstile></div>", 200),
        ("<title>Contact</title><body>Write to us.<div class=cf-turnstile></div>", 200),
        (f"<title>Not here</title><body>{PROSE}<div class=g-recaptcha></div>", 403),
        ("<title>Shop</title><body>Closed.<script src='/_Incapsula_Resource?SWJIYLWA=1'></script>", 200),
        (
            "<title>403 Forbidden</title><p>No<script>a='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>",
            403,
        ),
        (f"<title>Shields</title><body>{PROSE}<code>window._cf_chl_opt</code>", 200),
    ],
)
def test_a_page_that_only_holds_such_a_thing_is_none(html: str, status: int) -> None:
    assert "bot_challenge" not in codes(html, status=status)


@pytest.mark.req("content:signals:shells")
@pytest.mark.parametrize(
    "body",
    [
        "<app-root>Loading...</app-root>",
        "<div id=__next><div class=spinner>Loading…</div></div>",
        "<div id=root><p>Loading, please wait while we prepare your page…</p></div>",
        "<p>You need to enable JavaScript to run this app.</p>",
        "<div>JavaScript is required to view this page. Please reload.</div>",
        "<p>Your browser does not support JavaScript!</p>",
        "<div id=root></div><footer>Example Inc. Privacy Terms</footer>",
        "<a href='#main'>Skip to content</a><main id='app'> <!-- built --> </main>",
        "<section id=root></section>",
        "<my-app></my-app>",
    ],
)
def test_a_shell_in_any_spelling_needs_javascript(body: str) -> None:
    assert codes(f"<title>App</title><body>{body}{SCRIPT}") == ["needs_javascript"]


@pytest.mark.req("content:signals:shells")
@pytest.mark.parametrize(
    "body",
    [
        "<h1>It works!</h1>",
        "<div id=app><h1>404</h1><p>Not found</p></div>",
        "<p>JavaScript is a language.</p>",
        "<p>This page works without JavaScript.</p>",
        "<p>Loading docks of the harbour are closed on Sundays. Ask the harbour master, pier two, before noon.</p>",
        "<noscript>Some features need JavaScript.</noscript><h1>Hours</h1><p>9 to 5</p>",
        "<div id=root><p>OK</p></div>",
        f"<div id=root></div>{PROSE}",
        "<form><input name=q><button>Go</button></form>",
        "<img src=x.png>",
    ],
)
def test_a_short_honest_page_is_no_shell(body: str) -> None:
    assert "needs_javascript" not in codes(f"<title>Harbour</title><body>{body}{SCRIPT}")


@pytest.mark.req("content:signals:link-header")
@pytest.mark.parametrize(
    ("header", "notes"),
    [
        ('</page.md>; rel="alternate"; type="text/markdown"', {"markdown_alternate": "/page.md"}),
        (
            "<a.md>;rel=alternate;type=text/markdown, <b.md>; rel=alternate; type=text/markdown",
            {"markdown_alternate": "a.md"},
        ),
        (
            '<https://a.test/x,y.md> ; Type="text/markdown; charset=utf-8" ; Rel="Alternate nofollow"',
            {"markdown_alternate": "https://a.test/x,y.md"},
        ),
        ('</style.css>; rel=preload, </llms.txt>; rel="llms-txt"', {"llms_txt": "/llms.txt"}),
        ('</feed>; rel="alternate"; type="application/rss+xml"', {}),
        ('</de>; rel="alternate"; hreflang="de"', {}),
        ("</x.md> rel=alternate; type=text/markdown", {}),
        ("<" * 20_000 + ">;" * 20_000, {}),
    ],
    ids=range(8),
)
def test_a_link_header_names_the_page_as_markdown_and_a_guide(header: str, notes: dict[str, str]) -> None:
    found = page_notes(f"<body>{PROSE}", headers={"link": header}, status=200)
    assert {note.code: note.detail for note in found} == notes
