"""Leniently, a value that a vendor cannot honour is left out before anything leaves, and reported (issue 3 point 3)."""

import pickle

import pytest

from support.core import hits, refused, searching
from webseam.core.call import Call
from webseam.core.controls import UnsupportedValueError, unsupported_value
from webseam.core.errors import Code
from webseam.core.settings import SeamSettings
from webseam.core.types import SearchControls, SearchRequest, SearchResult
from webseam.testing import ScriptedSearch

LENIENT = SeamSettings(controls="lenient")
NATIVE = frozenset(SearchControls.__slots__)
ASKED = SearchControls(country="SE", language="sv", safe_search="moderate", include_domains=("a.test",))


class Picky:
    """Refuses the first of the given controls that is asked, as a vendor does: one at a time."""

    native_controls = NATIVE

    def __init__(self, *refuses: str, sends_first: bool = False) -> None:
        self.id = "picky"
        self.refuses = refuses
        self.sends_first = sends_first
        self.requests: list[SearchRequest] = []

    def available(self) -> bool:
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        self.requests.append(request)
        if self.sends_first:
            call.dispatch.mark()
        for name in self.refuses:
            if getattr(request.controls, name) or self.sends_first:
                raise unsupported_value(name, f"picky cannot honour {name}. Leave it out.", self.id)
        call.dispatch.mark()
        return hits("https://a.test/", "https://b.test/")


@pytest.mark.req("core:controls:lenient-values")
async def test_each_refused_value_is_left_out_and_reported_as_unsupported() -> None:
    one = Picky("country", "safe_search")
    result = await searching(one, settings=LENIENT).search("kelp", controls=ASKED)
    assert one.requests[-1].controls == SearchControls(language="sv", include_domains=("a.test",))
    assert result.controls == {
        "include_domains": "native",
        "country": "unsupported",
        "language": "native",
        "safe_search": "unsupported",
    }
    assert [(one.outcome, one.dispatched) for one in result.attempts] == [("ok", True)]


@pytest.mark.req("core:controls:lenient-values")
async def test_refused_domains_are_held_by_the_seam_instead() -> None:
    one = Picky("include_domains")
    result = await searching(one, settings=LENIENT).search("kelp", controls=ASKED)
    assert one.requests[-1].controls.include_domains == ()
    assert [source.url for source in result.sources] == ["https://a.test/"]
    assert (result.controls["include_domains"], result.dropped) == ("enforced", {"domain": 1})


@pytest.mark.req("core:controls:lenient-values")
async def test_strictly_a_refused_value_ends_the_call_before_anything_leaves() -> None:
    one = Picky("country")
    error = await refused(searching(one).search("kelp", controls=ASKED))
    assert (error.code, error.dispatched, len(one.requests)) == (Code.UNSUPPORTED_CONTROL, False, 1)


@pytest.mark.req("core:controls:lenient-values")
async def test_a_provider_that_refuses_what_was_not_asked_or_already_sent_is_not_asked_again() -> None:
    for one in (Picky("country", sends_first=True), ScriptedSearch("s", [unsupported_value("country", "No.", "s")])):
        error = await refused(searching(one, settings=LENIENT).search("kelp"))
        assert (error.code, error.message[-1]) == (Code.UNSUPPORTED_CONTROL, ".")
    sent = Picky("country", sends_first=True)
    error = await refused(searching(sent, settings=LENIENT).search("kelp", controls=ASKED))
    assert (error.dispatched, len(sent.requests)) == (True, 1)


@pytest.mark.req("core:controls:lenient-values")
def test_the_error_keeps_its_control_when_it_is_pickled() -> None:
    error = pickle.loads(pickle.dumps(unsupported_value("country", "No.", "s")))  # noqa: S301 - our own bytes
    assert isinstance(error, UnsupportedValueError)
    assert (error.control, error.provider, error.code) == ("country", "s", Code.UNSUPPORTED_CONTROL)
