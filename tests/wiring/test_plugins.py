"""Plugins by entry point: one that fails breaks nobody else and says why; only what is needed is imported."""

import asyncio
import sys
from importlib.metadata import Distribution, EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from support.wiring import Desk, answer, toys
from webseam.core.errors import Code, WebError
from webseam.wiring.build import build
from webseam.wiring.plugins import load_plugins


def reasons(desk: Desk) -> dict[str, str]:
    return {skip.id: skip.reason for skip in desk.build().plan.skipped}


@pytest.mark.req("wiring:plugins:broken")
def test_a_plugin_that_does_not_load_is_reported_and_breaks_nobody(desk: Desk) -> None:
    told = reasons(desk.env(ECHO_API_KEY="k"))
    assert "AttributeError" in told["absent"]
    assert "no ProviderSpec but dict" in told["no-spec"]
    assert "search:free, not search:misnamed" in told["misnamed"]
    assert answer(desk.build()).provider == "echo"


@pytest.mark.req("wiring:plugins:broken")
def test_a_module_that_exits_at_import_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "exits_at_import.py").write_text("raise SystemExit('bye')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint(name="exits", value="exits_at_import:SPEC", group="webseam.search")
    (plugin,) = load_plugins(discover=lambda: EntryPoints([point])).plugins
    assert plugin.problem == "does not import (SystemExit: bye)"


FAULTY = """
import msgspec
from webseam import ProviderSpec

class Needy(msgspec.Struct):
    place: str

class Shapeless:
    def __init__(self, kit):
        self.id = kit.id

class Later(Shapeless):
    async def available(self):
        return True
    async def search(self, request, *, call):
        raise AssertionError

def spec(kind, build=Shapeless, options=None):
    return ProviderSpec(kind=kind, capability="search", build=build, options=options)

NOTHING = spec("nothing", lambda kit: None)
SHAPELESS = spec("shapeless")
LATER = spec("later", Later)
LOOSE = spec("loose", options=dict)
NEEDY = spec("needy", options=Needy)
"""


@pytest.mark.req("wiring:plugins:broken", "wiring:plugins:broken-named")
@pytest.mark.parametrize(
    ("named", "reason"),
    [
        ("nothing", "made a NoneType without id and available and search"),
        ("shapeless", "made a Shapeless without available and search"),
        ("later", "its available() is async, and must answer at once"),
        ("loose", "its options are no msgspec.Struct class"),
        ("needy", "its options need a default for every field (Missing required argument 'place')"),
    ],
)
def test_a_plugin_of_the_wrong_shape_is_unavailable_and_breaks_nobody(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, reason: str
) -> None:
    (tmp_path / "faulty_shapes.py").write_text(FAULTY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "faulty_shapes", raising=False)
    point = EntryPoint(name=named, value=f"faulty_shapes:{named.upper()}", group="webseam.search")
    desk.env(ECHO_API_KEY="k")
    built = desk.build({"search": {"route": [named, "echo"]}}, discover=lambda: EntryPoints([*toys(), point]))

    state = next(one for one in built.web.describe()[0].providers if one.id == named)
    assert (state.available, reason in (state.reason or "")) == (False, True), state.reason
    assert answer(built).provider == "echo"


@pytest.mark.req("wiring:plugins:broken-named")
@pytest.mark.parametrize(
    ("named", "reason"),
    [("absent", "does not import"), ("broken", "could not be built (RuntimeError"), ("renamed", "calls itself")],
)
def test_a_named_provider_whose_plugin_failed_is_unavailable_and_says_why(desk: Desk, named: str, reason: str) -> None:
    built = desk.env(ECHO_API_KEY="k").build({"search": {"provider": named}})
    state = next(one for one in built.web.describe()[0].providers if one.id == named)
    assert reason in (state.reason or "")
    with pytest.raises(WebError) as caught:
        answer(built)
    assert caught.value.code == Code.PROVIDER_CONFIGURED_UNAVAILABLE


@pytest.mark.req("wiring:plugins:disabled")
def test_a_disabled_plugin_is_not_even_imported(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "never_imported.py").write_text("", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    points = EntryPoints([*toys(), EntryPoint(name="never", value="never_imported:SPEC", group="webseam.search")])
    desk.user('[plugins]\ndisabled = ["search:never", "search:exa-mcp"]\n')
    built = desk.build(discover=lambda: points)
    assert "never_imported" not in sys.modules
    told = {skip.id: skip.reason for skip in built.plan.skipped}
    assert told["never"] == told["exa-mcp"] == "disabled by plugins.disabled"
    assert built.plan.notice is None


@pytest.mark.req("wiring:plugins:only-needed")
def test_a_capability_that_is_not_needed_is_not_loaded_but_a_table_is_still_checked(desk: Desk) -> None:
    loaded = load_plugins(("fetch",), discover=toys)
    assert [one.id for one in loaded.plugins] == ["fetch:http"]
    desk.user("[providers.echo]\ntires = 3\n")
    with pytest.raises(WebError, match=r"providers.echo\.tires"):
        build(desk.load(), capabilities=("fetch",), discover=toys)


@pytest.mark.req("wiring:plugins:pinned")
def test_plugins_can_be_pinned_to_named_distributions(desk: Desk) -> None:
    built = desk.env(WEBSEAM_LOAD_PLUGINS="webseam").build()
    assert {skip.reason for skip in built.plan.skipped} == {"left out by WEBSEAM_LOAD_PLUGINS"}


@pytest.mark.req("wiring:plugins:claimed-twice")
def test_a_name_claimed_by_two_distributions_is_nobodys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import entry_points  # noqa: PLC0415 - reads the path as this test leaves it

    for name in ("first", "second"):
        info = tmp_path / f"webseam_{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: webseam-{name}\nVersion: 1\n", encoding="utf-8")
        claim = "[webseam.search]\nmine = support.wiring:FREE\nexa = support.wiring:FREE\n"
        (info / "entry_points.txt").write_text(claim, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    installed = load_plugins(("search",), discover=entry_points)
    mine = {one.distribution: one.problem for one in installed.plugins if one.name == "mine"}
    assert set(mine) == {"webseam-first", "webseam-second"}
    assert all("also claimed by" in (problem or "") for problem in mine.values())
    taken = {one.distribution: one.problem for one in installed.plugins if one.name == "exa"}
    assert taken["webseam"] is None
    assert "also claimed by webseam" in (taken["webseam-first"] or "")


# Tables and options ------------------------------------------------------------------------------------


BAD_OPTIONS = [
    ("[providers.echo]\nbase_ur = 'x'\n", "providers.echo.base_ur", 'Did you mean "base_url"?'),
    ("[providers.echo]\nbase_url = 3\n", "providers.echo.base_url", "found 3"),
    ("[providers.echo]\ntries = '3'\n", "providers.echo.tries", 'found "3"'),
    ("[providers.ecko]\n", "providers.ecko.kind", 'Did you mean "echo"?'),
    ("[providers.mine]\nkind = 'ecko'\n", "providers.mine.kind", 'Did you mean "echo"?'),
    ("[providers.http]\nbase_url = 'x'\n", "providers.http.base_url", "unknown key"),
    ("[providers.http]\nkey = 'hidden-value'\n", "providers.http.key", "takes no key"),
]


@pytest.mark.req("wiring:options:strict")
@pytest.mark.parametrize(("text", "place", "said"), BAD_OPTIONS)
def test_options_are_strict_and_errors_name_the_path(desk: Desk, text: str, place: str, said: str) -> None:
    with pytest.raises(WebError) as caught:
        desk.user(text).build()
    assert caught.value.code == Code.CONFIG_INVALID
    assert f"user file {desk.user_file}: {place}: " in caught.value.message or "configuration: " in caught.value.message
    assert place in caught.value.message
    assert said in caught.value.message
    assert "hidden-value" not in caught.value.message


@pytest.mark.req("wiring:options:layers")
def test_a_higher_layer_changes_one_option_and_keeps_the_kind(desk: Desk) -> None:
    desk.user("[providers.mine]\nkind = 'echo'\nkey = 'k'\n[search]\nprovider = 'mine'\n")
    built = desk.build({"providers": {"mine": {"base_url": "https://b.invalid"}}})
    assert answer(built).content == "q k https://b.invalid"


@pytest.mark.req("wiring:build:lazy")
def test_building_opens_nothing_and_closing_twice_is_fine(desk: Desk) -> None:
    built = desk.build()

    async def close() -> None:
        await built.web.aclose()
        await built.web.aclose()

    asyncio.run(close())


class Counted(Distribution):
    """An installed distribution that counts how often its metadata is read."""

    def __init__(self) -> None:
        self.reads: list[str] = []

    def read_text(self, filename: str) -> str | None:
        self.reads.append(filename)
        kinds = "".join(f"kind{number} = support.wiring:ECHO\n" for number in range(5))
        files = {
            "METADATA": "Metadata-Version: 2.1\nName: webseam-toys\n",
            "entry_points.txt": f"[webseam.search]\n{kinds}",
        }
        return files.get(filename)

    def locate_file(self, path: Any) -> Any:
        raise FileNotFoundError(path)


@pytest.mark.req("wiring:plugins:read-once")
def test_the_metadata_of_a_distribution_is_read_once_however_many_kinds_it_has() -> None:
    toys = Counted()
    installed = load_plugins(discover=lambda: EntryPoints(toys.entry_points))
    assert [one.distribution for one in installed.plugins] == ["webseam-toys"] * 5
    assert toys.reads.count("METADATA") == 1
