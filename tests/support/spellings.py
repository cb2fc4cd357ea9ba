"""Hypothesis strategies: a refused address in every spelling there is, and legitimate URLs with what they must mean."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

REFUSED_V4: Final = tuple(
    map(
        IPv4Address,
        (
            *("0.0.0.0", "10.0.0.5", "100.64.0.1", "127.0.0.1", "127.255.0.3", "169.254.169.254", "172.16.0.1"),
            *("192.0.0.1", "192.0.2.7", "192.168.1.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255"),
        ),
    )
)
REFUSED_V6: Final = tuple(
    map(
        IPv6Address,
        (
            *("::", "::1", "100::1", "2001:db8::1", "2001::1", "3fff::1", "5f00::1", "64:ff9b:1::1", "fc00::1"),
            *("fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "4000::1"),
        ),
    )
)
REFUSED_NAMES: Final = (
    *(
        "localhost",
        "a.localhost",
        "printer.local",
        "metadata.google.internal",
        "x.svc",
        "router.lan",
        "intranet",
        "nas",
    ),
    *("db.corp", "x.onion", "a.home.arpa", "metadata", "instance-data"),
)
PUBLIC_V4: Final = tuple(map(IPv4Address, ("8.8.8.8", "93.184.215.14", "1.0.0.1", "172.32.0.1", "198.20.0.255")))
PUBLIC_V6: Final = tuple(map(IPv6Address, ("2606:2800:21f:cb07::1", "2a00:1450:4001::", "2001:4860:4860::8888")))

_WIDE: Final = {char: chr(0xFF00 + ord(char) - 0x20) for char in "0123456789abcdefghijklmnopqrstuvwxyz-"}
_DIGITS: Final = {
    str(digit): (
        chr(0x24EA) if digit == 0 else chr(0x245F + digit),  # circled
        chr(0x1D7CE + digit),  # mathematical bold
        chr(0x1D7D8 + digit),  # double-struck
        chr(0x2080 + digit),  # subscript
        "\u00b2\u00b3"[digit - 2]
        if digit in (2, 3)
        else "\u00b9"
        if digit == 1
        else chr(0x2070 + digit),  # superscript
    )
    for digit in range(10)
}
_DOTS: Final = ("\u3002", "\uff0e", "\uff61")  # UTS 46 maps them to the full stop
_CIRCLED: Final = {chr(97 + at): chr(0x24D0 + at) for at in range(26)}
_UNSEEN: Final = ("\xad", "\u200b", "\u2060", "\ufe0f", "\ufeff")  # UTS 46 maps them to nothing
_DROPPED: Final = ("\t", "\n", "\r")  # the URL parser takes them out


@st.composite
def numbers(draw: DrawFn, address: IPv4Address) -> str:
    """One to four numbers in any base (WHATWG URL, IPv4 parser), the last one filling the rest."""
    raw = address.packed
    count = draw(st.integers(1, 4))
    values = [*raw[: count - 1], int.from_bytes(raw[count - 1 :])]
    bases = st.sampled_from(("{}", "{}", "0x{:x}", "0X{:X}", "0x000{:x}", "0{:o}", "000{:o}"))
    return ".".join("0x" if value == 0 and draw(st.booleans()) else draw(bases).format(value) for value in values)


@st.composite
def disguised(draw: DrawFn, text: str) -> str:
    """Characters percent-encoded, wide, enclosed, raised, or with unseen ones between, as the host parser undoes."""
    made = []
    for char in text:
        way = draw(st.sampled_from(("as is", "as is", "percent", "wide", "other", "upper", "unseen", "dropped")))
        made.append(_disguise(draw, char, way))
    return "".join(made)


def _disguise(draw: DrawFn, char: str, way: str) -> str:
    match way:
        case "percent":
            return f"%{ord(char):02{draw(st.sampled_from('xX'))}}"
        case "wide":
            return draw(st.sampled_from(_DOTS)) if char == "." else _WIDE.get(char, char)
        case "other":
            return draw(st.sampled_from(_DIGITS[char])) if char in _DIGITS else _CIRCLED.get(char, char)
        case "upper":
            return char.upper()
        case "unseen":
            return char + draw(st.sampled_from(_UNSEEN))
        case "dropped":
            return char + draw(st.sampled_from(_DROPPED))
        case _:
            return char


def embeddings(address: IPv4Address) -> tuple[IPv6Address, ...]:
    """The address inside IPv6 ones: mapped, compatible, translated, NAT64 (two), 6to4, Teredo, ISATAP (two)."""
    low = int(address)
    forms = (
        0xFFFF << 32 | low,
        low,
        0xFFFF << 48 | low,
        0x64FF9B << 96 | low,
        0x64FF9B0001 << 80 | low,
        0x2002 << 112 | low << 80 | 1,
        0x2001_0000_5DB8_D70E << 64 | low ^ 0xFFFFFFFF,
        0x2606_2800 << 96 | 0x5EFE << 32 | low,
        0x2606_2800 << 96 | 0x0200_5EFE << 32 | low,
    )
    return tuple(map(IPv6Address, forms))


@st.composite
def six(draw: DrawFn, address: IPv6Address) -> str:
    """Any spelling of an IPv6 address: leading zeros, case, any run of zeros left out, the end dotted (RFC 4291)."""
    raw = address.packed
    values = [int.from_bytes(raw[at : at + 2]) for at in range(0, 16, 2)]
    groups = [draw(st.sampled_from((f"{value:x}", f"{value:04x}", f"{value:04X}", f"{value:X}"))) for value in values]
    if draw(st.booleans()):
        groups[6:] = [str(IPv4Address(raw[12:]))]
        values[6:] = [1]
    runs = [
        (start, end)
        for start in range(len(values))
        for end in range(start + 1, len(values) + 1)
        if not any(values[start:end])
    ]
    cut = draw(st.sampled_from([None, *runs]))
    if cut is None:
        return f"[{':'.join(groups)}]"
    return f"[{':'.join(groups[: cut[0]])}::{':'.join(groups[cut[1] :])}]"


@st.composite
def refused_hosts(draw: DrawFn) -> str:
    """A host that must be refused, however it is spelled."""
    kind = draw(st.sampled_from(("v4", "v4", "name", "v6", "embedded")))
    if kind == "v4":
        text = draw(numbers(draw(st.sampled_from(REFUSED_V4))))
    elif kind == "name":
        text = draw(st.sampled_from(REFUSED_NAMES))
    else:
        inside = draw(st.sampled_from(embeddings(draw(st.sampled_from(REFUSED_V4))))) if kind == "embedded" else None
        return draw(six(inside or draw(st.sampled_from(REFUSED_V6))))
    return draw(disguised(text + draw(st.sampled_from(("", "", ".")))))


@st.composite
def refused_urls(draw: DrawFn) -> str:
    """A URL whose host must be refused, with what may stand around a host."""
    scheme = draw(st.sampled_from(("http", "https", "HTTP", "h\ttTp", "ht\ntps")))
    slashes = draw(st.sampled_from(("://", ":/", ":", ":\\\\", ":////", ":/\n/", ":/\\")))
    user = draw(
        st.sampled_from(("", "", "", "@", ":@", "u@", "u:p@", "8.8.8.8@", "site.example:80@", "a%40b@", "%2f@"))
    )
    port = draw(st.sampled_from(("", "", ":", ":80", ":8080", ":65535", ":000443", ":\t81")))
    rest = draw(
        st.sampled_from(("", "/", "/a?b#c", "?x", "\\", "#@site.example", "/@site.example", "\\@site.example/"))
    )
    around = draw(st.sampled_from(("", " ", "\x00", "\n", "\x1f\t")))
    return f"{around}{scheme}{slashes}{user}{draw(refused_hosts())}{port}{rest}{around}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Legitimate:
    """A URL and what it means, told by how it was made and not by a parser; `host` has its brackets."""

    text: str
    scheme: str
    host: str
    port: int
    literal: str | None

    @property
    def shown(self) -> str:
        """The `Host` field (RFC 9110 section 7.2)."""
        return self.host if self.port == {"http": 80, "https": 443}[self.scheme] else f"{self.host}:{self.port}"


_PORTS: Final = (80, 81, 443, 3000, 8000, 8080, 8443, 9000, 49_152, 65_535)
_LABELS: Final = st.text("abcxyz019\u00e9\u00fc\u4e2d\u6587\u0436", min_size=1, max_size=12)


@st.composite
def _names(draw: DrawFn) -> tuple[str, str]:
    """A public name as written and in ASCII; the letters are ones that IDNA 2003 and UTS 46 read alike."""
    labels = [*draw(st.lists(_LABELS, min_size=1, max_size=4)), draw(st.sampled_from(("example", "com", "co.uk")))]
    plain = ".".join(labels)
    return draw(disguised(plain)) if plain.isascii() else plain, plain.encode("idna").decode()


@st.composite
def legitimate(draw: DrawFn) -> Legitimate:
    """A URL that must be fetched, from the host and port it is built of."""
    kind = draw(st.sampled_from(("name", "name", "v4", "v6")))
    literal: str | None = None
    if kind == "name":
        written, host = draw(_names())
    elif kind == "v4":
        host = literal = str(draw(st.sampled_from(PUBLIC_V4)))
        written = draw(disguised(draw(numbers(IPv4Address(host)))))
    else:
        address = draw(st.sampled_from(PUBLIC_V6))
        literal, written = str(address), draw(six(address))
        host = f"[{literal}]"
    scheme = draw(st.sampled_from(("http", "http", "https")))
    port = draw(st.sampled_from((None, *_PORTS)))
    dot = "." if kind != "v6" and draw(st.booleans()) else ""
    number = "" if port is None else draw(st.sampled_from((f":{port}", f":000{port}")))
    rest = draw(st.text(st.characters(codec="utf-8"), max_size=30))
    spelled = draw(st.sampled_from((scheme, scheme.upper())))
    return Legitimate(
        text=f"{spelled}://{written}{dot}{number}/{rest}",
        scheme=scheme,
        host=host,
        port=port or {"http": 80, "https": 443}[scheme],
        literal=literal,
    )
