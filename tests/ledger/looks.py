"""Promises of what the console rests on: its files, activity, providers, usage and policy of a gateway."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "looks:files": Requirement(
        "The console's page and files are served as the package holds them, under a policy that lets nothing else in.",
        "issue 7.5",
    ),
    "looks:files:etag": Requirement("A client that has a file is answered 304 (RFC 9110).", "issue 7.5"),
    "looks:files:only": Requirement(
        "No name but that of a file of the console opens anything, by no method but GET and HEAD.", "issue 7.5"
    ),
    "looks:files:wheel": Requirement("`webseam serve` of an installed wheel serves the console at `/`.", "issue 7.5"),
    "looks:begin": Requirement(
        "/v1/console tells tenant, tools and record, and is refused where a token is needed and none is there.",
        "issue 7.5",
    ),
    "looks:activity": Requirement(
        "A gateway tells its recent calls, the newest first, whichever way the record of calls is kept.",
        "issue 7.5",
    ),
    "looks:activity:text": Requirement(
        "A recent call tells its query or URL only where ledger.text keeps them.", "issue 7.4, issue 7.5"
    ),
    "looks:activity:later": Requirement(
        "Calls that sent nothing may be looked through for keys together; whoever looks sees each, and none holds a key.",
        "issue 7.4, issue 7.5",
    ),
    "looks:activity:ring": Requirement(
        "Recent calls are bounded in all and for each tenant; a busy tenant loses its own, and every one lost is counted.",
        "issue 7.5, issue 7.2",
    ),
    "looks:activity:live": Requirement(
        "A stream tells each call as it ends, and a reader that leaves is no error.", "issue 7.5"
    ),
    "looks:activity:resume": Requirement(
        "A reader that names the last call it had gets those after it, as far as they are kept.", "issue 7.5"
    ),
    "looks:activity:tenants": Requirement(
        "A tenant sees its own calls alone, an admin those of all.", "issue 7.2, issue 7.5"
    ),
    "looks:activity:revoked": Requirement(
        "A stream ends when its token is revoked or its tenant's policy changes, and tells nothing after that.",
        "issue 7.2, issue 7.5",
    ),
    "looks:activity:slow": Requirement(
        "A reader that is too slow misses the oldest calls, is told how many, and holds nobody up.", "issue 7.5"
    ),
    "looks:activity:bounded": Requirement(
        "Streams are bounded for each tenant, and take no place among the calls.", "issue 7.5"
    ),
    "looks:activity:drain": Requirement(
        "Streams end at once when the gateway goes away, and do not hold that up.", "issue 7.1, issue 7.5"
    ),
    "looks:providers": Requirement(
        "/v1/providers tells what each capability would select, why, and how each provider did of late.", "issue 7.5"
    ),
    "looks:providers:tenants": Requirement(
        "A tenant is told of no provider that it may not use, and of no other tenant's calls.", "issue 7.2, issue 7.5"
    ),
    "looks:usage": Requirement(
        "/v1/usage adds up calls, times, errors, caches and cost by time, tool, provider, code and tenant.",
        "issue 7.4, issue 7.5",
    ),
    "looks:usage:file": Requirement(
        "The record's file adds calls up by itself, beside the event loop, to exactly what they are one by one.",
        "issue 7.4, issue 7.5",
    ),
    "looks:usage:whole": Requirement(
        "/v1/usage says where it reads from, and that older calls are left out where a bound or the memory cut it.",
        "issue 7.5",
    ),
    "looks:usage:unwritten": Requirement(
        "/v1/usage counts calls that wait to be recorded, and says that it may not be all where some found no room.",
        "issue 7.4, issue 7.5",
    ),
    "looks:usage:turns": Requirement(
        "A tenant that looks at its usage again and again is refused before it keeps others from looking.",
        "issue 7.2, issue 7.5",
    ),
    "usage:whole": Requirement(
        "A record of calls that let some go for want of room tells from when on all are there, to people and programs.",
        "issue 7.4",
    ),
    "looks:usage:args": Requirement(
        "/v1/usage takes whole hours from 1 to 720, and refuses everything else.", "issue 7.5"
    ),
    "looks:policy": Requirement(
        "/v1/policy tells in sentences what holds for a token, where each comes from, and what is used today.",
        "issue 7.5",
    ),
    "looks:policy:tenants": Requirement(
        "No look tells a tenant of another one, nor of paths, addresses or hosts of whoever runs the gateway.",
        "issue 7.2, issue 7.5",
    ),
    "usage:gateway:equal": Requirement(
        "Every call that reached a desk of a gateway is exactly one entry, with the outcome and code that it was answered with.",
        "issue 7.4, issue 7.8",
    ),
    "usage:gateway:permission": Requirement(
        "An entry of a gateway tells that the call was allowed, or by which rule it was denied; one that ended before says nothing.",
        "issue 7.4",
    ),
    "usage:gateway:cache": Requirement(
        "An entry of a gateway tells where the page came from, on every route.", "issue 7.4"
    ),
    "usage:gateway:serve": Requirement(
        '`webseam serve` records calls without any setting, and none where ledger.keep is "off".', "issue 7.4"
    ),
    "usage:recent": Requirement(
        "The newest entries can be read first, and the lost ones counted alone, in the file as on the server.",
        "issue 7.4, issue 7.5",
    ),
}
