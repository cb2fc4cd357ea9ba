"""Promises of record and replay, of the audit log, and of runs without network."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "replay:values": Requirement(
        "Results of every capability, every body and every error come back from a cassette as they were.",
        "issue 6.6, probes 14",
    ),
    "replay:same": Requirement(
        "The same request gets the same outcome: repeats in their order, whatever runs beside it.",
        "issue 6.6, design 11",
    ),
    "replay:commands": Requirement(
        "Every command takes --record, --replay and --offline, or sends nothing; the page lists both.", "issue 6.6"
    ),
    "replay:key": Requirement(
        "What was asked is told apart by capability, configured choice, all fields and controls, and what of the call may change the answer.",
        "issue 6.6",
    ),
    "replay:miss": Requirement(
        "What was not recorded, or not so often, is WEB_REPLAY_MISS and names the nearest recorded request.",
        "design 5, design 11",
    ),
    "replay:no-network": Requirement("A replay needs no network, no name look-up, no key and no plugin.", "issue 6.6"),
    "replay:bytes": Requirement(
        "What a model and a host see of a replayed run is the recorded run to the byte: boundaries, times and remarks included.",
        "issue 6.6, R161",
    ),
    "replay:surfaces": Requirement(
        "An agent run through the library, a vendor API's dispatcher or MCP in memory, over stdio or HTTP replays to the byte when all it reached is gone.",
        "issue 6.6",
    ),
    "replay:frameworks": Requirement(
        "An agent run through each framework's own loop tells its model the same to the byte when it is replayed with sockets forbidden.",
        "issue 6.6",
    ),
    "replay:gate": Requirement(
        "A replayed page passes the gate as a fetched one does: its URL and every hop.", "design 7"
    ),
    "replay:cancelled": Requirement(
        "A call that its caller gave up is recorded as that, and its replay waits to be given up again.", "design 6"
    ),
    "replay:secrets": Requirement(
        "No key, header of a provider or proxy password stands in a recording, wherever an answer repeats it.",
        "issue 6.6, design 5",
    ),
    "replay:append": Requirement(
        "A recording is added to what the file holds, which stays as it is; the file is the user's alone.", "issue 6.6"
    ),
    "replay:two": Requirement(
        "Runs that are recorded into one file at once replay each as the run that it was.", "issue 6.6"
    ),
    "replay:unwritten": Requirement(
        "A call that cannot be written down ends in an error that says whether it left; a cancellation passes all the same.",
        "design 5, design 6",
    ),
    "replay:damage": Requirement(
        "A damaged or foreign file is refused with the line, and never added to.", "issue 6.6"
    ),
    "replay:cut": Requirement(
        "The cut last line of a session that was killed is told and passed over, also when another session follows.",
        "issue 6.6",
    ),
    "replay:one-of": Requirement("A run is recorded or replayed, not both.", "issue 6.6"),
    "replay:cli": Requirement(
        "--record and --replay stand on every command that searches or fetches, and its output replays to the byte.",
        "issue 6.6",
    ),
    "replay:demo": Requirement(
        "The demo recorded once replays byte for byte with sockets forbidden, and in a namespace without a network.",
        "issue 6: done when",
    ),
    "replay:show": Requirement(
        "`webseam cassette show` lists the calls of a recording, as a table or JSON.", "issue 6.6"
    ),
    "offline:refused": Requirement(
        "Offline, nothing is dialled and no name is looked up: pages, robots.txt and vendors are WEB_OFFLINE, not dispatched.",
        "design 11",
    ),
    "offline:local": Requirement("Offline, the local index still answers.", "design 11"),
    "audit:file": Requirement(
        "log.file gets each event as a JSON line with its time, free of secrets; one that cannot be written stops the call.",
        "issue 6.7",
    ),
    "audit:logging": Requirement("webseam.log_events tells Python's logging each event.", "issue 6.7"),
    "audit:verbose": Requirement(
        "--verbose tells a person on stderr what the seam does, and changes nothing on stdout.", "issue 6.7"
    ),
    "audit:events": Requirement(
        "An observer hears of a dispatch before the request leaves, and of a refusal before any provider.", "issue 6.7"
    ),
}
