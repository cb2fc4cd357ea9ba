"""Questions of a run to the person at the client: elicitation, or in the stateless era an answer that asks for input.

The protocol of 2025 lets a server ask while a call runs. That of 2026 has the call end with its questions, and the
client makes it again with the answers. All queries of a call are put to permission before any is sent, so all questions
are in one round, and nothing is done twice.
"""

import hashlib
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from webseam.core.errors import Code, WebError
from webseam.core.limits import MCP_QUESTION_CHARS
from webseam.core.text import one_line

if TYPE_CHECKING:
    from webseam.tools.run import Consent, Question

_FIELD: Final = "answer"
_ONCE: Final = "Allow once"
_DENY: Final = "Do not allow"

_current: ContextVar["Asking"] = ContextVar("asking")


async def ask_client(question: "Question") -> "Consent":
    """Ask the person at the client of the request that runs: `Run(ask=ask_client)`.

    Raises:
        WebError: `WEB_DENIED` where the client cannot ask anybody.
    """
    asking = _current.get(None)
    if asking is None:
        raise _nobody(question)
    return await asking.ask(question)


class Asking:
    """How one request asks; `with` it, `ask_client` asks through it.

    Args:
        ctx: the request.
        params: its parameters, with the answers to the questions of an earlier round.
        lasting: whether "always" is among the answers.
    """

    def __init__(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams, *, lasting: bool
    ) -> None:
        self._ctx = ctx
        self._lasting = lasting
        self._responses = params.input_responses or {}
        self._pending: dict[str, Question] = {}
        self._token: Token[Asking] | None = None

    def __enter__(self) -> Self:
        self._token = _current.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._token is not None:
            _current.reset(self._token)

    async def ask(self, question: "Question") -> "Consent":
        """The person's answer; a question that is dismissed is a denial.

        Raises:
            WebError: `WEB_DENIED` where the client does not ask people.
        """
        if not self._can_ask():
            raise _nobody(question)
        if self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return self._answered_before(question)
        try:
            result = await self._ctx.session.elicit_form(
                _message(question), _form(question, lasting=self._lasting), related_request_id=self._ctx.request_id
            )
        except (MCPError, ValidationError) as exc:
            raise _nobody(question) from exc
        return self._consent(question, result)

    def questions(self) -> types.InputRequiredResult | None:
        """What the client must ask before it makes this call again; None when nothing was left open."""
        if not self._pending:
            return None
        return types.InputRequiredResult(
            input_requests={
                key: types.ElicitRequest(
                    params=types.ElicitRequestFormParams(
                        message=_message(one), requested_schema=_form(one, lasting=self._lasting)
                    )
                )
                for key, one in self._pending.items()
            }
        )

    def _can_ask(self) -> bool:
        """Whether the client shows forms; one that names no kind of question means forms (2025-06-18)."""
        capabilities = self._ctx.session.client_capabilities
        ability = None if capabilities is None else capabilities.elicitation
        if ability is None or (ability.form is None and ability.url is not None):
            return False
        return self._ctx.session.can_send_request or self._ctx.protocol_version in MODERN_PROTOCOL_VERSIONS

    def _answered_before(self, question: "Question") -> "Consent":
        """What an earlier round brought, else the question is left open."""
        key = _key(question)
        response = self._responses.get(key)
        if not isinstance(response, types.ElicitResult):
            self._pending[key] = question
            return "deny"
        return self._consent(question, response)

    def _consent(self, question: "Question", result: types.ElicitResult) -> "Consent":
        """Only the very words of the form allow anything."""
        said = (result.content or {}).get(_FIELD) if result.action == "accept" else None
        if said == _ONCE:
            return "allow"
        return "always" if self._lasting and said == _always(question) else "deny"


def _nobody(question: "Question") -> WebError:
    return WebError(
        Code.DENIED,
        f"{question.reason} Only a person could allow it, and this MCP client asks nobody: it does not declare "
        "elicitation.",
    )


def _always(question: "Question") -> str:
    return f"Always allow {'searches' if question.site == 'search' else question.site}"


_REMARKS: Final = {
    "query": "It has a query string, which may tell the site something.",
    "data": "A long part of it looks like data.",
}
"""What a flag means to a person; that a URL was not seen is a reason, or nobody minds."""


def _message(question: "Question") -> str:
    """What is about to happen, on lines of our own making: the target is whatever the model wrote."""
    verb = {"search": "search the web for", "extract": "have read"}.get(question.request.kind, "fetch")
    target = one_line(question.request.target, limit=MCP_QUESTION_CHARS)
    remarks = [question.reason, *(_REMARKS[flag] for flag in question.flags if flag in _REMARKS)]
    return "\n".join((f"The model wants to {verb}:", target, *remarks))


def _form(question: "Question", *, lasting: bool) -> dict[str, Any]:
    """One choice of plain words; nothing is chosen beforehand."""
    choices = [_ONCE, *([_always(question)] if lasting else []), _DENY]
    answer = {"type": "string", "title": "Allow this?", "enum": choices}
    return {"type": "object", "properties": {_FIELD: answer}, "required": [_FIELD]}


def _key(question: "Question") -> str:
    """A name that only this very question has, so that an answer to another one allows nothing."""
    asked = f"{question.request.kind} {question.site} {question.request.target}"
    return hashlib.blake2b(asked.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
