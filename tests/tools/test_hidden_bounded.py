"""Long Markdown is looked through in a worker: in time, or given as it came with the reason."""

import sys
from typing import Any

import pytest

from support.core import extract
from support.net import serve
from support.pages import CACHED, Clocks, Origin, cached_web
from support.tools import URL, found, inside, outside, plain, reading, searching
from webseam import Toolset, ToolSettings, Web
from webseam.content.convert import Converter
from webseam.content.index_text import markdown_to_plain
from webseam.core.deadline import Deadline
from webseam.core.errors import Code
from webseam.core.limits import HIDDEN_INDEX_CHARS, HIDDEN_INLINE_CHARS
from webseam.testing import ScriptedExtract
from webseam.tools.page_facts import UNCHECKED_LINE

COMMENTED = "# Kelp\n\nKelp grows <b>fast</b>. <!-- obey -->\n\n" * 24_000
HOSTILE = "Kelp.\n\n<b hidden>x\n" + "1. <b>x\n" * 375_000
LONG = f"Kelp.\n\n<!-- obey -->\n\n{'Kelp grows. ' * 3_000}"
NOTE = {"code": "unchecked_html"}


def sent(text: str) -> bytes:
    body = text.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def served(text: str) -> Any:
    """What `web_fetch` answers about a page that a server sends as Markdown."""
    origin = Origin({"/": sent(text)})
    async with serve(origin.handler()) as server, cached_web(CACHED, Clocks()) as web:
        tools = Toolset(web)
        result = await call(tools, "web_fetch", {"url": f"{server.url}/"}, timeout=60)
        await tools.aclose()
    return result


async def call(tools: Toolset, name: str, args: dict[str, Any], **how: Any) -> Any:
    return await tools.call(name, args, **how)


def gives_up() -> Converter:
    """A converter whose workers have no time."""
    return Converter(seconds=0.000_1)


@pytest.mark.req("markdown:hidden:bounded")
async def test_a_long_page_with_comments_is_cleaned() -> None:
    result = await served(COMMENTED)
    assert (result.error, result.structured["hidden"]) == (None, 24_000)
    assert "obey" not in result.text
    assert "Kelp grows <b>fast</b>." in inside(result.text)
    assert NOTE not in result.structured.get("notes", [])


@pytest.mark.timeout(120)
@pytest.mark.req("markdown:hidden:bounded")
async def test_a_hostile_page_of_three_megabytes_is_shown_as_it_came_with_the_reason() -> None:
    result = await served(HOSTILE)
    assert result.error is None
    assert result.structured["fallback"] in {"timeout", "memory", "crash"}
    assert "Kelp.\n\n<b hidden>x\n1. <b>x" in inside(result.text)
    assert UNCHECKED_LINE in outside(result.text)
    assert "bare words" not in result.text


@pytest.mark.req("markdown:hidden:bounded")
async def test_a_page_that_could_not_be_looked_through_says_so() -> None:
    scripted, _ = reading(plain(LONG, media_type="text/markdown"))
    own = Toolset(scripted._web, converter=gives_up())
    result = await call(own, "web_fetch", {"url": URL})
    assert result.structured["fallback"] == "timeout"
    assert {**NOTE, "detail": "timeout"} in result.structured["notes"]
    assert UNCHECKED_LINE in outside(result.text)
    assert "<!-- obey -->" in inside(result.text)


@pytest.mark.req("markdown:hidden:bounded")
async def test_a_converter_that_cannot_look_through_markdown_leaves_it_to_ours() -> None:
    class Words:
        async def convert(self, page: Any, *, deadline: Deadline) -> Any:
            return await Converter().convert(page, deadline=deadline)

    scripted, _ = reading(plain(LONG, media_type="text/markdown"))
    own = Toolset(scripted._web, converter=Words())
    result = await call(own, "web_fetch", {"url": URL})
    await own.aclose()
    assert (result.structured["hidden"], "obey" in result.text) == (1, False)


@pytest.mark.req("markdown:hidden:bounded")
@pytest.mark.parametrize("converter", [None, gives_up], ids=["in time", "too late"])
async def test_a_long_extract_is_looked_through_or_says_that_it_was_not(converter: Any) -> None:
    seam = Web()
    seam.register_extract(ScriptedExtract("reader", [extract(URL, LONG)]))
    made = converter and converter()
    tools = Toolset(seam, settings=ToolSettings(extract=True), converter=made)
    result = await call(tools, "web_extract", {"url": URL})
    await tools.aclose()
    assert ("obey" in inside(result.text)) == (UNCHECKED_LINE in outside(result.text)) == (made is not None)
    assert result.structured["hidden"] == (made is None)


@pytest.mark.req("markdown:hidden:bounded")
@pytest.mark.parametrize("converter", [None, gives_up], ids=["in time", "too late"])
async def test_a_long_answer_is_looked_through_or_says_that_it_was_not(converter: Any) -> None:
    made = converter and converter()
    settings = ToolSettings(search_chars=60_000)
    scripted, _ = searching(found(content=LONG))
    tools = Toolset(scripted._web, settings=settings, converter=made)
    result = await call(tools, "web_search", {"query": "kelp"})
    await tools.aclose()
    assert ("obey" in result.structured["answer"]) == (UNCHECKED_LINE in outside(result.text)) == (made is not None)
    assert len(result.structured["answer"]) > HIDDEN_INLINE_CHARS


@pytest.mark.req("markdown:hidden:bounded")
async def test_a_call_that_is_out_of_time_ends_the_look() -> None:
    scripted, _ = reading(plain(HOSTILE, media_type="text/markdown"))
    result = await call(scripted, "web_fetch", {"url": URL}, timeout=0.5)
    await scripted.aclose()
    assert result.error is not None
    assert result.error["code"] == Code.TOOL_TIMEOUT


@pytest.mark.req("markdown:hidden:bounded")
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its address space")
@pytest.mark.timeout(240)
@pytest.mark.parametrize("memory", [60_000_000, 64_000_000, 80_000_000, 104_000_000])
async def test_a_look_that_needs_too_much_memory_gives_the_text_as_it_is(memory: int) -> None:
    """Where it ends is chance; a worker that cannot even say so would spin until its time is up, or die."""
    converter = Converter(memory=memory, seconds=60)
    seen = await converter.seen(HOSTILE, deadline=Deadline.after(120))
    assert (seen.text, seen.fallback) == (HOSTILE, "memory")
    await converter.aclose()
    assert (await converter.seen(LONG, deadline=Deadline.after(60))).fallback == "crash"


@pytest.mark.req("markdown:hidden:index")
def test_an_index_looks_through_texts_of_a_size_that_people_write() -> None:
    text = "Kelp. <!-- obey -->\n"
    assert "obey" not in markdown_to_plain(text * 1_000)
    long = markdown_to_plain(text + "Kelp.\n" * (HIDDEN_INDEX_CHARS // 6))
    assert long.startswith("Kelp.")
    assert "obey" in long
