"""Promises about hostile names, servers and redirects, held through the command line and by class."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "cli:hostile:names": Requirement("Each resolver script ends on the command line as in the library: code, exit code, one line on stderr, nothing else dialled.", "issue 4, done when; security dns_scenarios"),
    "cli:hostile:web": Requirement("Each scenario of the hostile web ends on the command line as in the library, under the same invariants.", "issue 4, done when; security http_scenarios"),
    "net:redirect:refused": Requirement("A redirect to any refused class of address, literal or by name, port, scheme, credentials or name ends before a byte is sent there.", "issue 4, done when; R014, R030"),
    "cli:hostile:redirects": Requirement("On the command line a refused redirect ends with exit 4 before a byte is sent there, and a name is looked up once for its request.", "issue 4, done when"),
    "cli:config:policy": Requirement("config show tells in one place where pages may come from: private exceptions, names, proxies, roots, robots and cache, each with its origin and without a password.", "issue 4.4; design 10"),
    "dialling:answers:set": Requirement("A set of answers is dialled whole or not at all: none, too many, one that is refused or is no address ends it, aliases or not.", "issue 4.3; security d015 to d018, d044, d057 to d060"),
    "dialling:answers:policies": Requirement("A kept connection serves only the fetcher whose policy opened it.", "issue 4.3; security d010"),
}  # fmt: skip
