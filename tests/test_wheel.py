"""What `make build` makes, and how it behaves where nothing else of ours is; `make wheel` runs it."""

import hashlib
import re
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any
from urllib.request import urlopen
from zipfile import ZipFile

import pytest
from mcp import Client
from mcp_types import TextContent

from support.wheel import ROOT, Installed, built, folder_on_loopback, install, uv
from webseam.core.version import VERSION

NEEDS = "needs a wheel, and an index to install it from: `make wheel` builds one and runs this"
pytestmark = [pytest.mark.skipif(built() is None, reason=NEEDS), pytest.mark.timeout(600)]

PAGE = """<!doctype html><html lang="en"><head><title>Kelp farming permits</title></head>
<body><h1>Kelp farming permits</h1><p>A permit for kelp takes <b>eleven weeks</b>.</p></body></html>"""
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A link to somewhere in the repository."""

SITE = "https://handbook.example"


@dataclass(frozen=True, slots=True)
class Dist:
    """The two files."""

    wheel: Path
    sdist: Path

    @property
    def names(self) -> list[str]:
        with ZipFile(self.wheel) as archive:
            return archive.namelist()

    def text(self, name: str) -> str:
        with ZipFile(self.wheel) as archive:
            return archive.read(f"webseam-{VERSION}.dist-info/{name}").decode()

    @property
    def metadata(self) -> Message:
        return Parser().parsestr(self.text("METADATA"))

    @property
    def sources(self) -> set[str]:
        with tarfile.open(self.sdist) as archive:
            return {name.partition("/")[2] for name in archive.getnames()}


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


@pytest.fixture(scope="session")
def dist() -> Dist:
    folder = built()
    assert folder is not None
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    return Dist(wheel, sdist)


@pytest.fixture(scope="session")
def installed(dist: Dist, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """One environment for all tests; they only read it."""
    return install(dist.wheel, tmp_path_factory.mktemp("installed"), "[mcp]")


@pytest.fixture(scope="session")
def ready(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Installed, str]]:
    """A user with an index made there from a folder, and that folder on loopback."""
    site = tmp_path_factory.mktemp("site")
    (site / "kelp.html").write_text(PAGE, encoding="utf-8")
    index = installed.home / "index.sqlite3"
    installed.configure(
        f'[search]\nprovider = "local"\n[index]\npath = "{index}"\n[fetch]\nprivate_networks = ["127.0.0.0/8"]\n'
    )
    installed.run("index", "--folder", site, "--base-url", f"{SITE}/")
    with folder_on_loopback(site) as base:
        yield installed, base


@pytest.mark.req("build:wheel:content")
def test_the_wheel_holds_the_package_its_types_and_nothing_else(dist: Dist) -> None:
    tops = {name.partition("/")[0] for name in dist.names}
    assert tops == {"webseam", f"webseam-{VERSION}.dist-info"}
    assert "webseam/py.typed" in dist.names
    assert not [name for name in dist.names if "test_" in name or "__pycache__" in name or name.endswith(".pyc")]
    carried = {name for name in dist.names if name.startswith("webseam/")}
    sources = {str(file.relative_to(ROOT / "src")) for file in (ROOT / "src").rglob("*") if file.is_file()}
    assert carried == {name for name in sources if "__pycache__" not in name}


@pytest.mark.req("build:wheel:metadata")
def test_the_metadata_tells_versions_licence_extras_and_the_page(dist: Dist) -> None:
    metadata, project = dist.metadata, _project()
    assert (metadata["Name"], metadata["Version"]) == ("webseam", VERSION)
    assert (metadata["License-Expression"], metadata["Requires-Python"]) == ("MIT", ">=3.11")
    assert set(metadata.get_all("Provides-Extra", [])) == set(project["optional-dependencies"])
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert f"webseam-{VERSION}.dist-info/licenses/LICENSE" in dist.names


@pytest.mark.req("build:wheel:links")
def test_the_page_is_the_readme_with_the_address_of_the_repository_before_its_own_links(dist: Dist) -> None:
    page, source = str(dist.metadata.get_payload()), _project()["urls"]["Source"]
    assert LINK.search(page) is None
    assert page.replace(f"]({source}/blob/HEAD/", "](").strip() == README.strip()


@pytest.mark.req("build:wheel:metadata")
def test_every_entry_point_of_the_project_is_in_the_wheel(dist: Dist) -> None:
    text, project = dist.text("entry_points.txt"), _project()
    assert {"webseam.search", "webseam.fetch", "webseam.extract"} <= set(project["entry-points"])
    for group, points in project["entry-points"].items():
        section = text.partition(f"[{group}]\n")[2].partition("\n[")[0]
        assert dict(line.split(" = ") for line in section.split("\n") if line) == points
    assert "webseam = webseam.surfaces.cli.main:run" in text


@pytest.mark.req("build:wheel:same")
def test_the_sdist_and_the_checkout_give_the_same_wheel_byte_for_byte(dist: Dist, tmp_path: Path) -> None:
    pinned = ("--quiet", "--system-certs", "--build-constraints", ROOT / "constraints.txt")
    uv("build", "--wheel", *pinned, "--out-dir", tmp_path / "tree", ROOT)
    uv("build", "--wheel", *pinned, "--out-dir", tmp_path / "sdist", dist.sdist.resolve())
    wheels = (dist.wheel, *(tmp_path / folder / dist.wheel.name for folder in ("tree", "sdist")))
    assert len({hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}) == 1


@pytest.mark.req("build:sdist")
def test_the_sdist_holds_the_tests_and_every_page_that_the_readme_links_to(dist: Dist) -> None:
    links = {link.partition("#")[0] for link in LINK.findall(README)}
    assert links
    assert links <= dist.sources
    assert {"Makefile", "constraints.txt", "constraints-adk.txt", "tests/conftest.py", "LICENSE"} <= dist.sources


@pytest.mark.req("build:wheel:runs")
def test_the_installed_command_tells_its_version_and_runs_the_demo(installed: Installed) -> None:
    assert installed.run("--version") == f"webseam {VERSION}\n"
    assert "web_fetch" in installed.run("demo")


@pytest.mark.req("build:wheel:runs")
def test_the_installed_package_comes_from_the_wheel_alone(installed: Installed) -> None:
    where = installed.run(code="import webseam; print(webseam.__file__)").strip()
    assert Path(where).is_relative_to(installed.python.parents[1])
    assert not Path(where).is_relative_to(ROOT)


@pytest.mark.req("build:wheel:providers")
def test_every_provider_of_the_installed_package_loads(installed: Installed) -> None:
    groups = _project()["entry-points"]
    code = (
        "from importlib.metadata import entry_points\n"
        f"for group in {list(groups)}:\n"
        "    for one in entry_points(group=group): print(group, one.name, one.load().kind)"
    )
    loaded = {tuple(line.split()[:2]) for line in installed.run(code=code).splitlines()}
    assert loaded == {(group, name) for group, points in groups.items() for name in points}


@pytest.mark.req("build:wheel:mcp")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_installed_server_searches_and_fetches_for_a_client_over_stdio(
    ready: tuple[Installed, str], mode: Any
) -> None:
    installed, base = ready
    await _searches_and_fetches(Client(installed.server, mode=mode, read_timeout_seconds=60), base)


@pytest.mark.req("build:wheel:uvx")
async def test_the_servers_configuration_of_the_documentation_starts_it_by_uvx(ready: tuple[Installed, str]) -> None:
    installed, base = ready
    await _searches_and_fetches(Client(installed.uvx_server, read_timeout_seconds=300), base)


async def _searches_and_fetches(connecting: Client, base: str) -> None:
    async with connecting as client:
        assert {"web_search", "web_fetch"} <= {tool.name for tool in (await client.list_tools()).tools}
        found = await client.call_tool("web_search", {"query": "kelp permits"})
        read = await client.call_tool("web_fetch", {"url": f"{base}/kelp.html"})
    assert not found.is_error
    assert not read.is_error
    assert found.structured_content["sources"][0]["url"] == f"{SITE}/kelp.html"
    assert isinstance(read.content[0], TextContent)
    assert "eleven weeks" in read.content[0].text


@pytest.mark.req("looks:files:wheel")
def test_the_installed_gateway_serves_the_console(dist: Dist, tmp_path: Path) -> None:
    held = [name for name in dist.names if name.startswith("webseam/surfaces/gateway/console/")]
    assert {name.rpartition("/")[2] for name in held} >= {"index.html", "app.js", "console.css"}
    serving = install(dist.wheel, tmp_path / "serving", "[serve]")
    with serving.gateway() as base:
        with urlopen(f"{base}/", timeout=60) as page:  # noqa: S310 - our own gateway on loopback
            assert "script-src 'self'" in page.headers["Content-Security-Policy"]
            text = page.read().decode()
        loads = re.findall(r'(?:src|href)="/?(console/[^"]+)"', text)
        assert loads
        for one in loads:
            with urlopen(f"{base}/{one}", timeout=60) as file:  # noqa: S310 - the same
                assert file.read()


@pytest.mark.req("build:wheel:bare")
def test_without_extras_all_but_the_server_runs_and_the_server_says_what_to_install(dist: Dist, tmp_path: Path) -> None:
    bare = install(dist.wheel, tmp_path / "bare")
    assert "web_fetch" in bare.run("demo")
    refused = bare.attempt([str(bare.command), "mcp"])
    assert (refused.returncode, refused.stdout) == (3, "")
    assert 'pip install "webseam[mcp]"' in refused.stderr
    assert "Traceback" not in refused.stderr
