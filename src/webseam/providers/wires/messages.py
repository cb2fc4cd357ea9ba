"""Anthropic's Messages wire with the server tool `web_search`: who speaks it, and how it is asked.

Spoken by Anthropic and by DeepSeek. What an answer proves is read in `messages_answer`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import msgspec

from webseam.providers.wires.asking import Ask, Question
from webseam.providers.wires.messages_answer import read_answer
from webseam.providers.wires.messages_stream import MessagesFold
from webseam.providers.wires.operators import with_sites
from webseam.providers.wires.rows import count, items, mapping
from webseam.providers.wires.vendor import Streaming, Vendor

OptionsT = TypeVar("OptionsT", bound=msgspec.Struct)

WEB_SEARCH_TOOL: Final = "web_search_20250305"
"""The basic version: later ones may consume results in code and drop the blocks that are our evidence."""

CONTROLS: Final = frozenset({"include_domains", "exclude_domains", "country"})
"""What the tool itself can honour; DeepSeek's does not."""

NO_THINKING: Final[Mapping[str, Any]] = {"thinking": {"type": "disabled"}}
"""For models that think unasked: with it on, one search becomes a billed conversation (DeepSeek)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What a vendor's options say about the wire.

    Args:
        model: who searches.
        max_tokens: longest answer.
        max_uses: searches in one answer, at most.
        answer: whether the prose of a searched answer becomes `content`; without a search it always does, labelled.
        api_version: `anthropic-version`, a day.
        extra: further fields of the body.
    """

    model: str
    max_tokens: int
    max_uses: int
    answer: bool
    api_version: str
    extra: Mapping[str, Any] = field(default_factory=dict)


def both_headers(key: str) -> dict[str, str]:
    """The key in Anthropic's own header and as a bearer token, which gateways in between look for (dsh-64)."""
    return {"x-api-key": key, "authorization": f"Bearer {key}"}


def messages_vendor(
    manner: Callable[[OptionsT], Manner],
    *,
    key: Callable[[str], Mapping[str, str]],
    native: frozenset[str] = frozenset(),
) -> Vendor[OptionsT]:
    """A vendor on this wire.

    Args:
        manner: reads its options.
        key: the header fields that prove who asks.
        native: those of `CONTROLS` that it honours.
    """
    return Vendor(
        ask=lambda question: _ask(question, manner(question.options), native),
        read=lambda answer: read_answer(answer, passed_on=manner(answer.question.options).answer),
        native=lambda _: native,
        key=key,
        one_list=True,
        stream=Streaming(fold=MessagesFold),
        more=_continued,
        join=_joined,
    )


# The request -------------------------------------------------------------------------------------------


def _ask(question: Question[OptionsT], manner: Manner, native: frozenset[str]) -> Ask:
    said = {"type": "text", "text": f"Search the web for this query: {_query(question, native)}"}
    return Ask(
        path="messages",
        headers={"anthropic-version": manner.api_version},
        json={
            "model": manner.model,
            "max_tokens": manner.max_tokens,
            "messages": [{"role": "user", "content": [said]}],
            "tools": [_tool(question, manner.max_uses, native)],
            **manner.extra,
        },
    )


def _query(question: Question[OptionsT], native: frozenset[str]) -> str:
    """Domains that the tool does not honour are named as operators, for the model to search with."""
    controls = question.controls
    include = () if "include_domains" in native else controls.include_domains
    exclude = () if "exclude_domains" in native else controls.exclude_domains
    return with_sites(question.query, include, exclude)


def _tool(question: Question[OptionsT], max_uses: int, native: frozenset[str]) -> dict[str, Any]:
    """One list of domains: two are HTTP 400, so with both asked the seam holds the exclusion on the results."""
    controls = question.controls
    tool: dict[str, Any] = {"type": WEB_SEARCH_TOOL, "name": "web_search", "max_uses": max_uses}
    if controls.include_domains and "include_domains" in native:
        tool["allowed_domains"] = list(controls.include_domains)
    elif controls.exclude_domains and "exclude_domains" in native:
        tool["blocked_domains"] = list(controls.exclude_domains)
    if controls.country and "country" in native:
        tool["user_location"] = {"type": "approximate", "country": controls.country}
    return tool


def _continued(ask: Ask, payload: Any) -> Ask | None:
    """A paused turn goes on when all that the model said is handed back to it, unchanged."""
    said, body = mapping(payload), mapping(ask.json)
    if said.get("stop_reason") != "pause_turn" or not items(said.get("content")):
        return None
    question, *before = items(body.get("messages"))
    spoken = [block for turn in before for block in items(mapping(turn).get("content"))]
    turn = {"role": "assistant", "content": [*spoken, *said["content"]]}
    return replace(ask, json={**body, "messages": [question, turn]})


def _joined(payloads: Sequence[Any]) -> Any:
    """The turns of one answer as one message; a last one that is none stands for itself, and is judged."""
    turns = [mapping(payload) for payload in payloads]
    if not isinstance(turns[-1].get("content"), list):
        return payloads[-1]
    usages = [mapping(turn.get("usage")) for turn in turns]
    searches = (mapping(usage.get("server_tool_use")).get("web_search_requests") for usage in usages)
    return {
        **turns[-1],
        "content": [block for turn in turns for block in items(turn.get("content"))],
        "usage": {
            "input_tokens": _sum(usage.get("input_tokens") for usage in usages),
            "output_tokens": _sum(usage.get("output_tokens") for usage in usages),
            "server_tool_use": {"web_search_requests": _sum(searches)},
        },
    }


def _sum(values: Iterable[object]) -> int | None:
    """The sum of what was reported; None where nothing was."""
    known = [value for value in map(count, values) if value is not None]
    return sum(known) if known else None
