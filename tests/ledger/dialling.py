"""Promises about names, nameservers and the dialling of addresses."""

from requirements import Requirement

ENTRIES = {
    "dialling:nameservers:used": Requirement("Pages' names are asked of the configured nameservers, as absolute names, and of nothing else.", "issue 4.3; design 7; R020"),
    "dialling:nameservers:scenarios": Requirement("Resolver scripts end the same when a real DNS server plays them.", "security dns_scenarios; issue 4.1"),
    "dialling:nameservers:forged": Requirement("An answer with another id, another question or no question counts for nothing.", "RFC 5452; issue 4.3"),
    "dialling:nameservers:cut": Requirement("An answer that was cut over UDP is asked for by TCP.", "RFC 1035 4.2; RFC 7766"),
    "dialling:nameservers:aliases": Requirement("Aliases are followed to their addresses, and a chain without end is an error.", "security d044, d047"),
    "dialling:nameservers:next": Requirement("A nameserver that is silent, fails or cannot be reached is followed by the next one.", "security d052, d053"),
    "dialling:nameservers:family": Requirement("A family of addresses whose question fails or hangs does not keep the other from being dialled.", "RFC 8305 section 3"),
    "dialling:nameservers:setting": Requirement("Nameservers are addresses with or without a port, at most four, and anything else is a configuration error.", "design 10; issue 4.3"),
    "dialling:nameservers:hostile": Requirement("No bytes from a nameserver end in anything but addresses or a typed error.", "issue 4.8"),
    "dialling:line:fair": Requirement("Hanging look-ups of one site, or of a hundred, do not keep other names from being resolved.", "security d054, d056"),
    "dialling:line:place": Requirement("A look-up that nothing can cancel keeps its place until it ends, and is awaited by nobody.", "security d054"),
    "dialling:nat64:judged": Requirement("An address behind a NAT64 prefix is judged by the IPv4 address inside, known prefix or discovered.", "issue 4.3; RFC 6052, RFC 7050; security d026, d042"),
    "dialling:nat64:exception": Requirement("The range that a refusal names opens what leads there through a translator, and no metadata address.", "issue 4.3, 4.4; RFC 6052"),
    "dialling:nat64:discovery": Requirement("The network's prefixes are asked for once for a while, and only before an IPv6 address is dialled.", "issue 4.3; RFC 7050 section 3"),
    "dialling:connect:staggered": Requirement("A dead address costs a moment and not the deadline: the next judged one is tried beside it, families in turn.", "issue 4.3; RFC 8305; security d003, d004"),
}  # fmt: skip
