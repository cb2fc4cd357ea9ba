"""Extraction vendors' odd answers: several rows, jobs in place of pages, stored copies, texts that nobody would see."""

from collections.abc import Mapping
from typing import Any

import pytest

from support.extracting import ASKED, TEXT, TOLD, staged
from webseam import Note, Toolset, ToolSettings
from webseam.core.errors import WebError
from webseam.testing import Reply

OTHER = "https://other.example/"
FIELDS = {"exa": "text", "tavily": "raw_content", "parallel": "full_content", "you": "markdown"}
FAILED: Mapping[str, Mapping[str, Any]] = {
    "exa": {"statuses": [{"status": "error", "error": {"tag": "CRAWL_TIMEOUT", "httpStatusCode": 504}}]},
    "tavily": {"failed_results": [{"url": TOLD, "error": "Timed out"}]},
    "parallel": {"errors": [{"url": TOLD, "error_type": "timeout", "http_status_code": 504}]},
}
UNSEEN = ["\u200b\u200d\ufeff", "\u2800 \u3164\xa0", "\x00\x07", "\u202e\u2066"]


def rows(kind: str, *pages: tuple[str, Any], **more: Any) -> Reply:
    """An answer with these rows: URL and text."""
    listed = [{"url": url, FIELDS[kind]: text} for url, text in pages]
    return Reply.json(listed if kind == "you" else {"results": listed, **more})


async def failed(kind: str, reply: Reply, **more: Any) -> WebError:
    async with staged(kind, reply, **more) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.extract(ASKED)
    return caught.value


@pytest.mark.req("extract:rows")
@pytest.mark.parametrize("kind", sorted(FIELDS))
@pytest.mark.parametrize(
    ("pages", "url"),
    [
        ([(OTHER, "Teaser"), (TOLD, TEXT)], ASKED),
        ([(f"{TOLD}#top", None), (OTHER, TEXT)], OTHER),
        ([(OTHER, TEXT), ("no url", "Teaser")], OTHER),
        ([(TOLD, " "), (f"{TOLD}#top", TEXT), (TOLD, "Teaser")], ASKED),
    ],
    ids=["asked", "with text", "first", "asked with text"],
)
async def test_of_several_rows_the_page_asked_for_is_read(kind: str, pages: Any, url: str) -> None:
    async with staged(kind, rows(kind, *pages)) as stage:
        result = await stage.web.extract(ASKED)
    assert (result.markdown, result.url) == (TEXT, url)


@pytest.mark.req("extract:rows")
@pytest.mark.parametrize("kind", sorted(FAILED))
async def test_a_row_without_text_does_not_hide_why_the_page_was_not_got(kind: str) -> None:
    error = await failed(kind, rows(kind, (TOLD, ""), **FAILED[kind]))
    assert "no text" not in error.message
    assert ("Timed out" if kind == "tavily" else "HTTP 504") in error.message
    async with staged(kind, rows(kind, (TOLD, TEXT), **FAILED[kind])) as stage:
        assert (await stage.web.extract(ASKED)).markdown == TEXT


@pytest.mark.req("extract:pending")
@pytest.mark.parametrize("kind", ["exa", "firecrawl", "jina", "you", "linkup", "deepseek"])
async def test_a_job_that_was_only_accepted_is_worth_another_try(kind: str) -> None:
    job = Reply.json({"success": True, "id": "job-1"}, status=202, headers={"retry-after": "7"})
    error = await failed(kind, job)
    assert (error.code, error.retryable, error.retry_after, error.dispatched) == ("WEB_PROVIDER_ERROR", True, 7, True)
    assert "not read the page yet (HTTP 202)" in error.message


@pytest.mark.req("extract:pending")
async def test_a_document_that_firecrawl_is_still_at_names_its_wait() -> None:
    body = {
        "success": False,
        "code": "SCRAPE_TIMEOUT",
        "error": "Still processing",
        "details": {"state": "processing_continues", "retryAfterSeconds": 30},
    }
    error = await failed("firecrawl", Reply.json(body, status=408))
    assert (error.code, error.retryable, error.retry_after) == ("WEB_PROVIDER_ERROR", True, 30)


@pytest.mark.req("extract:stored")
async def test_a_stored_copy_is_told() -> None:
    told = {"results": [{"url": TOLD, "text": TEXT}], "statuses": [{"status": "success", "source": "cached"}]}
    async with staged("exa", *[Reply.json(told)] * 2) as stage:
        assert (await stage.web.extract(ASKED)).notes == (Note(code="stored_copy"),)
        tools = Toolset(stage.web, settings=ToolSettings(extract=True))
        assert "a copy that it had stored" in (await tools.call("web_extract", {"url": ASKED})).text
    told["statuses"] = [{"status": "success", "source": "crawled"}]
    async with staged("exa", Reply.json(told)) as stage:
        assert (await stage.web.extract(ASKED)).notes == ()


@pytest.mark.req("extract:stored")
@pytest.mark.parametrize(
    ("about", "cut", "notes"),
    [
        ({"cacheState": "hit", "cachedAt": "2026-11-01"}, False, (Note(code="stored_copy", detail="2026-11-01"),)),
        ({"cacheState": "miss", "numPages": 3, "totalPages": 3}, False, ()),
        ({"numPages": 3, "totalPages": 40}, True, ()),
        ({"numPages": 3, "totalPages": None}, False, ()),
    ],
)
async def test_what_firecrawl_says_in_numbers_is_told(
    about: dict[str, Any],
    cut: bool,  # noqa: FBT001 - a row
    notes: tuple[Note, ...],
) -> None:
    reply = Reply.json({"success": True, "data": {"markdown": TEXT, "metadata": {"statusCode": 200, **about}}})
    async with staged("firecrawl", reply) as stage:
        result = await stage.web.extract(ASKED)
    assert (result.truncated, result.notes) == (cut, notes)


@pytest.mark.req("extract:blank")
@pytest.mark.parametrize("text", UNSEEN, ids=ascii)
async def test_a_text_that_nobody_would_see_is_none(text: str) -> None:
    error = await failed("exa", rows("exa", (TOLD, text)))
    assert "no text" in error.message


@pytest.mark.req("extract:free")
async def test_a_call_without_a_key_is_billed_to_nobody() -> None:
    for key, billed in ((None, False), ("tvly-secret-key", True)):
        async with staged("tavily", Reply.json({"detail": "Slow"}, status=429), key=key) as stage:
            tools = Toolset(stage.web, settings=ToolSettings(extract=True))
            result = await tools.call("web_extract", {"url": ASKED})
        assert ("billed" in result.text) is billed
        assert ("The request had been sent." in result.text) is not billed
