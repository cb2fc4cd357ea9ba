"""Promises of the record of calls and of `webseam usage`."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "usage:entry": Requirement(
        "Each call of the library is one entry: time, tenant, provider, outcome, code, tries, whether it was sent, cache, bytes, usage, however it ended.",
        "issue 7.4",
    ),
    "usage:entry:later": Requirement(
        "A ledger may have entries of calls that sent nothing made later, and one that takes made entries alone does.",
        "issue 7.4, issue 7 (done when)",
    ),
    "usage:tool": Requirement(
        "Each tool call is one entry, with what its searches and pages used together; none of these counts a second time.",
        "issue 7.4",
    ),
    "usage:cost": Requirement(
        "A cost is what the vendor reported, by currency; one that is not known is counted as such and never as free.",
        "issue 7.4, R197",
    ),
    "usage:permission": Requirement(
        "An entry tells whether the gate allowed or denied the call, and by which rule.", "issue 7.4"
    ),
    "usage:text": Requirement(
        "No query and no URL is recorded unless ledger.text asks for it, and then without credentials.", "issue 7.4"
    ),
    "usage:no-key": Requirement("No configured key is in any entry, in no spelling, text or not.", "issue 7.4"),
    "usage:sums": Requirement(
        "Over ten thousand mixed entries every grouping adds up to the same whole, to the unit, in the file as on the server.",
        "issue 7.4",
    ),
    "usage:entries": Requirement(
        "Entries come back as they were, in their order; what is no entry is left out, whoever wrote it.", "issue 7.4"
    ),
    "usage:once": Requirement("A batch that is written a second time is kept once.", "issue 7.4"),
    "usage:lost": Requirement("Calls that could not be recorded are counted, and the sums say so.", "issue 7.4"),
    "usage:processes": Requirement("Several processes write one record at once, and nothing is lost.", "issue 7.4"),
    "usage:retention": Requirement(
        "Entries older than ledger.keep_days are forgotten; the stream of a fleet is bounded in number too.",
        "issue 7.4",
    ),
    "usage:private": Requirement(
        "The file is its user's alone, and looking at the record makes none.", "issue 7.4, design 8"
    ),
    "usage:version": Requirement(
        "The file has a schema version; another version's file is left as it is and refused with the reason.",
        "issue 7.4, R210",
    ),
    "usage:unwritable": Requirement(
        "A full disk, a locked, damaged or foreign file or a place that cannot be written ends no call; it is told once, and entries wait.",
        "issue 7.4",
    ),
    "usage:behind": Requirement(
        "Entries are written together behind the calls, all by the end; a killed process loses no more than its last second.",
        "issue 7.4",
    ),
    "usage:feed": Requirement(
        "A live feed tells each entry as its call ends; a slow reader misses the oldest and is told how many.",
        "issue 7.4, issue 7.5",
    ),
    "usage:fleet": Requirement(
        "Gateways of a fleet write one record on its server, and go on without it while it is away.",
        "issue 7.3, issue 7.4",
    ),
    "usage:config": Requirement(
        "Nothing is recorded unless the user's own configuration asks for it; wrong settings are refused with their place.",
        "issue 7.4",
    ),
    "usage:gateway": Requirement(
        "Every call of every tenant of a gateway is one entry under its name, over HTTP and over MCP.", "issue 7.4"
    ),
    "usage:cli": Requirement("What the command line does is recorded as well.", "issue 7.4"),
    "usage:table": Requirement(
        "webseam usage shows sums in a table of at most 80 columns, a line for each currency.", "issue 7.4"
    ),
    "usage:json": Requirement(
        "webseam usage --json has every sum, with times in UTC, perhaps of one tenant alone.", "issue 7.4"
    ),
    "usage:nothing": Requirement(
        "Where nothing was recorded, webseam usage says so and how to turn it on.", "issue 7.4"
    ),
    "usage:times": Requirement(
        "--since and --until take ages, days and moments; anything else is a usage error that names the forms.",
        "issue 7.4",
    ),
    "usage:export": Requirement(
        "webseam usage --export gives the calls as JSON lines or CSV, in which no cell is a formula.", "issue 7.4"
    ),
}
