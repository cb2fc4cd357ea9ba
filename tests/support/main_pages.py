"""The labelled pages, and the two measures: shingle F1 as article-extraction-benchmark has it, and sentences kept."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from turbohtml import parse

from support.main_styles import HELD_OUT, generated

FOLDER = Path(__file__).parent.parent / "content" / "main_pages"
_WORD = re.compile(r"[^\W_]", re.ASCII)
_TOKEN = re.compile(
    r"[a-z0-9\u00c0-\u052f\u0600-\u06ff]+|[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]", re.IGNORECASE
)
_MARKS = re.compile(r" data-(?:keep|either)\b")
SNIPPET = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A page as a server would send it, the text that belongs, and snippets that must and must not be there."""

    name: str
    kind: str
    html: str
    text: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]
    held_out: bool


def pages() -> list[Labelled]:
    """Every labelled page: those made from styles and words, and those written one by one."""
    made = [_labelled(name, html, name.rpartition("-")[0] in HELD_OUT) for name, html in generated()]
    files = sorted(FOLDER.glob("*.html"))
    return made + [
        _labelled(f"own-{one.stem}", one.read_text("utf-8"), place % 3 == 0) for place, one in enumerate(files)
    ]


def _labelled(name: str, html: str, held_out: bool) -> Labelled:  # noqa: FBT001 - one caller
    doc = parse(html, scripting=True)
    for tag in ("script", "style", "noscript", "template"):
        for element in doc.select(tag):
            element.decompose()
    kept = [_spaced(element.text) for element in doc.select("[data-keep]")]
    either = " ".join(_spaced(element.text) for element in doc.select("[data-either]"))
    whole = " ".join(kept)
    rest = [
        _spaced(element.text) for element in doc.select("p,li,div,td,span,h2,h3,button") if not element.select_one("*")
    ]
    rest = [text for text in rest if len(text) > 3 and text[:SNIPPET] not in whole and text not in either]
    clean = _MARKS.sub("", html)
    kind = name.partition("-")[0]
    wanted = tuple(text[:SNIPPET] for text in kept if text)
    return Labelled(
        name=name, kind=kind, html=clean, text=whole, wanted=wanted, unwanted=tuple(rest), held_out=held_out
    )


def _spaced(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Precision, recall and F1 of shingles, and the F1 of snippets."""

    precision: float
    recall: float
    f1: float
    snippets: float


def text_of(html: str) -> str:
    """Words of converted output that is HTML."""
    return " ".join(parse(html).to_text().split())


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def scored(page: Labelled, text: str) -> Score:
    """`text` is the words of an extractor's output."""
    got, want = _shingles(tokens(text)), _shingles(tokens(page.text))
    both = sum((got & want).values())
    precision, recall = both / max(1, sum(got.values())), both / max(1, sum(want.values()))
    flat = "".join(tokens(text))
    right = sum("".join(tokens(snippet)) in flat for snippet in page.wanted)
    wrong = sum("".join(tokens(snippet)) in flat for snippet in page.unwanted)
    return Score(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / max(1e-9, precision + recall),
        snippets=2 * right / max(1, right + wrong + len(page.wanted)),
    )


def _shingles(words: list[str]) -> "Counter[tuple[str, ...]]":
    size = min(4, len(words)) or 1
    return Counter(zip(*(words[start:] for start in range(size)), strict=False))


def averages(scores: list[Score]) -> Score:
    count = max(1, len(scores))
    precision, recall = sum(one.precision for one in scores) / count, sum(one.recall for one in scores) / count
    return Score(
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / max(1e-9, precision + recall),
        snippets=sum(one.snippets for one in scores) / count,
    )


def by_kind(pages: list[Labelled], scores: list[Score]) -> Iterator[tuple[str, Score]]:
    for kind in dict.fromkeys(page.kind for page in pages):
        yield kind, averages([score for page, score in zip(pages, scores, strict=True) if page.kind == kind])
