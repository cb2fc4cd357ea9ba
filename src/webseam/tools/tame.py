"""Markdown that somebody else wrote, made harmless to show: pictures become text, links lead where they seem to."""

import html as entities
import re
from typing import Final

from webseam.core.limits import ALT_CHARS
from webseam.core.text import one_line
from webseam.tools.links import real_host, shown_url

_FENCED: Final = re.compile(  # CommonMark 0.31, section 4.5: no backtick behind backticks, closed by its own sign only
    r"^[ ]{0,3}(([`~])\2{2,}+)(?:(?<=~)[^\n]*+|[^`\n]*+)\n.*?(?:^[ ]{0,3}\1\2*+[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_LABEL: Final = r"((?:[^\[\]\\]++|\\.)*+)"
_TARGET: Final = r"\(\s*+<?([^()\s<>]*+(?:\([^()\s<>]*+\)[^()\s<>]*+)*+)>?(?:\s[^()]{0,300})?\)"
_IMAGE: Final = re.compile(rf"!\[{_LABEL}\](?:{_TARGET}|\[[^\[\]]{{0,300}}\])?", re.DOTALL)
_LINK: Final = re.compile(rf"\[(?<!\\\[){_LABEL}\]{_TARGET}", re.DOTALL)
_DEFINITION: Final = re.compile(r"^([ ]{0,3}\[[^\[\]\n]{1,300}\]:[ \t]*)(\S+)", re.MULTILINE)
_ELEMENT: Final = re.compile(r"<([a-z][a-z0-9:-]*)([^<>]*)>", re.IGNORECASE)
_CODE_OR_ELEMENT: Final = re.compile(
    rf"(?<![`\\])(?P<mark>`++)[^`\n]++(?P=mark)(?!`)|{_ELEMENT.pattern}", re.IGNORECASE
)
_LOADING: Final = frozenset(
    {"base", "embed", "frame", "iframe", "image", "link", "meta", "object", "script", "style", "use"}
)
_LOADED: Final = re.compile(  # what a browser fetches by itself to show an element (WHATWG HTML, SVG 2)
    r"""[\s"'/](?:src|srcset|lowsrc|dynsrc|poster|background|data|style|ping)\s*=""", re.IGNORECASE
)
_ALT: Final = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[\s\x00-\x1f]*([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
_HARMLESS: Final = frozenset({"http", "https", "mailto"})


def tame_page(text: str) -> str:
    """A page that is Markdown itself, as the model may see it; what stands in fenced code stays as it is.

    Pictures, in Markdown or HTML, become `[image: alt]`, and tags that load something else go, so that showing the
    text loads nothing. Links of another
    scheme than http, https or mailto keep their words only; credentials and text directives go, and a link whose words
    claim another host shows its own.
    """
    kept, at = [], 0
    for fence in _FENCED.finditer(text) if "```" in text or "~~~" in text else ():
        kept += [_tamed(text[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*kept, _tamed(text[at:])])


def _tamed(text: str) -> str:
    if "![" in text:
        text = _IMAGE.sub(lambda found: _image(found[1]), text)
    if "<" in text:
        text = _CODE_OR_ELEMENT.sub(_code_or_element, text)
    if "]:" in text:
        text = _DEFINITION.sub(lambda found: f"{found[1]}{_target(found[2]) or 'about:invalid'}", text)
    return _LINK.sub(_link, text) if "](" in text else text


def _image(alt: str) -> str:
    said = one_line(alt, limit=ALT_CHARS)
    return f"[image: {said}]" if said else "[image]"


def _code_or_element(found: re.Match[str]) -> str:
    """In code a tag that loads something stays to be read, though no browser takes it for one any more."""
    if found["mark"]:
        return _ELEMENT.sub(
            lambda tag: tag[0] if _element(tag[0], tag[1], tag[2]) == tag[0] else f"< {tag[0][1:]}", found[0]
        )
    return _element(found[0], found[2], found[3])


def _element(tag: str, name: str, attributes: str) -> str:
    if name.lower() != "img":
        return "" if name.lower() in _LOADING or _LOADED.search(attributes) else tag
    alt = _ALT.search(attributes)
    return _image(entities.unescape(alt[1] or alt[2] or alt[3] or "") if alt else "")


def _link(found: re.Match[str]) -> str:
    label, target = found[1], _target(found[2])
    if target is None:
        return label
    shown = found[0] if target == found[2] else f"[{label}]({target})"
    return shown + real_host(label, target)


def _target(href: str) -> str | None:
    """The target as it may be shown; None for one that is no page."""
    scheme = _SCHEME.match(entities.unescape(href))
    if scheme is None:
        return href
    if scheme[1].lower() not in _HARMLESS:
        return None
    return shown_url(href) if ("@" in href or ":~:" in href) and scheme[1].lower() != "mailto" else href
