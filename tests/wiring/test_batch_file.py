"""The results file of a batch: whole lines are kept, a torn one is cut, and nobody else's file is touched."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.errors import Code, WebError
from webseam.wiring.batch_file import Done, open_results

GOOD = '{"input": "a", "status_code": 200}\n'
BAD = '{"input": "b", "error": {"code": "WEB_PROVIDER_ERROR"}}\n'


def done_in(path: Path, *, resume: bool = True, retry_failed: bool = False) -> tuple[Done, ...]:
    file = open_results(path, resume=resume, again=(lambda one: one.error is not None) if retry_failed else None)
    file.close()
    return file.done


@pytest.mark.req("cli2:batch:resume")
def test_whole_lines_are_kept_and_new_ones_come_behind_them(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(GOOD + BAD, encoding="utf-8")
    file = open_results(path, resume=True)
    assert file.done == (Done(input="a", status=200), Done(input="b", error="WEB_PROVIDER_ERROR"))
    file.add('{"input": "c"}')
    file.close()
    assert path.read_text(encoding="utf-8") == GOOD + BAD + '{"input": "c"}\n'


@pytest.mark.req("cli2:batch:resume")
@given(cut=st.integers(0, len(GOOD + BAD)))
def test_wherever_a_file_was_torn_it_goes_on(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("torn") / "out.jsonl"
    path.write_text((GOOD + BAD)[:cut], encoding="utf-8")
    done = done_in(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert lines == [GOOD, BAD][: len(done)]
    assert len(done) == (cut >= len(GOOD) - 1) + (cut >= len(GOOD + BAD) - 1)


@pytest.mark.req("cli2:batch:retry")
def test_failures_are_left_out_to_be_done_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(BAD + GOOD + BAD + '{"input": "to', encoding="utf-8")
    path.chmod(0o640)
    assert done_in(path, retry_failed=True) == (Done(input="a", status=200),)
    assert path.read_text(encoding="utf-8") == GOOD
    assert path.stat().st_mode & 0o777 == 0o640
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["out.jsonl"]


@pytest.mark.req("cli2:batch:file")
@pytest.mark.parametrize(
    "text",
    [
        *("# Notes\nmore\n", '{"other": 1}\n', "[1]\n" + GOOD, GOOD + "\n" + GOOD),
        *("a note", "[1]", '{"other": 1}', '{"other": 1', "1", '"text', GOOD + "a note"),  # nothing ends the only line
    ],
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")
    for flags in ({"resume": True}, {"resume": True, "retry_failed": True}, {"resume": False}):
        with pytest.raises(WebError) as caught:
            done_in(path, **flags)
        assert caught.value.code == Code.INVALID_ARGS
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.req("cli2:batch:file")
def test_one_run_writes_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    first = open_results(path, resume=False)
    with pytest.raises(WebError, match="another run is writing"):
        open_results(path, resume=True)
    first.close()
    assert done_in(path) == ()


@pytest.mark.req("cli2:batch:file")
@pytest.mark.parametrize("place", [".", "no/such/out.jsonl", "a\x00b"])
def test_what_can_be_no_file_is_told(tmp_path: Path, place: str) -> None:
    with pytest.raises(WebError, match="cannot be written"):
        open_results(tmp_path / place, resume=False)


@pytest.mark.req("cli2:batch:resume")
@given(inputs=st.lists(st.text(max_size=20), max_size=8))
def test_any_input_is_known_again(tmp_path_factory: pytest.TempPathFactory, inputs: list[str]) -> None:
    path = tmp_path_factory.mktemp("any") / "out.jsonl"
    file = open_results(path, resume=False)
    for one in inputs:
        file.add(json.dumps({"input": one}))
    file.close()
    assert [one.input for one in done_in(path)] == inputs
