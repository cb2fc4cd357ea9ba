"""`import webseam` is cheap, and its public names are what `__all__` says."""

import subprocess
import sys
from importlib import import_module

import pytest

import webseam

HEAVY = (
    "aiohttp",
    "turbohtml",
    "mcp",
    "starlette",
    "rich",
    "msgspec",
    "pypdfium2",
    "click",
    "platformdirs",
    "yarl",
    "protego",
    "asyncio",
    "sqlite3",
)
CHEAP = {
    "webseam",
    "typing",
    "collections",
    "functools",
    "operator",
    "keyword",
    "reprlib",
    "itertools",
    "re",
    "sre",
} | {"enum", "types", "copyreg", "contextlib", "heapq", "importlib", "warnings", "abc"}
"""What `typing` and `importlib` bring; nothing of ours and nobody else's."""


def _loaded_by(code: str) -> set[str]:
    script = f"import sys; before = set(sys.modules)\n{code}\nprint(*sorted(set(sys.modules) - before))"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=50
    )
    return set(done.stdout.split())


@pytest.mark.req("wiring:import:cheap")
def test_import_webseam_loads_next_to_nothing() -> None:
    loaded = _loaded_by("import webseam")
    assert not loaded & set(HEAVY)
    assert {name for name in loaded if name.startswith("webseam")} == {"webseam"}
    assert {name.partition(".")[0].lstrip("_") for name in loaded} <= CHEAP


@pytest.mark.req("wiring:import:cheap")
def test_the_bare_seam_loads_no_client_parser_or_configuration() -> None:
    code = "import webseam\nwebseam.Web, webseam.WebError, webseam.SearchResult, webseam.Route, webseam.ProviderSpec"
    assert not _loaded_by(code) & (set(HEAVY) - {"asyncio"})


@pytest.mark.req("wiring:import:cheap")
def test_opening_a_web_loads_no_client_and_no_parser() -> None:
    code = "import webseam, pathlib\nwebseam.open(environ={}, cwd=pathlib.Path('/'))"
    clients = {"aiohttp", "yarl", "turbohtml", "rich", "click", "mcp", "starlette", "pypdfium2"}
    assert not _loaded_by(code) & (clients | {"sqlite3", "webseam.stores.index"})


@pytest.mark.req("wiring:import:cheap")
@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["search", "--help"], ["nope"]])
def test_help_loads_no_client_parser_or_painter(argv: list[str]) -> None:
    code = (
        "import sys, os\nsys.stdout, out = open(os.devnull, 'w'), sys.stdout\nsys.stderr = sys.stdout\n"
        f"sys.argv = ['webseam', *{argv}]\nfrom webseam.surfaces.cli.main import run\n"
        "try: run()\nexcept SystemExit: pass\nsys.stdout.close()\nsys.stdout = out"
    )
    loaded = _loaded_by(code)
    assert "click" in loaded
    assert not loaded & {"aiohttp", "yarl", "turbohtml", "rich", "mcp", "starlette", "pypdfium2"}


@pytest.mark.req("wiring:import:public")
def test_all_is_reality() -> None:
    assert len(set(webseam.__all__)) == len(webseam.__all__)
    assert set(webseam.__all__) <= set(dir(webseam))
    for name in webseam.__all__:
        assert getattr(webseam, name) is not None
    public = {name for name in dir(webseam) if not name.startswith("_")}
    rooms = {name for name in public if f"webseam.{name}" in sys.modules}
    assert public - rooms - {"TYPE_CHECKING", "Any", "import_module"} == set(webseam.__all__)


@pytest.mark.req("wiring:import:public")
def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(webseam, "nothing")  # noqa: B009 - the literal attribute does not type-check


@pytest.mark.req("wiring:import:public")
def test_the_public_rooms_need_no_import_of_their_own() -> None:
    code = "import webseam; webseam.adapters.dispatch; webseam.testing.DnsServer"
    loaded = _loaded_by(code)
    assert {"webseam.adapters", "webseam.testing"} <= loaded


@pytest.mark.req("wiring:import:public")
def test_every_public_name_is_the_object_of_its_room() -> None:
    assert webseam.open is import_module("webseam.wiring.opening").open_web
    assert webseam.WebError is import_module("webseam.core.errors").WebError
    assert webseam.search is import_module("webseam.blocking").search


@pytest.mark.req("wiring:import:cheap")
@pytest.mark.parametrize("argv", [["--help"], ["--version"], ["serach"], ["--nope"]])
def test_the_top_of_the_command_line_loads_no_event_loop_and_no_room_but_core(argv: list[str]) -> None:
    code = (
        "import sys, os\nsys.stdout, out = open(os.devnull, 'w'), sys.stdout\nsys.stderr = sys.stdout\n"
        f"sys.argv = ['webseam', *{argv}]\nfrom webseam.surfaces.cli.main import run\n"
        "try: run()\nexcept SystemExit: pass\nsys.stdout.close()\nsys.stdout = out"
    )
    loaded = _loaded_by(code)
    assert not loaded & {"asyncio", "ssl", "msgspec", "webseam.wiring.config", "webseam.tools", "webseam.core.web"}
