"""DeepSeek's model with its native web search, over the Anthropic Messages wire (dsh-59 to dsh-68)."""

from typing import Annotated, Any

import msgspec

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import SearchRequest, SearchResult
from webseam.providers.wires.account import Account
from webseam.providers.wires.controls import check
from webseam.providers.wires.json_api import JsonApi
from webseam.providers.wires.messages import MessagesAnswer, key_headers, read_answer, search_body
from webseam.providers.wires.options import checked


class DeepSeekOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`[providers.deepseek-official]`. `answer` passes the model's own prose on with its sources."""

    base_url: str = "https://api.deepseek.com/anthropic/v1"
    model: Annotated[str, msgspec.Meta(min_length=1)] = "deepseek-flash"
    api_version: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] = "2023-06-01"
    max_tokens: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 4096
    max_uses: Annotated[int, msgspec.Meta(ge=1, le=100)] = 5
    answer: bool = False


class DeepSeekSearch:
    """Searches through DeepSeek's model. URLs count only from result blocks, never from prose (dsh-65)."""

    native_controls: frozenset[str] = frozenset()

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self._options = checked(kit, DeepSeekOptions)
        self._account = Account(kit, self._options.base_url)
        self._api = JsonApi(kit)

    def available(self) -> bool:
        """Whether a key is set and the base URL parses."""
        return self.unavailable_reason() is None

    def unavailable_reason(self) -> str | None:
        """Why not, for people."""
        return self._account.unavailable_reason()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        """One POST /messages; see `SearchProvider.search`."""
        access = await self._account.take(call)
        check(request.controls, self.id)
        payload = await self._api.ask(
            access.url("messages"),
            self._body(request.query),
            call=call,
            headers=key_headers(access.key or "", self._options.api_version),
            secrets=access.secrets,
        )
        return self._result(read_answer(payload, self.id, access.secrets), raw=payload if call.raw else None)

    def _body(self, query: str) -> dict[str, Any]:
        """Thinking is off: with it on, one search becomes a billed conversation."""
        options = self._options
        body = search_body(model=options.model, max_tokens=options.max_tokens, max_uses=options.max_uses, query=query)
        return body | {"thinking": {"type": "disabled"}}

    def _result(self, answer: MessagesAnswer, *, raw: Any) -> SearchResult:
        """Prose stands in the result when it is all there is, labelled, or when the options ask for it."""
        return SearchResult(
            provider=self.id,
            grounding="searched" if answer.searched else "ungrounded",
            content=answer.prose if self._options.answer or not answer.searched else None,
            sources=answer.sources,
            truncated=answer.cut_short,
            dropped=answer.dropped,
            usage=answer.usage,
            raw=raw,
        )


SPEC = ProviderSpec(
    kind="deepseek-official",
    capability="search",
    build=DeepSeekSearch,
    options=DeepSeekOptions,
    key_env=("DEEPSEEK_API_KEY",),
    summary="DeepSeek's model with its native web search: pages, quoted where the model cites them.",
)
