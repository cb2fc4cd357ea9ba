"""Batches of `webseam fetch --jsonl`: a site that counts, the run, and its lines."""

import json
from collections import Counter
from typing import Any

from support.cli import Answer, Ran, Shell

LOCAL = '[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'


class Site:
    """Answers by path, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def __call__(self, path: str) -> Answer:
        self.asked[path] += 1
        if path == "/none":
            return 404, {}, b"<h1>Not here</h1>"
        return 200, {}, f"<h1>Page {path}</h1>".encode()


def lines(text: str) -> dict[str, dict[str, Any]]:
    records = [json.loads(line) for line in text.splitlines()]
    assert len({one["input"] for one in records}) == len(records)
    return {one["input"]: one for one in records}


def fetch(shell: Shell, inputs: list[str], *flags: str) -> Ran:
    return shell.run("fetch", "--jsonl", *flags, "-", stdin="\n".join(inputs))
