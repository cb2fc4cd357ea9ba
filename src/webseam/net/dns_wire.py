"""DNS messages as bytes (RFC 1035 section 4): one question out, the addresses at the end of its aliases in.

Written here because a library that reads everything spent 15 s of one core on a hostile answer of 64 kB (measured);
this reads the answer section of a bounded number of records, each name at most once.
"""

import struct
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final, Literal, TypeAlias

from webseam.core.limits import DNS_ALIASES, DNS_RECORDS, DNS_UDP_BYTES

Kind: TypeAlias = Literal["A", "AAAA"]
"""A record type that holds addresses."""

NOERROR: Final = 0
NXDOMAIN: Final = 3

_TYPES: Final[dict[Kind, int]] = {"A": 1, "AAAA": 28}  # RFC 1035 section 3.2.2, RFC 3596 section 2.1
_CNAME: Final = 5
_OPT: Final = 41  # RFC 6891 section 6.1.1
_INTERNET: Final = 1
_HEADER: Final = struct.Struct(">6H")
_RECORD: Final = struct.Struct(">HHIH")
_RESPONSE, _CUT, _WANT_RECURSION, _OPCODE, _RCODE = 0x8000, 0x0200, 0x0100, 0x7800, 0x000F
_LABEL_BYTES: Final = 63  # RFC 1035 section 2.3.4, as the next
_NAME_BYTES: Final = 255
_POINTER: Final = 0xC0  # RFC 1035 section 4.1.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a server said to the question. `addresses` is None when there are too many records, or aliases without end.

    `cut` means that all else is to be asked for by TCP.
    """

    code: int
    cut: bool = False
    addresses: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class _Record:
    owner: bytes
    kind: int
    start: int
    end: int


class _MalformedError(ValueError):
    """The bytes are no DNS message."""


def make_query(host: str, kind: Kind, *, number: int) -> bytes:
    """The question for one record type of an absolute name, with `number` as its id.

    Raises:
        UnicodeError: the name cannot be asked for.
    """
    header = _HEADER.pack(number, _WANT_RECURSION, 1, 0, 0, 1)
    extension = b"\0" + _RECORD.pack(_OPT, DNS_UDP_BYTES, 0, 0)
    return header + _encoded(host) + struct.pack(">HH", _TYPES[kind], _INTERNET) + extension


def _encoded(host: str) -> bytes:
    labels = [label.encode("ascii") for label in host.removesuffix(".").split(".")]
    if any(not 0 < len(label) <= _LABEL_BYTES for label in labels):
        raise UnicodeError("a label of the name is empty or too long")
    name = b"".join(bytes((len(label),)) + label for label in labels) + b"\0"
    if len(name) > _NAME_BYTES:
        raise UnicodeError("the name is too long")
    return name


def read_reply(data: bytes, query: bytes) -> Reply | None:
    """What `data` answers to `query`; None when it is no answer to exactly this question, or no message at all."""
    if len(data) < _HEADER.size:
        return None
    number, flags, questions, answers, _, _ = _HEADER.unpack_from(data)
    start = _HEADER.size
    end = query.index(b"\0", start) + 5  # the name's end, type and class
    same = number == int.from_bytes(query[:2]) and data[start:end].lower() == query[start:end].lower()
    if not same or questions != 1 or not flags & _RESPONSE or flags & _OPCODE:
        return None
    code = flags & _RCODE
    if flags & _CUT or code != NOERROR:
        return Reply(code=code, cut=bool(flags & _CUT))
    if answers > DNS_RECORDS:
        return Reply(code=code, addresses=None)
    try:
        return Reply(code=code, addresses=_addresses(data, query[start:end], _records(data, end, answers)))
    except _MalformedError:
        return None


def _records(data: bytes, at: int, count: int) -> list[_Record]:
    records = []
    for _ in range(count):
        owner, at = _name(data, at)
        if at + _RECORD.size > len(data):
            raise _MalformedError
        kind, network, _, size = _RECORD.unpack_from(data, at)
        at += _RECORD.size + size
        if at > len(data):
            raise _MalformedError
        if network == _INTERNET:
            records.append(_Record(owner, kind, at - size, at))
    return records


def _name(data: bytes, at: int) -> tuple[bytes, int]:
    """The name at a place in lower case, and where what follows it begins; pointers lead backwards only."""
    labels: list[bytes] = []
    left, after, barrier = _NAME_BYTES - 1, 0, at
    while True:
        if at >= len(data):
            raise _MalformedError
        size = data[at]
        if size >= _POINTER:
            target = int.from_bytes(data[at : at + 2]) & 0x3FFF
            if at + 2 > len(data) or target >= barrier:
                raise _MalformedError
            after, at, barrier = after or at + 2, target, target
            continue
        left -= size + 1 if size else 0
        if size > _LABEL_BYTES or left < 0:
            raise _MalformedError
        at += size + 1
        if not size:
            return b"".join(labels), after or at
        labels.append(data[at - size - 1 : at].lower())


def _addresses(data: bytes, question: bytes, records: list[_Record]) -> tuple[str, ...] | None:
    """The addresses at the end of the aliases; records of other names are passed over."""
    name, wanted = question[:-5].lower(), int.from_bytes(question[-4:-2])
    for _ in range(DNS_ALIASES + 1):
        own = [record for record in records if record.owner == name]
        found = [data[record.start : record.end] for record in own if record.kind == wanted]
        alias = next((record for record in own if record.kind == _CNAME), None)
        if found or alias is None:
            return tuple(map(_text, found))
        name, _ = _name(data, alias.start)
    return None


def _text(packed: bytes) -> str:
    if len(packed) == 4:  # noqa: PLR2004 - RFC 1035 section 3.4.1
        return str(IPv4Address(packed))
    if len(packed) == 16:  # noqa: PLR2004 - RFC 3596 section 2.2
        return str(IPv6Address(packed))
    raise _MalformedError
