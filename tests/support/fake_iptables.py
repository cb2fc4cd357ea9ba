"""Stands for `iptables`: keeps chains in a JSON file, and fails where the real one does."""

import json
import os
import sys
from pathlib import Path

_BUILT_IN = {"INPUT": [], "FORWARD": [], "OUTPUT": []}  # type: dict[str, list[dict[str, str]]]


def main(file: Path, words: list[str]) -> int:
    """One command; 0 where it could be done."""
    chains = json.loads(file.read_text()) if file.exists() else dict(_BUILT_IN)
    done = _do([word for word in words if word not in ("-w", "-n")], chains)
    if done:
        file.write_text(json.dumps(chains))
    return 0 if done else 1


def _do(words: list[str], chains: dict[str, list[dict[str, str]]]) -> bool:
    action, chain, *rest = words
    if chain == os.environ.get("FAILS"):
        return False
    if action == "-N":
        return chain not in chains and chains.update({chain: []}) is None
    if chain not in chains:
        return False
    if action == "-L":
        return True
    if action in ("-F", "-X"):
        return _empty(action, chain, chains)
    at = int(rest.pop(0)) - 1 if action == "-I" else len(chains[chain])
    rule = dict(zip(rest[::2], rest[1::2], strict=True))
    return _change(action, chains[chain], at, rule) and (
        rule["-j"] in chains or rule["-j"] in ("RETURN", "REJECT", "DROP")
    )


def _empty(action: str, chain: str, chains: dict[str, list[dict[str, str]]]) -> bool:
    """A chain is deleted only when it is empty and nothing leads to it."""
    if action == "-F":
        chains[chain].clear()
        return True
    used = any(rule["-j"] == chain for rules in chains.values() for rule in rules)
    return not used and chains.pop(chain) == []


def _change(action: str, rules: list[dict[str, str]], at: int, rule: dict[str, str]) -> bool:
    if action in ("-A", "-I"):
        rules.insert(at, rule)
        return True
    if action == "-D" and rule in rules:
        rules.remove(rule)
        return True
    return action == "-C" and rule in rules


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
