"""Google's own words for controls, as every API in front of Google's results takes them.

Facts: the tables of Google's Custom Search reference and of its advanced search page.
"""

from typing import Final

from webseam.core.errors import WebError
from webseam.core.forms import Checked
from webseam.providers.wires.controls import unsupported
from webseam.providers.wires.languages import is_traditional

QUERY_CHARS: Final = 2048
"""Longest query of Google's own forms."""

TIMES: Final = {"hour": "qdr:h", "day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
"""Spans that end now, for `tbs`."""

_OWN_COUNTRIES: Final = {"GB": "uk"}
_OWN_LANGUAGES: Final = {"he": "iw", "nb": "no", "fil": "tl", "jv": "jw"}

_INTERFACE_LIST: Final = """
af ak am ar az be bem bg bh bn br bs ca chr ckb co crs cs cy da de ee el en eo es et eu fa fi fo fr fy ga gaa gd gl gn
gu ha haw hi hr ht hu hy ia id ig is it iw ja jw ka kg kk km kn ko kri ku ky la lg ln lo loz lt lua lv mfe mg mi mk ml
mn mr ms mt ne nl nn no nso ny nyn oc om or pa pcm pl ps pt qu rm rn ro ru rw sd sh si sk sl sn so sq sr st su sv sw
ta te tg th ti tk tl tn to tr tt tum tw ug uk ur uz vi wo xh yi yo zh zu
"""
_INTERFACE: Final = frozenset(_INTERFACE_LIST.split())
_CUSTOM_LIST: Final = """
ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN zh-TW
"""
CUSTOM_SEARCH: Final = frozenset(_CUSTOM_LIST.split())
"""Languages that `lr` of Custom Search takes."""

WEB_SEARCH: Final = CUSTOM_SEARCH | {"af", "be", "eo", "fa", "hi", "hy", "sw", "th", "tl", "uk", "vi"}
"""Languages that `lr` of the web search takes."""


def country(controls: Checked) -> str | None:
    """`gl`: where the searcher is taken to be. Google knows every code, and calls Great Britain `uk`."""
    code = controls.country
    return None if code is None else _OWN_COUNTRIES.get(code, code.lower())


def interface(controls: Checked, provider: str) -> str | None:
    """`hl`: the searcher's language.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for a language that Google has no pages in; it would ignore the code.
    """
    name = _name(controls)
    if name is not None and name.partition("-")[0] not in _INTERFACE:
        raise _unknown(controls, provider)
    return None if name is None else name.lower()


def written_in(controls: Checked, provider: str, known: frozenset[str]) -> str | None:
    """`lr`: pages in this language only.

    Raises:
        WebError: `WEB_UNSUPPORTED_CONTROL` for a language that Google does not tell apart.
    """
    name = _name(controls)
    if name is None:
        return None
    if name not in known:
        raise _unknown(controls, provider)
    return f"lang_{name}"


def _name(controls: Checked) -> str | None:
    """Google tells scripts apart for Chinese alone, by the region that writes so."""
    name = controls.language
    if name != "zh":
        return None if name is None else _OWN_LANGUAGES.get(name, name)
    return "zh-TW" if is_traditional(controls) else "zh-CN"


def _unknown(controls: Checked, provider: str) -> WebError:
    return unsupported("language", controls.tag or "", "It is not on Google's list of languages.", provider)
