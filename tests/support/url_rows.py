"""The table of hostile and honest URLs, and the codes that its verdicts stand for."""

import json
from pathlib import Path
from typing import Any

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "net" / "data" / "urls.jsonl").read_text(encoding="utf-8").splitlines()
]
CODES = {
    "WEB_BLOCKED_URL": {"blocked_address", "blocked_credentials"},
    "WEB_INVALID_URL": {"invalid", "blocked_scheme"},
}
REFUSED = [row for row in ROWS if "allowed" not in row["want"]]
REACHED = [row for row in ROWS if row["want"][0] == "allowed"]
TOLERANT = [row for row in ROWS if row["want"][0] != "allowed" and "allowed" in row["want"]]
