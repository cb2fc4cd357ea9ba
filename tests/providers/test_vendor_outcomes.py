"""Truth about emptiness, vendor by vendor: no hits, blocked, engines failed, set-up and quota are five things."""

from typing import Any

import msgspec
import pytest

from support.vendor import SPECS, facts_of, fixture, replies_of, staged
from webseam.core.call import Call
from webseam.core.errors import WebError
from webseam.core.plain import to_plain
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls, SearchRequest

LENIENT = SeamSettings(controls="lenient")


def cases(part: str) -> list[Any]:
    """The cases of this part over all fixtures, each under its vendor and name."""
    return [
        pytest.param(kind, case, id=f"{kind}: {case['name']}")
        for kind in sorted(SPECS)
        for case in fixture(kind).get(part, [])
    ]


def holds(part: Any, whole: Any) -> bool:
    """Whether `whole` says everything that `part` does; null in `part` means absent."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(
            whole.get(name) is None if value is None else holds(value, whole.get(name)) for name, value in part.items()
        )
    return bool(part == whole)


async def outcome(kind: str, case: dict[str, Any], call: Call | None = None) -> dict[str, Any]:
    """The result, or the error, of a case as plain data."""
    async with staged(kind, settings=LENIENT, **case.get("options", {})) as stage:
        stage.server.replies = replies_of(case)
        request = SearchRequest(query=case.get("query", "kelp"), max_results=case.get("max_results"))
        try:
            found: dict[str, Any] = to_plain(await stage.web.search(request, call=call))
        except WebError as error:
            return error.to_dict()
        return found


@pytest.mark.req("search:vendor:outcomes")
@pytest.mark.parametrize(("kind", "case"), cases("outcomes"))
async def test_each_way_an_answer_can_end_is_told_apart(kind: str, case: dict[str, Any]) -> None:
    ended = await outcome(kind, case)

    expected = {"code": case["code"]} if "code" in case else case["result"]
    assert holds(expected | case.get("error", {}), ended), ended
    assert ended.get("code") is not None or ended["grounding"] in ("searched", "ungrounded")


@pytest.mark.req("search:vendor:streams")
@pytest.mark.parametrize(("kind", "case"), cases("streams"))
async def test_a_stream_tells_its_text_as_it_grows_and_ends_in_its_verdict(kind: str, case: dict[str, Any]) -> None:
    told: list[str] = []

    ended = await outcome(kind, case, Call(progress=told.append))

    assert told == case["progress"]
    assert holds({"code": case["code"]} if "code" in case else case["result"], ended), ended


@pytest.mark.req("search:vendor:controls")
@pytest.mark.parametrize(("kind", "case"), cases("controls"))
async def test_a_control_reaches_the_vendor_in_its_own_words(kind: str, case: dict[str, Any]) -> None:
    recorded = fixture(kind)
    async with staged(kind, **case.get("options", {})) as stage:
        stage.server.replies = replies_of(case if "replies" in case else recorded)
        result = await stage.web.search("kelp", controls=msgspec.convert(case["controls"], SearchControls))

    sent = facts_of(stage.server.requests[-1])
    assert holds({name: case[name] for name in ("path", "query", "json", "form") if name in case}, sent), sent
    assert result.controls == case["statuses"]
