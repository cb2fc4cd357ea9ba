"""The table of resolver scripts, the server side of a row, and what its verdicts stand for."""

import json
from pathlib import Path
from typing import Any

from support.net import Handler, Request, answer

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "net" / "data" / "dns.jsonl").read_text(encoding="utf-8").splitlines()
]
OUTCOMES = {
    "blocked_address": "WEB_BLOCKED_URL",
    "connect_error": "WEB_PROVIDER_ERROR",
    "dns_error": "WEB_PROVIDER_ERROR",
    "dns_timeout": "WEB_FETCH_TIMEOUT",
    "invalid": "WEB_INVALID_URL",
    "redirect_refused": "WEB_REDIRECT_BLOCKED",
    "blocked_host": "WEB_DENIED",
    "ok": "ok",
}


def site_of(row: dict[str, Any]) -> Handler:
    """The server side of a row: a redirect where the row has one, else a page; closing unless it keeps alive."""
    hop = next((step for step in row["wire"] if "location" in step), None)
    keeps = bool(row.get("policy", {}).get("keepalive"))

    async def handler(_request: Request, writer: Any) -> None:
        extra = {} if keeps else {"Connection": "close"}
        if hop is None:
            writer.write(answer(b"<p>page</p>", headers=extra))
        else:
            writer.write(answer(b"", status=hop["status"], headers={"Location": hop["location"], **extra}))
        if not keeps:
            await writer.drain()
            writer.close()

    return handler


def names_of(row: dict[str, Any]) -> dict[str, Any]:
    """A CNAME chain ends at its addresses; that is all the resolver's callers see."""
    return {
        name: [step.get("answers", step) if isinstance(step, dict) and "cname" in step else step for step in steps]
        for name, steps in row["names"].items()
    }
