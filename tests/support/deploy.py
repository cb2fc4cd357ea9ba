"""The files of a deployment as data: networks, manifests, the unit, the image; and an `iptables` that keeps rules."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, collapse_addresses, ip_address, ip_network
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
import pytest

from webseam.net.addresses import Address
from webseam.surfaces.cli.program import command_line

Network: TypeAlias = IPv4Network | IPv6Network
ROOT: Final = Path(__file__).parents[2]
DEPLOY: Final = ROOT / "deploy"
KUBERNETES: Final = DEPLOY / "kubernetes"
UNIT: Final = DEPLOY / "webseam.service"
SCRIPT: Final = DEPLOY / "egress.sh"
_FAKE: Final = Path(__file__).with_name("fake_iptables.py")


def yaml_of(path: Path) -> list[Any]:
    """The documents of a YAML file."""
    yaml = pytest.importorskip("yaml", reason="needs PyYAML, which the dependency group `frameworks` brings")
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def manifest(name: str) -> Any:
    """The one document of a Kubernetes manifest."""
    (document,) = yaml_of(KUBERNETES / f"{name}.yaml")
    return document


def unit() -> Mapping[str, tuple[str, ...]]:
    """The settings of the unit's `[Service]`, each with its lines."""
    told: dict[str, tuple[str, ...]] = {}
    section = ""
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            told[name] = (*told.get(name, ()), value)
    return told


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, re.sub(r"\s+", " ", rest)) for word, _, rest in (line.partition(" ") for line in lines)]


def parse(words: Sequence[str]) -> None:
    """Read a command line of webseam as the executable does; nothing is run.

    Raises:
        click.UsageError: for an unknown option or argument.
    """
    command: click.Command = command_line()
    context: click.Context | None = None
    while isinstance(command, click.Group):
        context = click.Context(command, info_name="webseam", parent=context)
        inner = command.get_command(context, words[0])
        assert inner is not None, f"{words[0]} is a command"
        command, words = inner, words[1:]
    command.make_context("x", list(words), parent=context)


# What may be reached ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """Networks that are open but for `denied`."""

    opened: tuple[Network, ...]
    denied: tuple[Network, ...]

    def lets(self, address: Address) -> bool:
        """Whether a packet may go there."""
        return _within(address, self.opened) and not _within(address, self.denied)

    def closed(self, version: int) -> list[Network]:
        """All that is closed, in as few blocks as can be."""
        whole: Network = ip_network("0.0.0.0/0") if version == 4 else ip_network("::/0")
        outside = [whole]
        for block in (one for one in self.opened if one.version == version):
            outside = [part for one in outside for part in _without(one, block)]
        return collapsed([*outside, *(one for one in self.denied if one.version == version)])


def collapsed(blocks: Iterable[Network]) -> list[Network]:
    """The same addresses in as few blocks as can be; all of one version."""
    return list(collapse_addresses(blocks))  # type: ignore[type-var]  # one version, which its types cannot say


def _within(address: Address, blocks: Iterable[Network]) -> bool:
    return any(address.version == block.version and address in block for block in blocks)


def _without(one: Network, block: Network) -> Iterator[Network]:
    if not one.overlaps(block):
        yield one
    elif block != one:
        yield from one.address_exclude(block)  # type: ignore[arg-type]  # the same


def networks(texts: Iterable[str]) -> tuple[Network, ...]:
    """Networks, from any number of them in each text."""
    return tuple(ip_network(word) for text in texts for word in text.split())


def from_kubernetes() -> Rule:
    """The blocks of the policy that no label chooses."""
    rules = manifest("networkpolicy")["spec"]["egress"]
    blocks = [one["ipBlock"] for rule in rules for one in rule["to"] if "ipBlock" in one]
    return Rule(networks(one["cidr"] for one in blocks), networks(word for one in blocks for word in one["except"]))


def from_systemd() -> Rule:
    """The unit's rule but for what `IPAddressAllow` opens."""
    return Rule(networks(["0.0.0.0/0 ::/0"]), networks(unit()["IPAddressDeny"]))


def from_docker(tmp_path: Path) -> Rule:
    """What the script's chains reject of what a container sends out."""
    firewall = Firewall(tmp_path)
    firewall.run("add", "webseam0")
    rules = [one for tool in ("iptables", "ip6tables") for one in firewall.chains(tool)["WS-OUT-webseam0"]]
    rejected = [rule["-d"] for rule in rules if rule["-j"] == "REJECT"]
    return Rule(networks(["0.0.0.0/0 ::/0"]), networks(rejected))


# An `iptables` ------------------------------------------------------------------------------------------


class Firewall:
    """The script's own words to `iptables`, kept as rules and judged as the kernel would."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for tool in ("iptables", "ip6tables"):
            program = folder / tool
            program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S -P '{_FAKE}' '{folder}/{tool}.json' \"$@\"\n")
            program.chmod(0o755)

    def run(self, *argv: str, fails: str = "") -> "subprocess.CompletedProcess[str]":
        """The script, with this firewall and no other program; whatever touches the chain that `fails` cannot."""
        environ = {"PATH": str(self._folder), "FAILS": fails}
        return subprocess.run(  # noqa: S603 - our own script
            ["/bin/sh", str(SCRIPT), *argv], env=environ, capture_output=True, text=True, check=False
        )

    def chains(self, tool: str) -> dict[str, list[dict[str, str]]]:
        """Every chain's rules, in order."""
        state: dict[str, list[dict[str, str]]] = json.loads((self._folder / f"{tool}.json").read_text())
        return state

    def verdict(self, chain: str, to: str, *, port: int = 443, state: str = "NEW", bridge: str = "webseam0") -> str:
        """What happens to a TCP packet to `to`; `RETURN` where no rule of ours speaks."""
        chains = self.chains("ip6tables" if ":" in to else "iptables")
        packet = {"-i": bridge, "-p": "tcp", "--dport": str(port), "state": state, "to": to}
        return _judge(chains, chain, packet)


def _judge(chains: Mapping[str, Sequence[Mapping[str, str]]], chain: str, packet: Mapping[str, str]) -> str:
    for rule in chains[chain]:
        if not _matches(rule, packet):
            continue
        verdict = _judge(chains, rule["-j"], packet) if rule["-j"] in chains else rule["-j"]
        if verdict != "RETURN" or rule["-j"] == "RETURN":
            return verdict
    return "RETURN"


def _matches(rule: Mapping[str, str], packet: Mapping[str, str]) -> bool:
    plain = all(rule[name] == packet[name] for name in ("-i", "-p", "--dport") if name in rule)
    states = rule.get("--ctstate", packet["state"]).split(",")
    return plain and packet["state"] in states and ip_address(packet["to"]) in ip_network(rule.get("-d", packet["to"]))
