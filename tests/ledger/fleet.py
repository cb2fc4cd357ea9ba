"""Promises of the state that several gateways share, and of the cache of searches."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "fleet:pages": Requirement(
        "Pages that one gateway keeps on the shared server are read by all, within bounds, told in the server's time.",
        "issue 7.3; R169",
    ),
    "fleet:pages:damaged": Requirement(
        "What lies on the shared server and is not what was written is not there; another version sees none of it.",
        "issue 7.3; R210",
    ),
    "fleet:flight:one": Requirement(
        "Of callers in several processes that want the same, one asks and the others learn how that ended.", "issue 7.3"
    ),
    "fleet:flight:lease": Requirement(
        "Who dies while it asks is replaced within its lease, and who lost its lease neither renews nor ends the new one.",
        "issue 7.3",
    ),
    "fleet:flight:origin": Requirement(
        "64 fetches of one page at once through two gateways reach its server once.", "issue 7, done when"
    ),
    "fleet:flight:takeover": Requirement(
        "When the process that asks for a page is killed, another one takes over, and each keeps its own deadline.",
        "issue 7.3",
    ),
    "fleet:flight:cancelled": Requirement(
        "A call that is cancelled while it waits or asks leaves the page to the others.", "issue 7.3; design 6"
    ),
    "fleet:flight:unshared": Requirement(
        "A page that cannot be kept is asked for by each call, and none waits for another twice.", "issue 7.3"
    ),
    "fleet:rates": Requirement(
        "A rate holds over all gateways that use the same key: an exact window, first come, first served, in the time of the state.",
        "issue 7.3; R194; R169",
    ),
    "fleet:rates:pause": Requirement(
        "A pause that the vendor asked one gateway for holds for all, and an unused turn is another's.",
        "issue 7.3; R194",
    ),
    "fleet:rates:wired": Requirement(
        "With fleet.url set, providers.<id>.rate holds over all gateways, by key, and no key is told to the server.",
        "issue 7.3; R194",
    ),
    "fleet:host-rate": Requirement(
        "With fetch.host_rate each host is asked no more often than it says, by one process and by a fleet; a kept page takes no turn.",
        "issue 7.3; R195",
    ),
    "fleet:budgets": Requirement(
        "A day's budget of calls and cost is never overspent, however many spend at once.", "issue 7.3; R197"
    ),
    "fleet:away:local": Requirement(
        "While the shared server is away calls go on with the limits of their own process, and each result says so.",
        "issue 7.3",
    ),
    "fleet:away:refuse": Requirement(
        'With fleet.when_away = "refuse" a call that needs the shared server is refused, and told what to do.',
        "issue 7.3",
    ),
    "fleet:step:cancelled": Requirement(
        "A step on the shared server that is cancelled ends in that, wherever it was: no call outlives its deadline.",
        "design 6",
    ),
    "fleet:away:back": Requirement("A shared server that comes back is used again by itself.", "issue 7.3"),
    "fleet:secret": Requirement(
        "User and password of fleet.url stand in no message, event, repr or listing of settings.",
        "issue 7.3; design 10",
    ),
    "fleet:config": Requirement(
        "fleet.url is the user's own to set, is checked when it is read, and what needs it says so.", "design 10"
    ),
    "fleet:extra": Requirement(
        "Without the client a configuration that needs it says which extra to install.", "design 1"
    ),
    "search-cache:off": Requirement("Without search.cache no search is answered from a store.", "issue 7.3"),
    "search-cache:hit": Requirement(
        "A search that was asked before in the same words, controls, bounds and tenant is answered without a vendor, and says how old the answer is.",
        "issue 7.3; R169",
    ),
    "search-cache:key": Requirement(
        "Whatever changes the question or who may see the answer is a part of the key: query, count, controls, route, options of the providers, tenant.",
        "issue 7.3; R169; R210",
    ),
    "search-cache:negative": Requirement(
        "Errors, empty and ungrounded answers, broken-off answers, raw payloads and what the caller's own credentials opened are never kept.",
        "R170; R207",
    ),
    "search-cache:fallback": Requirement(
        "An answer that stands in for a failed provider is kept for seconds only, so that the first one is back soon.",
        "R170",
    ),
    "search-cache:expiry": Requirement(
        "An answer beyond its time, or from a clock that was put back, is asked for anew.", "R169"
    ),
    "search-cache:gate": Requirement(
        "The gate is asked before any kept answer is looked at, and what comes out is held to the guarantees anew.",
        "design 1; design 7",
    ),
    "search-cache:flight": Requirement(
        "Equal searches at once are one request, on one gateway or several.", "issue 7.3"
    ),
    "search-cache:config": Requirement(
        "search.cache and search.cache_seconds reach the seam; a project file may only tighten them.", "design 10"
    ),
}
