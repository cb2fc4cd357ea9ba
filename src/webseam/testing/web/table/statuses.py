"""Status codes: a page all the same, with its code (RFC 9110 section 15)."""

from typing import Final

from webseam.testing.web.answers import page
from webseam.testing.web.plays import sends
from webseam.testing.web.scenario import PAGE, row

_WALL: Final = b"<title>Just a moment...</title><body><div id=cf-challenge>Checking your browser</div></body>"
_WALL_FIELDS: Final = ("Server: cloudflare", "cf-mitigated: challenge")


def _busy(wait: str) -> bytes:
    return page(b"<p>slow down</p>", f"Retry-After: {wait}", status=429)


# fmt: off
STATUSES: Final = (
    *(row("D01", f"{code} with a body", sends(page(b"<h1>No.</h1>", status=code)), PAGE, "No.", facts={"status_code": code}, requests=1) for code in (400, 403, 404, 410)),
    row("D02", "404 without a body", sends(page(b"", status=404)), PAGE, notes=("empty",), facts={"status_code": 404}),
    row("D03", "421 Misdirected Request", sends(page(b"<p>not here</p>", status=421)), PAGE, "not here", facts={"status_code": 421}, requests=1),
    row("D04", "425 Too Early", sends(page(b"<p>too early</p>", status=425)), PAGE, "too early", facts={"status_code": 425}, requests=1),
    row("D05", "429 for seconds", sends(_busy("120")), PAGE, "slow down", facts={"status_code": 429, "retry_after": 120.0}, requests=1),
    row("D05", "429 until a date", sends(_busy("Wed, 21 Oct 2015 07:28:00 GMT")), PAGE, facts={"retry_after": 0.0}, requests=1),
    row("D05", "429 until the end of time", sends(_busy("1000000000")), PAGE, facts={"retry_after": 86_400.0}, requests=1),
    *(row("D05", f"429 for {wait}", sends(_busy(wait)), PAGE, facts={"retry_after": None}, requests=1) for wait in ("-5", "soon")),
    row("D06", "451 with a Link", sends(page(b"<p>blocked by law</p>", "Link: <http://127.0.0.1/>; rel=blocked-by", status=451)), PAGE, "blocked by law", facts={"status_code": 451}),
    row("D08", "a bot wall", sends(page(_WALL, *_WALL_FIELDS, status=403)), PAGE, notes=("bot_challenge",), facts={"status_code": 403}),
    row("D09", "200 for a missing page", sends(page(b"<h1>Not found</h1>")), PAGE, "Not found", facts={"status_code": 200}),
    *(row("D10", f"status {code}", sends(page(b"<p>odd</p>", status=code)), PAGE, "odd", facts={"status_code": code}, requests=1) for code in (418, 500, 503, 530, 599)),
)
