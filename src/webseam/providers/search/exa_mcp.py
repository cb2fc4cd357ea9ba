"""Exa without a key, through its public MCP server (tool `web_search_exa`). Facts: exa-mcp-server 3.4."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult, Source, Usage
from webseam.core.version import VERSION
from webseam.providers.wires.account import Access, Account
from webseam.providers.wires.controls import check
from webseam.providers.wires.json_api import JsonApi, misshapen
from webseam.providers.wires.mcp_client import McpClient, tool_failure
from webseam.providers.wires.options import checked
from webseam.providers.wires.rows import source, sources

TOOL: Final = "web_search_exa"
MAX_RESULTS: Final = 100
"""`numResults` of the search API behind the tool."""

_NOTHING: Final = "No search results found"
_LABEL: Final = r"(?:Published(?: Date)?|Author|ID|Score)"
# A highlight may hold `---` and lines that look like labels: a record starts only where both labels follow.
_BETWEEN: Final = re.compile(rf"\n\n---\n\n(?=Title:[^\n]*\n(?:{_LABEL}:[^\n]*\n)*URL:)")
_HEAD: Final = re.compile(rf"(Title|URL|{_LABEL}|Highlights|Text):[ \t]*([^\n]*)(?:\n|\Z)")


class ExaMcpOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.exa-mcp]`. `base_url` is the MCP endpoint itself."""

    base_url: str = "https://mcp.exa.ai/mcp"
    num_results: Annotated[int, msgspec.Meta(ge=1, le=MAX_RESULTS)] | None = None


class ExaMcpSearch:
    """Searches with Exa's public MCP server; limited by address, or by key where one is set."""

    native_controls: frozenset[str] = frozenset()

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._options = checked(kit, ExaMcpOptions)
        self._account = Account(kit, self._options.base_url, key_optional=True)
        self._client = McpClient(JsonApi(kit), client_version=VERSION)

    def available(self) -> bool:
        """Whether the endpoint parses; a key is not needed."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """One tool call in a session of its own; see `SearchProvider.search`."""
        access = await self._account.take(call)
        check(request.controls, self.id)
        answer = await self._client.call_tool(
            access.endpoint,
            TOOL,
            self._arguments(request),
            call=call,
            headers=_identity(access),
            secrets=access.secrets,
        )
        if answer.is_error:
            raise tool_failure(self.id, answer, access.secrets)
        dropped: Counter[str] = Counter()
        return SearchResult(
            provider=self.id,
            sources=self._sources(answer.texts, dropped),
            dropped=dropped,
            usage=Usage(calls=1),
            raw=answer.raw if call.raw else None,
        )

    def _arguments(self, request: SearchRequest) -> dict[str, Any]:
        wanted = request.max_results or self._options.num_results
        arguments: dict[str, Any] = {"query": request.query}
        return arguments | ({"numResults": min(wanted, MAX_RESULTS)} if wanted else {})

    def _sources(self, texts: tuple[str, ...], dropped: Counter[str]) -> tuple[Source, ...]:
        whole = "\n\n---\n\n".join(part.replace("\r\n", "\n").strip() for part in texts)
        if whole.startswith("Title:"):
            return sources(map(record, _BETWEEN.split(whole)), _source, dropped)
        if whole.startswith(_NOTHING):
            return ()
        raise misshapen(self.id, "a tool result in an unknown form")


def record(block: str) -> dict[str, str]:
    """One record as its labels and values; `N/A` is absent. What follows `Highlights:` or `Text:` is the excerpt."""
    values: dict[str, str] = {}
    position = 0
    while head := _HEAD.match(block, position):
        label, value, position = head[1], head[2].strip(), head.end()
        if label in ("Highlights", "Text"):
            values["Excerpt"] = block[head.start(2) :].strip()
            break
        values.setdefault("Published" if label == "Published Date" else label, value)
    return {label: value for label, value in values.items() if value and value != "N/A"}


def _source(values: Mapping[str, str]) -> Source | None:
    row = {"url": values.get("URL"), "title": values.get("Title")}
    return source(row, snippet=values.get("Excerpt"), published_at=values.get("Published"))


def _identity(access: Access) -> dict[str, str]:
    return {} if access.key is None else {"x-api-key": access.key}


SPEC = ProviderSpec(
    kind="exa-mcp",
    capability="search",
    build=ExaMcpSearch,
    options=ExaMcpOptions,
    key_env=("EXA_API_KEY",),
    keyless=True,
    key_optional=True,
    summary="Exa through its public MCP server: works without a key, at a limited rate.",
)
