"""The provider contract: what the seam expects of every search and extract provider, run against a loopback server.

def test_it_keeps_the_contract() -> None:
    provider_contract(SPEC, reply=Reply.json({"hits": [{"link": "https://example.com/"}]}))
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from webseam.core.plugin import ProviderSpec
from webseam.testing.contract_answers import (
    asks_the_question,
    declares,
    honours_controls,
    keeps_private_pages,
    maps,
    needs_its_key,
)
from webseam.testing.contract_failures import (
    refuses_redirects,
    tells_broken_connections,
    tells_statuses,
    tells_unreadable_answers,
)
from webseam.testing.contract_shape import fits
from webseam.testing.contract_time import obeys_abort, obeys_deadline
from webseam.testing.stage import Point, Subject
from webseam.testing.vendor_server import Reply

KEY: Final = "sk-contract-0123456789abcdef"
QUERIES: Final[Mapping[str, str]] = MappingProxyType(
    {"search": "kelp farming permits", "extract": "https://kelp.example/permits"}
)
"""What is asked unless the caller says otherwise, by capability."""

PATIENCE: Final = 10.0
"""Seconds: loopback answers in milliseconds, on a busy machine in a second."""

NOTHING: Final[Mapping[Any, Any]] = MappingProxyType({})
CHECKS: Final[tuple[Callable[[Subject], Awaitable[list[str]]], ...]] = (
    declares,
    maps,
    asks_the_question,
    honours_controls,
    keeps_private_pages,
    needs_its_key,
    tells_statuses,
    tells_unreadable_answers,
    tells_broken_connections,
    refuses_redirects,
    obeys_abort,
    obeys_deadline,
)


def at_base_url(url: str) -> dict[str, Any]:
    """Most vendors have the option `base_url`."""
    return {"base_url": url}


def provider_contract(
    spec: ProviderSpec,
    *,
    reply: Reply,
    greeting: Sequence[Reply] = (),
    options: Mapping[str, Any] = NOTHING,
    point: Point = at_base_url,
    key: str = KEY,
    query: str | None = None,
    codes: Mapping[int, str] = NOTHING,
    keyless: bool | None = None,
    patience: float = PATIENCE,
) -> None:
    """Hold a search or extract provider to what the seam promises its callers; needs no network and no framework.

    Checked: that it is built and asked for its availability without a request, with and without a key; that a good
    reply becomes `searched` with http(s) sources, or a page with text; that a URL of a private network is not told to
    an extraction vendor; that another query is another request; that each native control
    reaches the vendor and `spec.controls` names exactly these; that statuses 401, 402, 403, 429, 500, 503, a page of
    HTML, nothing, broken JSON, a body cut short, a redirect and a dropped connection each become a `WebError` with the
    right code that names the provider, admits that the request left, and nowhere holds the key; that abort and deadline
    end the call and its connection.

    Call it from a plain test function: it runs an event loop of its own. About a second.

    Args:
        spec: the kind to test; its capability is search or extract.
        reply: the vendor's answer to `query`, with at least one hit, or a page with text.
        greeting: replies that come before it in each search, such as the handshake of an MCP server.
        options: options besides those of `point`.
        point: from a loopback URL to the options that send the provider there.
        key: for vendors whose key has a form, such as `login:password`.
        query: what is asked: a question, or the URL of a page; one of ours when None.
        codes: the code for a status where this vendor rightly means something else than HTTP does.
        keyless: whether it works without a key under these options; None: as the spec says.
        patience: seconds until a call that does not end counts as a breach.

    Raises:
        AssertionError: one sentence for each breach, all of them; of a provider that cannot be put to the test, only
            those that say why.
        TypeError: `reply` or one of `greeting` is no `Reply`.
        ValueError: `key` or `query` is blank.
        RuntimeError: called from a running event loop.
    """
    asked = QUERIES.get(getattr(spec, "capability", ""), QUERIES["search"]) if query is None else query
    _check_arguments(reply, *greeting, key=key, query=asked)
    subject = Subject(
        spec=spec,
        reply=reply,
        greeting=tuple(greeting),
        options=options,
        point=point,
        key=key,
        query=asked,
        codes=codes,
        keyless=keyless,
        patience=patience,
    )
    breaches = asyncio.run(_breaches(subject))
    if breaches:
        listed = "\n".join(f"- {one}" for one in breaches)
        raise AssertionError(f"{getattr(spec, 'kind', 'This')} breaks the provider contract:\n{listed}")


def _check_arguments(*replies: object, **words: str) -> None:
    for one in replies:
        if not isinstance(one, Reply):
            raise TypeError(f"a reply is a {type(one).__name__}; give a Reply, such as Reply.json(...)")
    for name, word in words.items():
        if not word.strip():
            raise ValueError(f"{name} is blank")


async def _breaches(subject: Subject) -> list[str]:
    unfit = await fits(subject)
    if unfit:
        return unfit
    found = [breach for check in CHECKS for breach in await check(subject)]
    return list(dict.fromkeys(found))
