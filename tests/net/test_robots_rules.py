"""What a robots.txt means for one client: groups, product tokens, matching; in linear time whatever it holds."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from webseam.core.url import Url
from webseam.net.agent import USER_AGENT
from webseam.net.robots_rules import Rules, applicable, product_token


def _allows(text: str, path: str = "/a") -> bool:
    return Rules.parse(text, "webseam").allows(Url.parse(f"http://h.example{path}"))


GROUPS = {
    "nothing at all": ("", True),
    "everybody": ("User-agent: *\nDisallow: /", False),
    "our token": ("User-agent: webseam\nDisallow: /", False),
    "our token in capitals": ("USER-AGENT: WebSeam\nDISALLOW: /", False),
    "our token with a version": ("User-agent: webseam/2.1\nDisallow: /", False),
    "ours is open, the rest closed": ("User-agent: webseam/2.1\nDisallow:\n\nUser-agent: *\nDisallow: /", True),
    "the same the other way round": ("User-agent: *\nDisallow: /\n\nUser-agent: webseam\nDisallow:", True),
    "our group without a rule": ("User-agent: *\nDisallow: /\nUser-agent: webseam", True),
    "a part of our token": ("User-agent: web\nDisallow: /", True),
    "a token that ends as ours": ("User-agent: seam\nDisallow: /", True),
    "a token that begins as ours": ("User-agent: webseam-news\nDisallow: /", True),
    "one that holds ours": ("User-agent: mywebseam\nDisallow: /", True),
    "several agents of one group": ("User-agent: a\nUser-agent: webseam\nUser-agent: b\nDisallow: /", False),
    "a blank line ends no group": ("User-agent: webseam\n\n\nDisallow: /", False),
    "two groups of ours are one": (
        "User-agent: webseam\nDisallow: /b\nUser-agent: x\nDisallow:\nUser-agent: webseam\nDisallow: /a",
        False,
    ),
    "a delay ends no group": ("User-agent: webseam\nCrawl-delay: 5\nUser-agent: x\nDisallow: /", False),
    "nor does any other record": ("User-agent: webseam\nNoindex: /b\n???\nUser-agent: x\nDisallow: /", False),
    "a misspelt rule does": ("User-agent: webseam\nDissallow: /b\nUser-agent: x\nDisallow: /", True),
    "a sitemap ends no group": ("User-agent: webseam\nSitemap: http://h/s\nUser-agent: x\nDisallow: /", False),
    "rules before any agent": ("Disallow: /\nUser-agent: x\nDisallow: /", True),
    "an agent without a name": ("User-agent:\nDisallow: /", True),
    "an agent after a rule begins anew": ("User-agent: webseam\nDisallow: /b\nUser-agent: x\nDisallow: /a", True),
    "comments": ("User-agent: webseam # us\n# Disallow: /b\nDisallow: /a # all of it", False),
    "asterisks around the token": ("User-agent: *webseam*\nDisallow: /", False),
    "without a colon": ("User-agent webseam\nDisallow /", False),
    "without a hyphen": ("User agent: webseam\nDisallow: /", False),
    "carriage returns": ("User-agent: webseam\rDisallow: /\r", False),
    "no robots.txt but a page": ("<!doctype html><p>User-agent: *</p>\n<p>Disallow: /</p>", True),
}  # fmt: skip


@pytest.mark.req("net:robots:groups")
@pytest.mark.parametrize("case", GROUPS)
def test_the_groups_that_name_the_product_token_apply_else_those_for_everybody(case: str) -> None:
    text, allowed = GROUPS[case]
    assert _allows(text) is allowed


MATCHES = [
    ("Disallow: /a", "/ab", False),
    ("Disallow: /a", "/b", True),
    ("Disallow: /A", "/a", True),
    ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
    ("Allow: /a\nDisallow: /a/b", "/a/b/c", False),
    ("Disallow: /a\nAllow: /a", "/a", True),
    ("Disallow: /*.gif$", "/x/y.gif", False),
    ("Disallow: /*.gif$", "/x/y.gif?z", True),
    ("Disallow: /*?", "/x?q=1", False),
    ("Disallow: /*?", "/x", True),
    ("Disallow: /a/*/c", "/a/b/b/c", False),
    ("Disallow: /%7Eme", "/~me", False),
    ("Disallow: /caf\u00e9", "/caf%C3%A9", False),
    ("Disallow: /a%2Fb", "/a/b", True),
    ("Disallow: /a", "/a#part", False),
]


@pytest.mark.req("net:robots:match")
@pytest.mark.parametrize(("lines", "path", "allowed"), MATCHES)
def test_the_longest_matching_rule_decides(lines: str, path: str, *, allowed: bool) -> None:
    assert _allows(f"User-agent: *\n{lines}", path) is allowed


@pytest.mark.req("net:robots:groups")
@pytest.mark.parametrize(
    ("agent", "token"),
    [
        (USER_AGENT, "webseam"),
        ("MyBot/2.1 (+http://x)", "mybot"),
        ("my_bot-x", "my_bot-x"),
        ("My Bot/1", "my"),
        ("", ""),
    ],
)
def test_the_product_token_is_the_name_without_its_version(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.req("net:robots:told")
def test_a_refusal_names_the_rule_that_decides_on_one_short_line() -> None:
    text = "User-agent: *\nDisallow: /\nDisallow: /private\nAllow: /private/open\nDisallow: /x\x1b[31m" + "y" * 500
    found = Rules.parse(text, "webseam")

    assert found.refusal(Url.parse("http://h.example/private/a")) == "Disallow: /private"
    assert found.refusal(Url.parse("http://h.example/b")) == "Disallow: /"
    told = Rules.parse("User-agent: *\nDisallow: /x\x1b*" + "y" * 500, "webseam").refusal(
        Url.parse("http://h.example/x%1B" + "y" * 500)
    )
    assert told is not None
    assert len(told) <= 80
    assert "\x1b" not in told


A = "a" * 30
PATHOLOGICAL = {
    "one pattern of wildcards": "Disallow: /" + "*a" * 3000 + "$",
    "half a megabyte of wildcards": "Disallow: /" + "*a" * 256_000 + "$",
    "patterns that nearly match": "\n".join(f"Disallow: /*{A[:25]}{number % 10}{A}" for number in range(7_000)),
    "agents times rules": "User-agent: x\n" * 20_000 + "Disallow: /b\n" * 20_000,
    "agents of different names": "\n".join(f"User-agent: a{n}" for n in range(12_000)) + "\nDisallow: /b" * 20_000,
    "one agent's groups again and again": "User-agent: webseam\nDisallow: /b\n" * 15_000,
    "spaces": "user" + " " * 500_000 + "\nUser-agent: *\nDisallow" + " " * 5_000 + ": /b",
    "colons": ":" * 500_000,
    "dollars": "Disallow: /" + "$" * 500_000,
    "escapes": "Disallow: /" + "%41" * 160_000,
}  # fmt: skip


@pytest.mark.req("net:robots:linear")
@pytest.mark.timeout(30)
@pytest.mark.parametrize("case", PATHOLOGICAL)
def test_no_file_of_500_kib_costs_more_than_its_length(case: str) -> None:
    """Ten files of each: backtracking, or agents times rules, would take hours for one."""
    text = "User-agent: *\n" + PATHOLOGICAL[case][:512_000]
    found = Rules.parse(text, "webseam")
    for _ in range(10):
        assert found.allows(Url.parse("http://h.example/" + "a" * 5_000 + "b")) is True


@pytest.mark.req("net:robots:linear")
def test_matching_looks_at_the_path_once_for_each_wildcard() -> None:
    looks: list[int] = []

    class Counted(str):
        __slots__ = ()

        def find(self, *where: object) -> int:
            looks[-1] += 1
            return str.find(self, *where)  # type: ignore[arg-type] # passed on

    matcher = Rules.parse("User-agent: *\nDisallow: /" + "*a" * 3000 + "$", "webseam").matcher
    rule = matcher._user_agents["*"]._rules[0].value
    for length in (1_000, 2_000, 4_000):
        looks.append(0)
        rule.match(Counted("/" + "a" * length + "b"))
    assert looks == [1_001, 2_001, 3_000]  # once for each wildcard, until the path ends


LINES = st.sampled_from(
    [
        "User-agent: *",
        "User-agent: webseam/1",
        "User-agent: x",
        "Disallow: /a",
        "Allow: /a*b$",
        "Disallow:",
        "",
        "# c",
        "Crawl-delay: x",
    ]
)


@pytest.mark.req("net:robots:match")
@given(st.text() | st.lists(LINES | st.text(), max_size=12).map("\n".join), st.text())
def test_no_file_and_no_path_makes_the_reading_fail(text: str, path: str) -> None:
    found = Rules.parse(text, "webseam")
    url = Url.parse("http://h.example/" + quote(path.encode("utf-8", "replace")))
    assert (found.refusal(url) is None) is found.allows(url)


@pytest.mark.req("net:robots:groups", "net:robots:match")
@given(st.lists(LINES, max_size=16), st.sampled_from(["/", "/a", "/axb", "/axbc", "/b"]))
def test_where_tokens_are_plain_the_verdict_is_that_of_protego_itself(lines: list[str], path: str) -> None:
    text = "\n".join(lines).replace("webseam/1", "webseam")
    plain = text.replace("Crawl-delay: x", "")  # ends a group there, against RFC 9309 section 2.2.4
    assert _allows(text, path) is Protego.parse(plain).can_fetch(f"http://h.example{path}", "webseam")


@pytest.mark.req("net:robots:groups")
@given(st.lists(LINES, max_size=12))
def test_rules_of_others_never_apply(lines: list[str]) -> None:
    text = "\n".join([*lines, "Allow: /end"])
    others = text + "\nUser-agent: somebody-else\nDisallow: /\nAllow: /zzz"
    assert applicable(others, "webseam") == applicable(text, "webseam")
