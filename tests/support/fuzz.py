"""Fuzz targets: each takes one input and may end in a value or a `WebError`; anything else is a finding."""

import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from random import Random
from socket import inet_aton
from typing import Any, Final

from support.fuzz_examples import (
    BODIES,
    BODY,
    CODED,
    CODINGS,
    DNS_QUERY,
    DNS_RECORDS,
    EXEMPT,
    LABELS,
    LOCATIONS,
    ROBOTS,
    TIMES,
    TYPES,
    URLS,
    dns_reply,
)
from support.mutation import Corpus, as_bytes
from webseam.content.charset import decode
from webseam.content.kind import decide, parse_media_type
from webseam.content.labels import encoding_of
from webseam.core.errors import WebError
from webseam.core.limits import RETRY_AFTER_SECONDS
from webseam.core.settings import FetchSettings
from webseam.core.url import DEFAULT_PORTS, Url, web_url
from webseam.net.addresses import parse_address
from webseam.net.client import client_url
from webseam.net.decoding import BodyReader, decoders_for
from webseam.net.dns_wire import read_reply
from webseam.net.policy import AddressPolicy
from webseam.net.proxy import exempt
from webseam.net.redirects import next_hop, refuse_foreign
from webseam.net.retry_after import retry_after
from webseam.net.robots_rules import Rules

POLICY: Final = AddressPolicy.of(FetchSettings())
NEVER: Final = tuple(
    ip_network(block)
    for block in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/127", "fc00::/7", "fe80::/9", "ff00::/8"),
    )
)
"""Blocks told without the table under test: the ones whose first reach would be an incident."""

NEVER_PORTS: Final = frozenset((0, 21, 22, 23, 25, 110, 111, 143, 389, 587, 993, 2049, 6000, 6667))

Check = Callable[[str, Random], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One parser, its corpus, and the share of all inputs that it is given."""

    name: str
    corpus: Corpus
    check: Check
    share: float


@dataclass(slots=True, kw_only=True)
class Report:
    """What became of the inputs; `found` holds each finding with the input that shows it, `slowest` is in seconds."""

    name: str
    ran: int = 0
    refused: int = 0
    slowest: float = 0.0
    found: list[str] = field(default_factory=list)


def run(target: Target, *, seed: int, count: int, until: float = float("inf")) -> Report:
    """Give `target` at most `count` inputs before the monotonic time `until`; stops at ten findings."""
    report = Report(name=target.name)
    rng = Random(f"{seed} {target.name}")  # noqa: S311 - repeatable inputs
    while report.ran < count and len(report.found) < 10 and time.monotonic() < until:
        _try(target, target.corpus.draw(rng), rng, report)
    return report


def _try(target: Target, text: str, rng: Random, report: Report) -> None:
    report.ran += 1
    start = time.perf_counter()
    try:
        target.check(text, rng)
    except WebError:
        report.refused += 1
    except Exception as exc:  # noqa: BLE001 - any other kind is what is looked for
        report.found.append(f"{type(exc).__name__}: {exc} for {text!r}")
    report.slowest = max(report.slowest, time.perf_counter() - start)


def _never(address: IPv4Address | IPv6Address) -> bool:
    inner: list[IPv4Address | IPv6Address] = [address]
    if isinstance(address, IPv6Address):
        inner += [one for one in (address.ipv4_mapped, address.sixtofour) if one is not None]
        if int(address) >> 32 in (0, 0xFFFF << 16, 0x64FF9B << 64):
            inner.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return any(one.version == block.version and one in block for one in inner for block in NEVER)


def hold_url(url: Url) -> None:
    """What must be true of every URL that the rules let through, told by other means than the rules' own."""
    assert url.scheme in DEFAULT_PORTS
    assert not url.credentials
    assert url.port not in NEVER_PORTS
    assert url.href.isascii()
    assert Url.parse(url.href) == url, "the canonical form reads differently"
    literal = True
    try:
        assert not _never(ip_address(url.name)), "a refused address went through"
    except ValueError:
        literal = False
    if not literal:
        assert "." in url.name, "a local name went through"
        assert not _dialable(url.name), "the system reads this name as an address"
    target = client_url(url)
    assert (target.scheme, target.raw_host, target.port) == (url.scheme, url.name, url.port)


def _dialable(name: str) -> bool:
    try:
        inet_aton(name)
    except OSError:
        return False
    return True


def check_url(text: str, _rng: Random) -> None:
    """A URL as a model may write it."""
    url = web_url(text)
    POLICY.check_target(url)
    hold_url(url)


_HERE: Final = tuple(
    map(Url.parse, ("https://www.site.example/a/b?c=d#e", "http://site.example:8080/", "http://93.184.215.14/x"))
)


def check_location(text: str, rng: Random) -> None:
    """A `Location` value, with the stray bytes that the client hands over as surrogates (PEP 383)."""
    here = rng.choice(_HERE)
    text = as_bytes(text).decode("utf-8", "surrogateescape") if rng.random() < 0.5 else text
    target = next_hop(here, 302, text, followed=0, allowed=5)
    POLICY.check_target(target)
    refuse_foreign(here, target, frozenset((here.document,)))
    assert target.name.removeprefix("www.") == here.name.removeprefix("www."), "a redirect left the site"
    assert (here.scheme, target.scheme) != ("https", "http"), "a redirect went down to http"
    hold_url(target)


def check_content_type(text: str, rng: Random) -> None:
    """A `Content-Type` value over a body that may be anything."""
    media = parse_media_type(text)
    assert media.essence is None or (media.essence.isascii() and media.essence.count("/") == 1)
    assert media.charset is None or len(media.charset) <= 64
    head = as_bytes(rng.choice(BODIES))
    assert decide(media, head).kind in ("html", "text", "pdf", "image", "refused")


def check_charset(text: str, rng: Random) -> None:
    """A charset label over bytes that may be in any encoding; decoding never raises."""
    body = as_bytes(BODY.draw(rng))
    read = decode(body, label=text, html=rng.random() < 0.5, truncated=rng.random() < 0.5)
    read.text.encode()  # a lone surrogate would fail here
    assert encoding_of(read.charset) is not None
    assert read.errors >= 0


def check_retry_after(text: str, _rng: Random) -> None:
    """A `Retry-After` value."""
    seconds = retry_after(text, now=lambda: 1_800_000_000.0)
    assert seconds is None or 0 <= seconds <= RETRY_AFTER_SECONDS


def check_coding(text: str, rng: Random) -> None:
    """A `Content-Encoding` value and a broken body in pieces; both caps hold."""
    stack = decoders_for(text)
    left = as_bytes(CODED.draw(rng))
    wire_cap, cap = rng.choice(((10_000, 10_000), (100, 10_000), (10_000, 100)))

    async def read() -> bytes:
        nonlocal left
        size = rng.choice((1, 7, 100, 5_000))
        piece, left = left[:size], left[size:]
        return piece

    reader = BodyReader(read, stack, cap=cap, wire_cap=wire_cap)
    _driven(reader.fill(None))
    body = reader.result()
    assert len(body.data) <= cap
    assert body.received <= wire_cap


def _driven(work: Coroutine[Any, Any, None]) -> None:
    """Run what never waits, without a loop's cost."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("the reader waited for something else than its bytes")


def check_robots(text: str, rng: Random) -> None:
    """A robots.txt as its bytes are read, and what it says about a page."""
    text = text.encode("utf-8", "surrogatepass").decode("utf-8-sig", "replace")
    rules = Rules.parse(text, "webseam")
    page = rng.choice(_HERE)
    refused = rules.refusal(page)
    assert refused is None or not rules.allows(page)
    assert rules.chars <= len(text)


def check_exempt(text: str, rng: Random) -> None:
    """An entry of `NO_PROXY`."""
    entry = exempt(text)
    if entry is not None:
        url = rng.choice(_HERE)
        entry.covers(url.name, parse_address(url.host), url.port)


def check_dns(text: str, rng: Random) -> None:
    """The records of a name server's answer."""
    records = as_bytes(text)
    data = dns_reply(records, rng.choice((1, 1, 2, 4, 500)), rng.choice((0x8180, 0x8180, 0x8380, 0x8183, 0x0100)))
    if rng.random() < 0.1:
        data = data[: rng.randrange(len(data))]
    reply = read_reply(data, DNS_QUERY)
    for address in (reply and reply.addresses) or ():
        ip_address(address)


TARGETS: Final = (
    Target(name="url", corpus=URLS, check=check_url, share=0.4),
    Target(name="location", corpus=LOCATIONS, check=check_location, share=0.15),
    Target(name="content-type", corpus=TYPES, check=check_content_type, share=0.1),
    Target(name="charset", corpus=LABELS, check=check_charset, share=0.08),
    Target(name="coding", corpus=CODINGS, check=check_coding, share=0.07),
    Target(name="retry-after", corpus=TIMES, check=check_retry_after, share=0.04),
    Target(name="robots", corpus=ROBOTS, check=check_robots, share=0.04),
    Target(name="no-proxy", corpus=EXEMPT, check=check_exempt, share=0.02),
    Target(name="dns", corpus=DNS_RECORDS, check=check_dns, share=0.1),
)
"""The parsers that need no socket; heads and chunked bodies are in `fuzz_wire`."""
