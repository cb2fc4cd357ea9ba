"""What a page's markup says about a block: words in class and id, roles. Evidence, never a verdict. Pure."""

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from webseam.content.main_parts import HEADINGS, TEXT_TAGS

if TYPE_CHECKING:
    from webseam.content.main_parts import Part

Sign: TypeAlias = Literal["notice", "chrome", "talk", "side", "author", "body", "apart"] | None

_LONGEST: Final = 400  # characters of labels looked at: more is a list of utility classes
_LABELS_KEPT: Final = 2_048  # labels repeat on a page and on a site
_WORDS: Final = re.compile("[A-Z]*[a-z]+|[A-Z]+")  # camel case apart


def _set(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


_LABELLED: Final = _set(
    "div section aside ul ol nav header footer form table article main p dl td figure details blockquote span"
)
_ATTRIBUTES: Final = frozenset(("class", "id", "role", "aria-label", "data-testid", "data-component", "itemprop"))
_CHROME_ROLES: Final = _set("navigation banner contentinfo search menu menubar toolbar dialog alertdialog tablist")
_NOTICE: Final = _set(
    "cookie cookies cookiebar consent gdpr ccpa onetrust cmp newsletter signup subscribe subscription paywall",
    "regwall piano",
)
_CHROME: Final = _set(
    "share sharing sharebar shares social socials addthis breadcrumb breadcrumbs pagination pager paginator navbar nav",
    "navigation menu submenu toolbar skip promo promos promotion advert adverts advertisement ads ad adbox",
    "sponsor sponsored banner overlay masthead toc footer copyright legal login print outbrain",
    "taboola cta follow jump feedback rating ratings vote donate donation edit editsection navbox catlinks",
    "more metadata tags taglist tagcloud keywords switcher language langs search cart basket buy",
)
_TALK: Final = _set(
    "comment comments commentlist disqus respond responses replies reviews discussion livefyre kommentar kommentare",
    "kommentarer commentaire commentaires comentario comentarios commenti reacties yorumlar komentarze",
)
_SIDE: Final = _set(
    "related recommend recommended recommendations recirc recirculation sidebar side rail also",
    "similar trending popular latest mostread readnext next prev previous teaser teasers upsell",
    "suggested suggestions",
    "contributor partner partners bestseller bestsellers accessories",
)
_WIDGET: Final = re.compile(r"(?i)(?<![\w-])widgets?(?![a-z])")  # page builders call every block some-widget
_AUTHOR: Final = re.compile(
    r"(?i)\b(?:authors?|autore?n?|auteur|byline|by-line|bio|biography|author[_-]?(?:box|bio|info|card|container|profile)"
    r"|about[_-]?author|dateline|timestamp|pub[_-]?date|publish(?:ed)?[_-]?\w*|posted[_-]?(?:on|by|at)|date[_-]?time"
    r"|(?:entry|post|article|story)s?[_-]{0,2}(?:meta|date|info|time|byline|author)(?:data|time|line)?)\b"
)
_WRITING: Final = _set(
    "author authors autor autore autoren auteur by byline bio biography about dateline timestamp pub pubdate publish",
    "published posted date datetime entry post posts article articles story postmetadata postmeta postinfo",
    "postdate entrymeta entrydate authorbox authorinfo authorbio authorcard",
)
_ENTRY: Final = re.compile(r"(?i)\b(?:hentry|type-\w+|status-publish)\b")  # one that names its author as a class
_BODY: Final = re.compile(
    r"(?i)articlebody|article[_-]?(?:body|content|text)|(?:entry|post|story)[_-]?(?:content|body|text)"
)
_WINDOWS: Final = _set("modal popup lightbox dialog offcanvas noprint")
_MEDIUM: Final = re.compile(  # shown on paper alone, or on the screen alone
    r"(?i)\b(?:d-print-\w+|(?:visible|hidden|not?|hide|show|only|dont)[-_]?(?:for-|on-|in-)?print\w*|print[-_]?(?:only|hidden|none|hide))\b"
)
_WORDLESS: Final = re.compile(r"[\W_]+")
_HAS: Final = re.compile(r"(?i)\b(?:has|with|no|without|is|js)[-_]\w[\w-]*")
_ADVERTS: Final = _set(
    "ad ads advertisement advertisements advertising sponsored anzeige werbung publicité publicidad pubblicità",
    "publicidade advertentie annons реклама 広告 广告 廣告 광고 إعلان",
)
_CREDIT: Final = re.compile(
    r"(?i)[(\[|]?\s*(?:©|(?:photos?|photographs?|fotos?|bild(?:er|quelle|nachweis)?|crédit|фото|foto)"
    r"(?: ?credits?| ?courtesy)?\s*(?:[:©/]|by\b|via\b|courtesy)|(?:image|picture) (?:credits?|courtesy)|getty images"
    "|(?:写真|图片来源|图源|사진)\\s*[:\uff1a])"
)
_RESERVED: Final = re.compile(
    r"(?i)all rights reserved|alle rechte vorbehalten|tous droits réservés|derechos reservados|diritti riservati"
)
_CREDITED: Final = re.compile(r"(?i)©|\b(?:fotos?|photos?|bild|credit)(?: by| credit)?\s?:|getty images|shutterstock")
_CREDITING: Final = _set("p div span small figcaption figure center section")
CREDIT_UNITS: Final = 120
"""A longer caption says more than whose picture it is."""
ADVERT_UNITS: Final = 20
"""A longer block is never a mark above an advertisement."""


def is_advert(text: str) -> bool:
    """Whether a text is the mark that stands above advertisements."""
    return text.strip(" \n\t-:*").casefold() in _ADVERTS


def is_credit(text: str, tag: str) -> bool:
    """Whether a text says whose a picture or a page is, and little else."""
    if tag == "figcaption":
        return _CREDITED.search(text) is not None
    return tag in _CREDITING and (_CREDIT.match(text.lstrip()) or _RESERVED.search(text)) is not None


def sign(part: "Part") -> Sign:
    """What the labels of a block suggest: furniture, a notice, readers' talk, other content, the body, or nothing."""
    tag = part.tag
    if tag == "nav":
        return "chrome"
    if tag not in _LABELLED:
        return None
    attrs = part.element.attrs
    if not attrs:
        return None
    said = [(name, part.element.attr(name) or "") for name in attrs if name in _ATTRIBUTES]
    if not said:
        return None
    for name, value in said:
        if name == "role" and value.lower() in _CHROME_ROLES:
            return "chrome"
    labels = " ".join([value for name, value in said if name != "id" or not _is_heading_id(part)])
    return _read(labels[:_LONGEST])


def _is_heading_id(part: "Part") -> bool:
    """Whether a section of text is only named after its own heading, as documentation tools do."""
    if not part.parts or part.parts[0].tag not in HEADINGS:
        return False
    first = part.parts[0]
    slug, name = (_WORDLESS.sub("-", text.casefold()).strip("-") for text in (first.element.text, _id(part)))
    flowing = sum(inner.text for inner in part.parts if inner.tag in TEXT_TAGS)
    return slug.startswith(name) and flowing * 2 > part.text


def _id(part: "Part") -> str:
    return part.element.attr("id") or ""


@lru_cache(maxsize=_LABELS_KEPT)
def _read(labels: str) -> Sign:
    whole = labels
    labels = _HAS.sub("", labels)
    words = {word.lower() for word in _WORDS.findall(labels)}
    if not words.isdisjoint(_WINDOWS) or ("print" in whole and _MEDIUM.search(whole)):
        return "apart"
    if not words.isdisjoint(_TALK):
        return "talk"
    if not words.isdisjoint(_NOTICE):
        return "notice"
    if _BODY.search(labels):
        return "body"
    if not words.isdisjoint(_SIDE) or _WIDGET.search(labels):
        return "side"
    if not words.isdisjoint(_WRITING) and _AUTHOR.search(labels) and not _ENTRY.search(labels):
        return "author"
    return "chrome" if not words.isdisjoint(_CHROME) else None
