"""What a tool call returns, whatever happened: text for the model, structured data for the host, and `meta`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webseam.content.hygiene import clean_line
from webseam.core.errors import Code, WebError
from webseam.core.limits import MESSAGE_CHARS
from webseam.tools.attempts import may_be_billed, tries_line
from webseam.tools.boundary import quoted

MESSAGE_LINE_CHARS: Final = 2_000
"""Characters of an error message; it may hold a whole redirect target (2,048 would be all URL)."""

_OUR_WORDS: Final = frozenset(
    map(
        str,
        (
            Code.TOOL_TIMEOUT,
            Code.SEARCH_TIMEOUT,
            Code.FETCH_TIMEOUT,
            Code.EXTRACT_TIMEOUT,
            Code.ABORTED,
            Code.ROUTE_EXHAUSTED,
            Code.SEARCH_UNGROUNDED,
            Code.DENIED,
            Code.BUDGET_EXHAUSTED,
            Code.INVALID_ARGS,
        ),
    )
)
"""Codes whose message never repeats what a server said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageBlock:
    """A picture for a model that sees: base64 of the file, its type as its first bytes prove it, its size in pixels."""

    media_type: str
    data: str
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """One answer, rendered once.

    `text` is for the model; `structured` for the host, None on an error; `error` is `WebError.to_dict()`;
    `meta` is what `Toolset.view` rebuilds a finished view from. All but `text` and `images` are JSON data.

    `images` is for models that see: what `web_fetch` of a picture gives beside its line in `text`, where `fetch.images`
    is on. Each has at most 5,000,000 bytes before base64 and 50,000,000 pixels; one whose size in pixels its file does
    not tell is not there.
    """

    text: str
    structured: Mapping[str, Any] | None = None
    is_error: bool = False
    error: Mapping[str, Any] | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    images: tuple[ImageBlock, ...] = ()

    def _repr_html_(self) -> str:
        """A card for a notebook; the text is text in it."""
        from webseam.core.html import tool_card  # noqa: PLC0415 - only notebooks ask for it

        code = None if self.error is None else str(self.error["code"])
        return tool_card(self.text, code=code, images=len(self.images))


def failed(error: WebError, nonce: Callable[[], str], *, billed: bool = True) -> ToolResult:
    """An error as the model reads it: `Error: ` and what to do, its code, whether it may have been billed (dsh-23).

    The tries in the error tell what is free, as the fetch of a page is: there it says that the request left. `billed`
    is for an error that knows of no try.

    Once a request has left, the message may repeat what a server said, so it stands inside a boundary (R162).
    """
    return ToolResult(text=_error_text(error, nonce, billed=billed), is_error=True, error=error.to_dict())


def _error_text(error: WebError, nonce: Callable[[], str], *, billed: bool) -> str:
    message = clean_line(error.message, limit=MESSAGE_LINE_CHARS)
    code = clean_line(error.code, limit=MESSAGE_CHARS)
    remarks = "".join(f" {one}" for one in _remarks(error, billed=billed))
    if error.dispatched and error.code not in _OUR_WORDS:
        return f"Error: the call failed ({code}).{remarks} What was reported:\n{quoted(message, nonce)}"
    return f"Error: {message} ({code}){remarks}"


def _remarks(error: WebError, *, billed: bool) -> list[str]:
    said: list[str] = []
    if error.retry_after is not None:
        said.append(f"Wait {error.retry_after:g} s before trying again.")
    if error.dispatched and error.code != Code.ROUTE_EXHAUSTED:  # which says so itself
        charged = may_be_billed(error, otherwise=billed)
        said.append("The failed call may have been billed." if charged else "The request had been sent.")
    tried = tries_line(error.attempts) if error.code != Code.ROUTE_EXHAUSTED else None
    return said if tried is None else [*said, tried]
