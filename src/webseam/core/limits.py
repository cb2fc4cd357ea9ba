"""Every limit of webseam with its reason: the one place for numbers, shown by `webseam config show`."""

from typing import Final

# Search ------------------------------------------------------------------------------------------------
SEARCH_SECONDS: Final = 60.0
"""Whole route, fallbacks included: two full attempts in a row look like a hung run to a 90 s watchdog (enso-16)."""

SEARCH_MAX_RESULTS: Final = 8
"""Results a model asked for reads; the vendors' own defaults lie between 5 and 10."""

SEARCH_SNIPPET_CHARS: Final = 1_000
"""Characters of one snippet shown to the model; some vendors send whole page extracts as snippets."""

SEARCH_ANSWER_CHARS: Final = 20_000
"""Characters of one search answer shown to the model, sources included."""

QUERY_CHARS: Final = 4_096
"""A query longer than this is a prompt, not a query (R150); vendors cap between 70 and 4,096 characters."""

MAX_QUERIES: Final = 10
"""Highest configurable `tools.max_queries`: each query is a billed call."""

LIVE_SECONDS: Final = 30.0
"""One trial of a vendor by `webseam doctor --live`: half a search's time, as no fallback follows."""

LIVE_MAX_RESULTS: Final = 3
"""Results asked for in such a trial: enough to see the mapping, and some vendors bill by result."""

# Fetch -------------------------------------------------------------------------------------------------
FETCH_SECONDS: Final = 30.0
"""Every hop, the body, decoding and conversion together (dsh-24)."""

EXTRACT_SECONDS: Final = 60.0
"""A vendor's extraction renders pages; as long as a search."""

DNS_SECONDS: Final = 5.0
"""The resolver's own default for one try (resolv.conf(5) `timeout`)."""

CONNECT_SECONDS: Final = 5.0
"""TCP and TLS of one hop; a reachable host answers within one retransmission (3 s, RFC 6298)."""

CONNECT_STAGGER_SECONDS: Final = 0.25
"""Delay before the next address is tried beside the first (RFC 8305 section 5)."""

URL_CHARS: Final = 2_048
"""Unicode code points of a URL, inclusive (dsh-24); longer ones carry data, not addresses."""

FETCH_BYTES: Final = 5_000_000
"""Wire bytes and, separately, decoded bytes of a body (dsh-24)."""

PDF_BYTES: Final = 20_000_000
"""The same cap for PDF, whose bytes are mostly fonts and pictures."""

MAX_REDIRECTS: Final = 5
"""Hops followed within one site (dsh-24, RFC 9110 section 15.4 leaves the number to us)."""

ROBOTS_BYTES: Final = 512_000
"""Bytes of a robots.txt that are parsed: the 500 KiB that RFC 9309 section 2.5 asks for; what follows is not read."""

ROBOTS_INLINE_CHARS: Final = 16_384
"""Rules of this length are parsed and matched where they stand: the costliest take 15 ms; 500 KiB of them take up to
0.7 s, in a thread (measured). Most sites have less than a tenth of it."""

ROBOTS_SECONDS: Final = 10.0
"""One request for a robots.txt: a third of a fetch's own time, so that a stalled one leaves time to say so."""

ROBOTS_KEPT_SECONDS: Final = 86_400.0
"""How long rules are kept (RFC 9309 section 2.4: at most 24 hours)."""

ROBOTS_FAILED_SECONDS: Final = 60.0
"""How long a robots.txt that could not be read is not asked for again: a minute lets a site recover."""

ROBOTS_KEPT: Final = 1_024
"""Authorities whose rules are kept; the one used longest ago goes first."""

ROBOTS_KEPT_CHARS: Final = 1_000_000
"""Length of all kept rules together: parsed, a character takes up to 56 bytes (measured)."""

ROBOTS_RULES_NAMED: Final = 200
"""Longest rules among which the one that refused is looked for, so that the refusal can name it: 8 ms."""

ROBOTS_RULE_CHARS: Final = 80
"""Characters of a rule in such a refusal; honest ones are far shorter."""

HEADER_BYTES: Final = 64_000
"""All header fields of one response together; one field may fill it."""

HEADER_LINES: Final = 256
"""Header fields of one response."""

HEADER_NAME_BYTES: Final = 256
"""One field's name; the longest registered one has 38 (IANA, HTTP field names)."""

FRAMING_BYTES: Final = 128_000
"""Head, chunk sizes and extensions, trailers and TLS records that may come on top of `FRAMING_RATIO`: a whole head of
`HEADER_BYTES`, and as much again."""

FRAMING_RATIO: Final = 30
"""Bytes of framing for one byte of a body: a chunk of one byte in a TLS record of its own takes 29."""

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

PAGES_MEMORY_BYTES: Final = 64_000_000
"""Pages cached in one process: as much as the snapshots of what a model reads."""

PAGES_DISK_BYTES: Final = 256_000_000
"""Pages cached in the file: a few thousand of ordinary size."""

PAGES_KEPT: Final = 10_000
"""Cached pages: small ones (redirects, errors) would else be many, and each write counts them all (0.6 ms)."""

PAGES_BUSY_SECONDS: Final = 0.25
"""How long the cache's file is waited for while another process writes: about what a page costs without a cache."""

PAGE_HEURISTIC_SECONDS: Final = 86_400.0
"""Longest freshness guessed from `Last-Modified` (RFC 9111 section 4.2.2 leaves it to us): pages change daily."""

PAGE_NEGATIVE_SECONDS: Final = 30.0
"""Longest freshness of an error, whatever its server says: a page made or mended meanwhile is seen soon (R170)."""

PAGE_LIFETIME_SECONDS: Final = 2_147_483_648.0
"""Greatest freshness told apart (RFC 9111 section 1.2.2)."""

VALIDATOR_CHARS: Final = 1_024
"""A longer `ETag` is not sent back: honest ones are hashes."""

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

CONTENT_CODINGS: Final = 2
"""Stacked content codings undone (RFC 9110 section 8.4 allows any number; each multiplies a bomb)."""

CODED_BODY_RATIO_CHUNK: Final = 65_536
"""Most bytes one decoder step may put out, so that a bomb is seen while it opens."""

CODED_MEMBERS: Final = 10_000
"""gzip members or zstd frames of one body: an empty one costs 8 bytes and up to 20 us, and puts nothing out."""

ZSTD_WINDOW_LOG: Final = 23
"""8 MB window: what RFC 9659 allows a content coding to ask for."""

INFORMATIONAL_BYTES: Final = 256_000
"""Bytes a server may send before its final header block ends: ends a flood of 1xx answers in milliseconds."""

RETRY_AFTER_SECONDS: Final = 86_400.0
"""Longest `Retry-After` reported; a server's larger number is clamped."""

VENDOR_BYTES: Final = 10_000_000
"""Body of one vendor API response."""

VENDOR_ERROR_BYTES: Final = 65_536
"""Body of one vendor error that is read for its message."""

WRAPPED_URL_CHARS: Final = 8_192
"""A longer result URL is not looked into for the page it leads to: percent-encoding may triple one of 2,048."""

MESSAGE_CHARS: Final = 300
"""Characters of text chosen by a server that may stand in an error message, on one line."""

# Conversion --------------------------------------------------------------------------------------------
INLINE_CONVERSION_BYTES: Final = 256_000
"""A page up to this size converts in about 2 ms where it stands; the parser holds the GIL in a thread too."""

WORKER_SECONDS: Final = 5.0
"""Wall clock of one conversion in a worker process; the slowest hostile page measured took 0.6 s."""

WORKER_MEMORY_BYTES: Final = 1_073_741_824
"""Address space of a worker; a million attributes need 139 MB, and the interpreter maps about 300."""

WORKER_COUNT: Final = 2
"""Conversion workers kept; each is one core's worth of parsing."""

SETTLING_BYTES: Final = 8_000_000
"""One block of this size is allocated and freed before the first page: the allocator then keeps up to twice as much
instead of handing it back and faulting it in anew at each page (mallopt(3)). Never touched, it costs nothing itself."""

MARKDOWN_GROWTH: Final = 12
"""Markdown longer than this many times its HTML is cut: the worst honest growth measured is 11."""

BASE_HREF_CHARS: Final = 2_048
"""A longer `<base href>` is ignored: 160 kB of it made 100 MB of Markdown (measured)."""

SNIFF_BYTES: Final = 1_445
"""Bytes looked at to tell what a body is (WHATWG MIME Sniffing section 5, the resource header)."""

PRESCAN_BYTES: Final = 1_024
"""Bytes searched for a `<meta>` charset (WHATWG HTML section 13.2.3.2)."""

LATE_META_BYTES: Final = 65_536
"""How far a `<meta charset>` is looked for in a page that is no UTF-8: heads full of scripts are this long."""

DETECT_BYTES: Final = 16_384
"""Bytes given to the charset detector, from the first that is not ASCII: 3 ms, and more does not change its mind."""

SIGNAL_CHARS: Final = 65_536
"""Characters of markup read for page notes; challenge pages and empty shells are far smaller."""

TABLE_CELLS_READ: Final = 50_000
"""Cells of one page that may be looked at to mend its tables; past it tables become plain lines."""

TABLE_CELLS_ADDED: Final = 10_000
"""Cells of one page added for spans: about 6 ms; 256 kB of `rowspan=999` would add 86 MB (measured)."""

HIDDEN_PAGE_CHARS: Final = 200
"""Less hidden text than this beside visible text is never taken for the page itself: it may be meant for machines."""

FALLBACK_CHARS: Final = 256_000
"""Characters of HTML reduced to plain text after a conversion was killed: a few ms, where it stands."""

ALT_CHARS: Final = 120
"""Characters of an image's text: it is prose that nobody sees on the page."""

COMBINING_MARKS: Final = 4
"""Combining marks kept on one base; no orthography stacks more."""

PICKED_CHARS: Final = 1_000_000
"""Of a vendor's result page in HTML; the known ones have a tenth of it."""

PICKED_ROWS: Final = 100
"""Rows taken from such a page: more than any page of results has, and a bound for rows that stand in rows."""

# Tools -------------------------------------------------------------------------------------------------
FETCH_ANSWER_CHARS: Final = 40_000
"""Characters of one fetch answer, about 10,000 tokens; the rest is reached by `offset`."""

TITLE_CHARS: Final = 300
"""Characters of a title, on one line."""

SHOWN_LINE_CHARS: Final = 300
"""Characters of a redirect hop, remark or note that a server chose, on one line of an answer."""

NONCE_DRAWS: Final = 8
"""Draws of a boundary's nonce before the caller's source is given up for the system's (128 bits never collide)."""

NOTABLE_REMOVALS: Final = 10
"""Removed invisible characters or hidden elements from which the answer says so; most pages have a few."""

DIGESTS_KEPT: Final = 1_024
"""Pages of which a `Toolset` remembers the digest, to say that a page changed; about 200 bytes each."""

SNAPSHOT_SECONDS: Final = 900.0
"""How long a fetched page is kept for `offset`; as long as a model works on one page."""

SNAPSHOT_BYTES: Final = 64_000_000
"""Memory all kept pages may use together; the oldest go first."""

# Local index -------------------------------------------------------------------------------------------
INDEX_PASSAGE_CHARS: Final = 280
"""Characters of one passage of a local snippet, two at most: a long sentence around what was asked."""

INDEX_TITLE_WEIGHT: Final = 4.0
"""How much more a word counts in a title: enough to beat a page that only mentions it a few times."""

INDEX_RESULTS: Final = 20
"""Hits given when nobody asked for a number; the vendors' usual cap."""

INDEX_MAX_RESULTS: Final = 100
"""Most hits of one local search: each costs the reading of its page for a snippet."""

INDEX_QUERY_TERMS: Final = 32
"""Terms of a query that are looked for: a question has fewer, and each one is a walk through the index."""

INDEX_WORD_CHARS: Final = 64
"""Characters of a word that tell it apart; longer ones are data (SQLite FTS5 itself stops at 32,768 bytes)."""

INDEX_CONCURRENCY: Final = 4
"""Pages fetched at once for the index: a sitemap is one host, and a browser opens six connections to one."""

INDEX_SITEMAP_URLS: Final = 50_000
"""Pages taken from one sitemap and what it lists: what the protocol (sitemaps.org) allows one file."""

INDEX_SITEMAP_FILES: Final = 500
"""Sitemaps read from one sitemap index; the protocol allows 50,000 of 50,000 pages each."""

INDEX_FILE_BYTES: Final = 5_000_000
"""A larger file in a folder is skipped: the same bound as for a fetched page."""

INDEX_BATCH: Final = 50
"""Files taken in together: one transaction costs about as much as writing ten pages."""

INDEX_BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another one: a batch of a hundred pages takes about one second."""

# Configuration -----------------------------------------------------------------------------------------
CONFIG_BYTES: Final = 262_144
"""A configuration or secrets file larger than this is something else."""

TIMEOUT_SECONDS_MAX: Final = 86_400.0
"""Highest configurable time: a day. A longer one is a typing error, and infinity is no deadline."""

MAX_RESULTS_MAX: Final = 100
"""Highest configurable `search.max_results`: the most that any vendor gives for one call."""

FETCH_BYTES_MAX: Final = 100_000_000
"""Highest configurable `fetch.max_bytes`: a body is held in memory, decoded and converted."""

MAX_REDIRECTS_MAX: Final = 20
"""Highest configurable `fetch.max_redirects`: where browsers stop (Fetch standard, HTTP-redirect fetch step 5)."""

ANSWER_CHARS_MAX: Final = 1_000_000
"""Highest configurable length of an answer: about 250,000 tokens, more than models take."""

# Answers of models -------------------------------------------------------------------------------------
LINKS_FOLLOWED: Final = 20
"""Redirect links of one answer that are followed to the pages behind them: twice what a grounded answer cites."""

LINK_SECONDS: Final = 3.0
"""How long all of them together may take: one HEAD each, at once; a link that is not followed still works."""

# Rate and key pools ------------------------------------------------------------------------------------
RATE_WAIT_SECONDS: Final = 5.0
"""How long a call waits for its turn where nothing else is configured: a model waits longer for a page to load."""

RATE_CALLS_MAX: Final = 100_000
"""Most calls of a configured rate: the moment of each is remembered for the period, 32 bytes each."""

KEY_REST_SECONDS: Final = 60.0
"""How long a key that was called too often rests when its vendor names no wait: the usual window is a minute."""

KEY_SPENT_SECONDS: Final = 600.0
"""How long a key rests that was refused or has no quota left: till a person has acted, one call in ten minutes asks."""
