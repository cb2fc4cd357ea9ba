"""Calls as OpenTelemetry spans and metrics, through its API alone: what becomes of them is the application's to say."""

import json
from collections.abc import Mapping
from contextvars import Token
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Final, assert_never

from webseam.core.errors import Code, WebError
from webseam.core.limits import TELEMETRY_CONTENT_CHARS
from webseam.core.tracing import (
    TRACE_TAGS,
    HttpStep,
    Outcome,
    ProviderStep,
    Span,
    Step,
    ToolStep,
    error_type,
)
from webseam.core.types import SearchRequest
from webseam.core.version import VERSION
from webseam.wiring import telemetry_names as names
from webseam.wiring.telemetry_faults import Faults, Untold
from webseam.wiring.telemetry_meters import Attributes, Meters, cache_state, number, word
from webseam.wiring.telemetry_url import shown_url

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span as OtelSpan
    from opentelemetry.trace import SpanKind, TracerProvider

_FIRST_ERROR_STATUS: Final = 400
"""A client's span is an error from this status on (HTTP conventions, "Status")."""


class OpenTelemetry:
    """A `Tracer` that tells OpenTelemetry; without an SDK it tells nobody.

    A tool call is a span `execute_tool web_search`, below it each try at a provider `retrieval exa`, below that each
    HTTP request `GET`, redirects and robots.txt among them. Spans stand below the span that is current, or below the
    one that the call's tags name (`traceparent`, `tracestate`). No header of a trace is ever sent out. What a broken
    processor, sampler or meter raises is logged once, by logger `webseam.telemetry`, and ends no call.

    Args:
        tracer_provider: gets the spans; the application's global one when None.
        meter_provider: gets the metrics; the application's global one when None.
        content: tell queries, arguments, answers and the values in URLs too, cut at 8,000 characters. Without it a span
            has names, numbers, codes, hosts and paths.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when `opentelemetry-api` is not installed.
    """

    def __init__(
        self,
        *,
        tracer_provider: "TracerProvider | None" = None,
        meter_provider: "MeterProvider | None" = None,
        content: bool = False,
    ) -> None:
        try:
            from opentelemetry import metrics, trace  # noqa: PLC0415 - an extra, and 50 ms
            from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator  # noqa: PLC0415
        except ImportError as exc:
            raise WebError(
                Code.CONFIG_INVALID,
                'OpenTelemetry needs opentelemetry-api: pip install "webseam[telemetry]", or leave telemetry.enabled '
                "off.",
            ) from exc
        self._tracer = trace.get_tracer("webseam", VERSION, tracer_provider, names.SCHEMA_URL)
        self._meters = Meters(metrics.get_meter("webseam", VERSION, meter_provider, names.SCHEMA_URL))
        self._propagator = TraceContextTextMapPropagator()
        self._content = content
        self._faults = Faults()

    def begin(self, step: Step) -> Span:
        """See `Tracer.begin`."""
        with self._faults:
            return self._begin(step)
        return Untold()

    def _begin(self, step: Step) -> "_Running":
        from opentelemetry.trace import SpanKind  # noqa: PLC0415 - loaded by the constructor

        match step:
            case ToolStep():
                title = names.EXECUTE_TOOL if step.name is None else f"{names.EXECUTE_TOOL} {step.name}"
                return self._begun(title, SpanKind.INTERNAL, step, self._of_tool(step))
            case ProviderStep():
                title = f"{names.RETRIEVAL} {step.provider}"
                return self._begun(title, SpanKind.CLIENT, step, self._of_provider(step))
            case HttpStep():
                return self._begun(step.method, SpanKind.CLIENT, step, self._of_request(step))
        assert_never(step)

    def refused(self, code: str, kind: str) -> None:
        """See `Tracer.refused`."""
        with self._faults:
            self._meters.refused(code, kind)

    def _begun(self, title: str, kind: "SpanKind", step: Step, attributes: Attributes) -> "_Running":
        tags: Mapping[str, str] = {} if isinstance(step, HttpStep) else step.tags
        context = self._below(tags)
        span = self._tracer.start_span(title, context=context, kind=kind, attributes=attributes)
        return _Running(span, context, step, self._meters, self._faults, content=self._content)

    def _below(self, tags: Mapping[str, str]) -> "Context":
        """The context that the tags name, where what is current is of another trace; else the current one."""
        from opentelemetry.context import get_current  # noqa: PLC0415 - loaded by now
        from opentelemetry.trace import get_current_span  # noqa: PLC0415 - the same

        now = get_current()
        carrier = {name: tag for name in TRACE_TAGS if isinstance(tag := tags.get(name), str)}
        if not carrier:
            return now
        named = self._propagator.extract(carrier, now)
        here, there = (get_current_span(one).get_span_context().trace_id for one in (now, named))
        return now if here == there else named

    # Attributes, known at the start so that a sampler sees them ----------------------------------------

    def _of_tool(self, step: ToolStep) -> Attributes:
        told: Attributes = {names.OPERATION: names.EXECUTE_TOOL, names.TOOL_TYPE: "function"}
        if step.name is not None:
            told[names.TOOL_NAME] = step.name
        if (identity := step.tags.get("tool_call_id")) is not None:
            told[names.TOOL_CALL_ID] = _cut(str(identity))
        if self._content:
            told[names.TOOL_ARGUMENTS] = _cut(_json(step.arguments))
        return told

    def _of_provider(self, step: ProviderStep) -> Attributes:
        told: Attributes = {
            names.OPERATION: names.RETRIEVAL,
            names.DATA_SOURCE: step.provider,
            names.CAPABILITY: step.capability,
        }
        request = step.request
        if isinstance(request, SearchRequest):
            if request.max_results is not None:
                told[names.TOP_K] = request.max_results
            if self._content:
                told[names.QUERY_TEXT] = _cut(request.query)
        elif self._content:
            told[names.QUERY_TEXT] = shown_url(request.url.partition("#")[0], content=True)
        return told

    def _of_request(self, step: HttpStep) -> Attributes:
        told: Attributes = {
            names.METHOD: step.method,
            names.URL_FULL: shown_url(step.url, content=self._content),
            names.SERVER: step.host,
            names.PORT: step.port,
        }
        if step.resend:
            told[names.RESEND] = step.resend
        return told


class _Running:
    """A span that runs."""

    __slots__ = ("_content", "_context", "_ended", "_faults", "_meters", "_span", "_started", "_step", "_token")

    def __init__(
        self, span: "OtelSpan", context: "Context", step: Step, meters: Meters, faults: Faults, *, content: bool
    ) -> None:
        self._span = span
        self._context = context
        self._step = step
        self._meters = meters
        self._faults = faults
        self._content = content
        self._started = perf_counter()
        self._ended = False
        self._token: Token[Context] | None = None

    def __enter__(self) -> None:
        from opentelemetry.context import attach  # noqa: PLC0415 - loaded by now
        from opentelemetry.trace import set_span_in_context  # noqa: PLC0415 - the same

        with self._faults:
            self._token = attach(set_span_in_context(self._span, self._context))

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None, /
    ) -> None:
        from opentelemetry.context import detach  # noqa: PLC0415 - loaded by now

        with self._faults:
            if self._token is not None:
                detach(self._token)
        self.end(Outcome() if error is None else Outcome(error=error_type(error)))

    def end(self, outcome: Outcome) -> None:
        """See `Span.end`."""
        if self._ended:
            return
        self._ended = True
        fault = _fault(self._step, outcome)
        with self._faults:
            if self._span.is_recording():
                self._span.set_attributes(_told(outcome, content=self._content))
                if fault is not None:
                    self._fail(fault)
        with self._faults:
            self._span.end()
        with self._faults:
            self._meters.ended(self._step, outcome, fault, perf_counter() - self._started)

    def _fail(self, fault: str) -> None:
        """The status has no description: a message may repeat what a server said."""
        from opentelemetry.trace import Status, StatusCode  # noqa: PLC0415 - loaded by now

        self._span.set_attribute(names.ERROR_TYPE, fault)
        self._span.set_status(Status(StatusCode.ERROR))


def _fault(step: Step, outcome: Outcome) -> str | None:
    """`error.type`: the code, or the HTTP status of a request that was answered with an error."""
    status = outcome.status_code
    if outcome.error is None and isinstance(step, HttpStep) and status is not None and status >= _FIRST_ERROR_STATUS:
        return str(status)
    return outcome.error


def _told(outcome: Outcome, *, content: bool) -> dict[str, str | int | float]:
    """What an outcome adds to a span."""
    usage, cache, documents = outcome.usage, outcome.cache, outcome.documents
    facts: dict[str, str | int | float | None] = {
        names.STATUS: outcome.status_code,
        names.GROUNDING: outcome.grounding,
        names.HITS: None if documents is None else len(documents),
        names.CACHE: None if cache is None else cache_state(cache),
        names.INPUT_TOKENS: None if usage is None else number(usage.input_tokens),
        names.OUTPUT_TOKENS: None if usage is None else number(usage.output_tokens),
        names.COST: None if usage is None else number(usage.cost),
        names.CURRENCY: None if usage is None else word(usage.currency),
    }
    if content:
        facts[names.TOOL_RESULT] = None if outcome.text is None else _cut(outcome.text)
        facts[names.DOCUMENTS] = None if documents is None else _cut(_json([{"id": one} for one in documents]))
    return {name: value for name, value in facts.items() if value is not None}


def _json(value: object) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):  # no arguments that a tool takes
        return type(value).__name__


def _cut(text: str) -> str:
    """Bounded, and without halves of surrogate pairs, which no exporter can encode."""
    return text[:TELEMETRY_CONTENT_CHARS].encode("utf-8", "replace").decode("utf-8")
