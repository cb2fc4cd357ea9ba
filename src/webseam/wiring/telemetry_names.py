"""Names of spans, attributes and metrics, in one place: OpenTelemetry's where it has one, else our own.

HTTP names are stable since semantic conventions 1.23; the GenAI ones are in development and move.
"""

from typing import Final

SEMANTIC_CONVENTIONS: Final = "1.45.0"
"""The conventions these names are of: `semantic-conventions` for HTTP, `semantic-conventions-genai` for the rest."""

SCHEMA_URL: Final = f"https://opentelemetry.io/schemas/{SEMANTIC_CONVENTIONS}"

# Theirs ------------------------------------------------------------------------------------------------

OPERATION: Final = "gen_ai.operation.name"
EXECUTE_TOOL: Final = "execute_tool"
RETRIEVAL: Final = "retrieval"
TOOL_NAME: Final = "gen_ai.tool.name"
TOOL_TYPE: Final = "gen_ai.tool.type"
TOOL_CALL_ID: Final = "gen_ai.tool.call.id"
TOOL_ARGUMENTS: Final = "gen_ai.tool.call.arguments"
TOOL_RESULT: Final = "gen_ai.tool.call.result"
DATA_SOURCE: Final = "gen_ai.data_source.id"
TOP_K: Final = "gen_ai.request.top_k"
QUERY_TEXT: Final = "gen_ai.retrieval.query.text"
DOCUMENTS: Final = "gen_ai.retrieval.documents"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
ERROR_TYPE: Final = "error.type"
METHOD: Final = "http.request.method"
STATUS: Final = "http.response.status_code"
RESEND: Final = "http.request.resend_count"
URL_FULL: Final = "url.full"
SERVER: Final = "server.address"
PORT: Final = "server.port"

TOOL_DURATION: Final = "gen_ai.execute_tool.duration"
HTTP_DURATION: Final = "http.client.request.duration"

# Ours --------------------------------------------------------------------------------------------------

CAPABILITY: Final = "webseam.capability"
PROVIDER: Final = "webseam.provider"
GROUNDING: Final = "webseam.grounding"
HITS: Final = "webseam.results"
CACHE: Final = "webseam.cache"
COST: Final = "webseam.cost"
CURRENCY: Final = "webseam.currency"

PROVIDER_DURATION: Final = "webseam.provider.duration"
PROVIDER_COST: Final = "webseam.provider.cost"
CACHE_HITS: Final = "webseam.cache.hits"
REFUSALS: Final = "webseam.refusals"

DURATION_BOUNDS: Final = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
"""Seconds, as the HTTP conventions advise; a search that a model makes is slower."""

SLOW_BOUNDS: Final = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
"""Seconds, as the GenAI conventions advise for operations."""
