"""Limits of look-ups and dials: names, addresses, nameservers, NAT64."""

from typing import Final

DNS_SECONDS: Final = 5.0
"""The resolver's own default for one try (resolv.conf(5) `timeout`)."""

CONNECT_SECONDS: Final = 5.0
"""TCP and TLS of one hop; a reachable host answers within one retransmission (3 s, RFC 6298)."""

CONNECT_STAGGER_SECONDS: Final = 0.25
"""Delay before the next address is tried beside the first (RFC 8305 section 5)."""

ADDRESSES_JUDGED: Final = 64
"""Most answers of one look-up; a longer set is refused unseen."""

LOOKUPS: Final = 128
"""Name look-ups at once: the system's cannot be cancelled and hang for half a minute, each with a thread of its own."""

LOOKUPS_PER_SITE: Final = 8
"""Of these for the names of one site, so that a name of another site waits only when at least sixteen sites hang."""

NAMESERVERS: Final = 4
"""Most `fetch.nameservers`: each is asked once before time is up (resolv.conf(5) takes three)."""

DNS_TRY_SECONDS: Final = 1.5
"""One question to one nameserver: four of them pass before `DNS_SECONDS` do, and no honest answer takes longer."""

DNS_TRIES: Final = 4
"""Questions asked for one record type, over all nameservers."""

DNS_FAMILY_SECONDS: Final = 0.25
"""How long addresses of one family wait for the other's answer (RFC 8305 section 3 says 50 ms, for fast networks)."""

DNS_UDP_BYTES: Final = 1_232
"""Size of a UDP answer asked for by EDNS: it is never fragmented (DNS flag day 2020); a longer one comes by TCP."""

DNS_TCP_BYTES: Final = 16_384
"""Size of an answer by TCP: `DNS_RECORDS` addresses behind `DNS_ALIASES` of the longest names are smaller."""

DNS_RECORDS: Final = 256
"""Records of one answer that are read; four times `ADDRESSES_JUDGED`, so that the reason given is the usual one."""

DNS_ALIASES: Final = 16
"""Aliases followed in one answer; recursive servers stop at about as many."""

DNS_STRAYS: Final = 32
"""Datagrams that are no answer to the question, after which a nameserver is taken to be under attack."""

NAT64_SECONDS: Final = 1.0
"""Discovery of a network's NAT64 prefix: one look-up, which delays the first page over IPv6 and no other."""

NAT64_KEPT_SECONDS: Final = 600.0
"""How long the discovered prefixes hold; RFC 7050 section 3 leaves it to the records' life, usually an hour."""

NAT64_RETRY_SECONDS: Final = 10.0
"""The same for a discovery that failed."""

NAT64_PREFIXES: Final = 4
"""Most prefixes of one network (RFC 7050 section 3 allows several)."""

ADDRESSES_DIALLED: Final = 4
"""Most judged addresses tried for one hop: n refusing addresses cost n(n+1)/2 dials in aiohttp (measured)."""
