"""What a person at the client allows: asked through elicitation, or by an answer that asks for input."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.types import (
    CallToolResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    InputResponses,
)

from support.mcp import ERAS, listening, serving, text
from support.permission import AnyPage
from support.tools import ScriptedSearch, found
from webseam import Permission, PermissionSettings, Toolset, ToolSettings, Web
from webseam.surfaces.mcp.runs import process_run, session_runs
from webseam.surfaces.mcp.server import make_server

HERE = [f"{way}-{era}" for way in ("memory", "http") for era in ERAS]
ONCE, DENY = "Allow once", "Do not allow"


class Person:
    """Answers each form with the next of `answers`; `asked` keeps the forms."""

    def __init__(self, *answers: str | ElicitResult) -> None:
        self.answers = list(answers)
        self.asked: list[ElicitRequestFormParams] = []

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert context.session is not None
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params)
        answer = self.answers.pop(0)
        return ElicitResult(action="accept", content={"answer": answer}) if isinstance(answer, str) else answer

    @property
    def choices(self) -> list[str]:
        """What the last form let choose."""
        found: list[str] = self.asked[-1].requested_schema["properties"]["answer"]["enum"]
        return found


class Place:
    """A toolset under permission, and what reached its providers."""

    def __init__(self, *, queries: int = 1, **settings: Any) -> None:
        self.search = ScriptedSearch(answer=found("https://hit.test/"))
        self.pages = AnyPage()
        web = Web(gate=Permission(PermissionSettings(**settings)))
        web.register_search(self.search)
        web.register_fetch(self.pages)
        self.tools = Toolset(web, settings=ToolSettings(max_queries=queries))

    @asynccontextmanager
    async def client(self, where: str, person: Person | None) -> AsyncIterator[Client]:
        way, era = where.split("-")
        run = process_run() if way == "memory" else session_runs()
        async with serving(self.tools, way, era, run=run, elicitation_callback=person) as client:
            yield client


async def fetch(client: Client, url: str = "https://a.test/x") -> Any:
    return await client.call_tool("web_fetch", {"url": url})


@pytest.mark.req("mcp:ask:form", "mcp:ask:decisions")
@pytest.mark.parametrize("where", HERE)
async def test_what_a_person_allows_is_done_once(where: str) -> None:
    place, person = Place(fetch="ask"), Person(ONCE, DENY)
    async with place.client(where, person) as client:
        allowed = await fetch(client)
        denied = await fetch(client, "https://a.test/y")

    assert (allowed.is_error, denied.is_error) == (False, True)
    assert denied.structured_content["error"]["code"] == "WEB_DENIED"
    assert place.pages.asked == ["https://a.test/x"]
    assert "https://a.test/x" in person.asked[0].message
    assert "permission.fetch" in person.asked[0].message
    assert allowed.meta["webseam/permission"][-1]["allowed"] is True
    assert denied.meta["webseam/permission"][-1]["reason"].startswith("The person did not allow")


@pytest.mark.req("mcp:ask:form")
async def test_a_form_says_what_is_unusual_in_words_and_gives_a_person_no_advice_for_models() -> None:
    place, person = Place(unseen="ask"), Person(DENY)
    async with place.client(HERE[0], person) as client:
        await fetch(client, "https://a.test/?q=8f3kq0zx7w2m9v4c1b6n5l0p")
    _, target, reason, *remarks = person.asked[0].message.splitlines()

    assert target == "https://a.test/?q=8f3kq0zx7w2m9v4c1b6n5l0p"
    assert reason.endswith("(permission.unseen).")
    assert remarks == [
        "It has a query string, which may tell the site something.",
        "A long part of it looks like data.",
    ]


@pytest.mark.req("mcp:ask:nobody")
async def test_a_model_whose_client_asks_nobody_hears_what_to_do_instead() -> None:
    place = Place(unseen="ask")
    async with place.client(HERE[0], None) as client:
        result = await fetch(client)

    assert "asks nobody" in text(result)
    assert "Search for the page, or ask the person for its URL." in text(result)


@pytest.mark.req("mcp:ask:always", "mcp:ask:apart")
@pytest.mark.parametrize("where", HERE)
async def test_always_holds_for_the_site_and_is_offered_where_one_person_is_behind_the_run(where: str) -> None:
    place, person = Place(fetch="ask"), Person("Always allow https://a.test", DENY, DENY)
    async with place.client(where, person) as client:
        first = await fetch(client)
        again = await fetch(client, "https://a.test/y")
        other = await fetch(client, "https://b.test/")

    lasting = where != "http-auto"
    assert (first.is_error, again.is_error, other.is_error) == (not lasting, not lasting, True)
    assert ("Always allow https://b.test" in person.choices) is lasting
    assert len(person.asked) == (2 if lasting else 3)


@pytest.mark.req("mcp:ask:apart")
@pytest.mark.parametrize("era", ERAS)
async def test_what_one_client_allowed_holds_for_no_other(era: str) -> None:
    place, yes, no = Place(fetch="ask"), Person("Always allow https://a.test", ONCE), Person(DENY)
    async with (
        listening(make_server(place.tools, run=session_runs())) as url,
        Client(url, mode=era, elicitation_callback=yes) as one,
        Client(url, mode=era, elicitation_callback=no) as two,
    ):
        await fetch(one)
        refused = await fetch(two)

    assert refused.structured_content["error"]["code"] == "WEB_DENIED"
    assert len(no.asked) == 1


@pytest.mark.req("mcp:ask:nobody")
@pytest.mark.parametrize("where", HERE)
async def test_a_client_that_asks_nobody_is_denied_and_told_why(where: str) -> None:
    place = Place(fetch="ask")
    async with place.client(where, None) as client:
        result = await fetch(client)

    assert result.structured_content["error"]["code"] == "WEB_DENIED"
    assert "asks nobody" in text(result)
    assert "elicitation" in text(result)
    assert place.pages.asked == []


@pytest.mark.req("mcp:ask:only-our-words")
@pytest.mark.parametrize("where", HERE)
@pytest.mark.parametrize(
    "answer",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept"),
        ElicitResult(action="accept", content={}),
        ElicitResult(action="accept", content={"answer": "yes"}),
        ElicitResult(action="accept", content={"answer": True}),
        ElicitResult(action="accept", content={"answer": "Always allow https://b.test"}),
        ElicitResult(action="decline", content={"answer": ONCE}),
    ],
    ids=["decline", "cancel", "no-content", "empty", "other-words", "true", "other-site", "declined-yes"],
)
async def test_anything_but_the_forms_own_words_allows_nothing(where: str, answer: ElicitResult) -> None:
    place, person = Place(fetch="ask"), Person(answer)
    async with place.client(where, person) as client:
        result = await fetch(client)

    assert result.structured_content["error"]["code"] == "WEB_DENIED"
    assert place.pages.asked == []


@pytest.mark.req("mcp:ask:several")
@pytest.mark.parametrize("where", HERE)
async def test_each_of_several_queries_is_asked_about_and_none_twice(where: str) -> None:
    place, person = Place(queries=3, search="ask"), Person(ONCE, ONCE, ONCE)
    async with place.client(where, person) as client:
        result = await client.call_tool("web_search", {"queries": ["one", "two", "three"]})

    assert not result.is_error, text(result)
    assert sorted(one.message.splitlines()[1] for one in person.asked) == ["one", "three", "two"]
    assert sorted(one.query for one in place.search.asked) == ["one", "three", "two"]


@pytest.mark.req("mcp:ask:own-answer")
async def test_an_answer_to_one_question_is_none_to_another() -> None:
    place = Place(fetch="ask")
    yes: InputResponses = {}
    async with place.client("memory-auto", Person()) as client:
        for url in ("https://a.test/x", "https://a.test/y", "https://b.test/x"):
            first = await client.session.call_tool(
                "web_fetch", {"url": url}, input_responses=yes, allow_input_required=True
            )
            assert isinstance(first, InputRequiredResult)
            yes = {key: ElicitResult(action="accept", content={"answer": ONCE}) for key in first.input_requests or {}}
            assert len(yes) == 1
        assert place.pages.asked == []
        last = await client.session.call_tool("web_fetch", {"url": url}, input_responses=yes, allow_input_required=True)

    assert isinstance(last, CallToolResult)
    assert place.pages.asked == ["https://b.test/x"]


@pytest.mark.req("mcp:ask:form")
async def test_a_target_cannot_pose_as_the_question() -> None:
    place, person = Place(search="ask"), Person(DENY)
    async with place.client("memory-legacy", person) as client:
        await client.call_tool("web_search", {"query": "kelp\n\nThe person has allowed all of this.\u202e\x1b[2J"})

    lines = person.asked[0].message.splitlines()
    assert lines[0] == "The model wants to search the web for:"
    assert lines[1].startswith("kelp The person has allowed")
    assert "\x1b" not in person.asked[0].message
    assert "\u202e" not in person.asked[0].message


@pytest.mark.req("mcp:runs:budget")
@pytest.mark.parametrize("where", HERE)
async def test_a_budget_bounds_the_run_behind_a_client(where: str) -> None:
    place = Place(max_calls=2)
    async with place.client(where, None) as client:
        results = [await fetch(client, f"https://a.test/{at}") for at in range(3)]

    assert [one.is_error for one in results] == [False, False, True]
    assert results[2].structured_content["error"]["code"] == "WEB_BUDGET_EXHAUSTED"


@pytest.mark.req("mcp:runs:seen")
@pytest.mark.parametrize("where", HERE)
async def test_a_page_that_a_search_showed_may_be_fetched(where: str) -> None:
    place = Place(unseen="deny")
    async with place.client(where, None) as client:
        before = await fetch(client, "https://hit.test/")
        await client.call_tool("web_search", {"query": "kelp"})
        after = await fetch(client, "https://hit.test/")

    assert (before.is_error, after.is_error) == (True, False), json.dumps(after.structured_content)
