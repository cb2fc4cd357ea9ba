"""The contract's checks of what a provider declares and of what it makes of a good answer."""

import asyncio
from base64 import b64encode
from dataclasses import replace
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.types import NO_CONTROLS, ExtractResult, SearchControls, SearchResult
from webseam.core.url import is_web_url
from webseam.testing.stage import HeldKey, Stage, Subject, built, staged
from webseam.testing.vendor_server import VendorCall

_DAYS: Final = {"published_after": "2026-01-05", "published_before": "2026-02-05"}
SAMPLES: Final[dict[str, tuple[dict[str, Any], ...]]] = {
    "include_domains": ({"include_domains": ("example.org",)},),
    "exclude_domains": ({"exclude_domains": ("example.org",)},),
    "published_after": ({"published_after": _DAYS["published_after"]}, _DAYS),
    "published_before": ({"published_before": _DAYS["published_before"]}, _DAYS),
    "country": tuple({"country": code} for code in ("DE", "US", "GB", "CN")),
    "language": tuple({"language": tag} for tag in ("de", "en", "zh")),
    "safe_search": tuple({"safe_search": level} for level in ("strict", "off", "moderate")),
}
"""Values of each control; a vendor need not know all of them, and may want both days of a span."""


PRIVATE: Final = ("http://10.1.2.3/plan", "http://wiki.corp/plan", "http://[fd00::1]/plan", "http://localhost:8080/")
"""URLs of networks that only their owner reaches."""


async def declares(subject: Subject) -> list[str]:
    """Built and asked whether it is available, nothing leaves; what the spec says is what the provider says."""
    found: list[str] = []
    async with staged(subject, subject.reply) as stage:
        provider = stage.witness.provider
        if provider.id != subject.id:
            found.append(f"it was built as {subject.id!r} and calls itself {provider.id!r}")
        if provider.available() is not True:
            found.append("available() is not True with a key set and a good base URL")
        stage.secret.key = None
        keyless = provider.available()
        if keyless is not _runs_keyless(subject):
            found.append(f"available() is {keyless} without a key, and the spec says otherwise")
        if await connections(stage):
            found.append("it opened a connection while it was built or asked for its availability")
        found.extend(_declared_controls(subject, stage))
    return found


async def connections(stage: Stage) -> int:
    """How many connections the vendor has got, those still to be accepted included: one of ours queues behind them."""
    reader, writer = await asyncio.open_connection("127.0.0.1", int(stage.server.url.rpartition(":")[2]))
    writer.write(b"HEAD / HTTP/1.1\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return stage.server.connections - 1


def _runs_keyless(subject: Subject) -> bool:
    spec = subject.spec
    if subject.keyless is not None:
        return subject.keyless
    return spec.keyless or spec.key_optional or not spec.key_env


def _declared_controls(subject: Subject, stage: Stage) -> list[str]:
    """The spec speaks of default options."""
    bare = replace(subject, options={})
    provider = built(bare, stage.transport, stage.web, HeldKey(subject.key), subject.point(stage.server.url))
    native: frozenset[str] = getattr(provider, "native_controls", frozenset())
    if native == subject.spec.controls:
        return []
    return [f"spec.controls is {sorted(subject.spec.controls)}, and native_controls is {sorted(native)}"]


async def maps(subject: Subject) -> list[str]:
    """A good reply becomes a searched result with sources, or a page with its text, under the id it was built with."""
    async with staged(subject, subject.reply) as stage:
        try:
            result: object = await stage.directly()
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is a breach
            strayed = [f"it asked {url} instead of the server it was pointed at" for url in stage.transport.strayed]
            return strayed or [f"the good reply ended in {type(exc).__name__}: {exc}"]
        wanted: type = ExtractResult if subject.extracts else SearchResult
        if not isinstance(result, wanted):
            return [f"{subject.spec.capability}() returned {type(result).__name__} instead of {_a(wanted)}"]
        if isinstance(result, ExtractResult):
            return _page_breaches(subject, result)
        return _result_breaches(subject, result) if isinstance(result, SearchResult) else []


def _a(kind: type) -> str:
    return f"{'an' if kind is ExtractResult else 'a'} {kind.__name__}"


def _page_breaches(subject: Subject, result: ExtractResult) -> list[str]:
    rules = {
        f"its result names {result.provider!r} as provider, not {subject.id!r}": result.provider == subject.id,
        "the good reply yielded no text": bool(result.markdown.strip()),
        f"its page has no http(s) URL: {result.url!r}": is_web_url(result.url),
        "its result holds the key": subject.key not in repr(result),
    }
    absent = [name for name in ("title", "author", "published_at") if getattr(result, name) == ""]
    found = [breach for breach, kept in rules.items() if not kept]
    return found + [f"its {name} is empty text, and must be None when it is absent" for name in absent]


async def keeps_private_pages(subject: Subject) -> list[str]:
    """A URL of somebody's own network is refused before the vendor hears of it."""
    found = []
    for url in PRIVATE if subject.extracts else ():
        async with staged(replace(subject, query=url), subject.reply) as stage:
            answer = await stage.through_seam()
            code = answer.code if isinstance(answer, WebError) else "a result"
            if code != Code.BLOCKED_URL or stage.server.connections:
                found.append(f"{url} is told to its vendor, or ends in {code} instead of {Code.BLOCKED_URL}")
    return found


def _result_breaches(subject: Subject, result: SearchResult) -> list[str]:
    bad = [one.url for one in result.sources if not is_web_url(one.url)]
    rules = {
        f"its result names {result.provider!r} as provider, not {subject.id!r}": result.provider == subject.id,
        "the good reply was not taken as evidence of a search": result.grounding == "searched",
        "the good reply yielded no source": bool(result.sources),
        f"it passes on URLs that are not http(s): {bad}": not bad,
        "its result keeps the vendor's payload though nobody asked for it": result.raw is None,
        "its result holds the key": subject.key not in repr(result),
    }
    return [breach for breach, kept in rules.items() if not kept]


async def asks_the_question(subject: Subject) -> list[str]:
    """Another query is another request."""
    first, second = [
        await _asked(replace(subject, query=query), NO_CONTROLS) for query in (subject.query, subject.other)
    ]
    if first and second and _payload(first) == _payload(second):
        return ["it asks its vendor the same whatever the query is"]
    return []


async def honours_controls(subject: Subject) -> list[str]:
    """A control that is called native changes what the vendor is asked."""
    async with staged(subject) as stage:
        native = sorted(stage.witness.native_controls)
    return [breach for name in native for breach in await _honours(subject, name)]


async def _honours(subject: Subject, name: str) -> list[str]:
    plain = await _asked(subject, NO_CONTROLS)
    for values in SAMPLES.get(name, ()):
        asked = await _asked(subject, SearchControls(**values))
        if asked is None or plain is None:
            continue
        if _payload(asked) == _payload(plain):
            return [f"it calls {name} native, and asks its vendor the same with it as without"]
        return []
    tried = "; ".join(", ".join(map(str, values.values())) for values in SAMPLES.get(name, ()))
    return [f"it calls {name} native, and takes none of: {tried}"]


async def _asked(subject: Subject, controls: SearchControls) -> list[VendorCall] | None:
    """The requests of one search; None when it does not take the control's value, or says that it is not native."""
    async with staged(subject, subject.reply) as stage:
        answer = await stage.through_seam(controls=controls)
        if isinstance(answer, WebError):
            return None if answer.code in (Code.UNSUPPORTED_CONTROL, Code.INVALID_ARGS) else stage.server.requests
        statuses = answer.controls.values() if isinstance(answer, SearchResult) else ()
        return stage.server.requests if set(statuses) <= {"native"} else None


def _payload(calls: list[VendorCall]) -> list[tuple[str, str, bytes]]:
    return [(one.method, one.target, one.body) for one in calls]


async def needs_its_key(subject: Subject) -> list[str]:
    """Without the key it needs nothing leaves; without an optional one it searches; a new one reaches the next call."""
    if not subject.spec.key_env:
        return []
    found = await _without_key(subject)
    async with staged(subject, subject.reply, subject.reply) as stage:
        await stage.through_seam()
        before = len(stage.server.requests)
        stage.secret.key = other = subject.key[::-1]
        await stage.through_seam()
        later = stage.server.requests[before:]
        if not later or not all(_carries(one, other) for one in later[-1:]):
            found.append("a key that was changed between two calls does not reach the second one")
    return found


async def _without_key(subject: Subject) -> list[str]:
    async with staged(subject, subject.reply) as stage:
        stage.secret.key = None
        try:
            await stage.directly()
        except WebError as error:
            if _runs_keyless(subject):
                return [f"the spec says that it works without a key, and without one it ends in {error}"]
            if error.code != Code.PROVIDER_CREDENTIAL_MISSING:
                return [f"without a key it ends in {error.code} instead of {Code.PROVIDER_CREDENTIAL_MISSING}"]
        except Exception as exc:  # noqa: BLE001 - whatever it is, it is a breach
            return [f"without a key it raises {type(exc).__name__}, which is no WebError"]
        if stage.server.connections and not _runs_keyless(subject):
            return ["it connects to its vendor without the key that it needs"]
        return []


def _carries(call: VendorCall, key: str) -> bool:
    """Whether the request holds the key, as it is or as Basic credentials (RFC 7617)."""
    spellings = (key, b64encode(key.encode()).decode())
    return any(one in text for one in spellings for text in (repr(call.headers), call.target, repr(call.body)))
