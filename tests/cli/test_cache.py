"""`webseam cache`: what is kept on disk, and that it is gone after `clear`."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.cli import Shell
from support.pages import stored
from webseam.stores.pages import PAGES_FILE
from webseam.stores.pages_disk import DiskPages

R = TypeVar("R")
MARK = b"kelp-page-of-a-reader"


def place(shell: Shell) -> Path:
    return Path(shell.run("cache", "show", "--json").json["path"])


async def apart(work: Callable[..., R], *given: Any) -> R:
    """Beside the test's own event loop: a command starts its own."""
    return await asyncio.to_thread(work, *given)


async def fill(path: Path, count: int) -> None:
    store = DiskPages(path)
    for number in range(count):
        await store.put(str(number), stored(MARK * 1_000))


@pytest.mark.req("cli:cache:show")
def test_without_a_file_nothing_is_kept_and_none_is_made(shell: Shell) -> None:
    shown = shell.run("cache", "show", "--json").json
    assert (shown["pages"], shown["bytes"], shown["mode"]) == (0, 0, "off")
    assert shell.run("cache", "clear", "--json").json == {"path": shown["path"], "cleared": 0}
    assert Path(shown["path"]).name == PAGES_FILE
    assert not Path(shown["path"]).exists()


@pytest.mark.req("cli:cache:show")
async def test_show_counts_pages_and_their_bytes_on_disk(shell: Shell) -> None:
    shell.desk.user("[fetch]\ncache = 'disk'\n")
    path = await apart(place, shell)
    await fill(path, 3)

    shown = (await apart(shell.run, "cache", "show", "--json")).json
    assert (shown["pages"], shown["mode"]) == (3, "disk")
    assert shown["bytes"] >= 3 * 1_000 * len(MARK)
    lines = (await apart(shell.run, "cache", "show")).out.splitlines()
    assert lines == [
        f"pages: 3, {shown['bytes']:,} bytes in {path} (fetch.cache is disk)",
        f"searches: 0, 0 bytes in {shown['search']['path']} (search.cache is off)",
    ]


@pytest.mark.req("cli:cache:clear")
async def test_clear_forgets_all_pages_and_leaves_none_of_their_bytes(shell: Shell) -> None:
    path = await apart(place, shell)
    await fill(path, 3)

    assert (await apart(shell.run, "cache", "clear")).out == "cleared: 3\n"
    shown = (await apart(shell.run, "cache", "show", "--json")).json
    assert shown["pages"] == 0
    assert shown["bytes"] < 1_000 * len(MARK)
    assert all(MARK not in file.read_bytes() for file in path.parent.iterdir())
    await fill(path, 1)
    assert await DiskPages(path).get("0") == stored(MARK * 1_000)


@pytest.mark.req("cli:cache:trouble")
@pytest.mark.parametrize("what", ["show", "clear"])
def test_another_programs_database_is_left_alone_and_named(shell: Shell, what: str) -> None:
    path = place(shell)
    path.parent.mkdir(parents=True, exist_ok=True)
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE notes(text)")
    other.close()
    before = path.read_bytes()

    ran = shell.run("cache", what, "--json")
    assert (ran.code, ran.out) == (5, "")
    assert ran.error["message"].startswith(f"{path}: its file is another program's database")
    assert path.read_bytes() == before


@pytest.mark.req("cli:cache:clear")
def test_a_damaged_file_is_made_anew(shell: Shell) -> None:
    path = place(shell)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"no database at all" * 1_000)
    assert shell.run("cache", "clear", "--json").json["cleared"] == 0
    assert shell.run("cache", "show", "--json").json["pages"] == 0


@pytest.mark.req("cli:cache:clear")
def test_a_broken_configuration_keeps_nobody_from_clearing(shell: Shell) -> None:
    shell.desk.user("[fetch]\nnope = 1\n")
    assert shell.run("cache", "clear").code == 0
