"""Adding a search vendor touches one file, one entry-point line and one fixture: this test adds one."""

import json
from pathlib import Path

import pytest

from support.cli import Shell, site
from support.wiring import Desk

VENDOR_FILE = '''
"""A whole vendor."""

import json

import msgspec

from webseam import Call, Kit, ProviderSpec, SearchRequest, SearchResult, Source, VendorRequest


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://toy.invalid"


class Toy:
    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self.kit = kit

    def available(self) -> bool:
        return self.kit.secret.configured()

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        key = await self.kit.secret.resolve()
        url = f"{self.kit.options.base_url}/find"
        ask = VendorRequest(
            provider=self.id, method="GET", url=url, headers={"Authorization": f"Bearer {key}"}, secrets=(key,)
        )
        rows = json.loads((await self.kit.transport.send(ask, call=call)).body)["rows"]
        return SearchResult(provider=self.id, sources=tuple(Source(url=row["u"], title=row["t"]) for row in rows))


SPEC = ProviderSpec(
    kind="toy", capability="search", build=Toy, options=Options, key_env=("TOY_API_KEY",), summary="A toy."
)
'''
ENTRY_POINT_LINE = "toy = webseam_toy_vendor:SPEC"
FIXTURE = {"rows": [{"u": "https://kelp.test/", "t": "Kelp"}, {"u": "https://permit.test/", "t": "Permit"}]}


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A desk with the toy vendor's distribution on the path, as an installer would leave it."""
    folder = tmp_path / "site-packages"
    info = folder / "webseam_toy_vendor-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "webseam_toy_vendor.py").write_text(VENDOR_FILE, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: webseam-toy-vendor\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[webseam.search]\n{ENTRY_POINT_LINE}\n", encoding="utf-8")
    (folder / "fixture.json").write_text(json.dumps(FIXTURE), encoding="utf-8")
    return Shell(Desk(tmp_path).env(PYTHONPATH=str(folder)))


@pytest.mark.req("wiring:toy-vendor")
def test_a_vendor_is_one_file_one_line_and_one_fixture(shell: Shell, tmp_path: Path) -> None:
    fixture = (tmp_path / "site-packages" / "fixture.json").read_bytes()
    with site(lambda _path: (200, {"Content-Type": "application/json"}, fixture)) as url:
        shell.desk.user(f"[providers.toy]\nbase_url = '{url}'\n").env(TOY_API_KEY="k-0123456789")
        done = shell.spawn("search", "--json", "kelp")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert [source["url"] for source in result["sources"]] == ["https://kelp.test/", "https://permit.test/"]
    assert result["attempts"][0]["dispatched"] is True
    assert result["provider"] == "toy"


@pytest.mark.req("wiring:toy-vendor")
def test_without_its_key_it_is_listed_with_the_variable_to_set(shell: Shell) -> None:
    done = shell.spawn("providers", "--json")
    assert done.returncode == 0, done.stderr
    toy = next(row for row in json.loads(done.stdout)["search"]["providers"] if row["id"] == "toy")
    assert toy["state"] == "off"
    assert "set TOY_API_KEY" in toy["reason"]
