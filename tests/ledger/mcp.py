"""Promises of `webseam mcp`."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    # Every way: in memory, over stdio, over HTTP; both eras
    "mcp:ways:tools": Requirement(
        "The tools are listed in their fixed order, with the names, texts, input schemas and annotations that they have everywhere.",
        "issue 6.1; design 8",
    ),
    "mcp:ways:identity": Requirement(
        "The server tells its name, title, version and website, and the guidance for the tools that are on.",
        "issue 6.1",
    ),
    "mcp:ways:cache-hints": Requirement("The list of tools says how long it may be kept.", "issue 6.1; MCP 2026-07-28"),
    "mcp:ways:search": Requirement(
        "The SDK's own client searches in memory, over stdio and over HTTP, in both eras.", "issue 6.2"
    ),
    "mcp:ways:fetch": Requirement(
        "The SDK's own client fetches in memory, over stdio and over HTTP, in both eras.", "issue 6.2"
    ),
    "mcp:ways:extract": Requirement(
        "The SDK's own client extracts in memory, over stdio and over HTTP, in both eras, where web_extract is on.",
        "issue 6.2",
    ),
    "mcp:ways:paging": Requirement(
        "A page longer than an answer is read to its last character by the offsets that answers give.",
        "issue 6.1; design 8",
    ),
    "mcp:ways:find": Requirement("Every argument of a tool reaches it, `find` included.", "issue 6.1"),
    "mcp:ways:status": Requirement("A page with any HTTP status is a result and no error.", "design 5"),
    "mcp:ways:numerals": Requirement("A number that arrives as its exact text is taken as the number.", "R185; R186"),
    "mcp:ways:images": Requirement("A picture is an image block beside its line of text.", "issue 6.1"),
    "mcp:ways:concurrent": Requirement("Calls of one client run at once, and each gets its own answer.", "R184"),
    "mcp:eras:version": Requirement(
        "A client of a version that nobody knows is offered the latest of the handshake era.",
        "MCP 2025-11-25, lifecycle",
    ),
    # Results
    "mcp:result:channels": Requirement(
        "The text is Markdown for the model, the structure data for the host, and no JSON text repeats it.",
        "issue 6.1; design 8",
    ),
    "mcp:result:text-only": Requirement(
        "--text-only leaves out all structure but that of failures, for clients that show it to the model.", "R162"
    ),
    "mcp:result:readers": Requirement(
        "A client that is known to give its model the structure instead of the text, or both, gets the text alone, and no output schema.",
        "issue 6.1; R162; anthropics/claude-code#79944; anomalyco/opencode#32074; github/copilot-cli#3258",
    ),
    "mcp:result:bounded-failure": Requirement(
        "Without structure a failure keeps its code in one, and what a server said in it stands inside a boundary.",
        "R162; design 8",
    ),
    "mcp:result:plain-schema": Requirement(
        "An output schema has plain properties: no anyOf, oneOf or the like at its top, which clients refuse.", "R188"
    ),
    "mcp:result:closed-schema": Requirement(
        "The schemas of input and output are closed in every part, the tries of a failure too.", "issue 6.1; R181"
    ),
    "mcp:result:schema": Requirement(
        "Every structure, that of a failure too, satisfies the output schema that the client was shown.", "R181"
    ),
    "mcp:result:errors": Requirement(
        "A failure is a result with isError, our code in its structure and what to do in its text.", "issue 6.1; R190"
    ),
    "mcp:result:unknown-tool": Requirement(
        "A tool that is not there is the protocol's error, which names those that are.", "MCP 2025-11-25, tools"
    ),
    # Stdio
    "mcp:stdio:end": Requirement(
        "The process ends within 2 s of EOF, of an output that nobody reads, of SIGTERM and of Ctrl-C, also while a call runs, with an exit code for each.",
        "issue 6.1; R192",
    ),
    "mcp:stdio:settle": Requirement(
        "When the input ends, calls that still run have half a second to be answered; cancelled ones are not waited for.",
        "issue 6.1; R192",
    ),
    "mcp:stdio:bad-input": Requirement(
        "What is no message is answered with an error of JSON-RPC, without a traceback, and the session goes on.",
        "JSON-RPC 2.0 section 5.1",
    ),
    "mcp:stdio:only-protocol": Requirement(
        "Nothing but the protocol reaches stdout, whatever a plugin or its child prints.", "issue 6.1; R179"
    ),
    "mcp:stdio:quiet-start": Requirement("Nothing is sent that was not asked for.", "R180"),
    "mcp:stdio:slow-reader": Requirement("A client that reads late gets every answer.", "R184"),
    "mcp:stdio:start": Requirement(
        "The tools are listed before an HTTP client or a parser is loaded.", "issue 6.1; R191"
    ),
    "mcp:stdio:default": Requirement("Without arguments the server speaks stdio.", "R182"),
    "mcp:stdio:deaf": Requirement("A client that closes stderr gets its answers all the same.", "R192"),
    "mcp:cancel:socket": Requirement(
        "A call that its client cancels or leaves closes its connection to the page, and is not answered.",
        "issue 6.1; R187",
    ),
    # HTTP
    "mcp:http:host": Requirement(
        "Over HTTP a Host that is neither this machine, nor an address, nor named by --allow-host is refused.",
        "issue 6.1; MCP 2025-11-25, transports",
    ),
    "mcp:http:origin": Requirement(
        "Over HTTP an Origin from elsewhere is refused.", "issue 6.1; MCP 2025-11-25, transports"
    ),
    "mcp:http:token": Requirement(
        "Where there is a token a request without it gets 401, and no file that others can read is taken as one.",
        "issue 6.1",
    ),
    "mcp:http:bind": Requirement(
        "An address that other machines can reach is not served without a token of at least 16 characters.", "issue 6.1"
    ),
    "mcp:http:bodies": Requirement(
        "A body that is no message, or over 4 MiB, is refused with a status, and the next one is answered.", "issue 6.1"
    ),
    "mcp:http:log": Requirement("No token stands in a log.", "issue 6.1"),
    "mcp:http:serve": Requirement(
        "`--http` serves several clients at once, tells its URL on stderr, and ends on SIGTERM also while a call runs.",
        "issue 6.1; R184; R192",
    ),
    "mcp:http:trickle": Requirement(
        "A request over HTTP that is not whole after 30 s loses its connection; one that is may be answered later.",
        "issue 6.1; RFC 9110 section 15.5.9",
    ),
    "mcp:http:stop": Requirement(
        "On SIGTERM streams and half requests end in order, without a traceback.", "issue 6.1; R192"
    ),
    "mcp:http:idle": Requirement(
        "A connection rests longer than clients and balancers keep one, so that no call is sent into a socket that closes.",
        "issue 7.8; RFC 9112 section 9.5",
    ),
    "mcp:http:busy": Requirement(
        "An address that another program holds is told in a sentence, with exit code 3.", "design 5"
    ),
    "mcp:cancel:session": Requirement(
        "A session over HTTP that its client ends closes the connections of its calls.", "issue 6.1; R187"
    ),
    "mcp:cancel:broken": Requirement(
        "Over HTTP a connection that breaks is no cancellation in the first era, whose specification says so: the call goes on.",
        "issue 6.1; MCP 2025-11-25, transports",
    ),
    "mcp:http:mounted": Requirement("Another ASGI application can hold the server.", "design 11"),
    # While a call runs
    "mcp:progress:answer": Requirement(
        "A client that asks for progress hears how long a written answer has grown, once a second at most, and none of its words.",
        "issue 6.1",
    ),
    "mcp:progress:patience": Requirement("A silent call says every five seconds that it still works.", "issue 6.1"),
    "mcp:progress:unasked": Requirement("Without a progress token nothing is followed.", "issue 6.1"),
    "mcp:trace:handed-on": Requirement(
        "traceparent, tracestate and baggage of a request's _meta stand in the tags of the call.", "issue 6.1"
    ),
    "mcp:trace:clean": Requirement("A value that can be no trace is left out.", "issue 6.1; W3C Trace Context"),
    # Permission
    "mcp:ask:form": Requirement(
        "What permission leaves to a person is asked by elicitation, or by a result that asks for input, with the target on a line of its own.",
        "issue 6.1; issue 6.4",
    ),
    "mcp:ask:decisions": Requirement("Decisions stand in the result's _meta under webseam/permission.", "issue 6.4"),
    "mcp:ask:always": Requirement("Always allows the site that the form names, for this run.", "R036"),
    "mcp:ask:apart": Requirement(
        "What one client's person allowed holds for no other client; where a run is shared, always is not offered.",
        "R036; R184",
    ),
    "mcp:ask:nobody": Requirement("A client that cannot ask is denied, and told why.", "design 8"),
    "mcp:ask:only-our-words": Requirement("Anything but the form's own words, accepted, is a denial.", "issue 6.4"),
    "mcp:ask:own-answer": Requirement(
        "An answer to one question allows nothing else.", "MCP 2026-07-28, multi-round-trip requests"
    ),
    "mcp:ask:several": Requirement("Each of several queries is asked about, once, before any is sent.", "issue 6.4"),
    "mcp:runs:budget": Requirement("A budget bounds the run behind a client, in the stateless era too.", "issue 6.4"),
    "mcp:runs:seen": Requirement("What searches and pages showed in a run may be fetched in it.", "issue 6.4"),
    # Configuration and the command
    "mcp:config:broken": Requirement(
        "With a broken configuration the tools are listed, every call is refused with the reason, and stderr tells it once.",
        "design 10",
    ),
    "mcp:late:closed": Requirement(
        "Tools that were to be opened soon are not opened any more once they are closed.", "issue 6.1; design 9"
    ),
    "mcp:config:mended": Requirement(
        "Once the configuration is mended, calls go through without a new start.", "design 10"
    ),
    "mcp:config:lines": Requirement(
        "At start one line on stderr tells of each tool that could not answer; it is listed all the same.", "design 10"
    ),
    "mcp:config:strict": Requirement("--strict ends with exit code 3 where a tool could not answer.", "design 10"),
    "mcp:config:tools": Requirement("The list of tools and the guidance follow the configuration.", "design 8"),
    "mcp:config:sdk": Requirement("Without the SDK the command says what to install, and exits 3.", "issue 6.1"),
    "mcp:edge:record": Requirement("A session that was recorded is replayed to the byte.", "issue 6.6"),
    "mcp:edge:replay": Requirement(
        "A replay needs no provider: --strict starts it, and nothing is told to be missing.", "issue 6.6; design 11"
    ),
    "mcp:edge:offline": Requirement("--offline and --verbose are as with every command.", "issue 6.6; issue 6.7"),
    "mcp:cli:usage": Requirement(
        "Arguments that cannot be served are refused in words, with exit code 2 or 3 and nothing on stdout.", "design 5"
    ),
    # Hostile URLs
    "mcp:hostile:refused": Requirement(
        "Every refused row of the list of hostile URLs is refused over stdio and HTTP with the library's verdict.",
        "issue 6, done when",
    ),
    "mcp:hostile:reached": Requirement("Every allowed row is reached through MCP.", "issue 6, done when"),
    # Documents
    "mcp:docs:clients": Requirement(
        "The blocks for seven clients start the command, with variables that exist.", "issue 6.1"
    ),
    "mcp:docs:readers": Requirement("The guide names the clients that get the text alone.", "issue 6.1; R162"),
    "mcp:docs:remote": Requirement(
        "The block for a remote server sends the token as the server wants it.", "issue 6.1"
    ),
    "mcp:docs:tools": Requirement("The table of tools in the guide is the server's own.", "issue 6.1"),
    "mcp:docs:registry-format": Requirement(
        "server.json keeps to the MCP registry's format of 2025-12-11 and its rules for publishing, and what clients run for it is our command.",
        "issue 6.1",
    ),
    "mcp:docs:registry": Requirement(
        "server.json is of this version and starts the command, and the README proves whose it is.", "issue 6.1"
    ),
}
