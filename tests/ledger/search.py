"""Promises of the search vendors and the wires they speak."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "search:vendor:outcomes": Requirement(
        "No hits, a bot check, failed engines, a missing set-up and a spent quota are told apart for every vendor that does.",
        "R129 to R166, design 5",
    ),
    "search:vendor:told-failures": Requirement(
        "A failure that a vendor tells inside a success or a stream, typed or not, is its error and never an answer.",
        "issue 3.4, design 4",
    ),
    "search:vendor:cut-short": Requirement(
        "An answer that ran out of room, was withheld or lost its end is marked, whatever a gateway puts behind it.",
        "design promise 1, enso-17",
    ),
    "search:vendor:told-error": Requirement(
        "An answer without hits that names an error is that error, and never an empty answer.",
        "issue 3 (errors served in a 200 are errors), R135, R166",
    ),
    "search:vendor-controls:unassigned": Requirement(
        "A country or language that ISO assigns to nothing is refused before anything leaves, whoever searches.",
        "R130, R131, R132",
    ),
    "search:query:scripts": Requirement(
        "A tag's script outranks its region, and a withdrawn code is its successor, in every vendor's table.",
        "R131, R133, RFC 5646 section 2.2.1",
    ),
    "search:duckduckgo:links": Requirement(
        "A row without a link is no hit, an advertisement is known by where its link leads, and both forms of wrapped link open.",
        "R138, R139, R212",
    ),
    "search:vendor:streams": Requirement(
        "A streamed answer tells its text as it grows, stops at its terminal event, and keeps what came when it breaks off.",
        "enso-17, enso-22",
    ),
    "search:vendor:controls": Requirement(
        "A control that a vendor honours reaches it in the vendor's own words.",
        "design 2",
    ),
    "search:custom:described": Requirement(
        "Any JSON search API that is described in configuration searches like a built-in vendor.",
        "design 2",
    ),
    "search:custom:days": Requirement(
        "A described API's date may be a number: an epoch time is kept in its own digits, a count is no date.",
        "INDEX section 4.3",
    ),
    "search:custom:strict": Requirement(
        "A description that cannot be meant is refused with its path; a missing one makes the provider unavailable.",
        "design 10",
    ),
    "search:vendor:mapping": Requirement(
        "A vendor's answer becomes exactly the documented result: URL, title, snippet, date, cost, and what was dropped.",
        "dsh-54, dsh-58, dsh-66, providers of the design section 2",
    ),
    "search:vendor:headers": Requirement(
        "Every request names the product, speaks JSON, carries no cookie, and holds the key in the vendor's header only.",
        "dsh-48, dsh-53, dsh-57, dsh-64",
    ),
    "search:vendor:base-url": Requirement(
        "A base URL is joined with the vendor's path, with or without its last slash, its query kept.", "dsh-50"
    ),
    "search:vendor:redirects": Requirement(
        "A vendor's redirect is refused and its target receives nothing: no key, no body, no connection.", "dsh-46"
    ),
    "search:vendor:lenient-rows": Requirement(
        "One malformed row never fails a search: it is dropped and counted; a value of the wrong type is absent.",
        "dsh-54, design 2",
    ),
    "search:vendor:half-characters": Requirement(
        "A value that is cut in the middle of a character, or is no number, fails neither its row nor the search.",
        "dsh-47, list of changes (one bad row never fails a search)",
    ),
    "search:vendor-key:echo": Requirement(
        "A key that a vendor echoes stands in no result, event or error.", "design 5, design 10"
    ),
    "search:vendor:zero-results": Requirement(
        "A search that is proven to have run and found nothing is searched with no sources.", "enso-3, design 4"
    ),
    "search:vendor:raw": Requirement(
        "The vendor's payload is in the result only when the call asked for it.", "design 2"
    ),
    "search:vendor:available": Requirement(
        "A vendor is available when its key is set and its base URL parses, and says what is missing when it is not.",
        "dsh-52, dsh-56, dsh-61",
    ),
    "search:vendor:guarantees": Requirement(
        "URLs that are no web pages and exact repeats are dropped and counted.", "design 3"
    ),
    "search:vendor:max-results": Requirement(
        "A bound is sent in the vendor's own field up to its cap, and held by the seam whatever comes back.",
        "dsh-16, dsh-53",
    ),
    "search:vendor:pages": Requirement(
        "A vendor that gives its hits by the page is asked for as many pages as the bound needs, and no more.",
        "R165, design 2",
    ),
    "search:vendor:usage": Requirement(
        "Cost is what the vendor reports, in its own unit; what it does not report is unknown and never zero.",
        "design 2, R165, R197",
    ),
    "search:vendor:reuse": Requirement("A second call to a vendor reuses the connection.", "design promise 3"),
    "search:vendor:spec": Requirement(
        "A built-in vendor is found by the same entry point as anybody's plugin, and says which key it takes.",
        "design 1, design 3",
    ),
    "search:vendor:light-import": Requirement("Importing the vendors imports no HTTP client.", "design 1"),
    "search:vendor:live": Requirement("With a key, each vendor brings real pages.", "dsh section 2 (live smoke)"),
    "search:vendor-key:rotation": Requirement(
        "The key is asked for at each call, so that a rotated key reaches the next one.", "dsh-60, dsh-62, design 10"
    ),
    "search:vendor-key:missing": Requirement(
        "A source that yields no usable key ends the call before anything leaves, and says what to do.",
        "dsh-61, dsh-63, design 10",
    ),
    "search:vendor-key:race": Requirement(
        "A key source that hangs, or ignores its cancellation, does not outlast the call's deadline or abort.", "dsh-63"
    ),
    "search:vendor-key:keyless": Requirement(
        "A vendor that works without a key searches without one and sends none.", "design 3"
    ),
    "search:vendor-event:body": Requirement(
        "The observer is told each request's endpoint and exact body, without headers or keys.", "dsh-68"
    ),
    "search:vendor-event:order": Requirement(
        "A request is recorded before it leaves; an observer that raises or aborts keeps it at home.", "dsh-63, dsh-68"
    ),
    "search:vendor-time:abort": Requirement(
        "An abort ends a vendor call wherever it is, before the request or in any body, and closes its connection.",
        "dsh-47, dsh-67",
    ),
    "search:vendor-time:deadline": Requirement(
        "A deadline ends a vendor that stalls at any point.", "design 6, enso-16"
    ),
    "search:vendor-time:cancel": Requirement(
        "Cancelling the task passes through a vendor call untouched and closes its connection.", "design 6"
    ),
    "search:vendor-error:message": Requirement(
        "A vendor's error says, on one short line, what the vendor said, in whichever shape it said it.",
        "dsh-47, R151, R190",
    ),
    "search:vendor-error:not-json": Requirement("An error body that is no JSON never hides the HTTP status.", "dsh-47"),
    "search:vendor-error:status": Requirement(
        "The HTTP status decides the code, whether a retry makes sense, and the advice.", "dsh-47, design 5"
    ),
    "search:vendor-error:quota": Requirement(
        "An account that is used up is told from a caller that is too fast, by the vendor's own facts.", "design 5"
    ),
    "search:vendor-error:retry-after": Requirement(
        "A rate limit says when to come back, from seconds, milliseconds or an HTTP date, at most a day.",
        "design 5, R194",
    ),
    "search:vendor-error:blocked": Requirement(
        "A bot check in front of a vendor is told from a refused key.", "design 5"
    ),
    "search:vendor-error:unreadable": Requirement(
        "A success that cannot be read (HTML, nothing, broken, bottomless or foreign JSON) is an error, no empty answer.",
        "dsh-47",
    ),
    "search:vendor-error:network": Requirement(
        "A network failure is a provider error that says whether the request may have been billed; it is not sent twice.",
        "dsh-47, enso-4",
    ),
    "search:vendor-error:secrets": Requirement(
        "A key stands in no error, no cause, no repr, also when the vendor echoes it.", "design 5, R151"
    ),
    "search:vendor-options:checked": Requirement(
        "Options are strict and bounded; a bad one fails at construction and names the field.", "dsh-52, dsh-59"
    ),
    "search:vendor-options:sent": Requirement(
        "An option reaches the vendor in its own field.", "dsh-51, dsh-55, dsh-59"
    ),
    "search:vendor-controls:native": Requirement(
        "A control that the vendor honours is sent in its own words and reported as native.", "design 2, R133"
    ),
    "search:vendor-controls:both-domains": Requirement(
        "Where a vendor takes one list of domains, the inclusion is sent and the exclusion held on the results.",
        "design 2",
    ),
    "search:vendor-controls:unsupported": Requirement(
        "A control that a vendor cannot honour is refused before anything leaves, or reported as lost when lenient.",
        "design 2, R132, R142, R147",
    ),
    "search:vendor-controls:malformed": Requirement(
        "A country, language or date in the wrong form is an argument error that says the right one.", "R132"
    ),
    "search:exa:highlights": Requirement(
        "An Exa snippet is its highlights joined; a hit without one is kept without a snippet.",
        "dsh-54 as changed by design",
    ),
    "search:exa:no-results": Requirement("An Exa answer without results is a search without hits.", "dsh-54"),
    "search:exa:notices": Requirement("A query that Exa relaxed is told as a notice.", "design 2"),
    "search:exa-mcp:session": Requirement(
        "The MCP session follows the server's revision and session id, and opens before the tool is called.",
        "MCP specification 2025-06-18",
    ),
    "search:exa-mcp:session-kept": Requirement(
        "Without a key the MCP session is kept for the next search and opened anew when the server has forgotten it.",
        "MCP specification 2025-06-18, dsh-60, design promise 3",
    ),
    "search:exa-mcp:transport": Requirement(
        "An MCP answer is read as JSON or as server-sent events, whichever the server sends.",
        "MCP specification 2025-06-18",
    ),
    "search:exa-mcp:errors": Requirement(
        "A JSON-RPC error, a tool error, and an answer in no known form are errors and no empty search.",
        "MCP specification 2025-06-18",
    ),
    "search:exa-mcp:rate-limit": Requirement(
        "The keyless limit is a rate limit wherever the server tells it: status, JSON-RPC error or tool text.",
        "design 5",
    ),
    "search:exa-mcp:records": Requirement(
        "The tool's text is split only where a record begins, so that a page that quotes one adds no source.",
        "R161, R212",
    ),
    "search:perplexity:evidence": Requirement(
        "A Perplexity answer is searched on a reported search or listed pages, and never on citations alone.",
        "enso-3, design 4",
    ),
    "search:perplexity:citations": Requirement(
        "Bare citations stand in as sources only where the list of results is absent.", "dsh-58"
    ),
    "search:perplexity:attachments": Requirement("An attachment of the conversation is no source.", "design 2"),
    "search:perplexity:answer": Requirement(
        "A Perplexity answer is its text without the thinking before it; one that was cut is marked.",
        "dsh-58, design 2",
    ),
    "search:perplexity:recency": Requirement("Dates of a request replace the configured recency.", "dsh-57, design 2"),
    "search:tavily:keyless-limit": Requirement(
        "Tavily's keyless limit is a rate limit with its wait, whatever its status.", "design 5"
    ),
    "search:tavily:query-cap": Requirement(
        "A query over Tavily's cap is refused before it leaves, with both numbers, and a route moves on.", "R150"
    ),
    "search:tavily:answer": Requirement("Tavily's generated answer is passed on only when configured.", "design 2"),
    "search:deepseek:evidence": Requirement(
        "DeepSeek searched when a result block holds a list or a count is reported; prose and started searches are none.",
        "dsh-65, enso-3, design 4",
    ),
    "search:deepseek:prose": Requirement(
        "DeepSeek's prose is passed on when it is all there is, labelled, or when the options ask for it.",
        "dsh-65, design 4",
    ),
    "search:deepseek:failed-search": Requirement(
        "When every search of an answer failed, the call failed, with the vendor's reason.", "dsh-65, design 4"
    ),
    "search:deepseek:snippets": Requirement(
        "A DeepSeek snippet is the first quotation of that URL, unescaped; an uncited page has none.", "dsh-66"
    ),
    "search:deepseek:cut": Requirement("An answer that DeepSeek cut short is marked.", "design 2"),
    "search:clean:tags": Requirement(
        "Inline tags go, entities are undone once, white space is collapsed, and other text between brackets stays.",
        "issue 3 point 5; INDEX section 4.1",
    ),
    "search:clean:wrappers": Requirement(
        "A redirect wrapper is undone, its target decoded once; any other URL stays as it is, to the letter.",
        "issue 3 point 5; INDEX section 4.2",
    ),
    "search:clean:tracking": Requirement(
        "What a vendor adds to a URL for its own tracking is taken off, and nothing else of the URL changes.",
        "issue 3 point 5; INDEX section 4.2",
    ),
    "search:clean:linear": Requirement(
        "Cleaning takes time in proportion to the text, whatever a vendor sends.", "design promise 2"
    ),
    "search:clean:folded": Requirement(
        "Hits that are one page once unwrapped are folded and counted.", "issue 3 point 5; design 3"
    ),
    "search:oracle:sending": Requirement(
        "For one question a provider sends what its vendor's own SDK sends, field by field, but for differences that are declared with their reason.",
        "issue 3 point 7",
    ),
    "search:oracle:reading": Requirement(
        "In one reply a provider reads what its vendor's own SDK reads, and fails where that fails, but for differences that are declared with their reason.",
        "issue 3 point 7",
    ),
    "search:oracle:streaming": Requirement(
        "Of one stream a provider makes the text and the citations that its vendor's own SDK makes, but for differences that are declared with their reason.",
        "issue 3 points 1 and 7",
    ),
    "search:oracle:controls": Requirement(
        "Every control that a provider calls native is asked for beside the vendor's own SDK.", "issue 3 points 3 and 7"
    ),
    "search:oracle:choices": Requirement(
        "An option or control with a fixed list of values allows those that the vendor's own SDK allows.",
        "issue 3 points 3 and 7",
    ),
    "search:oracle:claim": Requirement(
        "A provider that is said to rest on an SDK is compared with that SDK.", "issue 3 points 7 and 8"
    ),
    "search:oracle:drift": Requirement(
        "A field that changes on either side, and an explanation that no longer applies, fail the comparison.",
        "issue 3 point 7",
    ),
    "search:vendor:no-list": Requirement(
        "What stands in the place of a list of hits and is none is an error, and null is a search without hits.",
        "issue 3 point 4",
    ),
    "search:vendor:told-in-success": Requirement(
        "An answer without hits that tells an error is that error: its status, quota or rate, however it is spelled.",
        "issue 3 point 4; INDEX section 4.4, 4.6",
    ),
    "search:vendor:notices": Requirement("A vendor's remark is one short line.", "design 2 (notices)"),
    "search:vendor-controls:far-days": Requirement(
        "Any day of the calendar is sent whole, and a span with an open end is never upside down.", "issue 3 point 3"
    ),
    "search:vendor-controls:lenient-values": Requirement(
        "Leniently, a control's value that a vendor cannot take is left out before anything leaves, and reported.",
        "issue 3 point 3; design 2",
    ),
    "search:vendor-wait:header": Requirement(
        "Retry-After in seconds, as a date and in milliseconds becomes retry_after, read against the server's clock.",
        "issue 3.6, design 5",
    ),
    "search:vendor-wait:reset": Requirement(
        "A vendor's reset header is read as a delay, a duration, or a point in time in seconds, milliseconds or RFC 3339.",
        "issue 3.6",
    ),
    "search:vendor-wait:windows": Requirement(
        "Of several rate windows the one that is used up counts, and only with a status that says so.", "issue 3.6"
    ),
    "search:vendor-wait:body": Requirement(
        "A wait that an error body names is taken, Google's RetryInfo included.", "issue 3.6"
    ),
    "search:vendor-wait:order": Requirement(
        "What is said of the request wins over the body, and the body over a window.", "issue 3.6"
    ),
    "search:vendor-wait:bounded": Requirement(
        "Whatever a vendor sends, the wait is none or between nothing and a day.", "issue 3.6"
    ),
    "search:contract:holds": Requirement("The contract kit passes a vendor that keeps the contract.", "issue 3.8"),
    "search:contract:finds": Requirement(
        "The contract kit tells each breach in a sentence of its own, all of them at once.", "issue 3.8"
    ),
    "search:contract:fits": Requirement(
        "What cannot be put to the contract's test at all is told in one sentence, without those that would follow.",
        "issue 3.8",
    ),
    "search:contract:alone": Requirement(
        "The contract kit needs no test framework, and the fakes beside it no HTTP client.", "issue 3.8"
    ),
    "search:contract:built-in": Requirement("Every built-in vendor passes the contract kit.", "issue 3, done when"),
    "search:query:operators": Requirement(
        "Domains that go as operators never push a query over the vendor's cap; what cannot be told so is an error.",
        "issue 3.3; R144, R145, R150",
    ),
    "search:query:commands": Requirement(
        "No word of a query makes an engine obey it, such as a bang that leads elsewhere.",
        "issue 3.2; design promise 2",
    ),
    "search:query:codes": Requirement(
        "A language or country goes as the code of whoever is asked, and one without a code is refused.",
        "issue 3.3; R130 to R133",
    ),
    "search:duckduckgo:verdict": Requirement(
        "A page of DuckDuckGo counts as empty only when its markup says so; a bot check is told, hits win over both.",
        "issue 3.4; R138, R212",
    ),
    "search:duckduckgo:one-page": Requirement(
        "DuckDuckGo is asked for one page, under the product's own name.", "design 7 (user agent); issue 3.2"
    ),
}
