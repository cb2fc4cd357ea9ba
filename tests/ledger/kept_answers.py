"""Promises of what is kept beside a page, and of what answers are counted."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "cache:made:same": Requirement(
        "A kept page is decoded and looked through once, and every later result of it is the same.", "issue 7; design 7"
    ),
    "cache:made:changed": Requirement(
        "A page is made anew as soon as its kept answer is another one in status, headers or bytes.",
        "issue 7; RFC 9111 section 4.3.4",
    ),
    "cache:made:gone": Requirement(
        "Of a page that its server lets nobody keep any more nothing stays in memory.",
        "RFC 9111 section 5.2.2.5; design 7",
    ),
    "cache:made:tenants": Requirement("What was made of one tenant's page is used for no other.", "issue 7.2; R207"),
    "cache:made:bounded": Requirement("Pages as they were made are held within one bound of bytes.", "issue 7"),
    "gateway:kept:json": Requirement(
        "A kept page leaves the gateway in the same bytes as it would be written anew.", "issue 7"
    ),
    "gateway:snapshots:bound": Requirement(
        "The pages that all tokens read on from have one bound together, and those read longest ago go first.",
        "issue 7.2",
    ),
    "gateway:metrics:kept": Requirement(
        "The metrics count what was answered from a cache, by tenant and capability.", "issue 7.1"
    ),
    "search-cache:event": Requirement(
        "A search that is answered from the cache is told to observers, with its age.", "issue 7.3; design 2"
    ),
    "fleet:host-rate:robots": Requirement(
        "With fetch.host_rate a request for robots.txt takes a turn of its host, and so does each of its redirects.",
        "issue 7.3; R195",
    ),
    "core:copy": Requirement("A copy with changed fields is what dataclasses.replace makes.", "design 2"),
    "core:waiting": Requirement(
        "What looks after work begins once it waits, and never where it does not; results, failures and cancellations "
        "pass through.",
        "design 6, issue 7 (done when)",
    ),
    "core:ids": Requirement(
        "Ids are as long as asked for and unlike one another, in forked processes too.", "issue 7.4"
    ),
}
