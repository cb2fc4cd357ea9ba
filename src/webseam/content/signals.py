"""What a page says about itself besides its text: challenge, empty shell, refresh. Signals, never verdicts. Pure."""

import html as entities
import re
from collections.abc import Mapping
from typing import Final

from webseam.content.link_header import link_notes
from webseam.content.plain_text import plain_text
from webseam.core.limits import SIGNAL_CHARS, URL_CHARS
from webseam.core.text import one_line
from webseam.core.types import Note

_HEAD_CHARS: Final = 8_192  # where a head without a <body> tag behind it is searched
_SMALL_CHARS: Final = 24_576  # the largest challenge page seen has about 15,000
_SHELL_TEXT: Final = 200  # visible characters that make a page more than a shell
_STEP: Final = 2_048  # characters of markup read at a time
_SPINNER_CHARS: Final = 24  # "Loading, please wait...": what a shell may show before its scripts run
_BLOCKS: Final = 6  # blocks of text that make it so at a glance
_CHALLENGE_TEXT: Final = 300  # visible characters a challenge page may have
_REFUSALS: Final = frozenset({202, 401, 403, 405, 428, 429, 503})

_CHALLENGE_HEADERS: Final = (
    ("cf-mitigated", ("challenge",)),
    ("x-vercel-mitigated", ("challenge", "deny")),
    ("x-amzn-waf-action", ("captcha", "challenge")),
    ("x-datadome", ("protected",)),
    ("sg-captcha", ("challenge",)),
)
_CHALLENGE_TITLE: Final = re.compile(
    r"^just a moment(?:\W*|, please\W*)$|^attention required\W*(?:\| cloudflare)?$|checking your browser"
    r"|ddos-guard|pardon our interruption|are you a robot"
    r"|robot or human|verify(?:ing)? (?:that )?you are (?:a )?human|human verification|bot verification"
    r"|client challenge|security checkpoint|making sure you(?:'|\u2019|&#39;)re not a bot|page has been denied"
    r"|access to this site has been limited|^robot check$|robot challenge screen"
    r"|let's confirm you are human|one moment, please|^captcha$|please wait\.\.\. \| cloudflare",
    re.IGNORECASE,
)
_REFUSAL_TITLE: Final = re.compile(
    r"access denied|security check|blocked|request rejected|forbidden by|captcha|radware", re.IGNORECASE
)
_CHALLENGE_MARKS: Final = (  # of pages that are nothing but a challenge
    *("_cf_chl_opt", "/cdn-cgi/challenge-platform/h/", "captcha-delivery.com", "Incapsula incident ID"),
    *("anubis_challenge", "sucuri_cloudproxy_js", "sec-if-cpt-container", "bm-verify", "/.bunny-shield/"),
    *("/.well-known/sgcaptcha/", "/errors/validateCaptcha", "The requested URL was rejected. Please consult"),
)
_REFUSAL_MARKS: Final = (  # which other pages may hold too
    *("_Incapsula_Resource", "px-captcha", "awsWafCookieDomainList", "KPSDK", "captcha-form", "anomaly-modal"),
)
_CHALLENGE_WIDGETS: Final = ("g-recaptcha", "h-captcha", "cf-turnstile")
_UNAUTHORIZED: Final = 401  # asks for a login, where such a widget is part of the form
_TITLE: Final = re.compile(r"<title[^<>]*>([^<]{0,300})", re.IGNORECASE)
_BODY: Final = re.compile(r"<body\b", re.IGNORECASE)
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_META: Final = re.compile(r"""<meta\b((?:[^"'<>]|"[^"]{0,4096}"|'[^']{0,4096}')*)>""", re.IGNORECASE)
_ATTRIBUTE: Final = re.compile(r"""([a-z\-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_REFRESH: Final = re.compile(
    r"""\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""", re.IGNORECASE | re.DOTALL
)
_OPENED: Final = re.compile(r"<(script|style|template|noscript|svg|title|!--)", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*(?:>|\Z)|\s+|&nbsp;")
_MEDIA: Final = re.compile(r"<(?:img|video|audio|canvas|iframe|embed|object|picture|frame)\b", re.IGNORECASE)
_NEEDS_JS: Final = re.compile(
    r"<noscript[^<>]*>(?:(?!</noscript).){0,1000}?(?:javascript|browser)", re.IGNORECASE | re.DOTALL
)
_MOUNTS: Final = r"(?:(?:react-)?root|app|__next|__nuxt|_{2,3}gatsby|svelte|q-app)"
_EMPTY_MOUNT: Final = re.compile(
    rf"""<(div|main|section)\b[^<>]*\bid\s*=\s*["']?{_MOUNTS}\b["']?[^<>]*>\s*(?:<!--[^<>]{{0,200}}-->\s*)?</\1""",
    re.IGNORECASE,
)
_LOADING: Final = re.compile(
    r"\W*(?:(?:page |app |content |now |still )?loading|please wait|one moment|initiali[sz]ing|starting)\b"
    r"(?:[\w ,]{0,60})\W*(?:please wait\W*)?",
    re.IGNORECASE,
)
_ASKS_FOR_JS: Final = re.compile(
    r"\b(?:enable|requires?|needs?|turn on|activate|support)\b[^.!?]{0,60}\bjava ?script"
    r"|java ?script\b[^.!?]{0,40}\b(?:required|disabled|not enabled|turned off|needed|must be|is off)\b",
    re.IGNORECASE,
)
_MOUNT: Final = re.compile(r"""<div[^<>]*\bid\s*=\s*["']?(?:root|app|__next|__nuxt|gatsby|svelte)\b""", re.IGNORECASE)


def page_notes(html: str, *, headers: Mapping[str, str], status: int) -> tuple[Note, ...]:
    """Notes on an HTML page, from at most 64 kB of its markup.

    Codes: `bot_challenge`, `meta_refresh` (detail: the target as written), `needs_javascript`, `empty`, and from the
    `Link` header `markdown_alternate`, `llms_txt` (detail: the target as written).

    Args:
        html: the page as decoded.
        headers: response headers by lower-case name.
        status: HTTP status code.
    """
    body = _start_of_body(html)
    challenge, refresh = _challenge(html, headers, status), _refresh(html, headers, body)
    bare = _bare(html, max(body, 0)) if challenge is None else None
    found = (challenge, refresh, None if bare is None else Note(code=bare))
    return (*(note for note in found if note is not None), *link_notes(headers.get("link")))


def _challenge(html: str, headers: Mapping[str, str], status: int) -> Note | None:
    for name, values in _CHALLENGE_HEADERS:
        if headers.get(name, "").strip().lower() in values and (name != "x-datadome" or status in _REFUSALS):
            return Note(code="bot_challenge", detail=name)
    refused = status in _REFUSALS
    if len(html) > (SIGNAL_CHARS if refused else _SMALL_CHARS):
        return None
    found = _TITLE.search(html, 0, _HEAD_CHARS)
    title = found[1].strip() if found else ""
    if _CHALLENGE_TITLE.search(title) or (refused and _REFUSAL_TITLE.search(title)):
        return Note(code="bot_challenge", detail=one_line(title))
    mark = _challenge_mark(html, status, refused=refused)
    return None if mark is None else Note(code="bot_challenge", detail=mark)


def _challenge_mark(html: str, status: int, *, refused: bool) -> str | None:
    """What in a page gives it away as a challenge; a page that was not refused must also have little to read."""
    mark = next((mark for mark in _CHALLENGE_MARKS if mark in html), None)
    if mark is not None and (refused or _visible(html, 0, enough=_CHALLENGE_TEXT)[0] < _CHALLENGE_TEXT):
        return mark
    if not refused:
        return None
    mark = next((mark for mark in _REFUSAL_MARKS if mark in html), None)
    if mark is not None or status == _UNAUTHORIZED or _visible(html, 0)[0] >= _SHELL_TEXT:
        return mark
    return next((mark for mark in _CHALLENGE_WIDGETS if mark in html), None)


def _refresh(html: str, headers: Mapping[str, str], body: int) -> Note | None:
    """A declared move elsewhere, by header or by the first `<meta http-equiv=refresh>` of the head."""
    refresh = headers.get("refresh")
    for content in (refresh,) if refresh is not None else _refresh_contents(html, body):
        target = refresh_target(entities.unescape(content))
        if target:
            return Note(code="meta_refresh", detail=one_line(target, limit=URL_CHARS))
    return None


def refresh_target(content: str) -> str | None:
    """The URL in the value of a refresh, as written; None where the page only asks to be loaded again."""
    found = _REFRESH.match(content)
    return ((found[1] or found[2] or found[3] or "").strip() or None) if found else None


def _refresh_contents(html: str, body: int) -> list[str]:
    end = body if body >= 0 else _HEAD_CHARS
    if not _has_http_equiv(html, end):
        return []
    head = html[:end]
    if "refresh" not in head.lower():
        return []
    contents = []
    for meta in _META.finditer(_COMMENT.sub("", head)):
        attributes = {part[1].lower(): part[2] or part[3] or part[4] or "" for part in _ATTRIBUTE.finditer(meta[1])}
        if attributes.get("http-equiv", "").strip().lower() == "refresh":
            contents.append(attributes.get("content", ""))
    return contents


def _has_http_equiv(html: str, end: int) -> bool:
    """Whether `http-equiv` stands before `end`, in any case: found by its rarest letter, twenty times as quickly."""
    for letter in "qQ":
        at = -1
        while (at := html.find(letter, at + 1, end)) >= 0:
            if html[max(0, at - 6) : at + 4].lower() == "http-equiv":
                return True
    return False


def _start_of_body(html: str) -> int:
    """Where the body starts, -1 without a tag of it; the common spelling is found without a regular expression."""
    at = html.find("<body", 0, SIGNAL_CHARS)
    if at >= 0:
        return at
    found = _BODY.search(html, 0, _HEAD_CHARS)
    return found.start() if found else -1


def _bare(html: str, start: int) -> str | None:
    """`empty` or `needs_javascript` for a page that shows next to nothing from `start` on."""
    if _has_blocks_of_text(html, start):
        return None
    text, whole, media = _visible(html, start)
    if text >= _SHELL_TEXT or not whole:
        return None
    has_script = "<script" in html or "<SCRIPT" in html
    if has_script and _is_shell(html, text):
        return "needs_javascript"
    return None if text or media else ("needs_javascript" if has_script else "empty")


def _is_shell(html: str, text: int) -> bool:
    """Whether a page with `text` visible characters says that it needs scripts, or has a place for what they make."""
    mount = _MOUNT.search(html, 0, SIGNAL_CHARS) is not None
    if _NEEDS_JS.search(html, 0, SIGNAL_CHARS) and (not text or (mount and text < _SPINNER_CHARS)):
        return True
    if not text:
        return mount
    if _EMPTY_MOUNT.search(html, 0, SIGNAL_CHARS):
        return True
    words = " ".join(plain_text(html[:SIGNAL_CHARS])[0].split())
    return len(words) < 2 * _SHELL_TEXT and (_LOADING.fullmatch(words) or _ASKS_FOR_JS.search(words)) is not None


def _has_blocks_of_text(html: str, start: int) -> bool:
    """A quick yes for ordinary pages: several paragraphs, items or cells that end in text.

    Looked for from the far end: pages open with menus and scripts, and close with little.
    """
    for closing in ("</p>", "</li>", "</td>"):
        at, seen = SIGNAL_CHARS, 0
        while (at := html.rfind(closing, start + 1, at)) > 0:
            seen += html[at - 1] not in ">\n "
            if seen == _BLOCKS:
                return True
    return False


def _visible(html: str, at: int, *, enough: int = _SHELL_TEXT) -> tuple[int, bool, bool]:
    """Visible characters (counting stops when there are enough), whether the page was seen to its end, any media.

    What scripts, styles and the like hold is skipped without being counted or charged.
    """
    count, budget, media = 0, SIGNAL_CHARS, False
    while at < len(html) and budget > 0 and count < enough:
        window = _window(html, at)
        opened = _OPENED.search(window)
        shown = window[: opened.start()] if opened else window
        media = media or _MEDIA.search(shown) is not None
        count += len(_TAG.sub("", shown))
        budget -= len(shown) + 1
        at = _after(html, opened[1].lower(), at + opened.end()) if opened else at + len(window)
    return count, at >= len(html), media


def _window(html: str, at: int) -> str:
    """The next stretch of markup, not ending inside a tag where that can be helped."""
    window = html[at : at + _STEP]
    edge = window.rfind("<")
    inside = at + _STEP < len(html) and edge > 0 and window.find(">", edge) < 0
    return window[:edge] if inside else window


def _after(html: str, name: str, at: int) -> int:
    """The position behind the element or comment that opened before `at`; the end when it never closes."""
    closing = "-->" if name == "!--" else f"</{name}"
    end = html.find(closing, at)
    if end < 0 and name != "!--":
        end = html.find(closing.upper(), at)
    end = html.find(">", end) if end >= 0 else -1
    return len(html) if end < 0 else end + 1
