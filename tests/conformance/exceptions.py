"""What fails, and why: each scenario, or one check of it, with its reason. Whatever is not named here must pass."""

from collections.abc import Mapping
from typing import Final, TypeAlias

Exceptions: TypeAlias = Mapping[str, str]
"""`scenario` or `scenario:check`, and the reason."""

ERAS: Final = ("2025-11-25", "2026-07-28")

EXTENSIONS: Final = (
    "The scenarios of the extensions (tasks, skills) are not run: we offer neither, and no revision requires them."
)

_FIXTURE_TOOL: Final = (
    "Calls a tool that only a fixture has; it passes against the fixture server, which stands on the same surface."
)
_RESOURCES: Final = "We offer tools alone: there is no resource of ours that a client could list or read."
_PROMPTS: Final = (
    "We offer tools alone: guidance for the model is in the server's instructions, and we have no prompts."
)
_COMPLETION: Final = "Completes arguments of prompts and resource templates, of which we have none."
_LOGGING: Final = "Sets the level of log messages; we send none over the protocol, and log to stderr and OpenTelemetry."
_RESUMING: Final = (
    "Wants event ids by which a broken stream is resumed. Ours cannot be: every tool may safely be called again, and "
    "the revision of 2026-07-28 has dropped resumption."
)
_STATE: Final = (
    "Needs a tool that gives the client state to hand back. Ours ask all in one round and give none, so there is none "
    "to tamper with; in the fixture server the SDK seals it."
)
_HEADER_TOOL: Final = (
    "No tool of ours mirrors an argument to a header: queries and addresses must not stand in proxies' logs."
)

_TOOLS: Final = (
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
)
_RESOURCE_SCENARIOS: Final = (
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
)
_PROMPT_SCENARIOS: Final = (
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
)
_QUESTIONS: Final = tuple(
    f"input-required-result-{name}"
    for name in (
        "basic-elicitation",
        "basic-sampling",
        "basic-list-roots",
        "missing-input-response",
        "non-tool-request",
        "result-type",
        "capability-check",
        "ignore-extra-params",
    )
)
_STATES: Final = tuple(
    f"input-required-result-{name}"
    for name in ("request-state", "multiple-input-requests", "multi-round", "tampered-state")
)
_STATELESS: Final = tuple(
    f"server-stateless:sep-2575-{check}"
    for check in (
        "server-rejects-undeclared-capability",
        "missing-capability-http-400",
        "http-server-no-independent-requests-on-stream",
        "server-no-log-without-loglevel",
    )
)
_BOTH: Final[Exceptions] = {
    **dict.fromkeys(_TOOLS, _FIXTURE_TOOL),
    **dict.fromkeys(_RESOURCE_SCENARIOS, _RESOURCES),
    **dict.fromkeys(_PROMPT_SCENARIOS, _PROMPTS),
    "completion-complete": _COMPLETION,
}

FIXTURE: Final[Mapping[str, Exceptions]] = {
    "2025-11-25": {"server-sse-polling": _RESUMING},
    "2026-07-28": {},
}
"""Against the fixture server."""

PRODUCT: Final[Mapping[str, Exceptions]] = {
    "2025-11-25": {
        **_BOTH,
        **dict.fromkeys(
            (
                "tools-call-with-logging",
                "tools-call-sampling",
                "tools-call-elicitation",
                "elicitation-sep1034-defaults",
                "elicitation-sep1330-enums",
            ),
            _FIXTURE_TOOL,
        ),
        **dict.fromkeys(("resources-subscribe", "resources-unsubscribe"), _RESOURCES),
        "logging-set-level": _LOGGING,
        "server-sse-polling": _RESUMING,
    },
    "2026-07-28": {
        **_BOTH,
        **dict.fromkeys((*_QUESTIONS, *_STATELESS), _FIXTURE_TOOL),
        **dict.fromkeys(_STATES, _STATE),
        **dict.fromkeys(
            ("sep-2164-resource-not-found:sep-2164-error-code", "sep-2164-resource-not-found:sep-2164-data-uri"),
            _RESOURCES,
        ),
        "caching:sep-2549-resources-list-caching-hints": _RESOURCES,
        "caching:sep-2549-resources-templates-list-caching-hints": _RESOURCES,
        "caching:sep-2549-prompts-list-caching-hints": _PROMPTS,
        "http-custom-header-server-validation": _HEADER_TOOL,
    },
}
"""Against `webseam mcp --http`."""
