"""What a model is told of a page that comes from a cache."""

import pytest

from support.tools import URL, html, outside, reading
from webseam.core.types import CacheFacts


async def _said(facts: CacheFacts) -> str:
    toolset, _ = reading(html("<p>x</p>", cache=facts))
    return outside((await toolset.call("web_fetch", {"url": URL})).text)


@pytest.mark.req("cache:fresh:hit", "cache:stale:asked")
async def test_a_stored_copy_tells_its_age_and_why_it_is_stale() -> None:
    assert "This is a stored copy, 12 s old." in await _said(CacheFacts(age=12.0))
    assert "12 s old; the server could not be asked." in await _said(CacheFacts(age=12.0, stale=True))
    assert "stored copy" not in await _said(CacheFacts(age=0.0, revalidated=True))
