"""The address table against the registries, and against what `ipaddress` says where it is wrong."""

from ipaddress import IPv4Address, IPv6Address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.net.addresses import is_metadata, parse_address, refusal
from webseam.net.special import REGISTRY

PRIVATE = ("0.1.2.3", "10.1.2.3", "127.9.9.9", "100.64.3.4", "172.31.0.1", "192.168.0.1", "198.19.0.1", "224.0.0.251",
           "240.0.0.1", "255.255.255.255", "192.0.0.9")  # fmt: skip
PUBLIC_V4 = ("1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.32.0.0", "192.0.1.0",
             "198.17.255.255", "198.20.0.0", "223.255.255.255")  # fmt: skip


@pytest.mark.req("net:url:verdicts")
@pytest.mark.parametrize(("block", "name", "reachable"), REGISTRY)
def test_first_and_last_address_of_each_registry_block_are_judged_by_their_most_specific_block(
    block: str, name: str, *, reachable: bool
) -> None:
    network = ip_network(block)
    inner = [ip_network(other) for other, _, _ in REGISTRY if other != block]
    for address in (network[0], network[-1]):
        nested = any(
            address in one and one.version == network.version and one.prefixlen > network.prefixlen for one in inner
        )
        if not nested and not (name.startswith("IPv4-IPv6") and reachable):
            assert (refusal(address) is None) is reachable


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("127.0.0.1", "a Loopback"),
        ("::", "an Unspecified"),
        ("fc00::1", "a Unique-Local"),
        ("0.1.2.3", 'a "This network"'),
        ("0.0.0.0", 'a "This host on this network"'),
        ("192.0.0.1", "an IPv4 Service Continuity Prefix"),
        ("64:ff9b::10.0.0.5", "NAT64 of a Private-Use"),
    ],
)
def test_a_class_is_named_so_that_it_reads_before_the_word_address(text: str, name: str) -> None:
    address = parse_address(text)
    assert address is not None
    why = refusal(address)
    assert why is not None
    assert why.name == name


@pytest.mark.parametrize("text", PUBLIC_V4)
def test_the_neighbours_of_refused_blocks_are_public(text: str) -> None:
    assert refusal(IPv4Address(text)) is None


def _embeddings(inner: IPv4Address) -> list[IPv6Address]:
    value = int(inner)
    return [
        IPv6Address(0xFFFF << 32 | value),  # mapped
        IPv6Address(value),  # compatible
        IPv6Address(0xFFFF << 48 | value),  # translated
        IPv6Address(0x64FF9B << 96 | value),  # NAT64
        IPv6Address(0x2002 << 112 | value << 80),  # 6to4
        IPv6Address(0x20010000 << 96 | (value ^ 0xFFFFFFFF)),  # Teredo
        IPv6Address((0x20014860 << 96) | (0x5EFE << 32) | value),  # ISATAP
    ]


@given(st.sampled_from(PRIVATE[:-1]), st.integers(0, 6))
def test_a_private_address_embedded_in_any_form_is_refused(text: str, form: int) -> None:
    assert refusal(_embeddings(IPv4Address(text))[form]) is not None


def test_a_public_address_behind_the_well_known_nat64_prefix_is_public() -> None:
    assert refusal(IPv6Address("64:ff9b::808:808")) is None


@pytest.mark.parametrize("prefix", [32, 40, 48, 56, 64, 96])
def test_a_metadata_address_is_seen_at_every_place_of_rfc_6052(prefix: int) -> None:
    bits = f"{int(IPv6Address('2a01:4f8::')):0128b}"[:prefix]
    inner = f"{int(IPv4Address('169.254.169.254')):032b}"
    if prefix == 96:
        text = bits + inner
    else:
        before = 64 - prefix
        text = bits + inner[:before] + "0" * 8 + inner[before:]
    assert is_metadata(IPv6Address(int(text.ljust(128, "0"), 2)))


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3", "::1%lo%lo", "12", "[::1", "fe80::1%eth0", "1.2.3.4"])
def test_a_literal_is_parsed_without_its_scope_and_anything_else_is_none(text: str) -> None:
    address = parse_address(text)
    assert address is None or "%" not in str(address)
