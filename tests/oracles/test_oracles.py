"""Our providers beside the vendors' own SDKs, on loopback: the same question, the same reply, field by field.

The SDKs are the dependency group `oracles`; without it these tests skip and say so. To add a vendor:

1. Add its SDK to the group in `pyproject.toml` and run `make constraints`.
2. Write `vendors/<kind>.py` with `ORACLES = (Oracle(...),)`. `ask` makes the SDK's client with the URL given (retries
   off, `SDK_SECONDS` as timeout, closed again) and calls it; `read` hands back what the SDK read under our names,
   as it stands: no clean-up of ours in there. The reply is the vendor's fixture.
   Where the SDK's types refuse the fixture's malformed rows, give a `reply` without them.
3. Ask a plain `Question` first, then as many as it takes to ask for every native control; `arguments` are written
   from the SDK's signature, never from our provider.
4. Where the SDK streams, write `stream`, and name the `streams` of the fixture that both are to read.
   `support.oracle_wires` has what speaks Messages, Responses and chat completions.
5. Where the SDK has a list of values, name it: under `choices` for an option, under `values` for a control.
6. Run it. Each line that fails is either our fault (mend the provider), or right: then add a `Difference` with both
   values and the reason; `support.explained` has the usual ones. One that is no longer there fails, too.
   Every refusal in the vendor's fixture is given to both without further ado.

`python -m oracles.report` (in `tests/`) prints the number of fields compared and every difference.
"""

import pytest

from oracles.table import ORACLES
from support.comparing import (
    compare_choices,
    compare_home,
    compare_reading,
    compare_refusals,
    compare_sending,
    compare_streaming,
    native_controls,
    refusals,
)
from support.oracle import Oracle, Question, Reading, Streamed
from support.vendor import SPECS

ASKED = [
    pytest.param(oracle, question, id=f"{oracle.kind}-{question.name}")
    for oracle in ORACLES
    for question in oracle.questions
]
READ = [
    pytest.param(oracle, reading, id=f"{oracle.kind}-{reading.name}")
    for oracle in ORACLES
    for reading in oracle.readings
]
STREAMED = [
    pytest.param(oracle, streamed, id=f"{oracle.kind}-{streamed.name.replace(' ', '-')}")
    for oracle in ORACLES
    for streamed in oracle.streams
]
REFUSED = [oracle for oracle in ORACLES if refusals(oracle.kind)]
HOMES = [oracle for oracle in ORACLES if oracle.home is not None]
CHOOSERS = [oracle for oracle in ORACLES if oracle.choices or oracle.values]


def _kind(oracle: Oracle) -> str:
    return oracle.kind


@pytest.mark.req("search:oracle:sending")
@pytest.mark.parametrize(("oracle", "question"), ASKED)
async def test_we_send_what_the_sdk_sends(oracle: Oracle, question: Question) -> None:
    assert "\n".join((await compare_sending(oracle, question)).faults) == ""


@pytest.mark.req("search:oracle:reading")
@pytest.mark.parametrize(("oracle", "reading"), READ)
async def test_we_read_what_the_sdk_reads(oracle: Oracle, reading: Reading) -> None:
    assert "\n".join((await compare_reading(oracle, reading)).faults) == ""


@pytest.mark.req("search:oracle:reading")
@pytest.mark.parametrize("oracle", REFUSED, ids=_kind)
async def test_we_fail_where_the_sdk_fails(oracle: Oracle) -> None:
    assert "\n".join((await compare_refusals(oracle)).faults) == ""


@pytest.mark.req("search:oracle:streaming")
@pytest.mark.parametrize(("oracle", "streamed"), STREAMED)
async def test_we_read_a_stream_as_the_sdk_reads_it(oracle: Oracle, streamed: Streamed) -> None:
    assert "\n".join((await compare_streaming(oracle, streamed)).faults) == ""


@pytest.mark.req("search:oracle:sending")
@pytest.mark.parametrize("oracle", HOMES, ids=_kind)
def test_the_sdk_lives_at_our_base_url(oracle: Oracle) -> None:
    assert "\n".join(compare_home(oracle).faults) == ""


@pytest.mark.req("search:oracle:choices")
@pytest.mark.parametrize("oracle", CHOOSERS, ids=_kind)
def test_our_options_allow_what_the_sdk_allows(oracle: Oracle) -> None:
    assert "\n".join(compare_choices(oracle).faults) == ""


@pytest.mark.req("search:oracle:controls")
@pytest.mark.parametrize("oracle", ORACLES, ids=_kind)
async def test_every_native_control_is_asked_for(oracle: Oracle) -> None:
    asked = {name for question in oracle.questions for name in question.request.controls.asked()}
    assert await native_controls(oracle) <= asked


@pytest.mark.req("search:oracle:claim")
def test_every_provider_that_claims_to_rest_on_an_sdk_has_an_oracle() -> None:
    claimed = {kind for kind, spec in SPECS.items() if spec.rests_on == "sdk"}
    assert claimed <= {oracle.kind for oracle in ORACLES}
