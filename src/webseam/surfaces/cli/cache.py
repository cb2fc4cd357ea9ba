"""`webseam cache`: what `fetch.cache = "disk"` keeps of pages, and how to be rid of it."""

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

R = TypeVar("R")
EXAMPLES: Final = ("webseam cache show", "webseam cache clear")

command = Lazy(
    name="cache",
    help="Show what is kept of pages on disk, or forget it.",
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

    Pages of `fetch.cache = "memory"` live and end with their process, and are not counted.
    """
    path, mode = _place(session)
    held = _ran(DiskPages(path).held(), path)
    if as_json:
        session.out.json({"path": str(path), "pages": held.pages, "bytes": held.bytes, "mode": mode})
    else:
        session.out.data(f"path: {path}\npages: {held.pages:,}\nbytes: {held.bytes:,}\nfetch.cache: {mode}")
    return 0


@click.command(
    "clear", cls=Command, examples=("webseam cache clear",), short_help="Forget all pages that are kept on disk."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def clear(session: Session, *, as_json: bool) -> int:
    """Forget all pages that are kept on disk, whatever `fetch.cache` says now. Processes that run just ask again."""
    path, _ = _place(session)
    count = _ran(DiskPages(path).clear(), path)
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


def _ran(work: Coroutine[Any, Any, R], path: Path) -> R:
    """Raises: `WEB_PROVIDER_ERROR`, naming the file, when it cannot be used."""
    try:
        return asyncio.run(work)
    except PageStoreError as exc:
        raise WebError(
            Code.PROVIDER_ERROR, f"{path}: {exc}. Try again, or delete it while nothing else uses it."
        ) from exc
