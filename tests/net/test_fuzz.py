"""A slice of `make fuzz`, and that the fuzzer itself sees what it is there for."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.fuzz import TARGETS, Target, hold_url, run
from support.fuzz_tls import KINDS, Damage, run_tls
from support.fuzz_wire import run_wire
from support.mutation import Corpus
from webseam.core.errors import Code, WebError
from webseam.core.url import Url

FUZZ = Path(__file__).parents[1] / "fuzz.py"


@pytest.mark.req("safety:fuzz:typed")
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_mutated_text_ends_in_a_value_or_a_typed_error(target: Target) -> None:
    report = run(target, seed=1, count=2_000)

    assert report.found == []
    assert report.ran == 2_000
    assert report.refused < report.ran  # some get far enough to try what follows the first check


@pytest.mark.req("safety:fuzz:typed")
async def test_mutated_heads_and_chunks_end_in_a_result_or_a_typed_error_over_real_sockets() -> None:
    report = await run_wire(seed=1, count=300)

    assert report.found == []
    assert report.ran == 300
    assert 0 < report.refused < report.ran


@pytest.mark.req("safety:fuzz:tls")
async def test_damaged_tls_and_connect_answers_end_in_the_servers_own_words_or_a_typed_error() -> None:
    report = await run_tls(seed=1, count=120)

    assert report.found == []
    assert report.ran == 120
    assert 0 < report.refused < report.ran


@pytest.mark.req("safety:fuzz:tls")
@given(kind=st.sampled_from(KINDS), at=st.integers(0, 40), sizes=st.lists(st.integers(0, 15), max_size=6))
def test_damage_happens_once_at_its_place_however_the_bytes_come(kind: str, at: int, sizes: list[int]) -> None:
    damage = Damage(kind, at, Random(1))  # noqa: S311 - repeatable inputs
    whole = bytes(range(sum(sizes)))
    made, ended, start = b"", False, 0
    for size in sizes:
        for piece in () if ended else damage.pieces(whole[start : start + size]):
            ended = ended or piece is None
            made += piece or b""
        start += size

    assert made[:at] == whole[:at] or kind == "plain"
    if kind in ("clean", "dribble") or at >= len(whole):
        assert made == whole
    else:
        assert made != whole or (kind == "cut" and ended)


@pytest.mark.req("safety:fuzz:repeatable")
def test_a_crash_is_reported_with_its_input_and_a_typed_error_is_none() -> None:
    def check(text: str, _rng: Random) -> None:
        if "b" in text:
            raise WebError(Code.INVALID_URL, "typed")
        raise KeyError(text)

    report = run(Target(name="x", corpus=Corpus(examples=("abc",)), check=check, share=1), seed=1, count=1_000)

    assert len(report.found) == 10
    assert report.refused > 0
    assert all(found.startswith("KeyError: ") and " for " in found for found in report.found)


@pytest.mark.req("safety:fuzz:repeatable")
def test_the_same_seed_gives_the_same_inputs_and_another_seed_others() -> None:
    corpus = TARGETS[0].corpus

    def drawn(seed: int) -> list[str]:
        rng = Random(seed)  # noqa: S311 - repeatable inputs
        return [corpus.draw(rng) for _ in range(50)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


@pytest.mark.req("safety:fuzz:typed")
@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://local/",
        "http://u:p@site.example/",
        "http://site.example:25/",
        "ftp://site.example/",
    ],
)
def test_the_fuzzer_knows_a_url_that_must_not_go_through_without_asking_the_policy(url: str) -> None:
    with pytest.raises(AssertionError):
        hold_url(Url.parse(url))


@pytest.mark.req("safety:fuzz:repeatable")
def test_the_command_counts_its_inputs_and_ends_with_zero_when_nothing_was_found() -> None:
    command = [sys.executable, str(FUZZ), "--count", "2000", "--wire", "40", "--tls", "20", "--seed", "5"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ), timeout=50)  # noqa: S603 - this file

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "2,060 inputs, seed 5: 0 found"
