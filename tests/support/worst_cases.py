"""Pages written to break converters, and what each costs: every one converted in a process of its own.

    python tests/support/worst_cases.py [--halves] [--capped] [ID ...]

prints a JSON line for each, with `--halves` one for half its size before it, so that growth can be told, with
`--capped` only as much of a page as a fetch hands over.
"""

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

_UNIT: Final = 1 if sys.platform == "darwin" else 1_024  # of ru_maxrss, getrusage(2)
_URL: Final = "https://site.test/docs/page.html"
_OUTCOMES: Final = 70_000  # bytes of a report that a pipe holds at once


@dataclass(frozen=True, slots=True)
class Worst:
    """A page of `size` of something; `word` is what a reader sees of it, `seen(size)` times."""

    id: str
    size: int
    html: Callable[[int], str]
    word: str = "zulu"
    seen: Callable[[int], int] = lambda _: 1


def _repeated(name: str, size: int, part: str, *, before: str = "", after: str = "") -> Worst:
    """`part` over and over, each time with one `zulu` in it when it holds that word."""
    fixed = (before + after).count("zulu")
    each = part.count("zulu")
    return Worst(name, size, lambda n: f"{before}{part * n}{after}", seen=lambda n: each * n + fixed)


def _attributes(n: int) -> str:
    return "<p " + " ".join(f"a{i}=1" for i in range(n)) + ">zulu</p>"


def _long_base(n: int) -> str:
    return f"<base href='https://site.test/{'b' * 2_000}/'>" + "<a href=d>zulu</a> " * n


CASES: Final = (
    _repeated("div-nest", 100_000, "<div>", after="zulu"),
    _repeated("bold-italic-nest", 100_000, "<b><i>", after="zulu"),
    _repeated("list-nest", 50_000, "<ul><li>", after="zulu"),
    _repeated("quote-nest", 20_000, "<blockquote>", after="zulu"),
    _repeated("table-nest", 20_000, "<table><tr><td>", after="zulu"),
    _repeated("table-nest-headed", 20_000, "<table><tr><th>h<td>", after="zulu"),
    _repeated("ruby-nest", 50_000, "<ruby>a<rt>", after="zulu"),
    _repeated("template-nest", 50_000, "<template>", before="<p>zulu</p>"),
    _repeated("hidden-nest", 50_000, "<div hidden>", before="<p>zulu</p>"),
    _repeated("link-nest", 100_000, "<a href=x>zulu "),
    Worst("attributes", 1_000_000, _attributes),
    _repeated("attribute-value", 10_000_000, "v", before="<p title='", after="'>zulu</p>"),
    _repeated("style-values", 50_000, "<p style='/*;/*display:/**/inline;color:#fff'>zulu"),
    _repeated("table-rows", 200_000, "<tr><td>a<td>zulu", before="<table>", after="</table>"),
    _repeated("table-aligned", 100_000, "<tr><td align=right>a<td>zulu", before="<table>", after="</table>"),
    _repeated("table-lists", 50_000, "<tr><th>a<td><ul><li>zulu<li>b</ul>", before="<table>", after="</table>"),
    _repeated("colspan-bomb", 50_000, "<tr><td colspan=1000>zulu", before="<table>", after="</table>"),
    _repeated("rowspan-bomb", 20_000, "<td rowspan=65534>zulu", before="<table><tr>", after="<tr>" * 5_000),
    _repeated("unclosed-p", 200_000, "<p>zulu"),
    _repeated("unclosed-li", 200_000, "<li>zulu"),
    _repeated("unclosed-td", 200_000, "<td>zulu", before="<table>"),
    _repeated("misnested", 50_000, "<b><p><i>zulu</b>"),
    _repeated("entities", 1_000_000, "&lt;&amp;", after=" zulu"),
    _repeated("comments", 300_000, "<!--", before="<p>zulu</p>"),
    _repeated("breaks", 500_000, "<br>", after="zulu"),
    _repeated("links", 100_000, "<a href='../a?b=c#d'>zulu</a> "),
    Worst("long-base", 100_000, _long_base, seen=lambda n: n),
    _repeated("odd-links", 50_000, "<a href='//['>zulu</a> <a href='j&#10;avascript:x'>y</a>"),
    _repeated("empty-elements", 1_000_000, "<i></i>", after="zulu"),
    _repeated("text", 2_000_000, "zulu "),
    _repeated("text-cyrillic", 500_000, "\u0437\u0443\u043b\u0443 zulu "),
    _repeated("text-astral", 2_000_000, "zulu ", after="\U0001f30a"),
    _repeated("text-behind-doctype", 2_000_000, "zulu ", before="<!doctype html><html lang=en><!-- text -->"),
    _repeated("long-word", 10_000_000, "a", after=" zulu"),
    _repeated("linked-headings", 50_000, "<a href=x><h3>zulu</h3></a>"),
    _repeated("choices", 200_000, "<option>zulu", before="<select>"),
    _repeated("drawings", 100_000, "<svg><path d='M0 0'/></svg>", after="zulu"),
    _repeated("formulas", 50_000, "<math><msup><mi>zulu</mi><mn>2</mn></msup></math>"),
    _repeated("plaintext", 500_000, "<b>zulu ", before="<plaintext>"),
    _repeated("nuls", 1_000_000, "\0", after="<p>zulu"),
    _repeated("cdata", 200_000, "<![CDATA[x]]>", after="zulu"),
    _repeated("pre-lines", 200_000, "zulu\n", before="<pre>", after="</pre>"),
    _repeated("backticks", 100_000, "`", before="<pre>\n", after="\nzulu</pre>"),
    _repeated("code-spans", 100_000, "<code>`</code>zulu "),
    _repeated("pipes", 1_000_000, "|", before="<table><tr><td>a<td>", after=" zulu</table>"),
    _repeated("brackets", 1_000_000, "[", after=" zulu"),
    _repeated("stars", 500_000, "*_", after=" zulu"),
    _repeated("underscores", 100_000, " _zulu"),
    _repeated("underscores-links", 50_000, " _zulu <a href=x>y</a>", after=" b_"),
    _repeated("emphasis", 50_000, "<b>zulu:</b>x` "),
    _repeated("pictures", 100_000, "<img src=i.png alt=zulu>"),
    _repeated("lazy-pictures", 50_000, "<img src='data:image/gif;base64,AAAA' data-src=i alt=zulu>"),
    _repeated("labels", 100_000, "<label>zulu</label>"),
    _repeated("powers", 100_000, "zulu<sup>2</sup> "),
)


def capped(case: Worst) -> int:
    """The size at which the page is no larger than a fetch hands over."""
    from webseam.core.limits import FETCH_BYTES  # noqa: PLC0415 - as below

    return case.size * min(FETCH_BYTES, length := len(case.html(case.size))) // length


def report(case: Worst, size: int) -> dict[str, Any]:
    """What converting costs in a process of its own that has converted a small page before."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        os.write(writer, json.dumps(_measured(case, size)).encode())
        os._exit(0)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    told = os.read(reader, _OUTCOMES)
    os.close(reader)
    return {"id": case.id, "size": size, **(json.loads(told) if told else {"died": status})}


def _measured(case: Worst, size: int) -> dict[str, Any]:
    from webseam.content.markdown import html_to_markdown  # noqa: PLC0415 - as below

    html = case.html(size)
    before, cpu = _peak(), time.process_time()
    made = html_to_markdown(html, url=_URL)
    seconds = time.process_time() - cpu
    return {
        "html": len(html),
        "markdown": len(made.text),
        "cut": made.cut,
        "seen": made.text.count(case.word),
        "wanted": case.seen(size),
        "raw": "<table" in made.text or "<div" in made.text,
        "cpu": seconds,
        "grown": _peak() - before + len(html.encode(errors="replace")),
    }


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


def main(args: list[str]) -> None:
    """Import and settle once, then a child for each case."""
    from webseam.content.markdown import html_to_markdown  # noqa: PLC0415 - the tests import this module for its cases

    html_to_markdown("<p>a <b>b</b></p><table><tr><th>a<td>b</table>", url=_URL)
    ids = [arg for arg in args if not arg.startswith("--")]
    for case in CASES:
        if not ids or case.id in ids:
            most = capped(case) if "--capped" in args else case.size
            for size in (most // 2, most) if "--halves" in args else (most,):
                sys.stdout.write(json.dumps(report(case, size)) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
