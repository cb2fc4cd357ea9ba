"""Promises of telemetry, of observers, of notebooks, and of the hook over all tool results."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "telemetry:spans:names": Requirement(
        "A tool call, a try at a provider and an HTTP request are spans with the names, kinds and attributes of OpenTelemetry's conventions, whose version is told.",
        "issue 6.7",
    ),
    "telemetry:spans:parents": Requirement(
        "A request stands below its try, a try below its tool call, that below the host's own span: for concurrent calls, routes, fan-outs and redirects too.",
        "issue 6.7",
    ),
    "telemetry:spans:incoming": Requirement(
        "traceparent and tracestate in a call's tags name the parent of what the call does; broken ones are no parent.",
        "issue 6.1, issue 6.7",
    ),
    "telemetry:spans:host-has-one": Requirement(
        "A toolset whose host makes a span for each tool call adds no second one.", "issue 6.7"
    ),
    "telemetry:spans:outgoing": Requirement(
        "No request to a site or a vendor carries the headers of a trace.", "issue 6.7"
    ),
    "telemetry:spans:errors": Requirement(
        "A span that failed or was cancelled ends with error.type: a code, a status or a class, never a message.",
        "issue 6.7, design 5",
    ),
    "telemetry:content:off": Requirement(
        "Unless content is asked for, no query, URL value, answer or page text is in a span or metric.", "issue 6.7"
    ),
    "telemetry:content:on": Requirement(
        "Content that is asked for is bounded, can be exported, and still leaves out URL parameters named as secrets.",
        "issue 6.7",
    ),
    "telemetry:no-key": Requirement(
        "No configured key is in any span or metric, in no spelling, content or not.", "issue 6.7"
    ),
    "telemetry:metrics": Requirement(
        "Durations of tools, providers and requests, costs, cache hits and refusals by code are metrics.", "issue 6.7"
    ),
    "telemetry:metrics:bounded": Requirement(
        "No host, port or URL that a model or a site chose is the attribute of a metric; a number that is none is told nowhere.",
        "issue 6.7",
    ),
    "telemetry:backend-fails": Requirement(
        "A processor, meter or sampler that raises, and arguments of any shape, change no call; the first fault is logged.",
        "issue 6.7",
    ),
    "telemetry:config": Requirement(
        "telemetry.enabled and telemetry.content turn it on through the application's own providers; without the package the error says what to install.",
        "issue 6.7",
    ),
    "telemetry:costs-nothing": Requirement(
        "Without telemetry its package is not even imported.", "issue 6.7, design 1"
    ),
    "telemetry:own-tracer": Requirement(
        "A host's own tracer is told each step, its end and each refusal, without keys.", "issue 6.7"
    ),
    "telemetry:public": Requirement("The tracer, its steps and its outcome are public names.", "issue 6.7"),
    "audit:no-key": Requirement(
        "No observer of a configured Web is told a key, in no event and no spelling: the seam's, a call's own, the file.",
        "issue 6.7, dsh-68",
    ),
    "audit:no-key:spellings": Requirement(
        "A key is found as URLs, JSON, HTML and base64 hold it, inside longer base64 too, and after it was rotated away.",
        "issue 6.7",
    ),
    "audit:no-key:options": Requirement(
        "A header of a provider, and what its options hold under a name like a key's, is hidden as a key is; words are not.",
        "issue 6.6, issue 6.7",
    ),
    "audit:no-key:repr": Requirement(
        "No configuration, kit, provider or Web shows a key, a header or a proxy's password in its repr.", "issue 6.7"
    ),
    "audit:keys-cheap": Requirement(
        "The files of keys are read again only when they may have changed, and then at once.", "issue 6.7, design 10"
    ),
    "audit:every-call": Requirement(
        "The audit file has every call, those with an observer of their own too.", "issue 6.7"
    ),
    "audit:no-dialog": Requirement(
        "To hide a key of the system's keyring, the keyring is asked once, and what it gives later is hidden from then on.",
        "issue 6.7, issue 6.8",
    ),
    "audit:quiet": Requirement("The library logs below `webseam` and prints nothing by itself.", "issue 6.7"),
    "notebook:cards": Requirement(
        "In a notebook a search, a page, an extract and a tool result show as cards: title, link, snippet, grounding, notes, failed tries, cost.",
        "issue 6.9",
    ),
    "notebook:inert": Requirement(
        "Whatever a result holds, its card has our own elements and attributes alone, and links to http(s) without credentials only.",
        "issue 6.9, design 8",
    ),
    "notebook:bounded": Requirement("A card is small whatever it is of, and says what it leaves out.", "issue 6.9"),
    "wiring:blocking:opening": Requirement(
        "The blocking twins take what webseam.open takes, and stand below the span of whoever calls them.", "issue 6.9"
    ),
    "tools:structured:checked-everywhere": Requirement(
        "Every successful tool result that the test suite makes satisfies its published schema, else the test that made it fails.",
        "issue 6 (done when), R181",
    ),
}
