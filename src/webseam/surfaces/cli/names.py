"""Names that a shell can complete: ids of providers and names of keys, read without loading a provider."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

from webseam.core.types import Capability

Complete: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_providers(*capabilities: Capability) -> Complete:
    """Ids of these capabilities: the kinds that are installed, and the tables of the configuration."""

    def complete(_context: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
        return _starting({name for one in capabilities for name in _provider_ids(one)}, start)

    return complete


def _provider_ids(capability: Capability) -> set[str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - only a completion pays for it

    from webseam.wiring.config import survey  # noqa: PLC0415 - the same

    kinds = {point.name for point in entry_points(group=f"webseam.{capability}")}
    tables = survey().config.providers
    return kinds | {key for key, table in tables.items() if table.kind in kinds}


def complete_keys(_context: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Providers that take a key, and once it is begun in capitals the names of keys."""
    from webseam.wiring.config import survey  # noqa: PLC0415 - only a completion pays for it
    from webseam.wiring.key_store import accounts  # noqa: PLC0415 - the same

    known = accounts(survey())
    names = {name for one in known for name in one.ring.names()} if start[:1].isupper() else set()
    return _starting({one.id for one in known} | names, start)


def _starting(names: Iterable[str], start: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(start)]
