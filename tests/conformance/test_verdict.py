"""The runner's own judgement: nothing fails in silence, and no exception outlives its reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.exceptions import ERAS, EXTENSIONS, FIXTURE, PRODUCT
from conformance.verdict import Scenario, judge, scenario, scenario_of

STATUSES = st.sampled_from(("SUCCESS", "FAILURE", "WARNING", "SKIPPED", "INFO"))
SCENARIOS = st.lists(
    st.builds(Scenario, st.sampled_from("abc"), st.dictionaries(st.sampled_from(("x", "y", "z")), STATUSES)),
    unique_by=lambda one: one.name,
)
KEYS = st.dictionaries(st.sampled_from(("a", "b", "c", "a:x", "b:y", "d")), st.just("A reason."))


def _found(**scenarios: dict[str, str]) -> list[Scenario]:
    return [Scenario(name, checks) for name, checks in scenarios.items()]


@pytest.mark.req("conformance:unexpected")
def test_a_failure_without_an_exception_is_unexpected() -> None:
    verdict = judge(_found(ping={"ping": "FAILURE", "wire": "SUCCESS"}), {})
    assert (verdict.unexpected, verdict.passed, verdict.clean) == (("ping:ping",), (), False)


@pytest.mark.req("conformance:unexpected")
def test_a_warning_needs_a_reason_as_a_failure_does() -> None:
    assert judge(_found(ping={"ping": "WARNING", "wire": "SUCCESS"}), {}).unexpected == ("ping:ping",)


@pytest.mark.req("conformance:unexpected")
def test_a_scenario_that_shows_nothing_has_not_passed() -> None:
    verdict = judge(_found(ping={"ping": "SKIPPED"}), {})
    assert verdict.unexpected == ("ping:nothing-succeeded",)


@pytest.mark.req("conformance:unexpected")
def test_an_exception_for_one_check_excuses_no_other() -> None:
    found = _found(ping={"one": "FAILURE", "two": "FAILURE"})
    verdict = judge(found, {"ping:one": "A reason."})
    assert (verdict.unexpected, verdict.excepted, verdict.stale) == (("ping:two",), (), ())


@pytest.mark.req("conformance:stale")
@pytest.mark.parametrize("key", ["ping", "ping:ping", "gone", "gone:check"])
def test_an_exception_that_nothing_needs_is_stale(key: str) -> None:
    verdict = judge(_found(ping={"ping": "SUCCESS"}), {key: "A reason."})
    assert (verdict.stale, verdict.clean) == ((key,), False)


@pytest.mark.req("conformance:unexpected")
def test_a_check_that_came_twice_counts_by_its_worst() -> None:
    checks = [{"id": "one", "status": status} for status in ("SUCCESS", "FAILURE", "SUCCESS")]
    assert scenario("ping", checks).bad == ("one",)


@given(found=SCENARIOS, exceptions=KEYS)
@pytest.mark.req("conformance:unexpected", "conformance:stale")
def test_every_scenario_and_every_exception_is_accounted_for(found: list[Scenario], exceptions: dict[str, str]) -> None:
    verdict = judge(found, exceptions)
    told = {bad.partition(":")[0] for bad in verdict.unexpected}
    assert {one.name for one in found} == {*verdict.passed, *verdict.excepted} | told
    assert not {*verdict.passed, *verdict.excepted} & told
    assert all(one.good and not one.bad for one in found if one.name in verdict.passed)
    assert not set(verdict.stale) - set(exceptions)


@pytest.mark.req("conformance:unexpected")
def test_a_folder_of_results_names_its_scenario() -> None:
    assert scenario_of("server-tools-list-2026-11-30T16-58-20-528Z") == "tools-list"
    with pytest.raises(ValueError, match="no folder of the suite's results"):
        scenario_of("tools-list")


@pytest.mark.req("conformance:reasons")
def test_every_exception_says_why_in_a_sentence() -> None:
    reasons = [reason for table in (FIXTURE, PRODUCT) for era in ERAS for reason in table[era].values()]
    assert all(reason.endswith(".") and len(reason.split()) >= 8 for reason in [*reasons, EXTENSIONS])
