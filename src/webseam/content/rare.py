"""Elements of the kinds that few pages hold, found in one walk: asking for each kind costs as much where none is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final, Generic, Self, TypeAlias, TypeVar

if TYPE_CHECKING:
    from turbohtml import Document, Element

T = TypeVar("T")
Rare: TypeAlias = "Mapping[str, list[Element]]"
"""Elements by tag, in the order of the page; no entry for a tag that it does not hold."""

RARE: Final = frozenset(
    (
        *("h1", "h4", "h5", "h6", "hr", "blockquote", "ol", "dl", "tfoot", "col", "colgroup", "figure"),
        *("center", "fieldset", "legend", "listing", "xmp", "tt", "abbr", "rt", "sup", "sub", "time", "dialog"),
        *("button", "label", "output", "textarea", "select", "datalist", "option", "input", "meter", "progress"),
        *("video", "audio", "iframe", "object", "embed", "area", "svg", "math"),
        *("script", "style", "template", "noscript", "applet", "canvas", "noframes", "noembed"),
        *("amp-img", "amp-anim", "amp-video", "amp-audio", "amp-iframe", "frame"),
    )
)
"""Tags that the walk tells of. Those that pages hold by the hundred are left to selectors."""
_WITHIN: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_COMBINATOR: Final = re.compile(r"[ >+~]")


def rare_elements(doc: "Document") -> Rare:
    """The elements of all rare tags; must run before the first edit of those who rely on it.

    One walk in the parser (measured on a 105 kB page: 10 us for any number of tags, against 0.5 us for each selector).
    """
    found: dict[str, list[Element]] = {}
    for element in doc.iter_elements(RARE):
        found.setdefault(element.tag, []).append(element)
    return found


def rare_tag(selector: str) -> str | None:
    """The tag of the elements that a selector without lists finds (`hr` of `td hr`), where that is a rare one."""
    compound = _COMBINATOR.split(_WITHIN.sub("", selector))[-1]
    tag = compound.partition(":")[0].partition(".")[0]
    return tag if tag in RARE else None


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """A selector, what is done with what it finds, and its place in the order of the work."""

    place: int
    selector: str
    meant: T


@dataclass(frozen=True, slots=True)
class Selectors(Generic[T]):
    """Selectors of which a page is asked only those whose elements it may hold.

    Those of rare tags are looked up by the tags that are there, so that an ordinary page pays nothing for them, not
    even the memory they stand in (measured: 150 of them, cold, cost as much as a tenth of the parse).
    """

    always: tuple[Asked[T], ...]
    by_tag: Mapping[str, tuple[Asked[T], ...]]

    @classmethod
    def of(cls, meant: Mapping[str, T]) -> Self:
        """Selectors with what each is for."""
        asked = [Asked(place, selector, use) for place, (selector, use) in enumerate(meant.items())]
        tags = [rare_tag(one.selector) for one in asked]
        by_tag = {tag: tuple(one for one, its in zip(asked, tags, strict=True) if its == tag) for tag in tags if tag}
        return cls(tuple(one for one, tag in zip(asked, tags, strict=True) if tag is None), by_tag)

    def likely(self, rare: Rare) -> "Sequence[Asked[T]]":
        """Those to ask a page that holds these rare elements, in order."""
        found = [self.by_tag[tag] for tag in rare if tag in self.by_tag]
        return sorted(chain(self.always, *found), key=attrgetter("place")) if found else self.always
