"""`webseam fetch` of the demo's feed, handbook and sitemap, read by offsets; JSON laid out."""

import json
import re

import pytest

from support.cli import Answer, Shell, site
from support.demo import demo_web

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
ONWARD = re.compile(r"next offset: (\d+) of (\d+)")


def pages(path: str) -> Answer:
    broken = b"<rss version='2.0'><channel><title>B</title><item><title>One & two</title></item>"
    found = {"/broken": ("application/xml", broken), "/json": ("application/json", b'{"a":[1.0,2],"b":{}}')}
    kind, data = found[path]
    return 200, {"Content-Type": kind}, data


@pytest.mark.req("feeds:list", "pdf:marks")
@pytest.mark.parametrize("path", ["/news.xml", "/handbook.pdf", "/sitemap.xml", "/log/tides.html"])
def test_what_is_read_by_offsets_is_exactly_the_whole_text(shell: Shell, path: str) -> None:
    shell.desk.user(LOCAL)
    with demo_web() as base:
        whole = json.loads(shell.run("fetch", "--json", f"{base}{path}").out)["markdown"]
        read, offset, limit = "", 0, max(300, len(whole) // 6)
        for _ in range(20):
            part = json.loads(
                shell.run("fetch", "--json", "--chars", str(limit), "--offset", str(offset), f"{base}{path}").out
            )
            read += part["markdown"]
            offset = part["next_offset"]
            if offset is None:
                break
    assert read == whole
    assert len(whole) > 300


@pytest.mark.req("feeds:list")
def test_the_feed_is_a_list_with_an_outline_and_its_title(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with demo_web() as base:
        ran = shell.run("fetch", f"{base}/news.xml")
        record = json.loads(shell.run("fetch", "--json", "--outline", f"{base}/news.xml").out)
        raw = shell.run("fetch", "--raw-body", f"{base}/news.xml")
    assert ran.out.startswith(f"# Kelp farm news\n\nWhat happens on the lines\n\n<{base}/>\n\n## [Seeding begins")
    assert f"[Tide log]({base}/log/tides.html)" in ran.out
    assert "title: Kelp farm news" in ran.err
    assert len(record["outline"]) == 61
    assert raw.out.startswith('<?xml version="1.0"?><rss')


@pytest.mark.req("feeds:malformed")
def test_a_broken_feed_is_told(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", f"{url}/broken")
    assert "## One & two" in ran.out
    assert "note: malformed_feed" in ran.err


@pytest.mark.req("feeds:pretty")
def test_json_is_verbatim_unless_asked(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        assert shell.run("fetch", f"{url}/json").out == '{"a":[1.0,2],"b":{}}\n'
        pretty = shell.run("fetch", "--pretty", f"{url}/json")
        both = shell.run("fetch", "--pretty", "--raw-body", f"{url}/json")
    assert pretty.out == '{\n  "a": [\n    1.0,\n    2\n  ],\n  "b": {}\n}\n'
    assert (both.code, "--pretty" in both.err) == (2, True)
