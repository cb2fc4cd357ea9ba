"""A request that is none is answered under its own id, where it has one, so that whoever sent it does not wait."""

import json
from typing import Any

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage

from webseam.surfaces.mcp.lines import parsed, written

CALL = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"web_fetch","arguments":{"url":"\\ud800"}}}'


def _answer(line: str) -> Any:
    error = parsed(line.encode())
    assert isinstance(error, types.JSONRPCError)
    return json.loads(written(error))


@pytest.mark.req("mcp:stdio:fault-id")
@pytest.mark.parametrize("number", ["14", '"a"'])
def test_an_argument_with_a_lone_surrogate_is_refused_under_the_requests_id(number: str) -> None:
    told = _answer(CALL % number)
    assert (told["id"], told["error"]["code"]) == (json.loads(number), types.INVALID_REQUEST)


@pytest.mark.req("mcp:stdio:fault-id")
@pytest.mark.parametrize("number", ['"\\ud800"', "true", "1.5", "null", "[1]", "{}"])
def test_what_is_no_id_is_not_sent_back(number: str) -> None:
    assert _answer(CALL % number)["id"] is None


@pytest.mark.req("mcp:stdio:fault-id")
@pytest.mark.parametrize("line", ['{"id":3}', '{"id":3,"jsonrpc":"2.0"}', "3", '"id"', "{}"])
def test_what_is_no_request_is_refused_without_an_id(line: str) -> None:
    assert _answer(line)["id"] is None


@pytest.mark.req("mcp:stdio:fault-id")
@pytest.mark.parametrize("number", ["null", "1.5", "1.0", "true", "[1]", "{}"])
def test_a_request_whose_id_is_none_is_refused_and_not_taken_as_a_notification(number: str) -> None:
    told = _answer(f'{{"jsonrpc":"2.0","id":{number},"method":"ping"}}')
    assert (told["id"], told["error"]["code"]) == (None, types.INVALID_REQUEST)


@pytest.mark.req("mcp:stdio:bad-input")
@pytest.mark.parametrize("line", ['{"jsonrpc":"2.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","method":"a"}'])
def test_a_byte_order_mark_before_a_message_is_ignored(line: str) -> None:
    assert isinstance(parsed(f"\ufeff{line}".encode()), SessionMessage)
    assert parsed("\ufeff\r".encode()) is None


@pytest.mark.req("mcp:stdio:fault-id")
def test_an_id_of_thousands_of_digits_is_answered_on_one_line() -> None:
    told = _answer(f'{{"jsonrpc":"2.0","id":{"9" * 4_200},"method":7}}')
    assert told["error"]["code"] == types.INVALID_REQUEST


@given(
    number=st.integers() | st.text(st.characters(codec="utf-8")),
    method=st.none() | st.integers() | st.lists(st.text(), max_size=2),
)
@pytest.mark.req("mcp:stdio:fault-id")
def test_every_fault_can_be_written_on_one_line(number: int | str, method: object) -> None:
    error = parsed(json.dumps({"jsonrpc": "2.0", "id": number, "method": method}).encode())
    assert isinstance(error, types.JSONRPCError)
    assert written(error).count(b"\n") == 1
    assert error.id in (number, None)
