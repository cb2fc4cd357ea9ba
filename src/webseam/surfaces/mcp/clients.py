"""Which clients give their model the data of an answer in place of its text, and so get the text alone.

The protocol leaves open which of the two a model reads, and a client has no way to say it. These were seen to hand over
`structuredContent`, where what comes from the web has no boundary around it, or both, which costs each word twice. Any
other client gets both, and reads the text or is told of `--text-only`.
"""

from typing import Any, Final

from mcp.server.context import ServerRequestContext

TEXT_ALONE: Final = {
    "claude-code": "anthropics/claude-code#79944",
    "codex": "openai/codex, codex-rs/protocol/src/models.rs: the structure wins where there is one",
    "opencode": "anomalyco/opencode#32074",
    "visual studio code": "microsoft/vscode#290063",
    "github-copilot": "github/copilot-cli#3258; both since #4515",
    "openai-mcp": "ChatGPT: its Apps SDK hands over both",
}
"""The first letters of the name that a client gives itself, and where it was seen."""

_NAMES: Final = tuple(TEXT_ALONE)


def reads_structure(ctx: ServerRequestContext[Any, Any]) -> bool:
    """Whether the client of this request is one of `TEXT_ALONE`; one without a name is not."""
    client = ctx.session.client_params
    return client is not None and client.client_info.name.strip().lower().startswith(_NAMES)
