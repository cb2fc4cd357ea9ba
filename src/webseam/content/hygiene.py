"""Characters that a reader does not see, or that steer terminals and models, taken out of text and counted. Pure.

Nothing is normalised and no script is folded: that would damage real text. Markdown links and pictures are the
matter of `markdown_hygiene`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from webseam.content.clusters import cut_between
from webseam.content.selectors import kept_joiners, kept_selectors
from webseam.core.limits import COMBINING_MARKS

_PLAIN: Final = bytes((0x09, 0x0A, *range(0x20, 0x7F)))
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
_CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_INVISIBLE: Final = (  # Default_Ignorable_Code_Point without joiners and variation selectors, and annotations
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
)
_FAR_INVISIBLE: Final = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
_SELECTORS: Final = "\u180b-\u180d\u180f\ufe00-\ufe0f"
_FAR_SELECTORS: Final = "\U000e0100-\U000e01ef"
_NONCHARACTERS: Final = "\ufdd0-\ufdef\ufffe\uffff"
_FAR_NONCHARACTERS: Final = "".join(f"{chr(n + 0xFFFE)}{chr(n + 0xFFFF)}" for n in range(0x10000, 0x110000, 0x10000))
_PRIVATE: Final = "\ue000-\uf8ff"
_FAR_PRIVATE: Final = "\U000f0000-\U000ffffd\U00100000-\U0010fffd"
# A class of the basic plane alone is a bitmap to the regular expression engine; one that reaches beyond is searched
# range by range, twenty times slower (measured). So there are two of each.
_SUSPECT: Final = re.compile(
    f"[\r\u2028\u2029\u200c\u200d\u2581\uff5c\ud800-\udfff{_CONTROLS}{_BIDI}{_INVISIBLE}{_SELECTORS}{_NONCHARACTERS}{_PRIVATE}]"
)
_FAR_SUSPECT: Final = re.compile(f"[{_FAR_INVISIBLE}{_FAR_SELECTORS}{_FAR_NONCHARACTERS}{_FAR_PRIVATE}]")
_FAR_LEADS: Final = (b"\xf0", b"\xf1", b"\xf2", b"\xf3", b"\xf4")
_MARK_RUN: Final = re.compile(f"[{_MARKS}]{{{COMBINING_MARKS + 1},}}")
_ESCAPED: Final = re.compile("[\x1b\x90\x98\x9b\x9d-\x9f]")
_ANSI: Final = re.compile(  # ECMA-48: CSI, then strings (DCS, SOS, OSC, PM, APC), then single escapes
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\\\|\x9c)"
    "|\x1b[ -/]*[0-Z\\\\-~]"
)
_TOKEN: Final = re.compile(
    "<(?=[|\uff5c][\\w\u2581/.:\\-]{1,64}[|\uff5c]>"
    "|/?(?:s|bos|eos|pad|unk|sop|eop|(?:start|end)_of_(?:turn|image|audio))>|</?SYS>>"
    '|(?:\\|/?[a-z]{4,8}(?:_[a-z]{4,8})?|/?[a-z]{4,8}(?:_[a-z]{4,8})?\\|)>|\\|"\\|>|\\]minimax\\[>'
    "|/?(?:[a-z]{2,8}:)?(?:tool_calls?|tool_responses?|tool_outputs?|think|arg_(?:key|value))>"
    "|/?(?:fim_(?:prefix|middle|suffix|pad)|file_sep|repo_name)>|(?:BOS|EOS)_TOKEN>|image_soft_token>"
    "|/?(?:[a-z]{2,8}:)?(?:function_(?:calls|results)>|invoke(?: name=|>))"
    "|(?:reserved_special_token_|unused|extra_id_|SPECIAL_)\\d{1,4}>)"
)
_BRACKET_TOKEN: Final = re.compile(
    r"\[(?=/?(?:INST|THINK|gMASK|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|SYSTEM_PROMPT|MODEL_SETTINGS)\\?\])"
)
_WORD_MARK: Final = re.compile("(?<![\u2580-\u259f])\u2581(?![\u2580-\u259f])")  # not a bar of a sparkline

_Replacement: TypeAlias = str | Callable[[re.Match[str]], str]


def _first_marks(found: re.Match[str]) -> str:
    return found[0][:COMBINING_MARKS]


# In this order: what one rule leaves behind, a later one may still have to judge.
_RULES: Final[tuple[tuple[str, re.Pattern[str], _Replacement], ...]] = (
    ("ansi", _ANSI, ""),
    ("control", re.compile(f"[{_CONTROLS}]"), ""),
    ("line_separator", re.compile("[\u2028\u2029]"), "\n"),
    ("bidi", re.compile(f"[{_BIDI}]"), ""),
    ("invisible", re.compile(f"[{_INVISIBLE}]"), ""),
    ("invisible", re.compile(f"[{_FAR_INVISIBLE}]"), ""),
    ("surrogate", re.compile("[\ud800-\udfff]"), "\ufffd"),
    ("noncharacter", re.compile(f"[{_NONCHARACTERS}]"), ""),
    ("noncharacter", re.compile(f"[{_FAR_NONCHARACTERS}]"), ""),
    ("private_use", re.compile(f"[{_PRIVATE}]"), "\ufffd"),
    ("private_use", re.compile(f"[{_FAR_PRIVATE}]"), "\ufffd"),
    ("variation_selector", re.compile(f"[{_SELECTORS}]+"), kept_selectors),
    ("variation_selector", re.compile(f"[{_FAR_SELECTORS}]+"), kept_selectors),
    ("joiner", re.compile("[\u200c\u200d]+"), kept_joiners),
    ("combining", _MARK_RUN, _first_marks),
)
_GATES: Final = {"ansi": _ESCAPED}  # what must be in a text for a rule to apply, where that is not its own pattern
_TOKEN_RULES: Final = (  # what must be in the text, which a short search tells at once; pattern; replacement
    ("<", _TOKEN, "< "),
    ("[", _BRACKET_TOKEN, "[ "),
    ("\u2581", _WORD_MARK, "_"),
    ("]~", re.compile(r"\](?=~!?b[\[\]])"), "] "),
    ("[e~[", re.compile(r"\[(?=e~\[)"), "[ "),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """Text without what was removed or broken up, and how much that was, by category.

    Categories: `ansi`, `control`, `line_separator`, `bidi`, `invisible`, `surrogate`, `noncharacter`,
    `private_use`, `variation_selector`, `joiner`, `combining`, `token`.
    """

    text: str
    removed: Mapping[str, int] = field(default_factory=dict)


def clean(text: str) -> Cleaned:
    """`text` with only characters that show, LF line ends, and no chat-template token that a tokeniser would obey.

    Joiners stay inside words of joining scripts and emoji, one variation selector where it means something, four
    combining marks on a base. Linear; text without anything of the kind is looked through once. Idempotent.
    """
    removed: dict[str, int] = {}
    rest = _unusual(text)
    if rest:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        for category, pattern, replacement in _RULES:
            if removed or _GATES.get(category, pattern).search(rest):  # what was taken out may have parted two others
                text = _applied(category, pattern, replacement, text, removed)
    for sign, pattern, token in _TOKEN_RULES:
        if sign in text:
            text = _applied("token", pattern, token, text, removed)
    return Cleaned(text=text, removed=removed)


def clean_line(text: str, *, limit: int) -> str:
    """`text` cleaned, on one line, at most `limit` code points; a cut is marked with an ellipsis."""
    line = " ".join(clean(text).text.split())
    if len(line) <= limit:
        return line
    return line[: cut_between(line, 0, limit - 1)].rstrip() + "\u2026" if limit > 1 else "\u2026"[:limit]


def _unusual(text: str) -> str:
    """All characters of `text` but plain ASCII, when a rule may apply to one of them; else nothing.

    Deleting the plain bytes leaves next to nothing to search in most texts (measured).
    """
    rest = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if not rest:
        return ""
    unusual = rest.decode("utf-8", "surrogatepass")
    far = any(lead in rest for lead in _FAR_LEADS) and _FAR_SUSPECT.search(unusual)
    return unusual if _SUSPECT.search(unusual) or far or _MARK_RUN.search(unusual) else ""


def _applied(
    category: str, pattern: re.Pattern[str], replacement: _Replacement, text: str, removed: dict[str, int]
) -> str:
    """One rule; its count is of code points taken out, or of places changed where none was."""
    after, places = pattern.subn(replacement, text)
    taken = len(text) - len(after)
    count = places if category in ("ansi", "token") or not taken else taken
    if after != text:
        removed[category] = removed.get(category, 0) + count
    return after
