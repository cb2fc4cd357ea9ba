"""The network's rule in each kind of deployment: the same as the guard's, and as SECURITY.md tells it."""

import re
from collections.abc import Callable, Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Final

import pytest

from support.deploy import (
    ROOT,
    Firewall,
    Rule,
    collapsed,
    from_docker,
    from_kubernetes,
    from_systemd,
    manifest,
    networks,
    unit,
)
from webseam.net.addresses import Address, refusal
from webseam.net.special import BEYOND, METADATA, REGISTRY

CLOSED_ANYWAY: Final = frozenset(
    {
        "192.0.0.9/32",
        "192.0.0.10/32",
        "2001:1::1/128",
        "2001:1::2/128",
        "2001:1::3/128",
        "2001:3::/32",
        "2001:4:112::/48",
        "2001:20::/28",
        "2001:30::/28",
        "64:ff9b::/96",
    }
)
"""Reachable by the registries, inside a block that is not; nothing there is a web site. NAT64 is for who needs it."""

RULES: Final[dict[str, Callable[[Path], Rule]]] = {
    "kubernetes": lambda _tmp: from_kubernetes(),
    "systemd": lambda _tmp: from_systemd(),
    "docker": from_docker,
}


@pytest.fixture(params=list(RULES), scope="module")
def rule(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rule:
    return RULES[request.param](tmp_path_factory.mktemp("firewall"))


def _edges() -> Iterator[Address]:
    """The first and last address of each block that is told apart, and their neighbours."""
    blocks = [block for block, _, _ in (*REGISTRY, *BEYOND)]
    for block in map(ip_network, (*blocks, *METADATA, "2000::/3", "8.8.8.0/24", "2606:4700::/32")):
        for number in (int(block[0]) - 1, int(block[0]), int(block[-1]), int(block[-1]) + 1):
            if 0 <= number < 2**block.max_prefixlen:
                yield type(block[0])(number)


def _is_closed_anyway(address: Address) -> bool:
    return any(address.version == one.version and address in one for one in networks(CLOSED_ANYWAY))


@pytest.mark.req("deployment:egress:table")
def test_each_rule_lets_through_what_the_guard_does_at_every_edge_of_its_table(rule: Rule) -> None:
    wrong = {
        str(address): rule.lets(address)
        for address in _edges()
        if rule.lets(address) != (refusal(address) is None and not _is_closed_anyway(address))
    }
    assert wrong == {}


@pytest.mark.req("deployment:egress:table")
@pytest.mark.parametrize("version", [4, 6])
def test_each_rule_closes_the_blocks_of_the_table_no_more_and_no_less(rule: Rule, version: int) -> None:
    blocks = [*(block for block, _, reachable in (*REGISTRY, *BEYOND) if not reachable), *METADATA]
    if version == 6:
        blocks += ["::/3", "4000::/2", "8000::/1"]  # all that is not 2000::/3, which is what IANA has delegated
    assert rule.closed(version) == collapsed(one for one in networks(blocks) if one.version == version)


@pytest.mark.req("deployment:egress:table")
def test_what_a_rule_closes_beyond_the_guard_is_what_the_registry_calls_reachable_inside_a_closed_block() -> None:
    closed = [*(block for block, _, reachable in (*REGISTRY, *BEYOND) if not reachable), "::/3"]
    inside = {
        block
        for block, _, reachable in REGISTRY
        if reachable and any(_is_inside(block, outer) for outer in map(ip_network, closed))
    }
    assert inside == CLOSED_ANYWAY


def _is_inside(block: str, outer: object) -> bool:
    inner = ip_network(block)
    return any(inner.version == one.version and inner[0] in one for one in networks([str(outer)]))


@pytest.mark.req("deployment:egress:page")
def test_each_rule_closes_what_the_security_page_asks_for(rule: Rule) -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    asked = re.findall(r"[\da-f:.]+/\d+", page.partition("## In a deployment, also")[2].split("```")[1])

    assert len(asked) == 16
    assert [one for one in asked if rule.lets(ip_network(one)[0]) or rule.lets(ip_network(one)[-1])] == []


@pytest.mark.req("deployment:egress:table")
@pytest.mark.parametrize(
    "address",
    ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "::1"],
)
def test_no_rule_lets_a_metadata_address_through(rule: Rule, address: str) -> None:
    assert not rule.lets(ip_address(address))


@pytest.mark.req("deployment:egress:exceptions")
def test_the_unit_opens_single_addresses_of_this_host_alone() -> None:
    allowed = networks(unit()["IPAddressAllow"])

    assert [str(one) for one in allowed] == ["127.0.0.1/32", "127.0.0.53/32"]


@pytest.mark.req("deployment:egress:exceptions")
def test_the_policy_opens_dns_and_valkey_by_label_and_port_and_nothing_else_inside() -> None:
    spec = manifest("networkpolicy")["spec"]
    inside = [rule for rule in spec["egress"] if "ipBlock" not in rule["to"][0]]

    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert [{(one["protocol"], one["port"]) for one in rule["ports"]} for rule in inside] == [
        {("UDP", 53), ("TCP", 53)},
        {("TCP", 6379)},
    ]
    assert all(one["podSelector"]["matchLabels"] for rule in inside for one in rule["to"])


# The script of the bridge ---------------------------------------------------------------------------------


@pytest.fixture
def firewall(tmp_path: Path) -> Firewall:
    return Firewall(tmp_path)


@pytest.mark.req("deployment:egress:bridge")
def test_the_script_rejects_new_packets_to_private_addresses_and_to_the_host(firewall: Firewall) -> None:
    assert firewall.run("add", "webseam0", "10.0.0.2", "fd00::53").returncode == 0
    told = {
        (chain, to, port): firewall.verdict(chain, to, port=port)
        for chain, to, port in (
            ("DOCKER-USER", "93.184.215.14", 443),
            ("DOCKER-USER", "2606:4700::1", 443),
            ("DOCKER-USER", "169.254.169.254", 80),
            ("DOCKER-USER", "fd00:ec2::254", 80),
            ("DOCKER-USER", "10.0.0.2", 53),
            ("DOCKER-USER", "10.0.0.2", 80),
            ("DOCKER-USER", "fd00::53", 53),
            ("INPUT", "93.184.215.14", 443),
            ("INPUT", "172.17.0.1", 22),
            ("INPUT", "10.0.0.2", 53),
            ("INPUT", "2606:4700::1", 443),
        )
    }
    assert [key for key, verdict in told.items() if verdict == "RETURN"] == [
        ("DOCKER-USER", "93.184.215.14", 443),
        ("DOCKER-USER", "2606:4700::1", 443),
        ("DOCKER-USER", "10.0.0.2", 53),
        ("DOCKER-USER", "fd00::53", 53),
        ("INPUT", "10.0.0.2", 53),
    ]


@pytest.mark.req("deployment:egress:bridge")
def test_the_script_lets_answers_pass_and_leaves_other_bridges_alone(firewall: Firewall) -> None:
    firewall.run("add", "webseam0")

    assert firewall.verdict("DOCKER-USER", "10.0.0.9", state="ESTABLISHED") == "RETURN"
    assert firewall.verdict("INPUT", "10.0.0.9", state="ESTABLISHED") == "RETURN"
    assert firewall.verdict("DOCKER-USER", "10.0.0.9", bridge="docker0") == "RETURN"
    assert firewall.verdict("DOCKER-USER", "10.0.0.9") == "REJECT"


@pytest.mark.req("deployment:egress:bridge")
def test_adding_twice_is_adding_once_and_removing_leaves_nothing(firewall: Firewall) -> None:
    firewall.run("add", "webseam0", "10.0.0.2")
    once = firewall.chains("iptables"), firewall.chains("ip6tables")
    assert firewall.run("add", "webseam0", "10.0.0.2").returncode == 0
    assert (firewall.chains("iptables"), firewall.chains("ip6tables")) == once

    for _ in range(2):
        assert firewall.run("remove", "webseam0").returncode == 0
        left = {name: rules for name, rules in firewall.chains("iptables").items() if rules or name.startswith("WS-")}
        assert left == {}


@pytest.mark.req("deployment:egress:bridge")
@pytest.mark.parametrize(
    "argv",
    [
        (),
        ("add",),
        ("add", ""),
        ("add", "-j"),
        ("add", "webseam0; id"),
        ("add", "sixteen-letters0"),
        ("add", "webseam0", "resolver.example"),
        ("add", "webseam0", ""),
        ("add", "webseam0", "0.0.0.0/0"),
        ("flush", "webseam0"),
        ("remove", "webseam0", "10.0.0.2"),
    ],
)
def test_the_script_changes_nothing_for_arguments_that_cannot_be_meant(
    firewall: Firewall, tmp_path: Path, argv: tuple[str, ...]
) -> None:
    ended = firewall.run(*argv)

    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("usage: egress.sh add BRIDGE")
    assert not (tmp_path / "iptables.json").exists()


@pytest.mark.req("deployment:egress:bridge")
@pytest.mark.parametrize("chain", ["WS-OUT-webseam0", "WS-HOST-webseam0"])
def test_a_script_that_fails_half_way_leaves_the_bridge_closed_until_it_runs_again(
    firewall: Firewall, chain: str
) -> None:
    firewall.run("add", "webseam0")
    assert firewall.run("add", "webseam0", fails=chain).returncode != 0
    assert [firewall.verdict(one, "93.184.215.14") for one in ("DOCKER-USER", "INPUT")] == ["DROP", "DROP"]

    assert firewall.run("add", "webseam0").returncode == 0
    assert firewall.verdict("DOCKER-USER", "93.184.215.14") == "RETURN"
    assert firewall.verdict("DOCKER-USER", "10.0.0.1") == "REJECT"


@pytest.mark.req("deployment:egress:bridge")
@pytest.mark.parametrize("action", ["add", "remove"])
def test_who_may_not_change_the_firewall_is_told_so(firewall: Firewall, action: str) -> None:
    assert firewall.run(action, "webseam0", fails="INPUT").returncode != 0


@pytest.mark.req("deployment:egress:bridge")
def test_the_script_leaves_no_blanket_rule_behind(firewall: Firewall) -> None:
    firewall.run("add", "webseam0")
    for tool in ("iptables", "ip6tables"):
        rules = [rule for chain in ("DOCKER-USER", "INPUT") for rule in firewall.chains(tool)[chain]]
        assert [rule["-j"] for rule in rules] == ["WS-OUT-webseam0", "WS-HOST-webseam0"]
