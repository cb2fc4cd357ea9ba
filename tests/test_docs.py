"""Every example of the documentation runs, on the demo's site and an index of it."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from support.vendor import HeldKey
from webseam.core.plugin import Kit, Seams
from webseam.core.settings import FetchSettings
from webseam.stores.index import LocalIndex
from webseam.surfaces.cli.demo_server import demo_site
from webseam.wiring.config import load
from webseam.wiring.indexing import index_sitemap
from webseam.wiring.opening import open_web
from webseam.wiring.transport import LazyTransport

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/providers/adding.md")


@dataclass(frozen=True)
class Block:
    """One fenced example."""

    page: str
    language: str
    code: str
    number: int

    def __str__(self) -> str:
        return f"{self.page}-{self.number}-{self.language}"


def _blocks() -> list[Block]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for number, match in enumerate(re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL), 1):
            found.append(Block(page, match[1], match[2], number))
    return found


def _of(language: str) -> list[Block]:
    return [block for block in _blocks() if block.language == language]


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[dict[str, str]]:
    """A reader's environment: their own configuration names the local index of a small site on loopback."""
    config = tmp_path / "config.toml"
    index = tmp_path / "index.sqlite3"
    config.write_text(
        f'[search]\nprovider = "local"\n[index]\npath = "{index}"\n[fetch]\nprivate_networks = ["127.0.0.0/8"]\n',
        encoding="utf-8",
    )
    environ = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "WEBSEAM_CONFIG": str(config),
    }
    async with demo_site() as base:
        async with open_web(environ=environ, cwd=tmp_path) as web:
            await index_sitemap(web, LocalIndex(index, read_only=False), f"{base}/sitemap.xml")
        yield environ


async def _run(command: list[str], environ: dict[str, str], cwd: Path) -> tuple[int, str, str]:
    from asyncio import create_subprocess_exec  # noqa: PLC0415 - beside the loop that serves the site

    process = await create_subprocess_exec(
        *command, env=environ, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


@pytest.mark.req("docs:examples")
@pytest.mark.parametrize("block", _of("python"), ids=str)
async def test_each_python_example_runs(block: Block, reader: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "example.py"
    script.write_text(block.code, encoding="utf-8")
    code, out, err = await _run([sys.executable, "-W", "error", str(script)], reader, tmp_path)

    assert (code, err) == (0, "")
    assert out or "SPEC" in block.code


@pytest.mark.req("docs:examples")
@pytest.mark.parametrize("block", _of("console"), ids=str)
async def test_each_command_line_example_runs(block: Block, reader: dict[str, str], tmp_path: Path) -> None:
    commands = [line.removeprefix("$ ") for line in block.code.splitlines() if line.startswith("$ ")]
    assert commands
    for command in commands:
        code, out, err = await _run(["sh", "-c", command], reader, tmp_path)
        assert code == 0, err
        assert out


@pytest.mark.req("docs:examples")
@pytest.mark.parametrize("block", [one for one in _of("toml") if "entry-points" not in one.code], ids=str)
def test_each_configuration_example_is_valid(block: Block, tmp_path: Path) -> None:
    tomllib.loads(block.code)
    config = tmp_path / "config.toml"
    config.write_text(block.code, encoding="utf-8")

    loaded = load(environ={"HOME": str(tmp_path), "WEBSEAM_CONFIG": str(config)}, cwd=tmp_path)
    assert loaded.config.search.route


@pytest.mark.req("docs:providers")
def test_the_provider_table_lists_what_is_built_in() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Search providers")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)

    assert sorted(listed) == sorted(project["entry-points"]["webseam.search"])


GROUPS = {
    "domains": {"include_domains", "exclude_domains"},
    "dates": {"published_after", "published_before"},
    "country": {"country"},
    "language": {"language"},
    "safe search": {"safe_search"},
}


@pytest.mark.req("docs:providers")
def test_the_provider_table_tells_keys_and_native_controls_as_the_code_does(tmp_path: Path) -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Search providers")[2].partition("\n## ")[0]
    for row in re.findall(r"^\| `.*$", table, re.MULTILINE):
        name, needs, _, controls = (cell.strip() for cell in row.strip("|").split("|"))
        kind = name.strip("`")
        spec = entry_points(group="webseam.search")[kind].load()
        kit = Kit(
            id=kind,
            options=spec.options(),
            secret=HeldKey(),
            transport=LazyTransport(seams=Seams()),
            fetch=FetchSettings(),
            data_dir=tmp_path,
            seams=Seams(),
            on_close=lambda _close: None,
        )
        told = {control for word in controls.split(", ") if word for control in GROUPS[word]}
        assert told == set(spec.build(kit).native_controls), kind
        assert re.findall(r"`([A-Z_]+)`", needs) == list(spec.key_env), kind
        assert kind == "local" or ("nothing" in needs) == (spec.keyless or spec.key_optional), kind


@pytest.mark.req("docs:words")
def test_make_help_names_every_word() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = text.partition(".PHONY:")[2].partition("\n")[0].split()
    assert re.findall(r'^\t@echo "make ([a-z]+) ', text, re.MULTILINE) == [word for word in phony if word != "help"]


@pytest.mark.req("docs:version")
def test_the_version_is_the_same_everywhere() -> None:
    from webseam.core.version import VERSION  # noqa: PLC0415 - the subject

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == VERSION


@pytest.mark.req("docs:links")
@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/decisions.md"])
def test_every_local_link_leads_somewhere(page: str) -> None:
    file = ROOT / page
    for target in re.findall(r"\]\(([^)#:]+)\)", file.read_text(encoding="utf-8")):
        assert (file.parent / target).exists(), target


@pytest.mark.req("docs:words")
def test_the_makefile_has_the_words_that_the_documents_name() -> None:
    words = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"setup", "demo", "test", "lint", "types", "bench", "docs", "constraints"} <= words
