"""Which blocks are the page's own content, furniture aside: each level keeps what is alike.

Levels are gone down from the page's root: where one block holds most of the prose, others stay only
when they look like a part of the same text.
"""

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from webseam.content.main_parts import HEADINGS, TEXT_TAGS
from webseam.content.main_words import announces

if TYPE_CHECKING:
    from webseam.content.main_parts import Part

_HOLDERS: Final = frozenset(("article", "main", "section", "div"))
_WHOLE: Final = frozenset(("article", "main"))
_CELLS: Final = frozenset(["td", "th"])
_LINKISH, _LINKED, _HARDLY = (
    0.5,
    0.2,
    0.05,
)  # shares of text in links: of a list; more than running text has; next to none
_SMALL: Final = 150  # units of a label
_NOTICE_PROSE: Final = 1_200  # units: a notice with buttons has less, an article with some has more
_CELL_PROSE: Final = 600  # units: more than a cell of data has
_LESS, _LITTLE = 0.3, 0.1  # of an article's, any block's prose: others behind it with less are no part of it
_GENERAL: Final = frozenset(("", "row", "container", "wrapper", "section", "block", "column", "col", "module", "inner"))
_LINKS_ONLY, _LISTED = 0.85, 3  # share of links in a block of nothing else; links that make a list
_HINT, _HINT_UNITS = 0.3, 500  # share of links in, and units of, a hint at another page
_LEAST_HEADLINE: Final = 20  # units: who wrote an entry, and when, is shorter
_LINE_UNITS: Final = 30  # of a paragraph that is one link: shorter ones are labels of buttons and pictures
_LISTS: Final = frozenset(("ul", "ol", "dl"))
_LINK_UNITS: Final = 90  # of one entry in a list of links


def refine(part: "Part", *, entry: bool = False) -> None:
    """Drop what at each level is no part of the text; an entry of a list starts with a link to what it is about."""
    kept = [inner for inner in part.parts if not inner.dropped]
    rich = [inner for inner in kept if inner.prose > 0]
    if not rich:
        return
    best = max(rich, key=lambda inner: inner.worth)
    labels = Counter(map(_label, rich))
    alike = _alike(_from_title(rich, best), best, labels)
    listed = frozenset() if part.favour > 1 else _listed(rich, alike)
    if listed:
        chosen = listed.union(map(id, alike))
        alike = [inner for inner in rich if id(inner) in chosen]
    own = part.prose - sum(inner.prose for inner in rich)
    if len(alike) == 1 and own < best.prose / 4 and best.tag not in TEXT_TAGS:
        _single_out(best, part, kept, entry=entry)
        part.bare = own == 0 and part.tag not in _WHOLE and not entry
    else:
        _trim(kept, alike, entry=entry)
    for inner in alike:
        if id(inner) not in listed and (inner.tag not in TEXT_TAGS or _is_layout(inner)):
            repeated = labels[_label(inner)] >= _LISTED
            refine(inner, entry=inner.count > 0 and (repeated or (entry and len(alike) == 1)))


def _alike(rich: "list[Part]", best: "Part", labels: "Counter[str]") -> "list[Part]":
    """The block with most prose, and those that may be a part of the same text."""
    top = rich.index(best)
    little = _littles(rich, best)
    return [
        inner
        for place, inner in enumerate(rich)
        if inner is best
        or _is_alike(inner, best, little=place > top and id(inner) in little, alone=labels[_label(inner)] == 1)
    ]


def _single_out(best: "Part", part: "Part", kept: "list[Part]", *, entry: bool) -> None:
    before = kept.index(best)
    for place, inner in enumerate(kept):
        stays = _leads(inner, part, best, entry=entry) if place < before else _follows(inner, kept)
        inner.dropped = inner is not best and not stays


def _listed(rich: "list[Part]", alike: "list[Part]") -> frozenset[int]:
    """Blocks of one kind that lead on and say more together than the text: what a page that is no article is for."""
    chosen = frozenset(map(id, alike))
    kinds: defaultdict[str, list[Part]] = defaultdict(list)
    for inner in rich:
        if inner.count and id(inner) not in chosen and inner.favour >= 1 and inner.tag not in ("aside", *TEXT_TAGS):
            kinds[_label(inner)].append(inner)
    most = max(kinds.values(), key=_said, default=[])
    return frozenset(map(id, most)) if len(most) >= _LISTED and _said(most) > _said(alike) else frozenset()


def _said(parts: "list[Part]") -> int:
    return sum(part.text for part in parts)


def _from_title(rich: "list[Part]", best: "Part") -> "list[Part]":
    """The blocks with prose but those before the one that holds the title, unless they are of its kind."""
    if not _is_titled(best):
        return rich
    place, label = rich.index(best), _label(best)
    return [inner for inner in rich[:place] if _label(inner) == label] + rich[place:]


def _littles(rich: "list[Part]", best: "Part") -> frozenset[int]:
    """The blocks with much less prose than the best, unless all of their kind have more together and hardly a link.

    Where the best is an article or holds the title, more is little of what has links.
    """
    least = _LITTLE * best.prose
    linked = _LESS * best.prose if best.tag in _WHOLE or _is_titled(best) else least
    kinds: defaultdict[str, list[Part]] = defaultdict(list)
    for inner in rich:
        kinds[_label(inner)].append(inner)
    found: set[int] = set()
    for kind in kinds.values():
        links, text = sum(inner.links for inner in kind), sum(inner.text for inner in kind)
        bound = linked if links else least
        if links > _HARDLY * text or sum(inner.prose for inner in kind) < bound:
            found.update(id(inner) for inner in kind if inner.prose < bound)
    return frozenset(found)


def _is_titled(part: "Part") -> bool:
    """Whether a block holds the page's title and enough prose below it."""
    return part.titled and part.favour > 1


def _is_layout(part: "Part") -> bool:
    """A table that holds a page: one of its cells has most of the prose, in amounts that data has not."""
    return part.tag == "table" and part.cell >= max(part.prose / 2, _CELL_PROSE)


def _leads(inner: "Part", part: "Part", best: "Part", *, entry: bool) -> bool:
    """The heading, figure or byline at the top of a text, the headline of an entry."""
    if entry and _is_headline(inner) and not best.heads:
        return True
    tops = inner.tag in HEADINGS or inner.tag in ("figure", "p")
    return tops and part.tag in (*_HOLDERS, "li") and (inner.density < _LINKISH or inner.heads)


def _is_headline(inner: "Part") -> bool:
    return _LEAST_HEADLINE <= inner.text < _SMALL and 0 < inner.count < _LISTED and not inner.controls


def _follows(inner: "Part", beside: "list[Part]") -> bool:
    """A block without links under the same heading as a text, or with a table of data to it."""
    if inner.count or inner.controls or not inner.text:
        return False
    data = inner.prose < inner.text / 2 and any(below.tag in ("table", "dl") for below in (inner, *inner.parts))
    return data or beside[0].tag in HEADINGS


def _is_alike(inner: "Part", best: "Part", *, little: bool, alone: bool) -> bool:
    """Whether a block may be a part of the same text as the one with most prose."""
    if inner.tag in TEXT_TAGS:
        return inner.density < _LINKISH
    if inner.tag in _CELLS:
        return inner.prose >= best.prose / 4
    label = _label(inner)
    same = label == _label(best) and (inner.density <= _LINKED or not label.endswith("."))
    if inner.tag == "aside" or inner.density > _LINKED * 2:
        return same and best.density > _LINKED
    if same:
        return True
    if inner.favour < min(best.favour, 1.0):
        return False
    if alone and inner.controls and inner.prose < min(best.prose, _NOTICE_PROSE):
        return False
    if little:
        return False
    return inner.density < _LINKED and inner.prose >= inner.text / 4


def _label(part: "Part") -> str:
    """Blocks of one kind share it: the tag with its classes, or with the id where those say nothing."""
    named = part.element.attr("class") or ""
    return f"{part.tag}.{part.element.attr('id') or named if named in _GENERAL else named}"


def _trim(kept: "list[Part]", alike: "list[Part]", *, entry: bool) -> None:
    """Drop what is unlike the text at this level, and furniture before and behind it."""
    first, last = kept.index(alike[0]), kept.index(alike[-1])
    chosen = set(map(id, alike))
    for place, inner in enumerate(kept):
        if id(inner) in chosen or inner.tag in HEADINGS or (entry and place < first and _is_headline(inner)):
            continue
        if first < place < last:
            inner.dropped = _interrupts(inner) and not _is_led_to(inner, kept[place - 1])
        elif not (place and kept[place - 1].tag in HEADINGS and _is_byline(inner)):
            leads = _is_link_list(inner, _LINKISH) and not (place > last and _is_led_to(inner, kept[place - 1]))
            inner.dropped = leads or not _may_lead(inner, behind=place > last)
    _drop_orphans(kept)


def _interrupts(inner: "Part") -> bool:
    """A hint at another page, or buttons, in the midst of a text."""
    if inner.tag in ("ul", "ol", "dl", "table", "pre", "blockquote"):
        return inner.count >= _LISTED and _is_link_list(inner, _LINKS_ONLY)
    if inner.tag not in TEXT_TAGS and inner.density > _HINT and inner.text < _HINT_UNITS:
        return True
    return _is_link_list(inner, _LINKS_ONLY) or (inner.controls > 0 and inner.prose < _SMALL)


def _is_led_to(inner: "Part", before: "Part") -> bool:
    """Whether the text leads to a line or list of links: it announces one, or the line is as long as a reference."""
    if inner.controls or inner.media:
        return False
    if inner.tag == "p":
        said = inner.element.text
        return (inner.text >= _LINE_UNITS or "@" in said or "://" in said) and announces(said) is None
    if inner.tag not in _LISTS or before.tag not in TEXT_TAGS:
        return False
    said = before.element.text
    numbered = inner.tag == "ol" and before.tag in HEADINGS
    return (numbered or said.rstrip().endswith((":", "\uff1a"))) and announces(said) is None


def _is_link_list(inner: "Part", density: float) -> bool:
    return inner.count > 0 and inner.density > density and inner.text < _LINK_UNITS * inner.count


def _is_byline(inner: "Part") -> bool:
    return 0 < inner.count < _LISTED + 1 and inner.text < _SMALL and not inner.controls


def _may_lead(inner: "Part", *, behind: bool) -> bool:
    if inner.tag in TEXT_TAGS:
        return True
    if inner.tag == "aside" or inner.controls:
        return False
    return not behind or (inner.prose > 0 and inner.density < _HINT)


def _drop_orphans(kept: "list[Part]") -> None:
    """Headings that had only dropped blocks below them go with those."""
    below = True
    following = False
    for inner in reversed(kept):
        if inner.tag in HEADINGS:
            if following and below:
                inner.dropped = True
            following, below = False, True
        elif inner.text:
            following = True
            below = below and inner.dropped
