"""Promises of the local index: the store, its provider, and how it is filled."""

from requirements import Requirement

_LOCAL = "design 11: local search"
_HONEST = "design, promise 1: it never lies"
_SAFE = "design, promise 2: it is safe"

ENTRIES: dict[str, Requirement] = {
    "stores:index:any-query": Requirement("No query is read as FTS5 syntax, and none raises.", _LOCAL),
    "stores:index:every-word": Requirement("A page is found by each of its words and of its title's.", _LOCAL),
    "stores:index:own": Requirement("A new index and its folder are their user's alone.", "issue 6; SECURITY.md"),
    "stores:index:scripts": Requirement(
        "Text in any script is found, with or without spaces, accents, case or width.", _LOCAL
    ),
    "stores:index:forms": Requirement("Other forms of a word count, below the word itself.", _LOCAL),
    "stores:index:phrase": Requirement("Words in double quotes are looked for side by side, as written.", _LOCAL),
    "stores:index:all-then-some": Requirement(
        "Pages with all words come first and alone; pages with some only when there are none, and that is told.",
        _HONEST,
    ),
    "stores:index:site": Requirement("site: narrows a search to a host; other operators are words.", _LOCAL),
    "stores:index:domains": Requirement("Domain limits hold for a host and its subdomains, nothing else.", "design 3"),
    "stores:index:ranking": Requirement(
        "Hits are ranked by BM25, titles and neighbouring words above, ties by URL.", _LOCAL
    ),
    "stores:index:snippet": Requirement(
        "A snippet is one or two passages of the page on one printable line, cuts marked.", _LOCAL
    ),
    "stores:index:bounded-query": Requirement("Terms of a query beyond the limit are counted.", _HONEST),
    "stores:index:upsert": Requirement("A page taken in again replaces the old one, whatever its fragment.", "R168"),
    "stores:index:atomic": Requirement("A batch is taken in whole or not at all.", _LOCAL),
    "stores:index:remove": Requirement("A removed page is not found any more.", _LOCAL),
    "stores:index:stats": Requirement("The index tells its pages, its bytes and its newest page.", _LOCAL),
    "stores:index:read-only": Requirement(
        "An index opened for reading is never written, and needs no right to write.", _SAFE
    ),
    "stores:index:foreign-file": Requirement(
        "A file that is no index of this format is refused and left as it is.", _SAFE
    ),
    "stores:index:damaged": Requirement("A damaged index is told with what to do, never silently wiped.", _HONEST),
    "stores:index:concurrent": Requirement(
        "Readers see whole batches while writers of several processes write.", _LOCAL
    ),
    "stores:index:cancel": Requirement("Cancelling a call ends its work in the index.", "design 6"),
    "stores:index:busy": Requirement("A writer that another one keeps out says so and may be tried again.", _HONEST),
    "search:local:answer": Requirement("The local index answers with its own facts and dispatches nothing.", _LOCAL),
    "search:local:unavailable": Requirement("Without an index the provider says what to run.", "design 2: available"),
    "search:local:path": Requirement("The index file is configurable, in the data directory by default.", _LOCAL),
    "search:local:controls": Requirement("The index itself holds domain controls; others are refused.", "design 3"),
    "search:local:bounds": Requirement("A cut is told exactly when the index's own bound made it.", _HONEST),
    "search:local:notices": Requirement("A search that is weaker than what was asked says so.", _HONEST),
    "search:local:time": Requirement("A search whose call is over is not begun.", "design 6"),
    "wiring:indexing:urls": Requirement("Pages are fetched and kept as plain text under their final URL.", _LOCAL),
    "wiring:indexing:one-line-each": Requirement("Every input is told once, with the reason when left out.", _HONEST),
    "wiring:indexing:duplicates": Requirement("A page given twice is fetched once.", _LOCAL),
    "wiring:indexing:rules": Requirement("Indexing passes the gate and every rule of a fetch.", _SAFE),
    "wiring:indexing:cancel": Requirement("A cancelled run keeps what it had taken in.", "design 6"),
    "wiring:indexing:sitemap": Requirement("Sitemaps and sitemap indexes lead to the pages of their own host.", _LOCAL),
    "wiring:indexing:sitemap-gzip": Requirement("A sitemap packed with gzip is read like a plain one.", _LOCAL),
    "wiring:indexing:sitemap-bounds": Requirement("A sitemap is read up to a limit and the rest is counted.", _SAFE),
    "wiring:indexing:sitemap-entities": Requirement("A sitemap that declares a document type is refused.", _SAFE),
    "wiring:indexing:sitemap-malformed": Requirement("A broken sitemap gives what came before the break.", _HONEST),
    "wiring:indexing:folder": Requirement("A folder's files become pages with their own titles.", _LOCAL),
    "wiring:indexing:folder-base": Requirement("A base URL is the http(s) URL of a folder or is refused.", _LOCAL),
    "wiring:indexing:folder-bad-input": Requirement(
        "A bad file is skipped with its reason, the rest goes in.", _HONEST
    ),
    "wiring:indexing:folder-links": Requirement("Links never lead indexing out of the folder.", _SAFE),
    "wiring:indexing:folder-charset": Requirement(
        "Files are read in their own encoding; bad bytes stop nothing.", _LOCAL
    ),
    "content:index-text:markdown": Requirement("Markdown is indexed as the words that a reader sees.", _LOCAL),
    "content:index-text:title": Requirement("A title is the page's own or absent.", _HONEST),
}
