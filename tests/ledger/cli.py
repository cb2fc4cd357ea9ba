"""Promises of the command line."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "cli:hostile:urls": Requirement(
        "Each hostile URL ends on the command line as in the library, nothing dialled.", "design 7"
    ),
    "cli:hostile:executable": Requirement("The installed executable refuses each hostile URL.", "design 7"),
    "cli:search:text": Requirement("Hits go to stdout, who answered and remarks to stderr.", "ecosystem 3"),
    "cli:search:address": Requirement(
        "A hit's address stands whole in its line, and what is copied from there leads to its page.", "design: promises"
    ),
    "cli:search:none": Requirement("No hits is success with an empty stdout; failure never looks like it.", "R193"),
    "cli:search:ungrounded": Requirement("An answer that no search backs is labelled on stdout.", "design: promises"),
    "cli:search:json": Requirement("--json is one object whose keys are the vocabulary's fields.", "R193"),
    "cli:search:raw": Requirement(
        "--raw keeps the vendor's answer in JSON, and is refused without --json.", "design 2"
    ),
    "cli:search:controls": Requirement("Control flags are honoured, enforced or refused.", "design 2"),
    "cli:search:max-results": Requirement("--max-results cuts and says so.", "design 3"),
    "cli:search:choice-flags": Requirement(
        "--provider, --route and --fanout replace the configured choice and exclude each other.", "design 4"
    ),
    "cli:search:broken-config": Requirement(
        "A broken configuration refuses every call, with the place, until it is mended.", "design 10"
    ),
    "cli:search:keyless-notice": Requirement("A search by the keyless default says so on stderr.", "design 3"),
    "cli:seams": Requirement("A caller in this process hands in resolver, sockets and clock.", "design: rooms"),
    "cli:fetch:markdown": Requirement("A page is Markdown on stdout, its facts are on stderr.", "ecosystem 3"),
    "cli:fetch:blocked": Requirement("A private address is refused with exit 4 and WEB_BLOCKED_URL.", "design 5"),
    "cli:fetch:fail": Requirement("--fail exits 5 for a status that is not 2xx, and still prints the page.", "R205"),
    "cli:fetch:empty": Requirement("An empty page is told on stderr.", "R203"),
    "cli:fetch:offset": Requirement("--offset reads on in the text, and past its end is an error.", "design 8"),
    "cli:fetch:json": Requirement("--json holds the page's fields and its Markdown.", "R193"),
    "cli:fetch:faces": Requirement(
        "Of every kind of page `webseam fetch --json`, web_fetch and the library tell the same: text, size, cuts with "
        "their cause, notes, what is hidden, metadata, charset, pages.",
        "design 2 and 8, issue 5",
    ),
    "cli:fetch:raw-body": Requirement("--raw-body prints the body as decoded.", "design 7"),
    "cli:fetch:output": Requirement("-o FILE gets the bytes that stdout would.", "R202"),
    "cli:fetch:batch": Requirement("Several pages come in the order asked, failures told one by one.", "ecosystem 3"),
    "cli:fetch:nothing-asked": Requirement("No URL is a usage error.", "design 5"),
    "cli:fetch:provider": Requirement("--provider names the fetch provider.", "design 3"),
    "cli:index:folder": Requirement("A folder is indexed and found without network or key.", "design 11"),
    "cli:index:path": Requirement("index.path is where the index is written and searched.", "design 11"),
    "cli:index:urls": Requirement("URLs are indexed under all rules of a fetch, and skips are told.", "design 11"),
    "cli:index:nothing": Requirement("Indexing that takes in nothing exits 5.", "R205"),
    "cli:providers:states": Requirement(
        "Every provider is listed with its state and what would change it.", "design 3"
    ),
    "cli:providers:missing": Requirement(
        "A configured id that nothing installed has is listed with the nearest that is.", "design 3, R154"
    ),
    "cli:providers:no-secret": Requirement("The source of a key is shown and never the key.", "R160"),
    "cli:providers:keyless-notice": Requirement("The keyless default says so.", "design 3"),
    "cli:config:show": Requirement("config show prints each value and where it came from.", "design 10"),
    "cli:config:masked": Requirement("config show masks secrets.", "design 10"),
    "cli:config:broken": Requirement(
        "config show runs while the configuration is broken, says what is wrong, and exits 3.", "design 10"
    ),
    "cli:config:limits": Requirement("Every limit is shown with its reason.", "design 10"),
    "cli:config:path": Requirement("config path names every place.", "ecosystem 3"),
    "cli:config:trust": Requirement("config trust admits one content of the project file.", "design 10"),
    "cli:errors:text": Requirement("A failure is one line, webseam: CODE: message, on stderr.", "design 5"),
    "cli:errors:members": Requirement(
        "When every member of a route or fan-out failed, the line is followed by one for each with its reason.",
        "design 5 (a person reads the message)",
    ),
    "cli:errors:json": Requirement("With --json errors are JSON on stderr, usage errors too.", "R193"),
    "cli:errors:exit-codes": Requirement("The exit code tells what kind of failure it was.", "design 5, R203"),
    "cli:errors:usage": Requirement("A wrong command line exits 2 and says how to get help.", "R053, R061"),
    "cli:stdin:lines": Requirement("- reads one URL or query per line from stdin.", "ecosystem 3"),
    "cli:terminal:clean": Requirement("No control sequence of the web reaches a terminal.", "design: promises"),
    "cli:json:valid": Requirement("JSON output is valid whatever the text holds.", "R051"),
    "cli:color": Requirement(
        "Colours only for a terminal; NO_COLOR, TERM=dumb and FORCE_COLOR are heard.", "ecosystem 3"
    ),
    "cli:progress": Requirement("Progress shows only where stderr is a terminal.", "ecosystem 3"),
    "cli:encoding": Requirement("Input and output are UTF-8 whatever the locale.", "R202"),
    "cli:pipe": Requirement("A reader that went away ends the command quietly with exit 141.", "R206"),
    "cli:unwritable": Requirement("Output that cannot be written exits 1 with the reason.", "R193"),
    "cli:interrupt": Requirement("Ctrl-C exits 130 without a traceback.", "ecosystem 3"),
    "cli:deleted-folder": Requirement("The command works in a folder that was deleted.", "design 10"),
    "cli:module": Requirement("python -m webseam is the command.", "ecosystem 3"),
    "cli:completion": Requirement("Shells get completions.", "ecosystem 3"),
    "cli:help": Requirement("Every command's help starts with examples, on stdout.", "ecosystem 3"),
    "cli:bare": Requirement("The bare command prints help.", "ecosystem 3"),
    "cli:compare:table": Requirement(
        "compare shows each vendor's hits, overlap, latency and cost, and each page's rank at every vendor.",
        "issue 3.6",
    ),
    "cli:compare:failures": Requirement("A vendor that fails does not fail a comparison.", "issue 3.6"),
    "cli:compare:exit": Requirement(
        "A comparison ends by one deadline, and exits 0 when at least one vendor answered.", "issue 3.6, design 6"
    ),
    "cli:compare:json": Requirement("compare --json holds every number, null where nobody reported one.", "R193"),
    "cli:compare:clean": Requirement(
        "What vendors wrote is cleaned in a comparison as in a search.", "design: promises"
    ),
    "cli:compare:whom": Requirement(
        "Without names every available provider is compared; fewer than two are an error.", "issue 3.6"
    ),
    "cli:providers:facts": Requirement(
        "providers --json tells of every installed kind its capability, key, answer, controls, ground and last live day.",
        "issue 3, done when",
    ),
    "cli:doctor:health": Requirement(
        "doctor tells versions, files, selection and reasons, dials nothing, and exits 0 when a call would run.",
        "issue 3.8, design 10",
    ),
    "cli:doctor:sick": Requirement("doctor runs on a broken configuration, tells it and exits 3.", "design 10"),
    "cli:doctor:live": Requirement(
        "doctor --live makes one real call to each provider named or available and prints what came.", "issue 3.8"
    ),
    "cli:doctor:extract": Requirement(
        "doctor --live tries a vendor that only extracts by one page, asks and records likewise; one that does both is searched.",
        "issue 6.8",
    ),
    "cli:keyring:told": Requirement(
        "A locked or silent keyring is told with the next step wherever its key is needed; nobody is asked without that key instead.",
        "issue 6.8, design 10",
    ),
    "cli:keyring:once": Requirement("A run waits for a keyring that gives no answer once.", "issue 6.8, design 6"),
    "cli:doctor:replay": Requirement(
        "Recorded trials of doctor --live replay without a key or a socket, say that they do, and note nothing anew.",
        "issue 6.6, issue 6.8",
    ),
    "cli:doctor:consent": Requirement(
        "doctor --live says that keyed calls are billed, and sends none without consent.", "issue 3.8, design 4"
    ),
    "cli:doctor:recorded": Requirement(
        "A vendor that answered live is recorded with its UTC day, search and extraction apart; a broken record loses nothing.",
        "issue 3.8",
    ),
}
