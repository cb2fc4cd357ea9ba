"""DNS messages: read like an independent library reads them, and whatever bytes come end in a value."""

from ipaddress import ip_address
from itertools import pairwise

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.limits import DNS_ALIASES, DNS_RECORDS
from webseam.net.dns_wire import Kind, Reply, make_query, read_reply

KINDS: tuple[Kind, ...] = ("A", "AAAA")
labels = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_", min_size=1, max_size=63)
hosts = st.lists(labels, min_size=1, max_size=6).map(".".join).filter(lambda host: len(host) <= 253)
QUERY = make_query("a.example", "A", number=7)


def replied(query: bytes, answers: list[dns.rrset.RRset], *, flags: int = 0, rcode: str = "NOERROR") -> bytes:
    """The library's reply to `query`."""
    reply = dns.message.make_response(dns.message.from_wire(query))
    reply.answer.extend(answers)
    reply.flags |= flags
    reply.set_rcode(dns.rcode.from_text(rcode))
    return reply.to_wire(max_size=65_535)


@given(host=hosts, kind=st.sampled_from(KINDS), number=st.integers(0, 0xFFFF))
def test_a_question_is_read_by_an_independent_library(host: str, kind: Kind, number: int) -> None:
    query = dns.message.from_wire(make_query(host, kind, number=number))
    question = query.question[0]

    assert (query.id, question.name.to_text(), question.rdtype) == (number, f"{host}.", dns.rdatatype.from_text(kind))
    assert query.flags == dns.flags.RD
    assert (query.edns, query.payload) == (0, 1232)


@given(data=st.data(), kind=st.sampled_from(KINDS), chain=st.lists(hosts, max_size=5, unique=True))
def test_an_answer_is_read_as_an_independent_library_reads_it(
    data: st.DataObject, kind: Kind, chain: list[str]
) -> None:
    family = st.ip_addresses(v=4) if kind == "A" else st.ip_addresses(v=6)
    addresses = data.draw(st.lists(family.map(str), min_size=1, max_size=20, unique=True))
    names = ["a.example.", *(f"{host}." for host in chain if host != "a.example")]
    query = make_query("A.example", kind, number=9)
    answers = [dns.rrset.from_text(name, 60, "IN", "CNAME", target) for name, target in pairwise(names)]
    answers.append(dns.rrset.from_text(names[-1], 60, "IN", kind, *addresses))
    answers.append(dns.rrset.from_text("other.example.", 60, "IN", kind, "127.0.0.1" if kind == "A" else "::1"))
    wire = replied(query, data.draw(st.permutations(answers)))

    reply = read_reply(wire, query)
    parsed = dns.message.from_wire(wire)
    assert isinstance(parsed, dns.message.QueryMessage)
    chained = parsed.resolve_chaining().answer
    assert chained is not None
    assert reply is not None
    assert reply.addresses is not None
    if "other.example." not in names:
        read = {ip_address(one) for one in reply.addresses}
        assert read == {ip_address(record.address) for record in chained} == set(map(ip_address, addresses))


@pytest.mark.req("dialling:nameservers:hostile")
@given(data=st.binary(max_size=600))
def test_no_bytes_end_in_anything_but_a_value(data: bytes) -> None:
    assert read_reply(data, QUERY) is None or data[:2] == QUERY[:2]


SOUND = replied(
    QUERY,
    [
        dns.rrset.from_text("a.example.", 60, "IN", "CNAME", "b.example."),
        dns.rrset.from_text("b.example.", 60, "IN", "A", "93.184.215.14", "93.184.215.15"),
    ],
)


@pytest.mark.req("dialling:nameservers:hostile")
@given(
    changes=st.lists(st.tuples(st.integers(2, len(SOUND) - 1), st.integers(0, 255)), max_size=8),
    cut=st.integers(0, len(SOUND)),
)
def test_a_damaged_answer_is_read_or_passed_over(changes: list[tuple[int, int]], cut: int) -> None:
    damaged = bytearray(SOUND)
    for at, value in changes:
        damaged[at] = value
    reply = read_reply(bytes(damaged[: len(damaged) - cut]), QUERY)
    assert reply is None or isinstance(reply, Reply)


@pytest.mark.req("dialling:nameservers:hostile")
@given(body=st.binary(max_size=400), count=st.integers(0, 40))
def test_any_records_behind_the_right_question_are_read_or_passed_over(body: bytes, count: int) -> None:
    end = QUERY.index(b"\0", 12) + 5
    header = QUERY[:2] + b"\x81\x80\0\1" + count.to_bytes(2) + bytes(4)
    reply = read_reply(header + QUERY[12:end] + body, QUERY)
    assert reply is None or reply.code == 0


@pytest.mark.req("dialling:nameservers:hostile")
@pytest.mark.parametrize(
    "owner",
    [b"\xc0", b"\xc0\x1b", b"\xff\xff", b"\x3f", b"\x40aaaa", b"\x80aa", b"\x01a" * 128 + b"\0", b"\x01a\xc0\x1b"],
    ids=["half", "itself", "ahead", "short", "reserved-40", "reserved-80", "long", "loop"],
)
def test_a_name_that_cannot_be_makes_the_message_no_answer(owner: bytes) -> None:
    end = QUERY.index(b"\0", 12) + 5
    assert end == 0x1B
    header = QUERY[:2] + b"\x81\x80\0\1\0\1" + bytes(4)
    rest = b"\0\1\0\1\0\0\0\x3c\0\4\x5d\xb8\xd7\x0e"
    assert read_reply(header + QUERY[12:end] + owner + rest, QUERY) is None


def test_an_address_of_another_size_makes_the_message_no_answer() -> None:
    end = QUERY.index(b"\0", 12) + 5
    header = QUERY[:2] + b"\x81\x80\0\1\0\1" + bytes(4)
    assert read_reply(header + QUERY[12:end] + b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\3\x5d\xb8\xd7", QUERY) is None


def test_what_is_bounded_is_told_and_what_is_cut_is_asked_for_again() -> None:
    many = [f"93.184.{number >> 8}.{number & 255}" for number in range(DNS_RECORDS + 1)]
    aliases = [
        dns.rrset.from_text(f"{'n' * step}a.example.", 60, "IN", "CNAME", f"{'n' * (step + 1)}a.example.")
        for step in range(DNS_ALIASES + 1)
    ]
    record = dns.rrset.from_text("a.example.", 60, "IN", "A", *many)
    known = dns.rrset.from_text("a.example.", 60, "IN", "A", *many[1:])

    assert read_reply(replied(QUERY, [record]), QUERY) == Reply(code=0, addresses=None)
    assert read_reply(replied(QUERY, aliases), QUERY) == Reply(code=0, addresses=None)
    whole = read_reply(replied(QUERY, [known]), QUERY)
    assert whole is not None
    assert len(whole.addresses or ()) == DNS_RECORDS
    assert read_reply(replied(QUERY, [record], flags=dns.flags.TC), QUERY) == Reply(code=0, cut=True)
    assert read_reply(replied(QUERY, [], rcode="NXDOMAIN"), QUERY) == Reply(code=3)
    assert read_reply(replied(QUERY, aliases[:-1]), QUERY) == Reply(code=0)


@pytest.mark.parametrize(
    ("at", "value"), [(0, 1), (1, 8), (2, 1), (2, 0xA1), (5, 2), (5, 0), (13, 98), (24, 28), (26, 3)]
)
def test_an_answer_to_anything_else_is_none(at: int, value: int) -> None:
    changed = bytearray(replied(QUERY, []))
    assert read_reply(bytes(changed), QUERY) == Reply(code=0)
    changed[at] = value
    assert read_reply(bytes(changed), QUERY) is None
