"""Promises of `webseam serve` and `webseam tokens`."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    # What it answers
    "gateway:search": Requirement(
        "POST /v1/search answers with the library's result as plain JSON; a request that cannot be meant is refused with what is wrong.",
        "issue 7.1",
    ),
    "gateway:fetch": Requirement(
        "POST /v1/fetch answers with the page; any HTTP status of its server is a result.", "issue 7.1; dsh-40"
    ),
    "gateway:extract": Requirement("POST /v1/extract answers with the main text of a page.", "issue 7.1"),
    "gateway:tools": Requirement(
        "The tools that are on are listed, and each answers with its text, data and meta; a tool's failure is an answer.",
        "issue 7.1; design 8",
    ),
    "gateway:problems": Requirement(
        "Every failure is an RFC 9457 problem with our code, its status, the request id and the wait where one is known.",
        "issue 7.1; RFC 9457",
    ),
    "gateway:openapi": Requirement(
        "/openapi.json is OpenAPI 3.1 made of the types and the tools' schemas, and live answers satisfy it.",
        "issue 7.1",
    ),
    "gateway:openapi:fuzzed": Requirement(
        "A fuzzer that reads the document finds no 5xx, no undocumented status and no answer outside its schema.",
        "issue 7.1",
    ),
    # What a request must be
    "gateway:body": Requirement(
        "A body that could mean two things is refused: a name twice, NaN, half a character, nesting without end, no UTF-8.",
        "issue 7.1; RFC 8259; RFC 7493",
    ),
    "gateway:body:size": Requirement("A body has at most 64 kB and 10 s, whatever it declares.", "issue 7.1"),
    "gateway:body:type": Requirement("A body is application/json in UTF-8 without a coding.", "issue 7.1"),
    "gateway:method": Requirement(
        "A path takes its own methods alone, and there are no other paths.", "issue 7.1; RFC 9110"
    ),
    "gateway:request_id": Requirement(
        "A sane X-Request-Id is kept in answer and log, any other is replaced.", "issue 7.1"
    ),
    "gateway:timeout": Requirement(
        "Webseam-Timeout bounds a call in seconds; it shortens the configured time and never lengthens it.",
        "issue 7.1; design 6",
    ),
    "gateway:framing": Requirement(
        "A request that two readers could end in two places is refused, and its connection closed.",
        "issue 7.1; RFC 9112 section 6.3",
    ),
    "gateway:connections": Requirement(
        "A request that trickles in, and an answer that is not read, end their connection in time.", "issue 7.1"
    ),
    "gateway:connections:packets": Requirement(
        "Head and body of an answer leave in one packet, and the head of a stream does not wait for its first event.",
        "issue 7",
    ),
    "gateway:connections:rest": Requirement(
        "The rest of an answer that its client never reads holds a closed connection no longer than a whole one may.",
        "issue 7.1",
    ),
    "gateway:connections:idle": Requirement(
        "A connection rests longer than clients and balancers keep one, so that no call is sent into a socket that closes.",
        "issue 7.8; RFC 9112 section 9.5",
    ),
    "gateway:drain:connections": Requirement(
        "While the gateway goes away, each answer ends its connection.", "issue 7.8; RFC 9112 section 9.6"
    ),
    "gateway:connections:files": Requirement(
        "The process takes as many files as its calls may need, where the system lets it.", "issue 7.1"
    ),
    "gateway:log:full": Requirement(
        "A log that nobody reads holds no request up; lines that were left out are counted.", "issue 7.1"
    ),
    "gateway:log:warnings": Requirement(
        "Nor do warnings that nobody reads, of webseam and of the libraries below it.", "issue 7.1"
    ),
    "gateway:disconnect": Requirement(
        "A client that leaves ends its call, and the socket to the page server is closed.", "issue 7.1; design 6"
    ),
    "gateway:log": Requirement(
        "One line a request on stderr, without tokens, queries, URLs or unknown paths; it can be turned off.",
        "issue 7.1",
    ),
    # Who may come in
    "gateway:host": Requirement(
        "A Host that is no name of ours, no address and not configured is refused.", "issue 7.1"
    ),
    "gateway:origin": Requirement("A page of another Origin gets nothing, and there is no CORS.", "issue 7.1"),
    "gateway:address": Requirement(
        "Any address that other machines reach refuses to start without a token, with exit 3 and the way out.",
        "issue 7.1",
    ),
    "gateway:token": Requirement(
        "While there is no token this machine needs none; from the first one on every request does, and stays so.",
        "issue 7.2",
    ),
    "gateway:token:unreadable": Requirement(
        "Where tokens cannot be read nobody comes in; where they are and why stands in the log alone.", "issue 7.2"
    ),
    "gateway:token:query": Requirement("No token and no argument is taken from a query string.", "issue 7.1"),
    # Tenants
    "gateway:tenants:cache": Requirement(
        "Kept pages and answers of one tenant are never another's.", "issue 7.2; R207"
    ),
    "gateway:tenants:snapshots": Requirement("A page is read on only by the token that began to read it.", "issue 7.2"),
    "gateway:tenants:run": Requirement("What one token has seen is unseen by every other one.", "issue 7.2; design 8"),
    "gateway:tenants:providers": Requirement(
        "A tenant uses the providers that it may use, and error texts name no other one.", "issue 7.2"
    ),
    "gateway:tenants:hosts": Requirement(
        "A tenant's hosts and permission hold beside the configured ones; what must be asked is denied where nobody can be.",
        "issue 7.2",
    ),
    "gateway:prefix": Requirement(
        "Below a path that a proxy takes away, or that the ASGI server was told of, every route is found, and the OpenAPI "
        "document says where.",
        "issue 7.1",
    ),
    "gateway:tenants:discretion": Requirement(
        "A tenant is told of no variable, setting, command or file of whoever runs the gateway, over no way in; it is told "
        "whom to ask, and an admin is told all.",
        "issue 7.2",
    ),
    "gateway:tenants:live": Requirement(
        "A changed policy, a revoked token and one that is over hold at the next request.", "issue 7.2"
    ),
    "gateway:tenants:mcp": Requirement(
        "/mcp serves the SDK's client in both eras, and a session is there for the token that began it alone.",
        "issue 7.1; issue 7.2",
    ),
    "gateway:metrics": Requirement(
        "/metrics is Prometheus text without queries or URLs; only an admin's token sees what tenants use.",
        "issue 7.1; issue 7.2",
    ),
    "gateway:quota:rate": Requirement(
        "A tenant's rate holds over all its tokens and faces, and names the wait.", "issue 7.2"
    ),
    "gateway:quota:day": Requirement(
        "A tenant's calls of a day are counted, each query of a tool as one, and survive a restart.", "issue 7.2"
    ),
    "gateway:quota:cost:parts": Requirement(
        "Each cost that a vendor reports is recorded and held to its tenant's day: of one search among several, however the call ended.",
        "issue 7.2",
    ),
    "gateway:quota:cost": Requirement("Reported cost is held to the tenant's bound of the day.", "issue 7.2"),
    "gateway:fleet:connections": Requirement(
        "A gateway has one set of connections to the shared server, at most FLEET_CONNECTIONS.", "issue 7.3"
    ),
    "gateway:quota:fleet": Requirement(
        "Gateways that share a server count a tenant's calls together.", "issue 7.2; issue 7.3"
    ),
    "gateway:quota:away": Requirement("While shared state is away each gateway counts by itself.", "issue 7.3"),
    "gateway:quota:unusable": Requirement(
        "Where calls cannot be counted none is made for a tenant with a bound; a cost that cannot be counted takes no answer.",
        "issue 7.2",
    ),
    "gateway:places": Requirement("Calls at once are bounded, for all and for one tenant.", "issue 7.1"),
    # Life
    "gateway:asgi": Requirement(
        "`create_app` is the application of the process's configuration for any ASGI server; there every request needs a token.",
        "issue 7.1",
    ),
    "gateway:servers": Requirement(
        "Under granian and uvicorn `create_app` answers, reads pages, serves MCP, ends a call whose client left, and drains on SIGTERM.",
        "issue 7.1",
    ),
    "gateway:ready:loaded": Requirement(
        "When the gateway says that it is ready, it has loaded what calls of its configuration need: none of them imports anything.",
        "issue 7.1; issue 7.8",
    ),
    "gateway:memory:tools": Requirement(
        "Calls of tools leave nothing behind that grows with their number: only a recording counts equal ones.",
        "issue 7.8",
    ),
    "gateway:memory:sessions": Requirement(
        "MCP sessions that are open are bounded for a tenant and for all tokens together; one that ended makes room.",
        "issue 7.2; issue 7.8",
    ),
    "gateway:memory:runs": Requirement(
        "What runs remember of URLs is bounded for all tokens together; the token that rested longest forgets first.",
        "issue 7.2; issue 7.8",
    ),
    "gateway:memory:tenants": Requirement(
        "Counts of a tenant go with its last token, so that names that come and go take no memory for good.",
        "issue 7.2; issue 7.8",
    ),
    "gateway:start": Requirement(
        "`webseam serve` answers with no configuration, tells every fault on stderr, and names the extra where it is missing.",
        "issue 7.1",
    ),
    "gateway:drain": Requirement(
        "On SIGTERM /readyz is 503 at once, running calls end within their time or are answered that they were cut, and it exits 0.",
        "issue 7.1",
    ),
    # Tokens
    "tokens:create": Requirement("A token of 256 random bits is printed once and kept as its SHA-256.", "issue 7.2"),
    "tokens:holder": Requirement("No text but the token itself opens anything.", "issue 7.2"),
    "tokens:file": Requirement(
        "Tokens are in one file for its owner alone, changed at once or not at all; a damaged one is refused and left alone.",
        "issue 7.2",
    ),
    "tokens:file:edited": Requirement(
        "A file that was edited wrongly is refused, never read as fewer bounds.", "issue 7.2"
    ),
    "tokens:policy": Requirement(
        "A policy that cannot be held to is refused, and options left out stay as they are.", "issue 7.2"
    ),
    "tokens:list": Requirement("Tokens are listed by id, tenant and policy, never by their text.", "issue 7.2"),
    "tokens:revoke": Requirement("A token or a whole tenant can be revoked.", "issue 7.2"),
}
