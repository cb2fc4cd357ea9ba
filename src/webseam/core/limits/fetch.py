"""Limits of one fetch: time, bytes, headers, codings."""

from typing import Final

FETCH_SECONDS: Final = 30.0
"""Every hop, the body, decoding and conversion together (dsh-24)."""

EXTRACT_SECONDS: Final = 60.0
"""A vendor's extraction renders pages; as long as a search."""

URL_CHARS: Final = 2_048
"""Unicode code points of a URL, inclusive (dsh-24); longer ones carry data, not addresses."""

FETCH_BYTES: Final = 5_000_000
"""Wire bytes and, separately, decoded bytes of a body (dsh-24)."""

MAX_REDIRECTS: Final = 5
"""Hops followed within one site (dsh-24, RFC 9110 section 15.4 leaves the number to us)."""

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

WRAPPED_URL_CHARS: Final = 8_192
"""A longer result URL is not looked into for the page it leads to: percent-encoding may triple one of 2,048."""

MESSAGE_CHARS: Final = 300
"""Characters of text chosen by a server that may stand in an error message, on one line."""

URLS_REMEMBERED: Final = 128
"""URLs of which it is remembered what they mean: each is looked at several times within one call, at most 2 kB long."""
