"""Promises that are proved over generated input, by reading the sources, or on the security page."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "safety:spelling:refused": Requirement("A refused address or name is refused in every spelling, as a URL and as a redirect, with nothing asked or dialled.", "issue 4.8; security README 5; R014, R030"),
    "safety:spelling:reached": Requirement("A legitimate URL reaches its server with the host and port it was built of.", "issue 4.8; security README 5; R034"),
    "safety:fuzz:typed": Requirement("Whatever a model or server writes as URL, Location, header, coding or chunk ends in a result or a typed error, and within its caps.", "issue 4.8; http_scenarios, invariants 1 and 2"),
    "safety:fuzz:repeatable": Requirement("The fuzzer reports a fault with its input, and the same seed gives the same inputs.", "issue 4.8"),
    "safety:imports:sockets": Requirement("Outside net, only the servers of surfaces and testing touch sockets, and nothing imports another HTTP client.", "issue 4.8; design 1"),
    "safety:page:claims": Requirement("Every defence that SECURITY.md claims names tests that exist.", "issue 4.9"),
}  # fmt: skip
