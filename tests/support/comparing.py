"""Compares a provider with its vendor's own SDK: what each sends for one question, what each reads in one reply."""

import asyncio
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import date
from string import ascii_uppercase
from typing import Any, Final, get_args, get_type_hints

import pytest

from support.fields import Fields, Verdict, compare, known, read, sent
from support.oracle import Oracle, Question, Reading, Streamed
from support.vendor import SPECS, HeldKey, fixture, replies_of, staged
from webseam.core.call import Call
from webseam.core.errors import Code, WebError
from webseam.core.plain import to_plain
from webseam.core.types import SearchControls
from webseam.providers.wires.asking import Question as Asked
from webseam.providers.wires.controls import check
from webseam.testing import Reply, VendorCall, VendorServer

_REFUSAL: Final = 400  # RFC 9110 section 15: from here on a request was refused


async def compare_sending(oracle: Oracle, question: Question) -> Verdict:
    """Ask one question both ways and compare the requests."""
    sdk = oracle.module()  # first, so that a missing SDK skips before anything runs
    ours, _ = await _ask_ours(oracle, question, oracle.good())
    theirs, _ = await _ask_sdk(oracle, sdk, question, oracle.good())
    return compare(sent(ours), sent(theirs), oracle.sending + question.differences)


async def compare_reading(oracle: Oracle, reading: Reading) -> Verdict:
    """Give one reply to both and compare what each reads, or how each fails."""
    sdk = oracle.module()
    first = oracle.questions[0]
    question = replace(first, options=reading.options, key=reading.key, arguments=reading.asked or first.arguments)
    reply = reading.reply or oracle.good()
    if reading.fails:
        ours, theirs = await _ours_failing(oracle, question, reply), await _sdk_failing(oracle, sdk, question, reply)
    else:
        _, result = await _ask_ours(oracle, question, reply)
        _, answer = await _ask_sdk(oracle, sdk, question, reply)
        ours, theirs = read(result), read(oracle.read(answer))
    return compare(ours, theirs, reading.differences)


async def compare_streaming(oracle: Oracle, streamed: Streamed) -> Verdict:
    """Stream one transcript to both; compare the requests, the final answers, and the text told by then (`told`)."""
    sdk = oracle.module()
    assert oracle.stream is not None
    reply = streamed.reply or transcript(oracle.kind, streamed.name)
    question = oracle.questions[0]
    if streamed.fails:
        one = await _ours_failing(oracle, question, reply, Call(progress=lambda _text: None))
        other = await _sdk_failing(oracle, sdk, question, reply, oracle.stream)
        return compare(one, other, streamed.differences)
    told: list[str] = [""]
    ours, result = await _ask_ours(oracle, question, reply, Call(progress=told.append))
    theirs, (answer, said) = await _ask_sdk(oracle, sdk, question, reply, oracle.stream)
    left, right = sent(ours) | read(result), sent(theirs) | read(oracle.read(answer))
    explained = (*oracle.streaming, *question.differences, *streamed.differences)
    return compare(left | known({"told": told[-1]}), right | known({"told": said}), explained)


def transcript(kind: str, name: str) -> Reply:
    """A stream of the vendor's fixture, whole, with its true length."""
    case = next(one for one in fixture(kind)["streams"] if one["name"].startswith(name))
    return Reply(headers={"content-type": "text/event-stream"}, body=case["replies"][0]["text"].encode())


def refusals(kind: str) -> dict[str, tuple[dict[str, Any], Reply]]:
    """The refusals of the vendor's fixture by name: the options, and the reply, said to be JSON as SDKs want it."""
    found: dict[str, tuple[dict[str, Any], Reply]] = {}
    for case in fixture(kind)["outcomes"]:
        replies = replies_of(case)
        if "code" in case and replies and replies[-1].status >= _REFUSAL:
            reply = replace(replies[-1], headers={"content-type": "application/json"})
            found[case["name"]] = (case.get("options", {}), reply)
    return found


async def compare_refusals(oracle: Oracle) -> Verdict:
    """Give every refusal of the vendor's fixture to both: both fail, and tell the same status where the SDK tells one.

    What the status means to us, the fixture says; SDKs have classes of their own for that.
    """
    sdk = oracle.module()
    ours: Fields = {}
    theirs: Fields = {}
    for name, (options, reply) in refusals(oracle.kind).items():
        question = replace(oracle.questions[0], options=options)
        one, other = await _ours_failing(oracle, question, reply), await _sdk_failing(oracle, sdk, question, reply)
        ours[f"{name}.fails"] = theirs[f"{name}.fails"] = True
        if "status" in other:
            ours[f"{name}.status"], theirs[f"{name}.status"] = one.get("status"), other["status"]
    return compare(ours, theirs, oracle.refusing)


def compare_home(oracle: Oracle) -> Verdict:
    """Compare the base URLs that stand in both without any configuration."""
    assert oracle.home is not None
    options = SPECS[oracle.kind].options
    assert options is not None
    ours, theirs = (str(one).rstrip("/") for one in (options().base_url, oracle.home(oracle.module())))
    return compare({"base_url": ours}, {"base_url": theirs}, ())


def compare_choices(oracle: Oracle) -> Verdict:
    """Compare the values that our options and controls allow with those that the SDK's types and lists allow."""
    sdk = oracle.module()
    options = SPECS[oracle.kind].options
    assert options is not None
    hints = get_type_hints(options)
    ours = {f"{name}.{value}" for name in oracle.choices for value in _literals(hints[name])}
    theirs = {f"{name}.{value}" for name, of in oracle.choices.items() for value in _literals(of(sdk))}
    for control, (name, of) in oracle.values.items():
        known = set(of(sdk))
        ours |= {f"{control}.{value}" for value in _sent_values(oracle.kind, control, name, known)}
        theirs |= {f"{control}.{value}" for value in known}
    return compare(dict.fromkeys(ours, True), dict.fromkeys(theirs, True), oracle.unequal)


def _sent_values(kind: str, control: str, name: str, known: Iterable[str]) -> Iterator[str]:
    """What stands in the body's field `name` for each two-letter code, and for the values that the SDK knows."""
    options = SPECS[kind].options
    assert options is not None
    vendor = sys.modules[options.__module__].VENDOR
    codes = (one + other for one in ascii_uppercase for other in ascii_uppercase)
    for value in (*codes, *known):
        try:
            yield vendor.ask(_asked(kind, control, value, options())).body()[name]
        except WebError as error:
            if error.code not in (Code.UNSUPPORTED_CONTROL, Code.INVALID_ARGS):  # this vendor, or nobody, takes it
                raise


def _asked(kind: str, control: str, value: str, options: Any) -> Asked[Any]:
    controls: Any = {control: value}
    return Asked(
        provider=kind,
        query="kelp",
        max_results=None,
        controls=check(SearchControls(**controls), kind),
        safe_search=None,
        options=options,
        keyed=True,
        today=date(2026, 3, 2),
    )


def _literals(hint: Any) -> Iterator[str]:
    """The strings of a Literal, also inside a union."""
    for one in get_args(hint):
        if isinstance(one, str):
            yield one
        else:
            yield from _literals(one)


async def native_controls(oracle: Oracle) -> frozenset[str]:
    """The controls that the provider says its vendor honours."""
    async with staged(oracle.kind) as stage:
        return frozenset(getattr(stage.provider, "native_controls", ()))


async def _ask_ours(
    oracle: Oracle, question: Question, reply: Reply, call: Call | None = None
) -> tuple[VendorCall, Fields]:
    async with staged(oracle.kind, reply, secret=HeldKey(question.key), **question.options) as stage:
        result: Fields = to_plain(await stage.web.search(question.request, call=call))
    return stage.server.requests[-1], result


async def _ours_failing(oracle: Oracle, question: Question, reply: Reply, call: Call | None = None) -> Fields:
    with pytest.raises(WebError) as caught:
        await _ask_ours(oracle, question, reply, call)
    error = caught.value
    return known({"kind": error.code, "status": error.status, "retry_after": error.retry_after})


async def _ask_sdk(
    oracle: Oracle, sdk: Any, question: Question, reply: Reply, how: Callable[..., Any] | None = None
) -> tuple[VendorCall, Any]:
    """In a thread of its own: the SDKs block."""

    def ask() -> Any:
        with warnings.catch_warnings():
            for pattern in oracle.warns:
                warnings.filterwarnings("ignore", message=pattern)
            return (how or oracle.ask)(sdk, server.url, question.key, question.arguments)

    async with VendorServer(reply) as server:
        answer = await asyncio.to_thread(ask)
    assert len(server.requests) == 1, "the SDK was to ask once"
    return server.requests[0], answer


async def _sdk_failing(
    oracle: Oracle, sdk: Any, question: Question, reply: Reply, how: Callable[..., Any] | None = None
) -> Fields:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each SDK has its own; what it tells is compared
        await _ask_sdk(oracle, sdk, question, reply, how)
    return known(oracle.failure(caught.value))
