"""Languages of BCP 47 as vendors tell them apart: ISO 639-1, the two scripts of Chinese, Brazil's Portuguese."""

from typing import Final

from webseam.core.forms import Checked

_ISO_639_1: Final = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_TWO_LETTERS: Final = frozenset(_ISO_639_1.split())

TRADITIONAL_REGIONS: Final = frozenset({"tw", "hk", "mo"})
"""Where Chinese is written in traditional characters unless a tag says otherwise (CLDR, likely subtags)."""


def is_two_letter_language(code: str) -> bool:
    """Whether ISO 639-1 assigns this code; `jp` is the code of a country."""
    return code in _TWO_LETTERS


def is_traditional(controls: Checked) -> bool:
    """Whether a tag of Chinese means traditional characters. A script outranks a region: `zh-Hans-HK` is simplified."""
    parts = (controls.tag or "").split("-")
    return "hant" in parts or ("hans" not in parts and not TRADITIONAL_REGIONS.isdisjoint(parts))


def variant(controls: Checked) -> str | None:
    """The language for vendors who know `zh-hans`, `zh-hant`, `pt-br`, `pt-pt` and `en-gb`, and call `no` by `nb`."""
    name, parts = controls.language, (controls.tag or "").split("-")
    if name == "zh":
        return "zh-hant" if is_traditional(controls) else "zh-hans"
    if name == "pt":
        return "pt-br" if controls.tag == "pt" or "br" in parts else "pt-pt"  # CLDR: the likely region of `pt` is BR
    if name == "en":
        return "en-gb" if "gb" in parts else "en"
    return "nb" if name == "no" else name
