"""Promises of the way out: vendors through a proxy, keys of TLS, robots before kept pages, fuzzed proxies and TLS."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "net:vendor-proxy:tunnel": Requirement(
        "A vendor behind search.proxy is asked in a tunnel whose far end proves its name; the proxy sees that name alone.",
        "issue 4.5; design 10",
    ),
    "net:vendor-proxy:plain": Requirement(
        "A vendor over plain http is refused where it would go through a proxy, and asked directly where it is exempt.",
        "issue 4.5; design 5",
    ),
    "net:vendor-proxy:failure": Requirement(
        "A proxy that fails a vendor's request is named with its setting, without its words or its password.",
        "issue 4.5; G06",
    ),
    "net:vendor-proxy:links": Requirement(
        "A link that a vendor wrote goes through the same proxy, and its host is judged here first.",
        "issue 4.5; design 7",
    ),
    "net:vendor-proxy:setting": Requirement(
        "search.proxy is a URL or the word environment, blank means none, and only the user's own file may set it.",
        "issue 4.5; design 10",
    ),
    "dialling:nat64:proxy": Requirement(
        "Before a proxy, as before a dial, an address behind a discovered prefix is judged by the IPv4 address inside.",
        "issue 4.3; RFC 7050",
    ),
    "net:tls:key-log": Requirement(
        "No secret of a connection is written down, whatever SSLKEYLOGFILE says.",
        "design 7: nothing of the environment",
    ),
    "cache:robots:forbidden": Requirement(
        "A call that keeps to robots.txt is given no kept page that its site forbids, or whose rules cannot be read.",
        "issue 4.6; design 7: robots stands before the cache",
    ),
    "cache:robots:allowed": Requirement(
        "A kept page that its site allows is read without a request while the site's rules are kept.", "issue 4.6, 4.7"
    ),
    "content:charset:unmarked-utf-16": Requirement(
        "UTF-16 without mark and label is read where its bytes leave no doubt; other bytes with NULs are refused.",
        "design: it never lies; R201",
    ),
    "cli:cache:show": Requirement(
        "webseam cache show tells where kept pages lie, how many there are and their bytes on disk.", "issue 4.7"
    ),
    "cli:cache:clear": Requirement(
        "webseam cache clear forgets all pages kept on disk and leaves none of their bytes, whatever the configuration.",
        "issue 4.7",
    ),
    "cli:cache:trouble": Requirement(
        "A page cache that cannot be used is named with its file and left as it is.", "issue 4.7; design 5"
    ),
    "net:proxy:hostile": Requirement(
        "What a proxy says that is no tunnel is an error of the proxy, in time, and never a page.", "issue 4.5, 4.8"
    ),
    "safety:fuzz:tls": Requirement(
        "Whoever damages TLS or CONNECT gets a typed error out of the fetcher, and no word of his into a page.",
        "issue 4.8",
    ),
}
