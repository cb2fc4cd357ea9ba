"""Labels, snippets and URLs that somebody else chose, made safe to stand in one Markdown list line."""

import re
from collections.abc import Iterator
from typing import Final

from webseam.content.hygiene import clean_line
from webseam.core.errors import WebError
from webseam.core.limits import TITLE_CHARS, URL_CHARS
from webseam.core.url import Url, ascii_host, host_of, in_domain

_PLAIN_URL: Final = re.compile(r"https?://[A-Za-z0-9.\-:\[\]]+(?:[/?#][A-Za-z0-9\-._~:/?#\[\]!$&'()*+,;=%]*)?")
_LABEL_MARKS: Final = re.compile(r"([\\\[\]()`|<])")
_TEXT_MARKS: Final = re.compile(r"([\\\[\]`|<])")
_CLAIM: Final = re.compile(
    r"(https?://|www\.)?((?:[^\W_](?:[\w-]{0,62})\.){1,8}([^\W\d_]{2,24}))(?![\w-])", re.IGNORECASE
)
_FILE_ENDING: Final = re.compile(
    r"cc|cfg|conf|cpp|css|csv|docx?|gif|go|gz|html?|ini|ipynb|java|jpe?g|jsx?|json|kt|lock|log|md|mjs|mov|pdf|php|pl|png|"
    r"ps|py|rb|rs|rst|sh|so|sql|svg|swift|tar|toml|tsx?|txt|xlsx?|xml|ya?ml|zip",
    re.IGNORECASE,
)
"""Endings that are a file's far more often than a host's: `README.md` claims no host, `https://bank.md` does."""

_IMAGE: Final = re.compile(r"!\[([^\[\]]{0,300})\](?:\([^()\s]{0,2048}(?:\s[^()]{0,300})?\)|\[[^\[\]]{0,300}\])")
# A label with a dot in it, brackets escaped. The opening one stands before its look-behind, so that the engine can skip
# to it (measured: seven times faster); possessive runs keep a failing match linear.
_LINK: Final = re.compile(
    r"\[(?<!\\\[)((?:[^\[\].\\]++|\\.)*+\.(?:[^\[\]\\]++|\\.)*+)\]\((https?://[^\s()]{1,2048})(?:\s[^()]{0,300})?\)"
)
_FOREIGN_HOST: Final = re.compile(r"\]\((https?://[^\x00-\x20/?#()]*[^\x00-\x7f/?#()][^\s()]{0,2048})")
_CLAIM_CHARS: Final = 1_000  # of a label; what stands behind is no claim that a reader sees first
_CANONICAL_HOST: Final = re.compile(r"https?://([a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]+)(?=[:/?#]|\Z)")
_DIRECTIVE: Final = ":~:"
_CUT: Final = "\u2026"


def escape_label(text: str) -> str:
    """`text` so that it can neither end the link it labels nor start another, nor code, nor a table cell."""
    return _LABEL_MARKS.sub(r"\\\1", text)


def escape_text(text: str) -> str:
    """`text` so that it holds no link, image, code or markup; parentheses stay readable."""
    return _TEXT_MARKS.sub(r"\\\1", text)


def shown_url(url: str, *, limit: int = URL_CHARS) -> str:
    """A URL as the model may copy it: the given spelling where that is harmless, else the canonical one.

    Credentials and text directives go; what would end a Markdown link is percent-encoded. A text that is no URL
    comes back as one clean line. Never raises.
    """
    if _is_harmless(url) and len(url) <= limit:
        return url
    try:
        line = _inert(_without_credentials(Url.parse(url)))
    except WebError:
        cleaned = clean_line(url, limit=limit)
        if cleaned != url:
            return shown_url(cleaned, limit=limit)
        line = _inert(url)
    return line if len(line) <= limit else _without_parentheses(line)[: limit - 1] + _CUT


def _is_harmless(url: str) -> bool:
    plain = _PLAIN_URL.fullmatch(url.removesuffix(_CUT)) is not None
    return plain and _balanced(url) and _DIRECTIVE not in url


def _without_credentials(url: Url) -> str:
    if not url.credentials and _DIRECTIVE not in url.fragment:
        return url.href
    fragment = url.fragment.partition(_DIRECTIVE)[0]
    return f"{url.origin}{url.path}{url.query}{'' if fragment == '#' else fragment}"


def _inert(url: str) -> str:
    for mark in "\\`|<>":
        url = url.replace(mark, f"%{ord(mark):02X}")
    return "%20".join((url if _balanced(url) else _without_parentheses(url)).split(" "))


def _without_parentheses(url: str) -> str:
    return url.replace("(", "%28").replace(")", "%29")


def _balanced(text: str) -> bool:
    depth = 0
    for mark in re.findall(r"[()]", text):
        depth += 1 if mark == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def link(url: str, title: str | None) -> str:
    """`[label](url)`: the label is the title, else the host, else the raw text (dsh-81)."""
    named = clean_line(title, limit=TITLE_CHARS) if title else ""
    label = named or host_of(url) or clean_line(url, limit=TITLE_CHARS) or "link"
    return f"[{escape_label(label)}]({shown_url(url)}){real_host(label, url)}"


def real_host(label: str, url: str) -> str:
    """` (on host)` when the label names another host than the one it leads to, else nothing."""
    claimed = tuple(_claimed(label))
    host = _host(url) if claimed else None
    if host is None or all(in_domain(one, host) or in_domain(host, one) for one in claimed):
        return ""
    return f" (on {host})"


def _host(url: str) -> str | None:
    """`host_of`, without a parse where the URL is canonical as it stands: a page may hold a hundred thousand."""
    found = _CANONICAL_HOST.match(url)
    return found[1] if found else host_of(url)


def _claimed(label: str) -> Iterator[str]:
    for prefix, name, ending in _CLAIM.findall(label[:_CLAIM_CHARS]):
        claimed = name.lower() if name.isascii() else ascii_host(name)
        if claimed is not None and (prefix or not _FILE_ENDING.fullmatch(ending)):
            yield claimed


def with_real_hosts(text: str) -> str:
    """Markdown whose links show their own host where their text claims another, and every host in ASCII (punycode).

    A letter of another script that looks like a Latin one gives itself away in that form (UTS #46, UTR #36).
    """
    if not text.isascii():
        text = _FOREIGN_HOST.sub(lambda found: f"]({shown_url(found[1])}", text)
    return _LINK.sub(_shown_link, text)


def tame_markdown(text: str) -> str:
    """Markdown that a vendor's model wrote: pictures become text, and links show their hosts."""
    text = _IMAGE.sub(lambda found: f"[image: {found[1]}]" if found[1].strip() else "[image]", text)
    return with_real_hosts(text)


def _shown_link(found: re.Match[str]) -> str:
    return f"{found[0]}{real_host(found[1], found[2])}"
