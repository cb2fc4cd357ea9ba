"""What a tenant is told of a failure: what it can do itself, and nothing that only whoever runs the gateway can.

Messages are written for the person at this machine, who can set a variable or mend a file. A tenant can do neither, and
need not know how the gateway is set up; its admins are told all.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Final

from webseam.core.errors import Code, WebError
from webseam.core.settings import ToolSettings
from webseam.tools.result import ToolResult
from webseam.wiring.schema import settings as known_settings

ASK: Final = "Ask whoever runs this gateway."
_SET_UP: Final[Mapping[str, str]] = {
    Code.PROVIDER_UNAVAILABLE: "No provider can be used for this now.",
    Code.PROVIDER_CONFIGURED_MISSING: "The provider that this gateway is to use is not there.",
    Code.PROVIDER_CONFIGURED_UNAVAILABLE: "The provider that this gateway is to use cannot be used now.",
    Code.PROVIDER_AMBIGUOUS: "Several providers could be used for this, and none is chosen.",
    Code.DUPLICATE_PROVIDER: "Two providers of this gateway have one name.",
    Code.PROVIDER_CREDENTIAL_MISSING: "The provider that this gateway is to use cannot be used now.",
    Code.CONFIG_INVALID: "This gateway's configuration does not allow for this now.",
}
"""Failures that are about how the gateway is set up, and about nothing else."""

_FOR_TENANTS: Final = "this gateway"
"""A message that says so was written for them."""

_PHRASES: Final[Mapping[str, str]] = {
    "Change the request, or the options of this provider.": "Change the request.",
    "Try again later, or enable other engines in the instance.": "Try again later.",
}
_ACCOUNT: Final = re.compile(r"Check (?:its|the) (?:base|credential|key)\b|Top it up\b|Raise its\b", re.ASCII)
"""How advice begins that is about a vendor's account, which is the operator's."""

_ACCOUNT_STATUSES: Final = frozenset({401, 402, 403})

_LISTS: Final[Mapping[str, str]] = {
    "permission.allow_hosts": "the list of hosts that may be asked",
    "permission.deny_hosts": "the list of hosts that are never asked",
}
_SENTENCES: Final = re.compile(r"(?<=[.!?]) +")
_ADVICE: Final = re.compile(
    r"(?:If|Where|Set|Raise|Run|Give|List|Check|Choose|Leave|From|See|Name|Make|Put|Install)\b", re.ASCII
)
_LAST_ADVICE: Final = re.compile(
    r",? or (?:add|choose|give|leave|list|make|name|put|raise|record|run|set|turn)\b.*", re.ASCII
)
_PATH: Final = r"/(?:[\w.~@+\-]+/)+[\w.~@+\-]*\w"
_START: Final = r"(?<![^\s(\"'`])"
"""Not in the midst of a URL, which a page may have chosen."""
_END: Final = r"(?![\w\-/]|\.\w)"


@cache
def _operators() -> re.Pattern[str]:
    """The names of what only an operator can set or run: settings, variables, options, commands."""
    names = "|".join(re.escape(f"{section}.{name}") for section, name in known_settings())
    return re.compile(
        rf"{_START}(?:(?:{names}|providers\.[\w\-.]*\w|[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|KEYS|TOKEN|SECRET)"
        rf"|WEBSEAM_[A-Z0-9_]+|--[a-z][a-z\-]+){_END}|`webseam [^`]*`|\[providers\.[^\]\s]*\]|pip install \S+)",
        re.ASCII,
    )


def for_tenant(error: WebError) -> WebError:
    """The same failure in words for a tenant; codes, providers and times stay."""
    message = _SET_UP.get(error.code)
    if message is None or _FOR_TENANTS in error.message:
        message = reworded(_without_account(error), asking=True)
    elif error.retry_after is not None:
        message = f"{message} Try again in a moment. {ASK}"
    else:
        message = f"{message} {ASK}"
    return error if message == error.message else _with(error, message)


def _without_account(error: WebError) -> str:
    """The message without what a vendor says of the operator's account: a name, a plan, a part of the key."""
    if error.code != Code.QUOTA_EXHAUSTED and error.status not in _ACCOUNT_STATUSES:
        return error.message
    head, said, rest = error.message.partition("): ")
    return f"{head}). {_SENTENCES.split(rest)[-1]}" if said else error.message


def _with(error: WebError, message: str) -> WebError:
    told = WebError(
        error.code,
        message,
        provider=error.provider,
        dispatched=error.dispatched,
        retryable=error.retryable,
        retry_after=error.retry_after,
        attempts=error.attempts,
        status=error.status,
    )
    told.__cause__ = error
    return told


def reworded(text: str, *, asking: bool) -> str:
    """Sentences without what only an operator can do.

    Args:
        text: of ours; what others wrote in it stays, but where it names one of our settings.
        asking: whether a sentence that is left out is to be one about whom to ask.
    """
    told, left_out = [], False
    for sentence in _SENTENCES.split(text):
        kept = "" if _ACCOUNT.match(sentence) else _PHRASES.get(sentence) or _sentence(sentence)
        left_out = left_out or (not kept and bool(sentence))
        told.append(kept)
    said = " ".join(filter(None, told))
    return f"{said} {ASK}".strip() if asking and left_out and "whoever runs" not in said else said


def _sentence(sentence: str) -> str:
    """The sentence without such names; empty for one that is advice to an operator."""
    bare = re.sub(rf" {_PATH}{_END}", "", sentence, flags=re.ASCII)
    names = _operators()
    bare = re.sub(r" \([^()]*\)", lambda found: "" if names.search(found[0][2:]) else found[0], bare)
    if not (found := names.search(bare)):
        return bare
    last = _LAST_ADVICE.search(bare)
    if last and names.search(bare, last.start()):
        bare = f"{bare[: last.start()]}, or ask whoever runs this gateway."
        found = names.search(bare)
    if found is None:
        return bare
    before = bare[: found.start()]
    if before.endswith(": "):
        return f"{before[:-2]}. {ASK}"
    if _ADVICE.match(bare) or before.endswith("unless "):
        return ""
    return _capital(names.sub(lambda one: _LISTS.get(one[0], "this gateway's configuration"), bare))


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:] if sentence.startswith(("this ", "the ")) else sentence


def discreet(settings: ToolSettings) -> ToolSettings:
    """The same, with the notice of an answer in words for a tenant."""
    notice = settings.search_notice
    return settings if notice is None else replace(settings, search_notice=reworded(notice, asking=False))


def result_for_tenant(result: ToolResult) -> ToolResult:
    """The same answer, with what was decided about each of its requests in words for a tenant."""
    decided = result.meta.get("permission") if result.meta else None
    if not decided:
        return result
    told = [{**one, "reason": reworded(one["reason"], asking=False)} if one.get("reason") else one for one in decided]
    return replace(result, meta={**result.meta, "permission": told})
