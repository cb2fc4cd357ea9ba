"""Project files: what they may say by themselves, and the record of those that the user trusts.

A project file comes with whatever repository one stands in. It may choose among what the user already allows,
and tighten. Everything else needs the user's own file, or `webseam config trust`, which records the file's path
and SHA-256: the next edit asks again.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final

from webseam.core.controls import lies_within, stricter
from webseam.core.errors import Code, WebError
from webseam.tools.hosts import HostList
from webseam.wiring.layers import dotted, shown
from webseam.wiring.rates import parse_rate
from webseam.wiring.schema import CHOICES
from webseam.wiring.setting_types import Path
from webseam.wiring.sources import decoded, read_bounded

_Allows = Callable[[Any, Any], bool]
"""Whether a project's value is no looser than the user's: `(value, baseline) -> bool`."""


def _at_most(value: Any, baseline: Any) -> bool:
    return bool(value <= baseline)


def _at_most_counted(value: Any, baseline: Any) -> bool:
    """As `_at_most`, where 0 is no bound at all."""
    return bool(value == baseline or (value and (not baseline or value < baseline)))


def _within(value: Any, baseline: Any) -> bool:
    return set(value) <= set(baseline)


def _only(tight: Any) -> _Allows:
    return lambda value, baseline: value in (tight, baseline)


def _narrows(value: Any, baseline: Any) -> bool:
    """Included domains: all inside the user's; none at all would open the whole web again."""
    return not baseline or (bool(value) and all(lies_within(name, baseline) for name in value))


def _covers(value: Any, baseline: Any) -> bool:
    """Excluded domains: all of the user's among them, or inside one of them."""
    return all(lies_within(name, value) for name in baseline)


def _later(value: Any, baseline: Any) -> bool:
    return bool(value >= baseline)


def _earlier(value: Any, baseline: Any) -> bool:
    return not baseline or bool(value <= baseline)


def _safer(value: Any, baseline: Any) -> bool:
    """No looser than the user's level; where there is none, `off` may be looser than what a vendor does by itself."""
    return bool(value == baseline or (value != "off" and value == stricter(value, baseline or None)))


def _more_often(value: Any, baseline: Any) -> bool:
    """A site's robots.txt is kept to at least where the user keeps to it."""
    order = ("off", "autonomous", "on")
    return order.index(value) >= order.index(baseline)


def _stricter(value: Any, baseline: Any) -> bool:
    from webseam.tools.permission import ACTIONS  # noqa: PLC0415 - most starts judge no such setting

    return ACTIONS.index(value) >= ACTIONS.index(baseline)


def _allows_less(value: Any, baseline: Any) -> bool:
    return HostList.allowing(value).within(HostList.allowing(baseline))


def _denies_more(value: Any, baseline: Any) -> bool:
    return HostList.denying(baseline).within(HostList.denying(value))


def _rarer(value: Any, baseline: Any) -> bool:
    """A rate per host: no more often than the user's, in any window of either."""
    one, other = parse_rate(value), parse_rate(baseline or "")
    return other is None or (one is not None and one.calls <= other.calls and one.seconds >= other.seconds)


def _free(_value: Any, _baseline: Any) -> bool:
    return True


_RULES: Final[dict[Path, _Allows]] = {
    **{(section, name): _free for section in ("search", "fetch", "extract") for name in CHOICES},
    ("search", "keyless"): _only(tight=False),
    ("search", "timeout"): _at_most,
    ("search", "cache"): _only("off"),
    ("search", "cache_seconds"): _at_most,
    ("search", "max_results"): _at_most,
    ("search", "ungrounded"): _only("error"),
    ("search", "controls"): _only("strict"),
    ("search", "default_include_domains"): _narrows,
    ("search", "default_exclude_domains"): _covers,
    ("search", "default_published_after"): _later,
    ("search", "default_published_before"): _earlier,
    ("search", "default_country"): _free,
    ("search", "default_language"): _free,
    ("search", "default_safe_search"): _safer,
    ("fetch", "timeout"): _at_most,
    ("fetch", "max_bytes"): _at_most,
    ("fetch", "max_pdf_bytes"): _at_most,
    ("fetch", "max_redirects"): _at_most,
    ("fetch", "private_networks"): _within,
    ("fetch", "private_hosts"): _within,
    ("fetch", "images"): _only(tight=False),
    ("fetch", "robots"): _more_often,
    ("fetch", "cache"): _only("off"),
    ("fetch", "stale_if_error"): _at_most,
    ("fetch", "host_rate"): _rarer,
    ("extract", "timeout"): _at_most,
    ("telemetry", "enabled"): _only(tight=False),
    ("telemetry", "content"): _only(tight=False),
    ("tools", "search"): _only(tight=False),
    ("tools", "fetch"): _only(tight=False),
    ("tools", "extract"): _only(tight=False),
    ("tools", "max_queries"): _at_most,
    ("tools", "search_controls"): _free,
    ("tools", "fetch_arguments"): _free,
    ("tools", "fetch_view"): _free,
    ("tools", "fetch_engine"): _free,
    ("tools", "fetch_chars"): _at_most,
    ("tools", "fetch_tokens"): _at_most_counted,
    ("tools", "search_chars"): _at_most,
    ("tools", "search_tokens"): _at_most_counted,
    ("tools", "snippet_chars"): _at_most,
    **{("permission", name): _stricter for name in ("search", "fetch", "unseen", "flagged")},
    ("permission", "allow_hosts"): _allows_less,
    ("permission", "deny_hosts"): _denies_more,
    ("permission", "max_query_chars"): _at_most,
    ("permission", "max_calls"): _at_most_counted,
    ("permission", "max_cost"): _at_most_counted,
}
"""What is not listed here, a project file may not set at all: secrets, plugins, providers, the index, TLS."""


def loosening(file: FilePath, values: Mapping[Path, Any], baseline: Mapping[Path, Any]) -> tuple[WebError, ...]:
    """One refusal for each value by which an untrusted project file would widen what the user allows."""
    return tuple(
        refused(file, path, value)
        for path, value in values.items()
        if path not in _RULES or not _RULES[path](value, baseline.get(path))
    )


def refused(file: FilePath, path: Path, value: Any) -> WebError:
    """`WEB_CONFIG_INVALID`: a project file went beyond what it may say."""
    found = dotted(path) if path[0] in ("providers", "secrets", "fleet") else f"{dotted(path)} = {shown(value)}"
    return WebError(
        Code.CONFIG_INVALID,
        f"{file}: a project file may not set {found}: it may choose among what you allow and tighten, not widen. "
        f"Set it in your own file, or read this one and run `webseam config trust`.",
    )


# The record --------------------------------------------------------------------------------------------


def is_trusted(record: FilePath, file: FilePath, data: bytes) -> bool:
    """Whether the user trusted exactly this content at this path.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when the record itself is damaged.
    """
    return _read(record).get(_name(file)) == _digest(data)


def trust(record: FilePath, file: FilePath) -> str:
    """Trust `file` as it is now; returns its SHA-256.

    Raises:
        WebError: `WEB_CONFIG_INVALID` when file or record cannot be read or written.
    """
    digest = _digest(read_bounded(file))
    known = _read(record) | {_name(file): digest}
    try:
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(record, json.dumps(known, indent=1, sort_keys=True) + "\n")
    except OSError as exc:
        raise WebError(Code.CONFIG_INVALID, f"{record}: cannot be written ({exc.strerror}).") from exc
    return digest


def _read(record: FilePath) -> dict[str, str]:
    if not os.path.lexists(record):
        return {}
    try:
        known = json.loads(decoded(record, read_bounded(record)))
    except (ValueError, RecursionError) as exc:
        raise _damaged(record) from exc
    if not isinstance(known, dict) or not all(isinstance(value, str) for value in known.values()):
        raise _damaged(record)
    return known


def _damaged(record: FilePath) -> WebError:
    return WebError(Code.CONFIG_INVALID, f"{record}: the record of trusted files is damaged. Delete it and trust anew.")


def _replace(target: FilePath, text: str) -> None:
    """Write beside the target and rename, so that no reader sees half a record; mkstemp makes it the owner's only."""
    descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=target.name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        FilePath(draft).replace(target)
    except OSError:
        FilePath(draft).unlink(missing_ok=True)
        raise


def _name(file: FilePath) -> str:
    return str(file.resolve())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
