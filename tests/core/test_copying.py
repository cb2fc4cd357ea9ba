"""Copies of values, as `dataclasses.replace` makes them."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.call import Call
from webseam.core.copying import changed
from webseam.core.types import Attempt, CacheFacts, FetchResult, HtmlBody, Note

PAGE = FetchResult(
    provider="http",
    url="https://a.test/",
    status_code=200,
    body=HtmlBody(content="<p>one"),
    notes=(Note(code="empty"),),
    attempts=(Attempt(provider="http", outcome="ok"),),
)


@pytest.mark.req("core:copy")
def test_a_copy_is_what_replace_makes() -> None:
    assert changed(PAGE) == PAGE
    assert changed(PAGE) is not PAGE
    facts = CacheFacts(age=1.0)
    assert changed(PAGE, url="https://b.test/", cache=facts) == replace(PAGE, url="https://b.test/", cache=facts)
    call = Call(tags={"tenant": "one"})
    assert changed(call, raw=True) == replace(call, raw=True)
    assert call.raw is False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Own(FetchResult):
    """As a plugin may have it: with a field that it fills itself."""

    more: int = 0
    doubled: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "doubled", self.more * 2)


@pytest.mark.req("core:copy")
@given(st.dictionaries(st.sampled_from([one.name for one in fields(FetchResult)]), st.integers()), st.integers())
def test_any_fields_may_change_and_a_subclass_stays_one(changes: dict[str, Any], more: int) -> None:
    own = _Own(provider="mine", url="u", status_code=200, body=HtmlBody(content=""), more=more)
    for value in (PAGE, own):
        assert changed(value, **changes) == replace(value, **changes)
    copy = changed(own, more=more + 1)
    assert (type(copy), copy.doubled) == (_Own, 2 * more + 2)
    with pytest.raises((TypeError, ValueError)):
        changed(own, doubled=1)


class _Counted(FetchResult):
    """As a plugin may have it: with an `__init__` of its own, and what is no field."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        object.__setattr__(self, "letters", len(self.url))


@pytest.mark.req("core:copy")
def test_a_subclass_is_made_by_its_own_init() -> None:
    own = _Counted(provider="mine", url="four", status_code=200, body=HtmlBody(content=""))
    for copy in (changed(own, url="seventy"), replace(own, url="seventy")):
        assert (type(copy), copy.url, vars(copy)) == (_Counted, "seventy", {"letters": 7})


@pytest.mark.req("core:copy")
def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError):
        changed(PAGE, colour="red")
