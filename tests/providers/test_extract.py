"""Extraction vendors: what leaves, what is read, and what a page that was not got becomes."""

from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.extracting import ALL, ASKED, SAMPLES, TEXT, TOLD, VENDORS, Unread, good, staged
from support.url_rows import CODES, REACHED, REFUSED
from support.vendor import KEY
from webseam.core.errors import WebError
from webseam.core.plain import to_plain
from webseam.core.types import ExtractResult, Note
from webseam.providers.wires.reading import Page, Reading, public_page
from webseam.testing import Reply, provider_contract

UNREAD = [pytest.param(kind, one, id=f"{kind}-{one.name}") for kind in VENDORS for one in SAMPLES[kind].unread]
TELLING = [kind for kind in VENDORS if SAMPLES[kind].tells_url]
PRIVATE = [
    "http://10.0.0.8/plan",
    "http://[fd00::8]/plan",
    "http://127.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://wiki.corp/plan",
    "http://printer/",
    "http://metadata.google.internal/",
    "https://kelp.example:25/",
]


async def refused(kind: str, url: str, *replies: Reply, **more: Any) -> tuple[WebError, int]:
    """The error of an extraction, and the connections that the vendor got."""
    async with staged(kind, *replies, **more) as stage:
        with pytest.raises(WebError) as caught:
            await stage.web.extract(url)
        return caught.value, stage.server.connections


@pytest.mark.req("extract:contract")
@pytest.mark.parametrize("kind", VENDORS)
def test_a_built_in_extractor_keeps_the_contract(kind: str) -> None:
    sample = SAMPLES[kind]
    provider_contract(
        ALL[kind],
        reply=good(kind, "https://kelp.example/permits"),
        point=lambda url: {sample.option: url},
        keyless=None if ALL[kind].key_optional else False,
    )


@pytest.mark.req("extract:asked")
@pytest.mark.parametrize("kind", VENDORS)
async def test_each_vendor_is_asked_in_its_own_words_and_told_no_fragment(kind: str) -> None:
    sample = SAMPLES[kind]
    async with staged(kind, good(kind)) as stage:
        await stage.web.extract(ASKED)
        (request,) = stage.server.requests
    assert (request.method, request.target, request.json) == ("POST", sample.path, sample.body)
    assert sample.proof.items() <= dict(request.headers).items()
    assert request.header("accept") == "application/json"


@pytest.mark.req("extract:read")
@pytest.mark.parametrize("kind", VENDORS)
async def test_each_answer_is_read_and_what_it_lacks_is_absent(kind: str) -> None:
    async with staged(kind, good(kind)) as stage:
        result = await stage.web.extract(ASKED)
    facts = {name: getattr(result, name) for name in ("title", "author", "published_at")}
    assert facts == {"title": None, "author": None, "published_at": None} | dict(SAMPLES[kind].facts)
    assert (result.provider, result.markdown, result.url, result.truncated) == (kind, TEXT, ASKED, False)
    assert to_plain(result.usage) == SAMPLES[kind].usage
    assert [(one.outcome, one.dispatched) for one in result.attempts] == [("ok", True)]


@pytest.mark.req("extract:unread")
@pytest.mark.parametrize(("kind", "one"), UNREAD)
async def test_a_page_that_the_vendor_did_not_get_is_an_error_that_blames_no_key(kind: str, one: Unread) -> None:
    error, _ = await refused(kind, ASKED, one.reply)
    assert error.code == one.code
    assert one.says in error.message
    assert (error.provider, error.dispatched, error.status) == (kind, True, None)


@pytest.mark.req("extract:empty")
@pytest.mark.parametrize("kind", VENDORS)
async def test_an_answer_without_text_is_no_success(kind: str) -> None:
    error, _ = await refused(kind, ASKED, Reply.json(SAMPLES[kind].empty))
    assert error.code == "WEB_PROVIDER_ERROR"
    assert "no text" in error.message


@pytest.mark.req("extract:private:told")
@pytest.mark.parametrize("url", PRIVATE)
@pytest.mark.parametrize("kind", ["exa", "jina"])
async def test_no_vendor_is_told_of_a_page_that_is_not_public(kind: str, url: str) -> None:
    error, connections = await refused(kind, url, good(kind))
    assert (error.code, error.dispatched, connections) == ("WEB_BLOCKED_URL", False, 0)
    assert url.partition("://")[2].partition("/")[0] not in error.message


@pytest.mark.req("extract:private:told")
@pytest.mark.parametrize(
    "url", ["https://me:secret@kelp.example/", "ftp://kelp.example/", "kelp", "file:///etc/passwd"]
)
async def test_no_vendor_is_told_of_credentials_or_of_what_is_no_page(url: str) -> None:
    error, connections = await refused("exa", url, good("exa"))
    assert error.code in ("WEB_BLOCKED_URL", "WEB_INVALID_URL")
    assert connections == 0
    assert "secret" not in error.message


@pytest.mark.req("extract:private:told")
@pytest.mark.parametrize("row", REFUSED, ids=lambda row: row["id"])
def test_every_url_that_a_fetch_refuses_is_told_to_no_vendor(row: dict[str, Any]) -> None:
    with pytest.raises(WebError) as caught:
        public_page(row["url"], "exa")
    assert CODES[caught.value.code] & set(row["want"])


@pytest.mark.req("extract:asked")
@pytest.mark.parametrize("row", REACHED, ids=lambda row: row["id"])
def test_every_url_that_a_fetch_reaches_is_told_canonical_and_without_its_fragment(row: dict[str, Any]) -> None:
    told = public_page(row["url"], "exa")
    assert told == row["href"].partition("#")[0]
    assert public_page(told, "exa") == told


@pytest.mark.req("extract:private:final")
@pytest.mark.parametrize("url", [PRIVATE[0], PRIVATE[3], PRIVATE[6]])
@pytest.mark.parametrize("kind", TELLING)
async def test_a_page_that_led_to_a_private_one_is_refused(kind: str, url: str) -> None:
    error, connections = await refused(kind, ASKED, good(kind, url))
    assert (error.code, error.dispatched, connections) == ("WEB_BLOCKED_URL", True, 1)
    assert url not in error.message


@pytest.mark.req("extract:final")
@pytest.mark.parametrize("kind", TELLING)
async def test_the_final_url_is_the_vendors_bare_and_of_the_web(kind: str) -> None:
    async with staged(kind, good(kind, "https://u:p@Sea.example/a b"), good(kind, "javascript:alert(1)")) as stage:
        assert (await stage.web.extract(ASKED)).url == "https://sea.example/a%20b"
        with pytest.raises(WebError, match="what is no http or https URL as the page it read"):
            await stage.web.extract(ASKED)


@pytest.mark.req("extract:final")
async def test_a_final_url_that_is_too_long_is_told_as_that() -> None:
    error, _ = await refused("exa", ASKED, good("exa", f"https://kelp.example/{'a' * 2_040}"))
    assert (error.code, error.dispatched) == ("WEB_PROVIDER_ERROR", True)
    assert "a URL of 2,061 characters (2,048 are taken)" in error.message


@pytest.mark.req("extract:told")
@pytest.mark.parametrize(
    ("kind", "told", "code", "status"),
    [
        ("firecrawl", {"success": False, "error": "Insufficient credits"}, "WEB_QUOTA_EXHAUSTED", 402),
        ("firecrawl", {"success": False, "error": "It broke"}, "WEB_PROVIDER_ERROR", 500),
        ("jina", {"code": 402, "message": "Balance is used up", "data": None}, "WEB_QUOTA_EXHAUSTED", 402),
        ("jina", {"code": 429, "message": "Slow down", "data": None}, "WEB_RATE_LIMITED", 429),
        ("exa", {"error": "Unauthorized", "statusCode": 401}, "WEB_PROVIDER_ERROR", 401),
        ("you", {"detail": "No such plan"}, "WEB_PROVIDER_ERROR", None),
        ("linkup", {"statusCode": 429, "error": {"message": "Wait"}}, "WEB_RATE_LIMITED", 429),
    ],
)
async def test_an_error_inside_a_success_is_one(kind: str, told: Any, code: str, status: int | None) -> None:
    error, _ = await refused(kind, ASKED, Reply.json(told))
    assert (error.code, error.status) == (code, status)


@pytest.mark.req("extract:told")
@pytest.mark.parametrize(
    ("kind", "reply", "code"),
    [
        ("tavily", Reply.json({"detail": {"error": "Plan limit"}}, status=432), "WEB_QUOTA_EXHAUSTED"),
        ("exa", Reply.json({"tag": "NO_MORE_CREDITS", "error": "Top up"}, status=402), "WEB_QUOTA_EXHAUSTED"),
        ("linkup", Reply.json({"error": {"code": "INSUFFICIENT_FUNDS_CREDITS"}}, status=429), "WEB_QUOTA_EXHAUSTED"),
        (
            "linkup",
            Reply.json({"error": {"code": "VALIDATION_ERROR", "message": "url"}}, status=400),
            "WEB_PROVIDER_ERROR",
        ),
        ("deepseek", Reply.json({"detail": "Not Found"}, status=404), "WEB_PROVIDER_ERROR"),
    ],
)
async def test_each_vendors_own_statuses_and_codes_are_known(kind: str, reply: Reply, code: str) -> None:
    error, _ = await refused(kind, ASKED, reply)
    assert (error.code, error.status) == (code, reply.status)


@pytest.mark.req("extract:keyless")
@pytest.mark.parametrize(("kind", "header"), [("tavily", ("x-tavily-access-mode", "keyless")), ("jina", None)])
async def test_a_vendor_that_works_without_a_key_is_told_so(kind: str, header: tuple[str, str] | None) -> None:
    async with staged(kind, good(kind), key=None) as stage:
        assert (await stage.web.extract(ASKED)).markdown == TEXT
        (request,) = stage.server.requests
    assert request.header("authorization") is None
    assert header is None or header in request.headers


@pytest.mark.req("extract:options")
@pytest.mark.parametrize(
    ("kind", "options", "body"),
    [
        ("exa", {"max_age_hours": 0}, {"maxAgeHours": 0}),
        ("tavily", {"extract_depth": "advanced"}, {"extract_depth": "advanced"}),
        ("firecrawl", {"only_main_content": False}, {"onlyMainContent": False}),
        ("you", {"crawl_timeout": 30}, {"crawl_timeout": 30}),
        ("linkup", {"render_js": True}, {"renderJs": True}),
    ],
)
async def test_options_reach_the_vendor(kind: str, options: dict[str, Any], body: dict[str, Any]) -> None:
    async with staged(kind, good(kind), **options) as stage:
        await stage.web.extract(ASKED)
        assert stage.server.requests[0].json == {**SAMPLES[kind].body, **body}


@pytest.mark.req("extract:notes")
async def test_passages_in_place_of_a_text_are_told_and_so_are_remarks() -> None:
    row = {"url": TOLD, "excerpts": ["One.", " ", "Two."], "full_content": None}
    reply = Reply.json({"results": [row], "errors": [], "warnings": [{"message": "From\ncache"}, {"message": 3}]})
    async with staged("parallel", reply) as stage:
        result = await stage.web.extract(ASKED)
    assert (result.markdown, result.truncated) == ("One.\n\nTwo.", True)
    assert result.notes == (Note(code="excerpts"), Note(code="remark", detail="From cache"))


@pytest.mark.req("extract:events")
async def test_an_observer_sees_each_request_without_the_key() -> None:
    told: list[Any] = []
    async with staged("exa", good("exa"), emit=told.append) as stage:
        await stage.web.extract(ASKED)
    assert [type(one).__name__ for one in told] == ["Selected", "RequestRecorded", "AttemptDispatched", "AttemptEnded"]
    assert {getattr(one, "capability", "extract") for one in told} == {"extract"}
    assert told[1].body == SAMPLES["exa"].body
    assert KEY not in repr(told)


NAMES = (
    "results",
    "failed_results",
    "statuses",
    "status",
    "error",
    "tag",
    "httpStatusCode",
    "data",
    "markdown",
    "code",
)
MORE = (
    "metadata",
    "statusCode",
    "success",
    "warning",
    "content",
    "url",
    "text",
    "raw_content",
    "full_content",
    "errors",
)
LEAVES = st.none() | st.booleans() | st.integers(-5, 600) | st.floats(allow_nan=False) | st.text(max_size=8)


def _around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    keys = st.sampled_from(NAMES + MORE)
    return inner | st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=5)


JSON = _around(_around(_around(LEAVES)))


@pytest.mark.req("extract:garbage")
@pytest.mark.parametrize("kind", VENDORS)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(payload=JSON)
def test_whatever_a_vendor_answers_is_a_page_with_text_or_a_web_error(kind: str, payload: Any) -> None:
    options: Any = ALL[kind].options
    page: Page[Any] = Page(provider=kind, url=TOLD, options=msgspec.convert({}, options), keyed=True)
    reading = Reading(page=page, payload=payload)
    module = __import__(f"webseam.providers.extract.{kind}", fromlist=["VENDOR"])
    failed: WebError | None = None
    result: Any = None
    try:
        result = module.VENDOR.read(reading)
    except WebError as error:
        failed = error
    if failed is None:
        assert isinstance(result, ExtractResult)
        assert result.markdown.strip()
    else:
        assert (failed.provider, failed.dispatched) == (kind, True)
