"""`custom`: any JSON search API, described in configuration: what to send, and where the hits stand in the answer."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Any, Final, Literal

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchResult, Source, Usage
from webseam.providers.wires.asking import Answer, Ask, Param, Question
from webseam.providers.wires.clean import plain_prose, plain_text
from webseam.providers.wires.described import PATH, WHOLE, at, day_at, faults, filled, placeholders, said_at, written
from webseam.providers.wires.failures import message_of
from webseam.providers.wires.hits import hit
from webseam.providers.wires.options import checked
from webseam.providers.wires.rows import Row
from webseam.providers.wires.vendor import Vendor, VendorSearch

MAX_RESULTS: Final = 100
"""Most hits that `{max_results}` asks for: the seam's own bound."""

_FIELD_NAME: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # RFC 9110 section 5.1
_FIELD_VALUE: Final = re.compile(r"[\x20-\x7e]*")  # RFC 9110 section 5.5, without obsolete bytes
_RESERVED_LIST: Final = """
accept-encoding connection content-encoding content-length cookie expect host keep-alive proxy-authorization
proxy-connection te trailer transfer-encoding upgrade
"""
_RESERVED: Final = frozenset(_RESERVED_LIST.split())
"""Header fields that steer the connection (RFC 9110 sections 7.6 and 10.1) or say what we do with a body."""

FieldPath = Annotated[str, msgspec.Meta(max_length=200)]


class CustomOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.<id>]` with `kind = "custom"`; see docs/providers/custom.md.

    `base_url` is asked as it is. `params`, `headers` and `body` may hold placeholders: `{query}`, `{max_results}`
    and the controls; a value whose placeholder has nothing to say is left out, and a control that has a placeholder is
    one that the vendor honours. The paths are dotted: `data.items`, `links.0.href`; `rows` may be `.`, the answer
    itself.
    """

    base_url: str = ""
    method: Literal["GET", "POST"] = "GET"
    params: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: dict[str, Any] = {}
    key_header: str = ""
    key_prefix: str = ""
    key_param: str = ""
    rows: FieldPath = ""
    url: FieldPath = "url"
    title: FieldPath = "title"
    snippet: FieldPath = "snippet"
    published_at: FieldPath = ""
    answer: FieldPath = ""
    error: FieldPath = ""
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


def _build(kit: Kit) -> VendorSearch[CustomOptions]:
    """A provider as described.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for a description that cannot be meant.
    """
    options = checked(kit, CustomOptions)
    for name, fault in chain(_header_faults(options), _faults(options)):
        raise WebError(Code.CONFIG_INVALID, f"providers.{kit.id}.{name}: {fault}", provider=kit.id)
    vendor: Vendor[CustomOptions] = Vendor(
        ask=_ask,
        read=_read,
        native=_native,
        key=(lambda key: {options.key_header.lower(): options.key_prefix + key}) if options.key_header else None,
        key_param=options.key_param or None,
        keyless=None if options.key_header or options.key_param else {},
        lacks=_lacks,
    )
    return VendorSearch(kit, vendor, CustomOptions)


def _header_faults(options: CustomOptions) -> Iterator[tuple[str, str]]:
    key = [("key_header", options.key_header, options.key_prefix)] if options.key_header else []
    seen: set[str] = set()
    for place, name, value in (*key, *((f"headers.{name}", name, value) for name, value in options.headers.items())):
        if not _FIELD_NAME.fullmatch(name) or name.lower() in _RESERVED:
            yield place, f"{name!r} cannot be set as a header."
        if name.lower() in seen:
            yield place, "is set twice."
        if not _FIELD_VALUE.fullmatch(value):
            yield place, "a header takes printable ASCII only."
        if "query" in placeholders(value):
            yield place, "a query may hold any text, and a header may not; put {query} into params or body."
        seen.add(name.lower())
    if options.key_header and options.key_param:
        yield "key_param", "the key goes into key_header or into key_param, not both."
    if options.key_prefix and not options.key_header:
        yield "key_prefix", "goes with key_header."
    if options.key_param in options.params:
        yield f"params.{options.key_param}", "is where key_param puts the key."


def _faults(options: CustomOptions) -> Iterator[tuple[str, str]]:
    for name in ("params", "headers", "body"):
        yield from faults(getattr(options, name), name)
    if any(placeholders(options.base_url)):
        yield "base_url", "is asked as it is; put placeholders into params, headers or body."
    if options.method == "GET" and options.body:
        yield "body", 'goes with method = "POST".'
    for name in ("rows", "url", "title", "snippet", "published_at", "answer", "error"):
        path = getattr(options, name)
        if path and not PATH.fullmatch(path) and (name, path) != ("rows", WHOLE):
            yield name, "must be a dotted path such as data.items."
    used = set(placeholders([options.params, options.headers, options.body]))
    if options.rows and "query" not in used:
        yield "params", "nothing holds {query}, so the vendor would not learn what to search for."


def _lacks(options: CustomOptions) -> str | None:
    return None if options.rows else "it is not described: set base_url, params or body, and rows."


def _native(options: CustomOptions) -> frozenset[str]:
    used = frozenset(placeholders([options.params, options.headers, options.body]))
    return used - {"query", "max_results"}


def _ask(question: Question[CustomOptions]) -> Ask:
    options = question.options
    given = _given(question)
    params: dict[str, Param] = {name: written(value, given) for name, value in options.params.items()}
    headers = {name.lower(): written(value, given) for name, value in options.headers.items()}
    return Ask(
        method=options.method,
        params=params,
        headers={name: value for name, value in headers.items() if value is not None},
        json=filled(options.body, given) if options.method == "POST" else None,
    )


def _given(question: Question[CustomOptions]) -> dict[str, Any]:
    """What each placeholder stands for; lists of domains are joined where they stand inside text."""
    controls = question.controls
    return {
        "query": question.query,
        "max_results": question.wanted(MAX_RESULTS, question.options.num_results),
        "country": controls.country,
        "language": controls.language,
        "published_after": controls.after and controls.after.isoformat(),
        "published_before": controls.before and controls.before.isoformat(),
        "safe_search": question.safe_search,
        "include_domains": list(controls.include_domains) or None,
        "exclude_domains": list(controls.exclude_domains) or None,
    }


def _read(answer: Answer[CustomOptions]) -> SearchResult:
    options = answer.question.options
    fault = at(answer.payload, options.error) if options.error else None
    if fault:
        raise answer.refused(message_of(fault) or f"{options.error} is set")
    rows = at(answer.payload, options.rows)
    if not isinstance(rows, list):
        raise answer.lacking(options.rows)
    content = plain_prose(said_at(answer.payload, options.answer)) if options.answer else None
    return answer.result(rows, lambda row: _source(row, options), content=content, usage=Usage(calls=1))


def _source(row: Row, options: CustomOptions) -> Source | None:
    """Several texts are excerpts of one page; several URLs, or several days, are none that could be named."""
    found = {
        "url": at(row, options.url),
        "title": said_at(row, options.title),
    }
    published_at = day_at(row, options.published_at) if options.published_at else None
    return hit(found, snippet=plain_text(said_at(row, options.snippet)), published_at=published_at)


SPEC = ProviderSpec(
    kind="custom",
    capability="search",
    build=_build,
    options=CustomOptions,
    key_env=("WEBSEAM_CUSTOM_API_KEY",),
    keyless=True,
    key_optional=True,
    summary="Any JSON search API, described in configuration: URL, method, headers and field paths.",
    answer="option",
)
