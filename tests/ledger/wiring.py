"""Promises of configuration, secrets, plugins and build."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "wiring:config:no-file": Requirement("Without any configuration file everything has its default.", "design 10"),
    "wiring:config:precedence": Requirement(
        "Argument beats environment beats project file beats user file beats default.", "design 10"
    ),
    "wiring:config:origins": Requirement("Each value knows the file, variable or argument it came from.", "design 10"),
    "wiring:config:choice-replaced": Requirement(
        "A layer that names providers in any way replaces how lower layers named them.", "design 3, R152"
    ),
    "wiring:config:blank-is-unset": Requirement("A blank name, route or variable is the same as none.", "R153"),
    "wiring:config:closing-list": Requirement("An empty list of exceptions closes what was open.", "design 10"),
    "wiring:config:user-file": Requirement(
        "The user's file is where XDG or WEBSEAM_CONFIG says, and a named one must exist.", "ecosystem 3"
    ),
    "wiring:config:project-search": Requirement(
        "The nearest project file counts, up to the repository or home, and no stranger's above them.", "design 10"
    ),
    "wiring:config:paths": Requirement("A relative path starts at the folder of the file it stands in.", "design 10"),
    "wiring:config:environment": Requirement(
        "WEBSEAM_<SECTION>_<FIELD> is the same setting, strictly typed, and an unknown one is refused.", "design 10"
    ),
    "wiring:config:arguments": Requirement("Settings given in Python are checked as a file is.", "design 10"),
    "wiring:config:unknown-key": Requirement(
        "An unknown table or key is refused with its path and the nearest known one.", "design 10, probes 14"
    ),
    "wiring:config:bad-value": Requirement(
        "A value of a wrong type or out of range is refused with path, what was found and what is allowed.",
        "design 10, R053, R061",
    ),
    "wiring:config:one-choice": Requirement("One layer names providers in one way only.", "design 4"),
    "wiring:config:all-problems": Requirement("All faults can be had at once, beside what is right.", "design 10"),
    "wiring:config:unreadable": Requirement(
        "A file that cannot be read, is no regular file, too large, binary or no TOML is refused by name.", "design 10"
    ),
    "wiring:config:bom": Requirement("A byte order mark and CR LF line ends are no fault.", "design 10"),
    "wiring:config:no-secret-in-message": Requirement("No message and no repr holds a configured key.", "design 5"),
    "wiring:project:may": Requirement("A project file may choose among providers and tighten.", "design 10"),
    "wiring:project:may-not": Requirement(
        "A project file may not widen, nor set secrets, providers, plugins, the index or TLS trust.", "design 10"
    ),
    "wiring:project:baseline": Requirement(
        "What counts as widening is measured against the user's own settings.", "design 10"
    ),
    "wiring:project:controls": Requirement("A project file may make search controls strict, not lenient.", "design 10"),
    "wiring:project:trust": Requirement(
        "Trust holds for exactly one content of one file, and a damaged record trusts nothing.", "design 10"
    ),
    "wiring:project:keyless-closed": Requirement(
        "Where the user closed keyless search, a project file does not open it by naming a provider.", "design 10"
    ),
    "wiring:secrets:order": Requirement("A key is the literal, else a variable, else the secrets file's.", "design 10"),
    "wiring:secrets:closed-environment": Requirement(
        "secrets.environment = false lets no key come from the environment.", "design 10"
    ),
    "wiring:secrets:rotation": Requirement("A rotated key reaches the next call.", "design 10, dsh-60"),
    "wiring:secrets:missing": Requirement("A missing key is its own code and names the remedies.", "design 10"),
    "wiring:secrets:named-variable": Requirement(
        "A variable that the configuration names replaces the vendor's usual ones.", "design 10"
    ),
    "wiring:secrets:two-accounts": Requirement("One vendor can be there twice, with keys kept apart.", "design 2"),
    "wiring:secrets:permissions": Requirement("A secrets file that others may read is refused.", "design 10"),
    "wiring:secrets:unusable": Requirement(
        "A secrets file that cannot be used refuses every call: no other provider stands in.", "design 10, R152"
    ),
    "wiring:secrets:file-format": Requirement(
        "The secrets file holds NAME=value lines; a fault is told by line number only.", "design 10"
    ),
    "wiring:secrets:shape": Requirement("A key that no header can carry is refused unseen.", "design 5"),
    "wiring:secrets:hidden": Requirement("A key source shows where a key is from and never the key.", "R160"),
    "wiring:default:keyless": Requirement(
        "With nothing configured and no key, exa-mcp is named and the notice says so.", "design 3"
    ),
    "wiring:default:keyless-off": Requirement("search.keyless = false leaves no default.", "design 3"),
    "wiring:default:keyed": Requirement("A vendor whose key is set is registered by that alone.", "design 3, R160"),
    "wiring:default:one-key": Requirement(
        "The key of one vendor selects one of its products; the others are used when named.",
        "design 3",
    ),
    "wiring:default:ambiguous": Requirement("Two keys and no choice are ambiguous, never the first.", "design 3"),
    "wiring:default:keyless-only-named": Requirement(
        "A keyless provider is registered only when named, so it never makes a choice ambiguous.", "design 3"
    ),
    "wiring:default:table-counts": Requirement(
        "A provider's table is configuration: without its key nothing keyless stands in.", "design 3"
    ),
    "wiring:default:named-unavailable": Requirement(
        "A named provider that cannot run is an error, never another provider.", "R152"
    ),
    "wiring:default:named-missing": Requirement("An unknown name is an error with the nearest known one.", "R154"),
    "wiring:default:choices": Requirement("Configured routes and fan-outs are what the seam uses.", "design 4"),
    "wiring:default:http": Requirement("The HTTP fetcher is always registered.", "design 3"),
    "wiring:settings:reach": Requirement("Every setting reaches the room it is for.", "design 10"),
    "wiring:plugins:broken": Requirement("A plugin that does not load breaks nobody else and says why.", "design 1"),
    "wiring:plugins:broken-named": Requirement(
        "A named provider whose plugin failed is unavailable, with the reason.", "design 3"
    ),
    "wiring:default-controls:effective": Requirement(
        "A configured domain that no host can have is refused: it would hold nothing back, and nobody would know.",
        "design: promises, issue 3.3",
    ),
    "wiring:plugins:read-once": Requirement(
        "The metadata of a distribution is read once, however many kinds it contributes.", "design: promises"
    ),
    "wiring:plugins:disabled": Requirement("A disabled plugin is not even imported.", "design 10"),
    "wiring:plugins:only-needed": Requirement(
        "Plugins of a capability that is not needed are not loaded; tables are checked all the same.", "design 1"
    ),
    "wiring:plugins:pinned": Requirement(
        "WEBSEAM_LOAD_PLUGINS pins the distributions that may contribute.", "style 2.5"
    ),
    "wiring:plugins:claimed-twice": Requirement(
        "A kind claimed by two distributions is the product's or nobody's, never the first's.", "design 3"
    ),
    "wiring:options:strict": Requirement("A kind's options are strict, and errors name file and path.", "design 10"),
    "wiring:options:layers": Requirement("A higher layer changes one option of a provider and no more.", "design 10"),
    "wiring:build:lazy": Requirement("Building opens nothing, and closing twice is fine.", "design 1"),
    "wiring:toy-vendor": Requirement(
        "Adding a search vendor touches one file, one entry-point line and one fixture.", "design 1"
    ),
    "wiring:open:context": Requirement("webseam.open gives a Web that closes what it opened.", "design 9"),
    "wiring:open:choices": Requirement("Choices given in Python beat the configuration.", "design 9"),
    "wiring:open:broken": Requirement("A broken configuration raises at open.", "design 10"),
    "wiring:blocking": Requirement(
        "The blocking twins work with and without a running loop, and raise where they were called.", "design 9"
    ),
    "wiring:blocking:interrupt": Requirement(
        "An interrupt of a blocking twin ends its work too, beside a running loop as well.", "design 6, 9"
    ),
    "wiring:import:cheap": Requirement("import webseam loads nothing heavy; each part loads on first use.", "design 1"),
    "wiring:import:public": Requirement("The public names are exactly __all__.", "style 4.7"),
    "wiring:default-controls:set": Requirement(
        "Every search control can be configured, in a file or by a variable, and then holds for every search.",
        "issue 3 point 3; design 10",
    ),
    "wiring:default-controls:checked": Requirement(
        "A configured control of the wrong form is refused when it is loaded, with its path.", "design 10"
    ),
    "wiring:default-controls:project": Requirement(
        "A project file may tighten the configured controls and never loosen them.", "issue 3 point 3; design 10"
    ),
    "wiring:rate:form": Requirement("A rate is N/s, N/min, N/hour or N/day with N up to 100,000.", "issue 3.6"),
    "wiring:rate:window": Requirement(
        "No window of the period holds more calls of one key than the rate, whatever is cancelled, paused or given back.",
        "issue 3.6, design 11",
    ),
    "wiring:rate:fifo": Requirement(
        "Turns come in the order of arrival, as soon as the window allows; nobody waits longer than promised, and who would is told at once.",
        "issue 3.6",
    ),
    "wiring:rate:cancelled": Requirement(
        "Who is cancelled while waiting gives the place to the next, and a call that never left costs no turn.",
        "issue 3.6",
    ),
    "wiring:rate:pause": Requirement(
        "A wait that the vendor asks for pauses that key, and waiters whom it makes too late hear it at once.",
        "issue 3.6",
    ),
    "wiring:rate:refused": Requirement(
        "A call without a turn in time is WEB_RATE_LIMITED with its wait, before anything leaves.",
        "issue 3.6, design 11",
    ),
    "wiring:rate:per-key": Requirement(
        "Each key has a rate of its own, shared by the capabilities of its provider.", "issue 3.6"
    ),
    "wiring:rate:keyless": Requirement("A provider without a key takes a rate too.", "issue 3.6"),
    "wiring:rate:wait": Requirement(
        "A call waits for its turns no longer than rate_wait in all, and never past its deadline.",
        "issue 3.6, design 6",
    ),
    "wiring:rate:moves-on": Requirement(
        "A call whose key is paused while it waits goes on to a key that still has a turn in time.", "issue 3.6"
    ),
    "wiring:keys:rotate": Requirement(
        "A key that its vendor refuses (401, 402, 429, spent quota) or that is missing gives way to the next at once; any other failure ends the call.",
        "issue 3.6, design 11",
    ),
    "wiring:keys:every-capability": Requirement("Fetch and extract rotate keys as search does.", "issue 3.6"),
    "wiring:keys:provider": Requirement("The seam sees one provider with the vendor's own controls.", "design 11"),
    "wiring:keys:all-fail": Requirement(
        "When every key fails, the last error comes with every try and the smallest wait that is known.",
        "issue 3.6, design 4",
    ),
    "wiring:keys:signal": Requirement(
        "A deadline, an abort, a cancellation or a fault in a later key ends the call, and the tries before it are told.",
        "design 4, design 6",
    ),
    "wiring:keys:rest": Requirement(
        "A key rests after a refusal (what the vendor says, else a minute; ten when refused or spent), and a call starts with the key that last worked.",
        "issue 3.6",
    ),
    "wiring:keys:all-rest": Requirement(
        "When all keys rest, the one that comes free first is waited for within rate_wait, else tried.", "issue 3.6"
    ),
    "wiring:keys:env": Requirement(
        "Several variables give several keys; an unset one is passed over, and the usual one is not asked.",
        "issue 3.6, design 10",
    ),
    "wiring:keys:keyless": Requirement(
        "A vendor that also works without a key is not called that way because one of its keys is unset.", "issue 3.6"
    ),
    "wiring:keys:secret": Requirement(
        "No key of a pool, nor which one was used, stands in results, errors, events or repr.", "issue 3.6, design 5"
    ),
    "wiring:keys:route": Requirement("A route tells each key that was tried before it moved on.", "design 4"),
    "wiring:keys:property": Requirement(
        "Whatever keys answer: each is tried at most once in a call, a resting one only when all rest, and every request is an attempt.",
        "issue 3.6",
    ),
    "wiring:keys:shared-error": Requirement("A pool changes no error object of its providers.", "dsh-30"),
    "wiring:pool-config:strict": Requirement(
        "keys, keys_env, rate and rate_wait are strict, stand alone where they must, and their faults show no key.",
        "design 10",
    ),
    "wiring:pool-config:values": Requirement("A provider is pooled exactly when its table asks for it.", "design 11"),
    "wiring:pool-config:layers": Requirement(
        "A higher layer that says where keys come from replaces what lower ones said of several.", "design 10"
    ),
    "wiring:pool-config:project": Requirement("A project file sets no keys and no rates.", "design 10"),
    "wiring:pool-config:hidden": Requirement("Neither a table nor a plan shows its keys.", "design 10"),
    "wiring:pool-config:shown": Requirement(
        "config show masks each key; providers counts the keys, says where they come from, and names the rate.",
        "design 10",
    ),
}
