"""Promises of permission and of the memory of a run."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "permission:off": Requirement(
        "Without settings everything is allowed, nothing is bounded, and results say nothing of permission.",
        "issue 6.4; design 8",
    ),
    "permission:hosts:exact": Requirement(
        "permission.allow_hosts is exclusive and exact: no subdomain, no suffix, no prefix; an empty list allows nothing.",
        "issue 6.4; enso-10; R038",
    ),
    "permission:hosts:form": Requirement(
        "Hosts are compared in WHATWG ASCII form, whatever their case, width, port or trailing dot.", "enso-10; R038"
    ),
    "permission:hosts:subdomains": Requirement(
        "An entry *.a.test allows the subdomains of a.test, not a.test itself, and never evila.test.", "R038"
    ),
    "permission:hosts:denied": Requirement(
        "permission.deny_hosts refuses a host and its subdomains, before any allowance and whatever a person says.",
        "issue 6.4",
    ),
    "permission:hosts:embedded": Requirement(
        "A denied IPv4 address is denied in every spelling, at the end of an IPv6 address too (RFC 6052).",
        "issue 6.4; security README 4",
    ),
    "permission:hosts:rows": Requirement(
        "A host that is not allowed is refused before its name is looked up, through tool and command line alike.",
        "security README 4, measure 9; design 7",
    ),
    "permission:hops": Requirement(
        "Each hop of a redirect is held to the lists of hosts; a hop within a site is asked of nobody again.",
        "design 7; issue 6.4",
    ),
    "permission:actions": Requirement(
        "Searches, and fetches, may be denied as a whole; nothing leaves then, and the message says what to do.",
        "issue 6.4; design 5",
    ),
    "permission:seen:person": Requirement(
        "What the person wrote may be fetched: URLs, hosts without a scheme, and https in place of http.",
        "issue 6.4; design 8",
    ),
    "permission:seen:shown": Requirement(
        "URLs of search results and links of pages read may be fetched, and so may the target of a redirect handed back.",
        "issue 6.4; security README 4, measure 9",
    ),
    "permission:seen:spelling": Requirement(
        "A URL that was shown may be fetched whatever it holds and stands in: escapes, brackets, quotes, any script.",
        "issue 6.4; design 8",
    ),
    "permission:seen:refused": Requirement(
        "With permission.unseen set, a URL that the run has not seen is refused, one with a changed query too.",
        "issue 6.4; security README 4, measure 9",
    ),
    "permission:seen:own-words": Requirement(
        "What the model writes never makes a URL seen, though a query, an answer or a message repeats it.",
        "security README 4, measure 9",
    ),
    "permission:query": Requirement(
        "The query string of a URL that was not seen is bounded by permission.max_query_chars.",
        "issue 6.4; security README 4, measure 9",
    ),
    "permission:flags": Requirement(
        "Long parts without a pattern are flagged in URLs not seen and in queries, and may be asked about or denied.",
        "issue 6.4; security README 4, measure 9",
    ),
    "permission:ask:nobody": Requirement("A question with nobody to ask is a denial.", "design 8"),
    "permission:ask:person": Requirement(
        "The person is asked one question at a time, within the call's time, and any other answer than yes is a denial.",
        "issue 6.4; design 6",
    ),
    "permission:ask:kept": Requirement(
        "A page that is kept is read on without a question by the runs that have read it, and by no other.",
        "design 8; issue 6.4",
    ),
    "permission:ask:route": Requirement(
        "The members of a route are one fetch: one question, and one call of the budget.", "design 4; issue 6.4"
    ),
    "permission:ask:always": Requirement(
        "Always allows the one origin that the question showed, for this run, and never a pattern.", "R036"
    ),
    "permission:budget:calls": Requirement(
        "permission.max_calls bounds searches, fetches and extractions of a run, concurrent ones too.", "issue 6.4"
    ),
    "permission:budget:cost": Requirement(
        "permission.max_cost ends a run by reported dollars; a cost that is unknown counts as a call.",
        "issue 6.4; design 8",
    ),
    "permission:budget:kept": Requirement(
        "Reading on in a page that is kept, and redirect hops, are no calls of the budget.", "issue 6.4"
    ),
    "permission:policy": Requirement(
        "A host's own gate is asked about what the rules allow, and both must allow it.", "issue 6.4"
    ),
    "permission:told": Requirement(
        "Every decision, with rule, reason and flags, is an event and stands in the result's meta.", "issue 6.4"
    ),
    "permission:run:own": Requirement(
        "Runs that share one toolset share neither what they saw nor what they spent.", "design 8"
    ),
    "permission:run:bounded": Requirement(
        "What a run remembers is bounded, and links of pages never push out what the person gave.", "design 8"
    ),
    "permission:config:strict": Requirement(
        "A setting of [permission] that could hold nothing back is refused with its place.", "design 10; R038"
    ),
    "permission:config:project": Requirement("A project file may tighten permission and never loosen it.", "design 10"),
    "permission:config:bound": Requirement(
        "The configured permission binds webseam.open and every Toolset over it, beside a gate of the host's.",
        "issue 6.4; design 10",
    ),
    "permission:config:shown": Requirement(
        "config show tells every rule of permission with where it was set.", "design 10"
    ),
    "permission:cli": Requirement(
        "The command line keeps to permission; a URL that the person typed counts as seen, a question as a denial.",
        "issue 6.4",
    ),
}
