"""JSON laid out for people, token by token: no number, key or escape is rewritten. Pure."""

import json
import re
from typing import Final

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+')
_EMPTY: Final = {"{": "}", "[": "]"}
_INDENT: Final = "  "


def pretty_json(text: str) -> str:
    """JSON with a line for each value, indented by two spaces; text that is no JSON is given back as it is.

    Numbers, strings and repeated keys stay as written.
    """
    try:
        json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return text
    made: list[str] = []
    pieces = _TOKEN.findall(text.removeprefix("\ufeff"))
    depth, before = 0, ""
    for piece in pieces:
        if piece in "}]":
            depth -= 1
            made.append(piece if _EMPTY.get(before) == piece else _line(depth) + piece)
        else:
            made.append((_line(depth) if before in ("{", "[", ",") else "") + piece)
            depth += piece in "{["
        if piece == ":":
            made.append(" ")
        before = piece
    return "".join(made)


def _line(depth: int) -> str:
    return "\n" + _INDENT * depth
