"""Each claim of SECURITY.md names its tests, and they exist."""

import ast
import re
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from webseam.net.addresses import refusal

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


def _section(title: str) -> str:
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def _claims() -> list[tuple[str, str]]:
    """Each claim's bold words with the list that follows it."""
    parts = re.split(r"^\*\*", _section("What is defended"), flags=re.MULTILINE)[1:]
    return [(part.partition("**")[0], part) for part in parts]


def _tests_of(path: str) -> set[str]:
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.req("safety:page:claims")
@pytest.mark.parametrize(("claim", "text"), _claims(), ids=lambda value: value[:40])
def test_each_claim_names_tests_that_exist(claim: str, text: str) -> None:
    named = NAMED.findall(text)

    assert named, f"no test stands behind: {claim}"
    assert [f"{path}::{name}" for path, name in named if name not in _tests_of(path)] == []


@pytest.mark.req("safety:page:claims")
def test_every_test_that_the_page_names_stands_under_a_claim() -> None:
    assert len(_claims()) >= 10
    assert len(NAMED.findall(PAGE)) == sum(len(NAMED.findall(text)) for _, text in _claims())
    assert PAGE.count("::test_") == len(NAMED.findall(PAGE))


@pytest.mark.req("safety:page:claims")
def test_the_ranges_to_deny_in_the_network_are_ones_that_the_guard_refuses_too() -> None:
    blocks = re.findall(r"[\da-f:.]+/\d+", _section("In a deployment, also").partition("```")[2].partition("```")[0])

    assert len(blocks) == 16
    for block in map(ip_network, blocks):
        inside = ip_address("64:ff9b::a00:1") if str(block) == "64:ff9b::/96" else block[-1]
        assert refusal(inside) is not None, block
