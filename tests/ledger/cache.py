"""Promises of the page cache."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "cache:off": Requirement(
        "Without fetch.cache nothing is kept, and a closed fetcher gives nothing that was.", "design 7; RFC 9111"
    ),
    "cache:fresh:hit": Requirement(
        "A page that is fresh is read without a request, makes the same result, and tells its age.",
        "issue 4.7; RFC 9111 section 4",
    ),
    "cache:fresh:expiry": Requirement("A page beyond its time is asked for anew.", "RFC 9111 section 4.2"),
    "cache:fresh:lifetime": Requirement(
        "How long a page is fresh follows max-age, Expires, or a bounded guess; what contradicts itself is stale.",
        "RFC 9111 sections 4.2.1, 4.2.2",
    ),
    "cache:fresh:age": Requirement(
        "The time that a page spent in other caches and on its way counts.", "RFC 9111 section 4.2.3"
    ),
    "cache:bytes:derived": Requirement(
        "What is kept are the bytes as received, and every view is made of them.", "issue 4.7"
    ),
    "cache:key:fragment": Requirement("Fragments of one page share one kept copy.", "R168"),
    "cache:key:scope": Requirement(
        "A kept page is never seen under another User-Agent, address policy or size limit.",
        "R167; RFC 9111 section 4.1",
    ),
    "cache:redirect": Requirement(
        "Kept redirects are followed, each asked of the gate and judged as if it had just come.", "issue 4.7; design 7"
    ),
    "cache:gate": Requirement("The gate is asked before any kept page is looked at.", "design 7"),
    "cache:unkept": Requirement(
        "Pages that their servers forbid to keep, parts, cut or broken pages and bot challenges are never kept.",
        "RFC 9111 sections 3, 3.3; R170",
    ),
    "cache:revalidate:confirmed": Requirement(
        "A kept page that its server confirms is used, and its times are those of the confirmation.",
        "RFC 9111 sections 4.3, 5.2.2.4",
    ),
    "cache:revalidate:changed": Requirement(
        "A page that changed takes the place of the kept one, and a confirmation of another version is not believed.",
        "RFC 9111 sections 4.3.3, 4.3.4",
    ),
    "cache:revalidate:sent": Requirement(
        "Only short printable validators go back to a server.", "RFC 9110 section 8.8"
    ),
    "cache:stale:asked": Requirement(
        "A stale page stands in for a failing server only when the settings ask for it, within their time, and says so.",
        "issue 4.7; RFC 5861",
    ),
    "cache:stale:superseded": Requirement(
        "A page whose server has said something else since, and be it something that is refused, never stands in.",
        "RFC 9111 section 4.3.3",
    ),
    "cache:retry-after": Requirement(
        "A delay that a kept answer asks for counts from when it was said.", "RFC 9110 section 10.2.3"
    ),
    "cache:stale:forbidden": Requirement(
        "A page whose server forbids stale use is never used stale.", "RFC 9111 section 4.2.4"
    ),
    "cache:negative": Requirement("An error is kept for half a minute at most.", "issue 4.7; R170"),
    "cache:clock": Requirement("A clock that is put back makes no page younger.", "R169"),
    "cache:flight:single": Requirement(
        "Calls for one page at once make one request when its answer can be shared, and none waits for another when not.",
        "issue 4.7",
    ),
    "cache:flight:cancelled": Requirement(
        "A cancelled call leaves the request to those who wait, and each keeps its own deadline.", "issue 4.7; design 6"
    ),
    "cache:disk:shared": Requirement(
        "Pages kept on disk are read by every process of the user, several at once.", "issue 4.7"
    ),
    "cache:disk:trouble": Requirement(
        "A store that cannot be used is told as an event, and the page is fetched without it.", "issue 4.7"
    ),
    "cache:disk:rebuilt": Requirement(
        "A damaged file or one of another version is made anew in silence; another program's database is left alone.",
        "issue 4.7",
    ),
    "cache:disk:own": Requirement(
        "The file is readable by its user alone; pages stand in it under digests, not addresses, and without cookies.",
        "design 5",
    ),
    "cache:bounds": Requirement("A store stays within its bytes and pages; the oldest go first.", "issue 4.7"),
    "cache:config": Requirement("A project file may turn the cache off and nothing more.", "design 10"),
}
