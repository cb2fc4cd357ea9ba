"""Attributes of raw HTML in Markdown: which tags can hide nothing, and which words in a tag nobody sees. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from webseam.core.limits import UNSEEN_WORDS

_KNOWN: Final = frozenset(
    (
        *("abbr", "align", "allow", "allowfullscreen", "alt", "aria-hidden", "autoplay", "bgcolor", "border"),
        *("cellpadding", "cellspacing", "checked", "cite", "class", "clear", "color", "cols", "colspan", "compact"),
        *("controls", "datetime", "decoding", "dir", "disabled", "download", "face", "for", "frameborder", "headers"),
        *(
            "height",
            "hidden",
            "href",
            "hreflang",
            "hspace",
            "id",
            "itemprop",
            "itemscope",
            "itemtype",
            "lang",
            "loading",
        ),
        *("loop", "media", "muted", "name", "nowrap", "open", "placeholder", "poster", "preload", "rel", "reversed"),
        *("role", "rows", "rowspan", "scope", "selected", "size", "sizes", "span", "src", "srcset", "start", "style"),
        *("tabindex", "target", "title", "translate", "type", "valign", "value", "vspace", "width", "xmlns"),
    )
)
_HARMLESS: Final = (
    "a|abbr|b|big|blockquote|br|center|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|font|h[1-6]|hr|i|img|ins"
    "|kbd|li|mark|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead"
    "|tr|tt|u|ul|var"
)
# No possessive groups: Python 3.11.4 and older give wrong answers where one holds a choice (cpython issue 106052).
_VALUE: Final = r"""\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>]++)"""
_SIZE: Final = r"""(?:width|height)\s*+=\s*+["']?+(?:[2-9]|1[0-9])[0-9]*+(?:px|%)?["']?+(?=[\s/>])"""
_PLAIN: Final = (
    rf"(?:{_SIZE}|(?:align|alt|class|colspan|dir|href|id|lang|name|rowspan|src|srcset|target|rel|title)(?:{_VALUE})?)"
)
SUSPECT: Final = re.compile(
    rf"<(?=[a-z!?])(?!(?:{_HARMLESS})(?:\s++{_PLAIN})*\s*+/?>|[a-z][a-z0-9.+-]++:[^\s<>]*+>|[\w.+-]++@[\w.-]++>)",
    re.IGNORECASE,
)
"""What stands in each text that hides anything: a `<` that begins neither a plain tag nor an address."""

_ATTRIBUTE: Final = re.compile(r"""[\s/]*+([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+))?""")
_TAG_NAME: Final = re.compile(r"<[^\s/>]+")


def unseen_words(tag: str) -> Iterator[tuple[int, int]]:
    """Start and end of the attributes of a start tag that HTML does not know, when they hold a sentence."""
    named = _TAG_NAME.match(tag)
    found = [one for one in _ATTRIBUTE.finditer(tag, named.end()) if one[1].lower() not in _KNOWN] if named else []
    if sum(len(one[0].split()) for one in found) > UNSEEN_WORDS:
        yield from (one.span() for one in found)
