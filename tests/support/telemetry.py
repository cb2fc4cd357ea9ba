"""OpenTelemetry's own SDK, in memory: the spans and metrics that calls left."""

from collections.abc import Mapping
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from support.net import LOOPBACK
from webseam.core.web import Web
from webseam.providers.fetch.http import HttpFetch
from webseam.wiring.telemetry import OpenTelemetry


class Collector:
    """What one test's tracer told."""

    def __init__(self, *, content: bool = False) -> None:
        self._exporter = InMemorySpanExporter()
        self._reader = InMemoryMetricReader()
        self.spans_of = TracerProvider()
        self.spans_of.add_span_processor(SimpleSpanProcessor(self._exporter))
        meters = MeterProvider(metric_readers=[self._reader])
        self.tracer = OpenTelemetry(tracer_provider=self.spans_of, meter_provider=meters, content=content)

    @property
    def spans(self) -> list[ReadableSpan]:
        """Finished spans in the order of their begin."""
        return sorted(self._exporter.get_finished_spans(), key=lambda one: one.start_time or 0)

    def tree(self) -> list[str]:
        """A line for each span, indented below its parent, in the order of their begin."""
        spans = self.spans
        known = {_id(one): one for one in spans}

        def lines(parent: int | None, depth: int) -> list[str]:
            here = [one for one in spans if (_parent(one) if _parent(one) in known else None) == parent]
            return [line for one in here for line in ("  " * depth + one.name, *lines(_id(one), depth + 1))]

        return lines(None, 0)

    def named(self, name: str) -> list[ReadableSpan]:
        """The spans of one name."""
        return [one for one in self.spans if one.name == name]

    def metrics(self) -> dict[str, list[tuple[dict[str, Any], float]]]:
        """Points by metric: their attributes, and a counter's value or how many times a histogram was told."""
        data = self._reader.get_metrics_data()
        found: dict[str, list[tuple[dict[str, Any], float]]] = {}
        for resource in () if data is None else data.resource_metrics:
            for metric in (one for scope in resource.scope_metrics for one in scope.metrics):
                rows = found.setdefault(metric.name, [])
                for point in metric.data.data_points:
                    value = point.count if hasattr(point, "count") else point.value
                    rows.append((dict(point.attributes or {}), value))
        return found

    def everything(self) -> str:
        """All that was told, as one text to look for secrets in."""
        return "\n".join([*(one.to_json() for one in self.spans), repr(self.metrics())])


def fetching(collector: Collector, **more: Any) -> Web:
    """A seam that fetches from loopback, followed by this collector."""
    web, fetch = Web(tracer=collector.tracer, **more), HttpFetch(settings=LOOPBACK)
    web.register_fetch(fetch)
    web.at_close(fetch.aclose)
    return web


def facts(span: ReadableSpan) -> Mapping[str, Any]:
    """The attributes of a span."""
    return dict(span.attributes or {})


def _id(span: ReadableSpan) -> int:
    return span.get_span_context().span_id  # type: ignore[union-attr]  # a finished span has one


def _parent(span: ReadableSpan) -> int | None:
    return None if span.parent is None else span.parent.span_id
