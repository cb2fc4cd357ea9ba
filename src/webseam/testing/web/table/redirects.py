"""Redirects, and answers that look like them (RFC 9110 section 15.4)."""

from typing import Final

from webseam.testing.web.answers import head, page, to
from webseam.testing.web.certificates import issued
from webseam.testing.web.packed import FILLER, gzip_bomb
from webseam.testing.web.plays import Play, by_scheme, by_target, floods, sends, site
from webseam.testing.web.scenario import BLOCKED, FAILED, HANDED_BACK, INVALID, PAGE, SITE, row

_GOOD: Final = issued(SITE)
_HERE: Final = page(b"<p>arrived</p>")
_HOPS: Final = site({"/": to("/1")} | {f"/{n}": to(f"/{n + 1}") for n in range(1, 31)})
_BOMB: Final = head(302, "Location: /b", "Content-Encoding: gzip", "Content-Length: 4000000000") + FILLER[:1000]
_META: Final = b'<meta http-equiv=refresh content="0;url=http://127.0.0.1/"><p>Please wait here.</p>'
_ASKS: Final = ('WWW-Authenticate: Basic realm="x"', "WWW-Authenticate: Negotiate", "WWW-Authenticate: Digest realm=x")
_ELSEWHERE: Final = ('Alt-Svc: h2="other.test:443"; ma=99999', "Strict-Transport-Security: max-age=99999")
_TOLD: Final = b"<p>You are being redirected.</p><script>location='http://127.0.0.1/'</script>"


def _onwards(location: str, *fields: str, status: int = 302, target: str = "/b") -> Play:
    """The root redirects; its target is a page."""
    return site({"/": to(location, status, *fields), target: _HERE})


# fmt: off
REDIRECTS: Final = (
    *(row("A01", f"{code} to the same origin", _onwards("/b", status=code), PAGE, "arrived", facts={"url": f"http://{SITE}/b"}) for code in (301, 302, 303, 307, 308)),
    row("A01", "a relative path", _onwards("b?c=1", target="/b?c=1"), PAGE, "arrived"),
    row("A02", "//other.test/x", sends(to("//other.test/x")), HANDED_BACK, "http://other.test/x"),
    row("A03", "https://other.test/", sends(to("https://other.test/")), HANDED_BACK, "https://other.test/"),
    row("A04", "a loopback address and port 22", sends(to("http://127.0.0.1:22/")), BLOCKED, "Port 22", hides="127.0.0.1"),
    row("A04", "a loopback address", sends(to("http://127.0.0.1/")), BLOCKED, "Loopback"),
    row("A04", "a private address", sends(to("http://10.0.0.5/")), BLOCKED, "private_networks"),
    *(row("A05", f"the metadata address as {host}", sends(to(f"http://{host}/")), BLOCKED, "No setting opens it") for host in ("[::ffff:a9fe:a9fe]", "2852039166")),
    row("A05", "the metadata address", sends(to("http://169.254.169.254/latest/")), BLOCKED, "No setting opens it"),
    *(row("A06", f"loopback as {host}", sends(to(f"http://{host}/")), BLOCKED, "not a public one") for host in ("[::ffff:7f00:1]", "2130706433", "0x7f.1", "%E2%91%A0%E2%91%A1%E2%91%A6.1")),
    row("A06", "loopback by its name", sends(to("http://localhost/")), BLOCKED, "a local name"),
    *(row("A07", f"the scheme of {url[:8]}", sends(to(url)), INVALID, "Only http and https") for url in ("file:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "gopher://site.test/")),
    row("A07", "no URL at all", sends(to("http://[")), INVALID, "not a URL"),
    row("A08", "credentials", sends(to(f"http://user:pw@{SITE}/")), BLOCKED, "user name or password", hides="pw@"),
    row("A09", "https down to http", by_scheme(sends(_HERE), sends(to(f"http://{SITE}/"))), HANDED_BACK, "down to http", url=f"https://{SITE}/", certificate=_GOOD, requests=1),
    row("A10", "http up to https", by_scheme(sends(to(f"https://{SITE}/b")), sends(_HERE)), PAGE, "arrived", certificate=_GOOD, facts={"url": f"https://{SITE}/b"}),
    row("A10", "apex to www", _onwards(f"http://www.{SITE}/b"), PAGE, "arrived"),
    row("A12", "another port", sends(to(f"http://{SITE}:8080/")), HANDED_BACK, f"http://{SITE}:8080/"),
    row("A13", "itself", sends(to("/")), HANDED_BACK, "circle"),
    row("A13", "itself with a fragment", sends(to("/#x")), HANDED_BACK, "circle"),
    row("A14", "a circle of two", site({"/": to("/b"), "/b": to("/")}), HANDED_BACK, "circle"),
    row("A15", "30 hops", _HOPS, HANDED_BACK, "more than 5 times", requests=6),
    row("A21", "a Location of 100 kB", sends(to("/" + "x" * 100_000)), FAILED, "not well-formed"),
    row("A21", "a Location of 5 kB", sends(to("/" + "x" * 5_000)), HANDED_BACK, "2,048 characters"),
    row("A22", "a backslash", sends(to("/\\other.test/x")), HANDED_BACK, "http://other.test/x"),
    row("A23", "http:other.test", _onwards("http:other.test", target="/other.test"), PAGE, "arrived"),
    row("A23", "http:/other.test", _onwards("http:/other.test", target="/other.test"), PAGE, "arrived"),
    row("A25", "300 without a Location", sends(page(b"<p>choose one</p>", status=300)), PAGE, "choose one", facts={"status_code": 300}),
    row("A25", "302 without a Location", sends(page(b"moved", status=302)), FAILED, "without saying where to"),
    row("A25", "302 with an empty one", sends(to("")), FAILED, "without saying where to"),
    row("A26", "304 that nobody asked for", sends(head(304)), PAGE, notes=("empty",), facts={"status_code": 304}),
    row("A27", "305 Use Proxy", sends(to("http://127.0.0.1:3128/", 305)), PAGE, "moved", facts={"status_code": 305}, requests=1),
    *(row("A28", f"{code} with a Location", sends(to("/b", code)), PAGE, "moved", facts={"status_code": code}, requests=1) for code in (306, 399)),
    row("A29", "a bomb as the redirect's body", by_target("/", floods(_BOMB, lambda: gzip_bomb(20)), sends(_HERE)), PAGE, "arrived"),
    row("A30", "a Refresh field", sends(page(b"<p>stay</p>", "Refresh: 0;url=http://127.0.0.1/")), PAGE, "stay", requests=1),
    row("A30", "a meta refresh", sends(page(_META)), PAGE, "Please wait here", requests=1),
    row("A32", "401 that asks for credentials", sends(page(b"<p>log in</p>", *_ASKS, status=401)), PAGE, "log in", facts={"status_code": 401}, requests=1),
    row("A33", "407 from an origin", sends(page(b"<p>log in</p>", "Proxy-Authenticate: Basic", status=407)), PAGE, "log in", facts={"status_code": 407}, requests=1),
    row("A34", "a script that redirects", sends(page(_TOLD)), PAGE, "You are being redirected", requests=1),
    row("A35", "Alt-Svc and HSTS on the way", _onwards("/b", *_ELSEWHERE), PAGE, "arrived"),
    row("A35", "a cookie on the way", _onwards("/b", "Set-Cookie: session=1; Path=/"), PAGE, "arrived"),
)
