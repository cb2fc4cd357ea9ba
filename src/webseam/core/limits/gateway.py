"""Limits of the gateway."""

from typing import Final

GATEWAY_BODY_BYTES: Final = 65_536
"""Bytes of a request's body: the longest query and URL with every control, written in escapes, take under 40 kB."""

GATEWAY_BODY_SECONDS: Final = 10.0
"""How long a body may take to arrive: one packet does; a slower client holds a place that others wait for."""

GATEWAY_BODY_DEPTH: Final = 8
"""Nested lists and objects in a body: a request has three levels."""

GATEWAY_TIMEOUT_SECONDS: Final = 600.0
"""Longest time that a client may give a call: proxies in front of a gateway give up long before."""

GATEWAY_CALLS: Final = 1_000
"""Calls that run at once in one gateway: each holds its client's socket, and most hold one to a page or vendor."""

GATEWAY_FILES: Final = 8_192
"""Files that the process asks to have: two sockets for each of its calls, and room for clients that rest."""

GATEWAY_TENANT_CALLS: Final = 200
"""Calls of one tenant that run at once: one that stalls leaves most of the gateway to the others."""

GATEWAY_SNAPSHOT_BYTES: Final = 16_000_000
"""Pages kept for the `offset` of one token: a quarter of what one agent's process keeps, as many tokens share it."""

GATEWAY_SNAPSHOTS_BYTES: Final = 512_000_000
"""The same for all tokens together: what thirty-two busy ones may keep, in half of what a small machine has."""

GATEWAY_SNAPSHOT_EACH: Final = 3_000
"""What one of them takes besides its text and body, about: its facts and keys. Of error pages there are many."""

GATEWAY_ENCODED_BYTES: Final = 32_000_000
"""Bodies of kept pages, and their JSON: some three hundred of ordinary size, those that are asked for most."""

GATEWAY_DESKS: Final = 1_000
"""Tokens that are served at once; the one that rested longest is closed for a new one, and reads its pages anew."""

GATEWAY_SESSIONS: Final = 2_000
"""MCP sessions of the handshake era that are open at once, for all tokens: each takes about 100 kB."""

GATEWAY_TENANT_SESSIONS: Final = 1_000
"""The same for one tenant: half of them are left to the others."""

GATEWAY_RUNS_BYTES: Final = 256_000_000
"""URLs that runs remember, for all tokens together: forty that are full, or 1,500 URLs of each of a thousand."""

GATEWAY_RUNS_LOOK: Final = 256
"""Requests between two looks at that: one shows at most 80 kB of URLs, and a look at a thousand runs takes 0.1 ms."""

GATEWAY_DRAIN_SECONDS: Final = 20.0
"""How long running calls may go on after SIGTERM: Kubernetes kills after 30 s, systemd after 90 s."""

GATEWAY_CUT_SECONDS: Final = 1.0
"""How long calls that are ended then may take to say so."""

GATEWAY_REFUSED_RETRY_SECONDS: Final = 1.0
"""`Retry-After` of a gateway that is full or going away: another replica, or a moment later, will do."""

GATEWAY_WATCH_SECONDS: Final = 0.05
"""How long a call runs before its client is watched for leaving: what is kept is answered sooner."""

GATEWAY_UNREAD_SECONDS: Final = 120.0
"""How long a client may take to read an answer: the largest page, 5 MB, at 340 kbit/s."""

GATEWAY_REQUEST_ID_CHARS: Final = 128
"""Longest request id that is taken from a client: a UUID has 36, a trace id 55."""

GATEWAY_TOKENS: Final = 10_000
"""Tokens in one file: it is read whole whenever it changes."""

GATEWAY_TOKENS_FILE_BYTES: Final = 16_000_000
"""Largest file of tokens that is read: ten thousand take about five million bytes."""

GATEWAY_LOG_SECONDS: Final = 0.05
"""How long a line of the access log waits for others: written one by one they take a fifth of a short request."""

GATEWAY_RECORD_SECONDS: Final = 0.05
"""How long the entry of a call that sent nothing waits for others: to see what a key is now takes two files' facts."""
