"""webseam: web access for language-model agents behind one honest, safe, fast seam.

Everything public is here and loads on first use: `import webseam` imports nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webseam.blocking import extract, fetch, search
    from webseam.content.markdown import to_markdown
    from webseam.content.metadata import metadata
    from webseam.core.call import Call, ModelRef
    from webseam.core.deadline import Deadline
    from webseam.core.errors import Code, WebError
    from webseam.core.events import (
        AccessDecided,
        AttemptDispatched,
        AttemptEnded,
        CacheAnswered,
        CacheFailed,
        Event,
        Redirected,
        Refused,
        RequestRecorded,
        Selected,
    )
    from webseam.core.gate import AccessRequest, Gate, Verdict
    from webseam.core.plain import to_plain
    from webseam.core.plugin import Kit, ProviderSpec, Seams, Secret
    from webseam.core.providers import ExtractProvider, FetchProvider, Provider, SearchProvider
    from webseam.core.selection import FanOut, Route
    from webseam.core.settings import FetchSettings, PermissionSettings, SeamSettings, ToolSettings
    from webseam.core.snapshots import Snapshot, Snapshots
    from webseam.core.tracing import HttpStep, Outcome, ProviderStep, Span, Step, ToolStep, Tracer
    from webseam.core.transport import Transport, VendorRequest, VendorResponse
    from webseam.core.types import (
        Attempt,
        Body,
        CacheFacts,
        DocumentBody,
        ExtractRequest,
        ExtractResult,
        FetchRequest,
        FetchResult,
        HtmlBody,
        ImageBody,
        Note,
        PageMetadata,
        PdfBody,
        Redirect,
        SearchControls,
        SearchRequest,
        SearchResult,
        Source,
        TextBody,
        Usage,
    )
    from webseam.core.web import Web
    from webseam.tools.permission import Permission
    from webseam.tools.result import ImageBlock, ToolResult
    from webseam.tools.run import Question, Run
    from webseam.tools.toolset import Toolset
    from webseam.wiring.audit import log_events
    from webseam.wiring.opening import open_web as open  # noqa: A004 - `webseam.open`, as one says `gzip.open`
    from webseam.wiring.telemetry import OpenTelemetry

_HOMES = {
    "webseam.blocking": "extract fetch search",
    "webseam.content.markdown": "to_markdown",
    "webseam.content.metadata": "metadata",
    "webseam.core.call": "Call ModelRef",
    "webseam.core.deadline": "Deadline",
    "webseam.core.errors": "Code WebError",
    "webseam.core.events": "AccessDecided AttemptDispatched AttemptEnded CacheAnswered CacheFailed Event Redirected "
    "Refused RequestRecorded Selected",
    "webseam.core.gate": "AccessRequest Gate Verdict",
    "webseam.core.plain": "to_plain",
    "webseam.core.plugin": "Kit ProviderSpec Seams Secret",
    "webseam.core.providers": "ExtractProvider FetchProvider Provider SearchProvider",
    "webseam.core.selection": "FanOut Route",
    "webseam.core.settings": "FetchSettings PermissionSettings SeamSettings ToolSettings",
    "webseam.core.snapshots": "Snapshot Snapshots",
    "webseam.core.tracing": "HttpStep Outcome ProviderStep Span Step ToolStep Tracer",
    "webseam.core.transport": "Transport VendorRequest VendorResponse",
    "webseam.core.types": "Attempt Body CacheFacts DocumentBody ExtractRequest ExtractResult FetchRequest FetchResult "
    "HtmlBody ImageBody Note PageMetadata PdfBody Redirect SearchControls SearchRequest SearchResult Source TextBody "
    "Usage",
    "webseam.core.web": "Web",
    "webseam.tools.permission": "Permission",
    "webseam.tools.result": "ImageBlock ToolResult",
    "webseam.tools.run": "Question Run",
    "webseam.tools.toolset": "Toolset",
    "webseam.wiring.audit": "log_events",
    "webseam.wiring.opening": "open",
    "webseam.wiring.telemetry": "OpenTelemetry",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}
_RENAMED = {"open": "open_web"}
_ROOMS = frozenset({"adapters", "testing"})
"""Public modules, there without an import of their own."""

__version__ = "0.1.0"
__all__ = [
    "AccessDecided",
    "AccessRequest",
    "Attempt",
    "AttemptDispatched",
    "AttemptEnded",
    "Body",
    "CacheAnswered",
    "CacheFacts",
    "CacheFailed",
    "Call",
    "Code",
    "Deadline",
    "DocumentBody",
    "Event",
    "ExtractProvider",
    "ExtractRequest",
    "ExtractResult",
    "FanOut",
    "FetchProvider",
    "FetchRequest",
    "FetchResult",
    "FetchSettings",
    "Gate",
    "HtmlBody",
    "HttpStep",
    "ImageBlock",
    "ImageBody",
    "Kit",
    "ModelRef",
    "Note",
    "OpenTelemetry",
    "Outcome",
    "PageMetadata",
    "PdfBody",
    "Permission",
    "PermissionSettings",
    "Provider",
    "ProviderSpec",
    "ProviderStep",
    "Question",
    "Redirect",
    "Redirected",
    "Refused",
    "RequestRecorded",
    "Route",
    "Run",
    "SeamSettings",
    "Seams",
    "SearchControls",
    "SearchProvider",
    "SearchRequest",
    "SearchResult",
    "Secret",
    "Selected",
    "Snapshot",
    "Snapshots",
    "Source",
    "Span",
    "Step",
    "TextBody",
    "ToolResult",
    "ToolSettings",
    "ToolStep",
    "Toolset",
    "Tracer",
    "Transport",
    "Usage",
    "VendorRequest",
    "VendorResponse",
    "Verdict",
    "Web",
    "WebError",
    "extract",
    "fetch",
    "log_events",
    "metadata",
    "open",
    "search",
    "to_markdown",
    "to_plain",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(home), _RENAMED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
