"""Promises of extraction: vendors, the local extractor, the tool, the command, the wiring."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "extract:contract": Requirement(
        "Every built-in extractor keeps the public provider contract: statuses, unreadable answers, redirects, abort, deadline, no key in an error.",
        "issue 6.5; design 2",
    ),
    "extract:kit": Requirement(
        "The public contract kit passes an honest extractor and finds each breach of a faulty one.", "design 1"
    ),
    "extract:asked": Requirement(
        "Each vendor is asked with its own path, body and proof of key, and is told the URL without its fragment.",
        "issue 6.5; the vendors' SDKs",
    ),
    "extract:read": Requirement(
        "Text, title, author, date, final URL and cost are the vendor's own; what it does not tell is None.",
        "design 2; promise 1",
    ),
    "extract:unread": Requirement(
        "A page that a vendor did not get is an error that tells why, moves a route on and blames no key.",
        "issue 6.5; R166",
    ),
    "extract:empty": Requirement("An extraction without text is an error, never an empty success.", "issue 6.5; R166"),
    "extract:private:told": Requirement(
        "No vendor is told of a URL with a private address, a special name, another protocol's port or credentials; nothing leaves.",
        "issue 6.5; design 7",
    ),
    "extract:private:final": Requirement(
        "The text of a page that a vendor was led to is refused where that page is not public.", "issue 6.5"
    ),
    "extract:final": Requirement(
        "A vendor's final URL is unwrapped, without credentials, canonical and http(s), or the answer is an error.",
        "issue 6.5; design 2",
    ),
    "extract:told": Requirement(
        "An error that a vendor tells inside a success, or by codes of its own, is that error: quota, rate, key.",
        "design 5",
    ),
    "extract:keyless": Requirement("Tavily and Jina extract without a key, and are asked so.", "issue 6.5; design 3"),
    "extract:options": Requirement("Each option of an extraction vendor reaches it.", "design 10"),
    "extract:notes": Requirement(
        "Passages in place of a whole text, and a vendor's remarks, are told as notes.", "promise 1"
    ),
    "extract:events": Requirement(
        "Events name the capability extract and show the request's body, never the key.", "issue 6.7; dsh-68"
    ),
    "extract:garbage": Requirement(
        "Whatever JSON an extraction vendor answers becomes a page with text or a WebError.", "design 5"
    ),
    "extract:sdk": Requirement(
        "Each vendor with an SDK is asked what its SDK asks, and its answer read as the SDK reads it.", "issue 6.5"
    ),
    "extract:local": Requirement(
        "The extractor local gives the main content and metadata of a page that the seam's own fetch got, says where it is the whole page, and passes on notes and cuts.",
        "issue 6.5",
    ),
    "extract:local:none": Requirement(
        "An error page, a bot check, a picture and an empty page are errors of local, not texts.", "issue 6.5; R166"
    ),
    "extract:local:fetch": Requirement(
        "Rules and errors of a page that local reads are those of a fetch; the try is the extractor's.", "design 7"
    ),
    "extract:gate:once": Requirement(
        "An extraction is one question of the gate and one call of a run, also where this machine fetches the page.",
        "issue 6.4; issue 6.5",
    ),
    "extract:gate:final": Requirement(
        "The gate is asked about the page that an extractor ended on; a denial tells the tries made.", "issue 6.4"
    ),
    "extract:time": Requirement(
        "Deadline, abort and cancellation end an extraction and the fetch inside it with its own codes.", "design 6"
    ),
    "extract:replay": Requirement(
        "Extractions are recorded and replayed to the byte, through the tool and the command, as one call each.",
        "issue 6.6",
    ),
    "extract:blocking": Requirement("webseam.extract is the blocking twin of Web.extract.", "issue 6.9"),
    "extract:docs": Requirement(
        "The documentation lists every extractor with its key and options.", "issue 6.5; house rule"
    ),
    "extract:wiring:default": Requirement(
        "Where nothing is configured and no key is set, extraction is this machine's own, and says so.",
        "issue 6.5; design 3",
    ),
    "extract:wiring:key": Requirement("The key of a vendor's search serves its extraction.", "issue 6.5"),
    "extract:wiring:ambiguous": Requirement(
        "Several keyed extractors and no choice are ambiguous; the message names extract.provider.", "design 3"
    ),
    "extract:wiring:table": Requirement(
        "One [providers.<id>] table holds the options of a vendor's search and extraction, each checked.", "design 10"
    ),
    "extract:wiring:local": Requirement(
        "The keyless local extractor is registered only when named or by default, never by the index's table.",
        "design 3",
    ),
    "extract:wiring:project": Requirement(
        "A project file opens no keyless vendor where the user set search.keyless = false.", "design 10"
    ),
    "extract:wiring:tool": Requirement("tools.extract turns web_extract on; it is off by default.", "design 8"),
    "extract:wiring:open": Requirement(
        "webseam.open(extract=...) takes a provider or a route; only search fans out.", "design 9"
    ),
    "extract:wiring:offline": Requirement("Offline, an extraction is refused with WEB_OFFLINE.", "issue 6.6"),
    "extract:wiring:pools": Requirement("Key pools rotate for extraction as for search.", "design 11"),
    "tools:extract:off": Requirement(
        "web_extract is off unless enabled, and no prompt speaks of a tool that is off.", "design 8; dsh-87"
    ),
    "tools:extract:definition": Requirement(
        "web_extract comes after web_search and web_fetch, with url and offset, in every format.", "design 8"
    ),
    "tools:extract:channels": Requirement(
        "Text, structured data, meta and views of an extraction are one render.", "design 8; dsh-88"
    ),
    "tools:extract:absent": Requirement("Metadata that is not known is absent from the structured result.", "design 2"),
    "tools:extract:offset": Requirement(
        "Every character of a long extract is reached once by offset, and its vendor is asked once.", "design 8; R068"
    ),
    "tools:extract:again": Requirement(
        "An extract that is no longer kept is extracted again, and the answer says so and whether it changed.",
        "design 8",
    ),
    "tools:extract:cut": Requirement("What an extractor left out is told and flagged.", "promise 1"),
    "tools:extract:hostile": Requirement(
        "Text, title, author, date and remarks of an extract stand inside the boundary, cleaned, and load nothing.",
        "design 8; R161; R162",
    ),
    "tools:extract:errors": Requirement(
        "Bad arguments leave nothing; a failure is an error result that says whether it may have been billed.",
        "design 8; dsh-74",
    ),
    "tools:extract:time": Requirement("The host's time ends an extraction as TOOL_TIMEOUT.", "design 5"),
    "tools:extract:run": Requirement(
        "A run learns the page, the links shown and the cost of an extraction, once for all its windows.", "issue 6.4"
    ),
    "tools:extract:gate": Requirement("A kept extract passes the gate before it is shown again.", "issue 6.4"),
    "tools:extract:route": Requirement("A route's fallback among extractors is told in one line.", "design 4"),
    "tools:extract:small": Requirement("An answer limit too small for an extract says so within it.", "dsh-83"),
    "cli:extract": Requirement(
        "webseam extract prints the cleaned text on stdout and what is known about it on stderr.", "issue 6.8; R193"
    ),
    "cli:extract:json": Requirement("With --json a page is one object, and an error JSON on stderr.", "R193"),
    "cli:extract:several": Requirement(
        "Several pages come in the order asked, each under its URL; the first failure gives the exit code.", "R163"
    ),
    "cli:extract:batch": Requirement(
        "webseam extract --jsonl writes a line for each URL and goes on with --resume, paying for no page twice.",
        "issue 6.8",
    ),
    "cli:extract:output": Requirement("-o writes the text to a file.", "R202"),
    "cli:extract:default": Requirement("Where this machine extracts by default, stderr says so.", "issue 6.5"),
    "cli:extract:route": Requirement("--route tries extractors in order and tells what failed.", "design 4"),
    "cli:extract:exit": Requirement(
        "Usage, set-up, refusal and failure of an extraction have their own exit codes, with an empty stdout.", "R203"
    ),
    "cli:extract:listed": Requirement(
        "providers, doctor, config show and help list extraction.", "issue 6.5; issue 6.8"
    ),
    "cli:extract:doctor": Requirement(
        "Two vendors' keys make extraction ambiguous for the doctor only once the tool or a choice is configured.",
        "design 3; issue 6.8",
    ),
    "extract:rows": Requirement(
        "Of several rows for one page the first with a text is read, and of those the one under the URL asked.",
        "promise 1",
    ),
    "extract:pending": Requirement(
        "A job that a vendor has only accepted (HTTP 202), or is still at, is an error worth another try, with the wait it names.",
        "promise 1; RFC 9110 15.3.3",
    ),
    "extract:stored": Requirement(
        "A stored copy that a vendor tells of is told, and so is a PDF that it read in part.", "promise 1"
    ),
    "extract:blank": Requirement(
        "A text of characters that nobody would see is no text: for the seam, the tool and the command.",
        "R166; design 8",
    ),
    "extract:judge": Requirement(
        "A plugin that keeps no rules of its own is told of no page that a fetch refuses, and brings none back.",
        "design 3; promise 2",
    ),
    "extract:free": Requirement(
        "Of a failed try that nobody is charged for (this machine's own fetch, a call without a key) no surface says that it may have been billed.",
        "promise 1; dsh-23",
    ),
    "tools:extract:huge": Requirement(
        "The largest text that a vendor may send is kept to be read on, so that no window is paid for twice.",
        "design 8",
    ),
}
