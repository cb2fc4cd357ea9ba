"""Who hears what a `Web` does, and that nobody hears a key."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType

from webseam.core.events import Emit, Event, Observer, silent
from webseam.core.limits import KEYS_REMEMBERED
from webseam.core.tracing import Outcome, Span, Step, Tracer
from webseam.wiring.audit import audit_file
from webseam.wiring.catalogue import Planned
from webseam.wiring.config import Loaded
from webseam.wiring.file_marks import mark_of, while_same
from webseam.wiring.hiding import hidden, proxy_secrets, told_options, url_secrets, without
from webseam.wiring.key_source import KeySource
from webseam.wiring.proxies import proxy_settings, vendor_proxy_settings
from webseam.wiring.secrets_file import secrets_path
from webseam.wiring.telemetry import OpenTelemetry

Hidden = Callable[[], Iterable[str]]
"""What no observer may see, as it is at each call: a key may be rotated at any time."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Stands around every observer of a `Web`: takes the keys out, and writes each event down where that is asked for.

    What cannot be written does not happen: the file comes first.
    """

    hidden: Hidden
    file: Emit = silent

    def __call__(self, emit: Emit) -> Emit:
        """The observer that hears what may be heard; nobody, where nobody listens.

        One that stands around already, because a provider hands its call on, stands around once.
        """
        if emit is silent and self.file is silent:
            return silent
        inner = emit.told if isinstance(emit, Observer) else emit
        return emit if isinstance(inner, _Told) and inner.watch is self else _Told(self, emit)


@dataclass(frozen=True, slots=True)
class _Told:
    """An observer behind a watch."""

    watch: Watch
    emit: Emit

    def __call__(self, event: Event) -> None:
        """Tell of it without keys, and in writing first."""
        clean = without(event, self.watch.hidden())
        self.watch.file(clean)
        self.emit(clean)


@dataclass(frozen=True, slots=True)
class KeylessTracer:
    """A tracer that is told of each step without keys."""

    tracer: Tracer
    hidden: Hidden

    def begin(self, step: Step) -> Span:
        """See `Tracer.begin`."""
        return _KeylessSpan(self.tracer.begin(without(step, self.hidden())), self.hidden)

    def refused(self, code: str, kind: str) -> None:
        """See `Tracer.refused`."""
        self.tracer.refused(code, kind)


@dataclass(frozen=True, slots=True)
class _KeylessSpan:
    span: Span
    hidden: Hidden

    def __enter__(self) -> None:
        self.span.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self.span.__exit__(kind, value, trace)

    def end(self, outcome: Outcome) -> None:
        """See `Span.end`."""
        self.span.end(without(outcome, self.hidden()))


@dataclass(frozen=True, slots=True)
class Watched:
    """Who hears of a `Web`'s calls; `overhear` is told what else is secret."""

    emit: Emit
    watch: Watch
    tracer: Tracer | None
    overhear: Callable[[str], None]

    @property
    def heard(self) -> bool:
        """Whether anybody is told of a call that brings no observer of its own."""
        return self.tracer is not None or self.watch(self.emit) is not silent


def watched_by(
    loaded: Loaded, keyed: Callable[[], Sequence[Planned]], now: Callable[[], float], emit: Emit, tracer: Tracer | None
) -> Watched:
    """The observers: the host's own, the audit file and the tracer, where there are such.

    Raises:
        WebError: `WEB_CONFIG_INVALID` for telemetry without its package.
    """
    tokens: deque[str] = deque(maxlen=KEYS_REMEMBERED)
    keys = secrets_of(loaded, keyed)
    secrets = hidden(lambda: [*keys(), *tokens])

    def overhear(token: str) -> None:
        if token not in tokens:
            tokens.append(token)

    file = audit_file(Path(loaded.config.log.file), now) if loaded.config.log.file else silent
    if tracer is None and loaded.config.telemetry.enabled:
        tracer = OpenTelemetry(content=loaded.config.telemetry.content)
    kept = None if tracer is None else KeylessTracer(tracer, secrets)
    return Watched(emit, Watch(secrets, file), kept, overhear)


def secrets_of(loaded: Loaded, keyed: Callable[[], Sequence[Planned]]) -> Callable[[], Sequence[str]]:
    """All keys, proxies' passwords and headers that nobody may see, as they are at each call.

    Args:
        loaded: the configuration.
        keyed: every provider that may have a key; asked once, at the first call.
    """
    config = loaded.config
    ways = (proxy_settings(config.fetch, loaded.environ), vendor_proxy_settings(config.search, loaded.environ))
    fixed = [
        *proxy_secrets(ways),
        *url_secrets(config.fleet.url),
        *(one for table in config.providers.values() for one in told_options(table.options)),
    ]

    files = (secrets_path(loaded), loaded.places.keyring_file)

    @cache
    def sources() -> tuple[KeySource, ...]:
        return tuple(source for one in keyed() for source in one.secret.sources)

    @cache
    def names() -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for source in sources() for name in source.names))

    def state() -> object:
        """What the keys depend on: to compare it takes no file to read, and an event comes more often than a key."""
        return [mark_of(path) for path in files], [*map(loaded.environ.get, names())], [*map(_held, sources())]

    return while_same(lambda: [*fixed, *filter(None, (source.seen() for source in sources()))], state)


def _held(source: KeySource) -> str | None:
    return source.held
