"""`webseam.open`: configuration to `Web` in one call."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from webseam.core.errors import Code, WebError
from webseam.core.events import Emit, silent
from webseam.core.gate import Gate
from webseam.core.plugin import Seams
from webseam.core.selection import Choice, FanOut, Route, normalise_choice
from webseam.core.tracing import Tracer
from webseam.core.types import Capability
from webseam.core.web import Web
from webseam.tools.run import Run
from webseam.wiring.build import REAL, build
from webseam.wiring.config import load
from webseam.wiring.layers import invalid, shown
from webseam.wiring.plugins import CAPABILITIES
from webseam.wiring.recording import Edge
from webseam.wiring.schema import CHOICES

_FACES: Final = ("search", "fetch", "extract")
_log = logging.getLogger("webseam")
_log.addHandler(logging.NullHandler())  # what a library logs is the application's to show


def open_web(
    *,
    search: Choice = None,
    fetch: Choice = None,
    extract: Choice = None,
    config: Mapping[str, Any] | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    seams: Seams | None = None,
    gate: Gate | None = None,
    run: Run | None = None,
    emit: Emit = silent,
    tracer: Tracer | None = None,
    capabilities: Sequence[Capability] = CAPABILITIES,
    record: str | Path | None = None,
    replay: str | Path | None = None,
    offline: bool = False,
) -> Web:
    """A `Web` from configuration: `async with webseam.open() as web: ...`.

    Args:
        search: provider id, route (ordered ids) or `FanOut` that overrides the configuration.
        fetch: provider id or route that overrides the configuration.
        extract: the same for extraction.
        config: settings that override the configuration, nested as `webseam.toml` is.
        environ: variables instead of the process's.
        cwd: where the search for a project file starts.
        seams: clock, resolver and socket factory for tests.
        gate: permission for calls that bring none of their own; `[permission]` of the configuration holds besides.
        run: the memory that permission is held to, fed by the host; one of its own when None.
        emit: observer for calls that bring none of their own; like every observer, it sees no configured key.
        tracer: follows every call, such as `webseam.OpenTelemetry()`; what `[telemetry]` asks for when None.
        capabilities: what is needed; plugins of the others are not loaded.
        record: a file that every call and its outcome is added to, free of keys.
        replay: a recorded file to answer from: no network, no key, and `WEB_REPLAY_MISS` for what is not in it.
        offline: refuse all network with `WEB_OFFLINE`; the local index and kept pages still answer.

    Raises:
        WebError: `WEB_CONFIG_INVALID`, with the place of the fault, also for a file that is no recording;
            `INVALID_ARGS` for `record` beside `replay`.
    """
    arguments = _arguments({} if config is None else config, {"search": search, "fetch": fetch, "extract": extract})
    loaded = load(arguments=arguments, environ=environ, cwd=cwd)
    edge = Edge(record=_path(record), replay=_path(replay), offline=offline)
    built = build(
        loaded, seams=seams or REAL, capabilities=capabilities, gate=gate, run=run, emit=emit, tracer=tracer, edge=edge
    )
    for note in built.notes:
        _log.warning(note)
    return built.web


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)


def _arguments(config: Mapping[str, Any], choices: Mapping[str, Choice]) -> dict[str, Any]:
    """The settings given in Python, with the choices written as the settings they are."""
    if not isinstance(config, Mapping):
        raise invalid("argument", ("config",), type(config).__name__, "a mapping, nested as webseam.toml is")
    merged = dict(config)
    for section in _FACES:
        choice = normalise_choice(_checked(section, choices[section]))
        if choice is None:
            continue
        table = merged.get(section, {})
        if not isinstance(table, Mapping):
            continue  # `load` refuses it with its place
        rest = {name: value for name, value in table.items() if name not in CHOICES}
        merged[section] = rest | _named(section, choice)
    return merged


def _checked(section: str, choice: Any) -> Choice:
    given: Choice = choice
    if choice is None or isinstance(choice, str | Route | FanOut):
        return given
    if isinstance(choice, Sequence) and all(isinstance(member, str) for member in choice):
        return given
    raise invalid("argument", (section,), shown(choice), "a provider id, a list of ids, Route or FanOut")


def _named(section: str, choice: str | Route | FanOut) -> dict[str, Any]:
    if isinstance(choice, Route):
        return {"route": choice.ids}
    if isinstance(choice, str):
        return {"provider": choice}
    if section != "search":
        raise WebError(Code.CONFIG_INVALID, f"Only search can fan out; give {section} a provider or a route.")
    return {"fanout": choice.ids}
