"""Limits of the MCP server."""

from typing import Final

MCP_MESSAGE_BYTES: Final = 4_194_304
"""Bytes of one message from a client, on stdio and over HTTP alike; the SDK's own cap of an HTTP body."""

MCP_SESSIONS: Final = 1_000
"""Sessions open at once over HTTP, and runs remembered for them: one of each takes about 100 kB."""

MCP_SESSION_SECONDS: Final = 1_800.0
"""How long a session over HTTP may rest before it is closed; the SDK's own default."""

MCP_REQUEST_SECONDS: Final = 30.0
"""Time for a whole request over HTTP to arrive: 4 MiB at 140 kB/s. A slower one only holds a connection."""

MCP_IDLE_SECONDS: Final = 75
"""How long a connection may rest between two requests: longer than clients (5 to 30 s) and balancers (60 s) keep one,
since a request that meets the server's close is lost."""

MCP_LIST_MILLISECONDS: Final = 300_000
"""How long a client may keep the list of tools: it changes only when the server starts anew."""

MCP_PROGRESS_SECONDS: Final = 1.0
"""Least time between two progress notes of a call: a person reads no faster, and a model writes 100 words in it."""

MCP_PROGRESS_PATIENCE: Final = 5.0
"""Silence after which a progress note says that a call still runs: clients give up after 30 to 60 s without one."""

MCP_SETTLE_SECONDS: Final = 0.5
"""Time for calls that still run when the input ends, as it does at once behind requests that are piped in."""

MCP_STOP_SECONDS: Final = 0.8
"""Time to close connections and workers then; with the time above the process ends within 2 s (R192)."""

MCP_TRACE_CHARS: Final = 8_192
"""Characters of a trace value that a client hands over: what W3C Baggage asks every platform to carry."""

MCP_QUESTION_CHARS: Final = 2_048
"""Characters of a query or URL in a question to a person: the longest URL there can be."""

MCP_PREPARE_SECONDS: Final = 0.1
"""From the list of tools to opening them: the list has left by then, and a model takes longer to choose."""
