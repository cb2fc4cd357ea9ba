"""`webseam cache`: what `fetch.cache = "disk"` and `search.cache = "disk"` keep, and how to be rid of it."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from webseam.core.errors import Code, WebError
from webseam.core.pages import PageStoreError
from webseam.stores.pages import PAGES_FILE
from webseam.stores.pages_disk import DiskPages
from webseam.surfaces.cli.command import Command, Lazy
from webseam.surfaces.cli.session import Session
from webseam.wiring.caching import SEARCHES_FILE

R = TypeVar("R")
EXAMPLES: Final = ("webseam cache show", "webseam cache clear")

command = Lazy(
    name="cache",
    help="Show what is kept of pages and searches on disk, or forget it.",
    table={},
    examples=EXAMPLES,
)


@click.command(
    "show",
    cls=Command,
    examples=("webseam cache show", "webseam cache show --json | jq .pages"),
    short_help="Show where kept pages lie, how many, and their size.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def show(session: Session, *, as_json: bool) -> int:
    """Show where kept pages lie, how many there are, their bytes on disk, and what `fetch.cache` says.

    Then the same of answers to searches. What is kept in memory ends with its process, and what lies on the server of a
    fleet is not this machine's: neither is counted.
    """
    path, mode = _place(session)
    held = _ran(DiskPages(path).held(), path)
    searches, how = _searches(session)
    found = _ran(DiskPages(searches).held(), searches)
    if as_json:
        pages = {"path": str(path), "pages": held.pages, "bytes": held.bytes, "mode": mode}
        kept = {"path": str(searches), "searches": found.pages, "bytes": found.bytes, "mode": how}
        session.out.json({**pages, "search": kept})
    else:
        session.out.data(f"pages: {held.pages:,}, {held.bytes:,} bytes in {path} (fetch.cache is {mode})")
        session.out.data(f"searches: {found.pages:,}, {found.bytes:,} bytes in {searches} (search.cache is {how})")
    return 0


@click.command(
    "clear", cls=Command, examples=("webseam cache clear",), short_help="Forget all pages and searches kept on disk."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def clear(session: Session, *, as_json: bool) -> int:
    """Forget all pages and searches that are kept on disk, whatever the settings say now.

    Processes that run just ask again.
    """
    path, _ = _place(session)
    searches, _ = _searches(session)
    count = _ran(DiskPages(path).clear(), path) + _ran(DiskPages(searches).clear(), searches)
    if as_json:
        session.out.json({"path": str(path), "cleared": count})
    else:
        session.out.data(f"cleared: {count:,}")
    return 0


for _one in (show, clear):
    command.add_command(_one)


def _place(session: Session) -> tuple[Path, str]:
    """The file, and the setting in force."""
    loaded = session.survey()
    return loaded.places.data / PAGES_FILE, loaded.config.fetch.cache


def _searches(session: Session) -> tuple[Path, str]:
    """The same of searches."""
    loaded = session.survey()
    return loaded.places.data / SEARCHES_FILE, loaded.config.search.cache


def _ran(work: Coroutine[Any, Any, R], path: Path) -> R:
    """Raises: `WEB_PROVIDER_ERROR`, naming the file, when it cannot be used."""
    try:
        return asyncio.run(work)
    except PageStoreError as exc:
        raise WebError(
            Code.PROVIDER_ERROR, f"{path}: {exc}. Try again, or delete it while nothing else uses it."
        ) from exc
