"""A kept page as a row: its facts as text beside its body, and a sum over both."""

import json
import zlib

from webseam.core.pages import StoredPage


def facts_of(page: StoredPage, *, lag: float) -> str:
    """All of a page but its body, as ASCII: a header may hold bytes that are no UTF-8. `lag` is how old it is now."""
    return json.dumps((page.status, page.headers, page.age, page.lifetime, page.proxied, lag))


def page_of(facts: bytes, body: bytes, kept_sum: bytes, *, now: float) -> StoredPage | None:
    """The page of a row that was written at `now`; None for one that does not say what was written."""
    try:
        text = facts.decode("ascii")
        if checksum(text, body) != int(kept_sum):
            return None
        status, headers, age, lifetime, proxied, lag = json.loads(text)
        return StoredPage(
            status=int(status),
            headers=tuple((str(name), str(value)) for name, value in headers),
            body=body,
            stored_at=now - float(lag),
            age=float(age),
            lifetime=float(lifetime),
            proxied=bool(proxied),
        )
    except (TypeError, ValueError):  # somebody else wrote it
        return None


def checksum(facts: str, body: bytes) -> int:
    """CRC-32: it finds a part that was lost or changed on its way, not a forger, who could write what he likes."""
    return zlib.crc32(body, zlib.crc32(facts.encode()))
