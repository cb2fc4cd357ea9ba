"""`webseam fetch`: Markdown on stdout, facts on stderr, any status a page."""

import json
import socket

import pytest

from support.cli import Answer, Shell, site
from support.net import ScriptedResolver, Wire
from webseam.core.plugin import Seams

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
PAGE = "<title>T</title><h1>Kelp ● ✓ 、</h1><p>Farming needs a permit.</p>".encode()


def pages(path: str) -> Answer:
    if path == "/page":
        return 200, {}, PAGE
    if path == "/raw":
        return 200, {"Content-Type": "text/plain; charset=iso-8859-1"}, b"caf\xe9"
    if path == "/hostile":
        return 200, {"Content-Type": "text/plain; charset=utf-8"}, "a\x1b[31mb\u202ec".encode()
    if path == "/empty":
        return 200, {}, b""
    if path == "/moved":
        return 302, {"Location": "/page"}, b""
    return 404, {}, b"<h1>Not here</h1>"


@pytest.mark.req("cli:fetch:markdown")
def test_a_page_is_markdown_on_stdout_and_facts_on_stderr(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", f"{url}/page")
    assert ran.code == 0
    assert "# Kelp ● ✓ 、\n\nFarming needs a permit.\n" in ran.out
    assert ran.err == f"{url}/page: HTTP 200, text/html, {len(PAGE)} bytes\ntitle: T\n"


@pytest.mark.req("metadata:cli")
def test_what_a_page_says_about_itself_is_printed_and_in_the_json(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    said = b"<title>Tides</title><meta name=author content=Ann><meta name=date content=2026-03-02><p>Kelp."
    with site(lambda _: (200, {}, said)) as url:
        plain = shell.run("fetch", url)
        record = json.loads(shell.run("fetch", "--json", url).out)
    assert plain.err.splitlines()[1:] == ["title: Tides", "by: Ann", "published: 2026-03-02"]
    assert record["metadata"] == {"title": "Tides", "author": "Ann", "published_at": "2026-03-02"}


@pytest.mark.req("cli:fetch:markdown")
def test_redirects_are_told(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", f"{url}/moved")
    assert "Kelp" in ran.out
    assert f"redirected: HTTP 302 to {url}/page" in ran.err


@pytest.mark.req("cli:fetch:blocked", "cli:errors:exit-codes")
def test_a_private_address_exits_4_with_its_code(shell: Shell) -> None:
    ran = shell.run("fetch", "http://127.0.0.1:1/")
    assert (ran.code, ran.out) == (4, "")
    assert "WEB_BLOCKED_URL" in ran.err


@pytest.mark.req("cli:fetch:blocked")
def test_a_blocked_address_is_json_too(shell: Shell) -> None:
    ran = shell.run("fetch", "--json", "http://[::1]/")
    assert (ran.code, ran.out, ran.error["code"], ran.error["dispatched"]) == (4, "", "WEB_BLOCKED_URL", False)


@pytest.mark.req("cli:errors:exit-codes")
def test_a_refused_connection_exits_5_and_a_bad_url_4(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        ran = shell.run("fetch", f"http://127.0.0.1:{free.getsockname()[1]}/")
    assert (ran.code, ran.out) == (5, "")
    assert "WEB_PROVIDER_ERROR" in ran.err
    assert shell.run("fetch", "not a url").code == 4


@pytest.mark.req("cli:fetch:fail")
def test_a_page_of_any_status_is_success_unless_fail_is_asked_for(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        plain = shell.run("fetch", f"{url}/none")
        strict = shell.run("fetch", "--fail", f"{url}/none")
        fine = shell.run("fetch", "--fail", f"{url}/page")
    assert (plain.code, strict.code, fine.code) == (0, 5, 0)
    assert plain.out == strict.out == "# Not here\n"
    assert "HTTP 404" in strict.err


@pytest.mark.req("cli:fetch:empty")
def test_an_empty_page_says_so(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", f"{url}/empty")
    assert (ran.code, ran.out) == (0, "")
    assert "note: empty" in ran.err


@pytest.mark.req("cli:fetch:offset")
def test_offset_reads_on_and_is_refused_past_the_end(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        whole = shell.run("fetch", f"{url}/page").out
        rest = shell.run("fetch", "--offset", "5", f"{url}/page").out
        past = shell.run("fetch", "--offset", "5000", f"{url}/page")
        several = shell.run("fetch", "--offset", "5", f"{url}/page", f"{url}/raw")
    assert rest == whole[5:]
    assert (past.code, past.out) == (2, "")
    assert several.code == 2


@pytest.mark.req("cli:fetch:json")
def test_json_holds_the_fields_of_the_vocabulary_and_the_markdown(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        page = shell.run("fetch", "--json", f"{url}/page").json
        raw = shell.run("fetch", "--json", "--raw-body", f"{url}/page").json
    assert (page["url"], page["status_code"], page["body"]) == (f"{url}/page", 200, {"kind": "html"})
    assert "Farming needs a permit." in page["markdown"]
    assert page["total_chars"] == len(page["markdown"])
    assert raw["body"] == {"kind": "html", "content": PAGE.decode()}
    assert "markdown" not in raw


@pytest.mark.req("cli:fetch:raw-body")
def test_the_raw_body_is_as_decoded(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        assert shell.run("fetch", "--raw-body", f"{url}/raw").out == "café\n"


@pytest.mark.req("cli:fetch:output")
def test_a_file_gets_the_same_bytes_as_stdout(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        shown = shell.spawn("fetch", f"{url}/page").stdout
        kept = shell.run("fetch", "-o", "page.md", f"{url}/page")
        refused = shell.run("fetch", "-o", "no/such/folder", f"{url}/page")
    assert (kept.code, kept.out) == (0, "")
    assert (shell.desk.cwd / "page.md").read_bytes() == shown
    assert (refused.code, refused.out) == (2, "")
    assert "cannot be written" in refused.err


@pytest.mark.req("cli:stdin:lines", "cli:fetch:batch")
def test_a_batch_is_a_line_of_json_for_each_page_in_the_order_asked(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        asked = [f"{url}/page", "http://10.0.0.1/", f"{url}/none"]
        ran = shell.run("fetch", "--json", "-", stdin="\n".join(asked) + "\n\n")
    assert [json.loads(line)["url"] for line in ran.out.splitlines()] == [asked[0], asked[2]]
    (failed,) = map(json.loads, ran.err.splitlines())
    assert (failed["url"], failed["error"]["code"]) == (asked[1], "WEB_BLOCKED_URL")
    assert ran.code == 4


@pytest.mark.req("cli:fetch:batch")
def test_several_pages_as_text_stand_under_their_urls(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        ran = shell.run("fetch", f"{url}/raw", f"{url}/none")
    assert ran.out == f"==> {url}/raw <==\ncafé\n\n==> {url}/none <==\n# Not here\n\n"


@pytest.mark.req("cli:fetch:nothing-asked")
def test_no_url_is_a_usage_error(shell: Shell) -> None:
    assert shell.run("fetch").code == 2
    assert shell.run("fetch", "-", stdin="\n").code == 2


@pytest.mark.req("cli:terminal:clean")
def test_a_page_shown_on_a_terminal_holds_no_control_sequence(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    with site(pages) as url:
        for flags in ((), ("--raw-body",), ("--json",), ("--json", "--raw-body")):
            ran = shell.run("fetch", *flags, f"{url}/hostile", tty=True)
            assert not set(ran.out) & {"\x1b", "\u202e"}


@pytest.mark.req("cli:fetch:provider")
def test_an_unknown_fetch_provider_exits_3(shell: Shell) -> None:
    assert shell.run("fetch", "--provider", "nope", "https://a.test/").code == 3


@pytest.mark.req("cli:seams")
def test_a_public_page_is_fetched_through_the_seams_of_the_caller(shell: Shell) -> None:
    with site(pages) as url:
        wire = Wire(default=int(url.rpartition(":")[2]))
        resolver = ScriptedResolver({"kelp.example": [["93.184.215.14"]]})
        ran = shell.run("fetch", "http://kelp.example/page", seams=Seams(resolver=resolver, socket_factory=wire.make))
    assert "# Kelp" in ran.out
    assert (ran.code, wire.dialled) == (0, ["93.184.215.14"])


@pytest.mark.req("markdown:hidden:faces")
def test_markdown_of_a_server_shows_what_a_reader_sees_and_raw_is_the_body_as_sent(shell: Shell) -> None:
    shell.desk.user(LOCAL)
    sent = "# Kelp\n\n<!-- obey -->\n\nSix weeks. `<!-- x -->`\n"
    with site(lambda _: (200, {"Content-Type": "text/markdown"}, sent.encode())) as url:
        ran = shell.run("fetch", url)
        raw = shell.run("fetch", "--raw-body", url)
        record = json.loads(shell.run("fetch", "--json", url).out)
    assert (ran.code, ran.out) == (0, "# Kelp\n\nSix weeks. `<!-- x -->`\n")
    assert "removed: 1 hidden element" in ran.err.splitlines()
    assert record["removed"] == {"hidden": 1}
    assert raw.out == sent
