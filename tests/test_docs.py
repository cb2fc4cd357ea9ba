"""Every example of the documentation runs, on the demo's site and an index of it."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.provider_table import HOW, built_in, generated, short_table, whole_table
from support.provider_table import PAGES as TABLED
from support.vendor import HeldKey
from webseam.core.plugin import Kit, ProviderSpec, Seams
from webseam.core.settings import FetchSettings
from webseam.stores.index import LocalIndex
from webseam.surfaces.cli.demo_server import demo_site
from webseam.wiring.config import load
from webseam.wiring.indexing import index_sitemap
from webseam.wiring.opening import open_web
from webseam.wiring.transport import LazyTransport

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "docs/providers/adding.md",
    "docs/hostile-web.md",
    "docs/record-replay.md",
    "docs/permission.md",
    "docs/observability.md",
    "docs/adapters.md",
    "docs/keys.md",
    "docs/batches.md",
    "docs/configuration.md",
    "docs/extract.md",
    "docs/gateway.md",
    "docs/fleet.md",
    "docs/usage.md",
)
EXAMPLE = ROOT / "examples" / "webseam-toy"
DOCUMENTS = sorted(
    one.relative_to(ROOT) for one in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), EXAMPLE / "README.md")
)
FRAMEWORKS = {
    "google_adk_tools": "google.adk",
    "langchain_tools": "langchain_core",
    "llama_index_tools": "llama_index.core",
    "openai_agents_tools": "agents",
    "pydantic_ai_toolset": "pydantic_ai",
    "smolagents_tools": "smolagents",
}
"""By adapter: what an example of it needs, and need not be here."""
NOT_OURS = ("entry-points", "[mcp_servers")
"""What marks the TOML of a plugin's project, and of an MCP client (tests/mcp/test_documented.py)."""
WRITE = bool(os.environ.get("WEBSEAM_WRITE_DOCS"))
"""Read before the tests' environment is scrubbed."""


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


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # what it is a part of is not there
        return False


@pytest.mark.req("docs:examples")
@pytest.mark.parametrize("block", _of("python"), ids=str)
async def test_each_python_example_runs(block: Block, reader: dict[str, str], tmp_path: Path) -> None:
    for adapter, module in FRAMEWORKS.items():
        if adapter in block.code and not _is_installed(module):
            pytest.skip(f"{module} is not installed; the dependency group `frameworks` or `adk` brings it")
    script = tmp_path / "example.py"
    script.write_text(block.code, encoding="utf-8")
    environ = {**reader, "PYTHONPATH": str(EXAMPLE)}
    code, out, err = await _run([sys.executable, "-W", "error", str(script)], environ, tmp_path)

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
@pytest.mark.parametrize("block", [one for one in _of("toml") if not any(map(one.code.count, NOT_OURS))], ids=str)
def test_each_configuration_example_is_valid(block: Block, tmp_path: Path) -> None:
    tomllib.loads(block.code)
    config = tmp_path / "config.toml"
    config.write_text(block.code, encoding="utf-8")

    loaded = load(environ={"HOME": str(tmp_path), "WEBSEAM_CONFIG": str(config)}, cwd=tmp_path)
    assert loaded.origins


@pytest.mark.req("docs:providers")
@pytest.mark.parametrize("page", TABLED, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_provider_tables_are_made_from_what_is_built_in(page: Path) -> None:
    fresh = generated(page, built_in())
    if WRITE:
        page.write_text(fresh, encoding="utf-8")

    assert page.read_text(encoding="utf-8") == fresh, f"the table is out of step: run `{HOW}`"


@pytest.mark.req("docs:providers")
@pytest.mark.parametrize("spec", built_in(), ids=lambda spec: spec.kind)
def test_a_spec_says_of_its_provider_what_is_true(spec: ProviderSpec, tmp_path: Path) -> None:
    kit = Kit(
        id=spec.kind,
        options=None if spec.options is None else spec.options(),
        secret=HeldKey(),
        transport=LazyTransport(seams=Seams()),
        fetch=FetchSettings(),
        data_dir=tmp_path,
        seams=Seams(),
        on_close=lambda _close: None,
    )
    optional = "answer" in getattr(spec.options, "__struct_fields__", ())

    assert spec.controls == getattr(spec.build(kit), "native_controls", frozenset())
    assert optional == (spec.answer == "option")
    assert spec.summary.endswith(".")


TOY = ProviderSpec(
    kind="toy",
    capability="search",
    build=lambda _kit: None,  # type: ignore[arg-type,return-value]  # never built
    key_env=("A_KEY", "B_KEY"),
    summary="A toy | more.",
    answer="option",
    controls=frozenset({"include_domains", "exclude_domains", "published_after"}),
    rests_on="recalled",
)


@pytest.mark.req("docs:providers")
def test_a_row_tells_all_that_a_spec_says() -> None:
    row = whole_table([TOY]).splitlines()[-1]
    assert row == (
        "| `toy` | A toy / more. | `A_KEY` or `B_KEY` | | option | domains, `published_after` | memory | never |"
    )
    assert short_table([TOY]).splitlines()[2:] == [
        "| works without a key | none |",
        "| needs a key | `toy` |",
        "| can write an answer beside its hits | `toy` |",
    ]


# The example package -----------------------------------------------------------------------------------


@pytest.mark.req("docs:example-package")
@pytest.mark.parametrize(
    ("number", "file"), [(0, "webseam_toy.py"), (1, "test_webseam_toy.py")], ids=["vendor", "test"]
)
def test_the_page_shows_the_example_package_as_it_is(number: int, file: str) -> None:
    shown = [one for one in _of("python") if one.page == "docs/providers/adding.md"][number]
    assert shown.code == (EXAMPLE / file).read_text(encoding="utf-8")


@pytest.mark.req("docs:example-package")
def test_the_page_shows_the_entry_point_of_the_example_package() -> None:
    (shown,) = (one for one in _of("toml") if one.page == "docs/providers/adding.md")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert tomllib.loads(shown.code)["project"]["entry-points"] == project["entry-points"]


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment with the example package on its path, as an installer would leave it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = tmp_path / "site-packages"
    info = folder / f"webseam_toy-{project['version']}.dist-info"
    info.mkdir(parents=True)
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    lines = [f"{name} = {value}" for name, value in project["entry-points"]["webseam.search"].items()]
    (info / "entry_points.txt").write_text("[webseam.search]\n" + "\n".join(lines) + "\n", encoding="utf-8")
    for file in ("webseam_toy.py", "test_webseam_toy.py", "pyproject.toml"):
        (folder / file).write_bytes((EXAMPLE / file).read_bytes())
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(folder)}


@pytest.mark.req("docs:example-package")
async def test_the_example_package_passes_its_own_test(installed: dict[str, str]) -> None:
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    code, out, err = await _run(command, installed, Path(installed["PYTHONPATH"]))
    assert (code, err) == (0, ""), out
    assert "1 passed" in out


@pytest.mark.req("docs:example-package")
async def test_the_example_package_is_found_as_a_plugin(installed: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "webseam", "providers", "--json"]
    code, out, _ = await _run(command, {**installed, "TOY_API_KEY": "sk-toy-0123456789"}, tmp_path)
    (toy,) = (row for row in json.loads(out)["search"]["providers"] if row["id"] == "toy")
    assert code == 0
    assert (toy["state"], toy["key"], toy["controls"]) == ("used", "environment TOY_API_KEY", ["country"])


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
@pytest.mark.parametrize("page", DOCUMENTS, ids=str)
def test_every_local_link_leads_somewhere(page: Path) -> None:
    for target in _links(page):
        assert target.exists(), target


@pytest.mark.req("docs:reachable")
def test_every_page_is_reached_from_the_readme() -> None:
    reached, ahead = set[Path](), {ROOT / "README.md"}
    while ahead:
        reached |= ahead
        ahead = {target for page in ahead for target in _links(page) if target.suffix == ".md"} - reached

    assert {ROOT / page for page in DOCUMENTS} <= reached


def _links(page: Path) -> set[Path]:
    """The files of the repository that a page links to."""
    file = ROOT / page
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
    return {(file.parent / target).resolve() for target in targets}


@pytest.mark.req("docs:words")
def test_the_makefile_has_the_words_that_the_documents_name() -> None:
    words = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"setup", "demo", "test", "lint", "types", "bench", "soak", "docs", "constraints"} <= words
