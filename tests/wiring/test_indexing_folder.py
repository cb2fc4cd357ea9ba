"""A folder of files into the index, under the URLs where it is published."""

import os
from pathlib import Path

import pytest

from support.index import found, urls
from webseam.core.errors import WebError
from webseam.core.limits import INDEX_FILE_BYTES
from webseam.stores.index import LocalIndex
from webseam.wiring.indexing import IndexReport, index_folder

BASE = "https://docs.test/v1/"


def write(root: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


async def taken_in(root: Path, index: LocalIndex, base_url: str = BASE) -> IndexReport:
    return await index_folder(index, root, base_url=base_url)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


@pytest.fixture
def index(tmp_path: Path) -> LocalIndex:
    return LocalIndex(tmp_path / "index.sqlite3", read_only=False)


@pytest.mark.req("wiring:indexing:folder")
async def test_files_become_pages_under_the_base_url(root: Path, index: LocalIndex) -> None:
    write(
        root,
        {
            "index.html": "<title>Home</title><p>welcome",
            "guide/index.html": "<h1>The guide</h1><p>read me",
            "guide/a b#c?%.md": "---\nlayout: x\ntitle: 'Front'\n---\n# Heading\n\nkelp",
            "guide/plain.markdown": "intro\n\n# The *kelp* farm #\n\ntext",
            "notes.TXT": "Notes of the crab",
            "\u65e5\u672c/\u00e9.text": "\u6771\u4eac",
            "old.htm": "<p>untitled oak",
            "x.xhtml": "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>X</title></head><body>birch</body></html>",
        },
    )
    report = await taken_in(root, index)
    assert report.skipped == ()
    assert set(report.indexed) == {
        BASE,
        f"{BASE}guide/",
        f"{BASE}guide/a%20b%23c%3F%25.md",
        f"{BASE}guide/plain.markdown",
        f"{BASE}notes.TXT",
        f"{BASE}%E6%97%A5%E6%9C%AC/%C3%A9.text",
        f"{BASE}old.htm",
        f"{BASE}x.xhtml",
    }
    titles = {}
    for word in ("welcome", "read", "layout", "kelp", "farm", "crab", "\u6771\u4eac", "oak", "birch"):
        titles[word] = [hit.title for hit in (await index.search(word, limit=9)).hits]
    assert titles == {
        "welcome": ["Home"],
        "read": ["The guide"],
        "layout": [],
        "kelp": ["The kelp farm", "Front"],
        "farm": ["The kelp farm"],
        "crab": [None],
        "\u6771\u4eac": [None],
        "oak": [None],
        "birch": ["X"],
    }


@pytest.mark.req("wiring:indexing:folder-base")
@pytest.mark.parametrize("base", ["https://docs.test/v1", "https://docs.test/v1/", "HTTPS://DOCS.test:443/v1"])
async def test_a_base_url_is_a_folder_with_or_without_its_last_slash(root: Path, index: LocalIndex, base: str) -> None:
    write(root, {"a.txt": "kelp"})
    assert (await taken_in(root, index, base)).indexed == ("https://docs.test/v1/a.txt",)


@pytest.mark.req("wiring:indexing:folder-base")
@pytest.mark.parametrize(
    ("base", "code"),
    [
        ("docs", "WEB_INVALID_URL"),
        ("file:///srv/", "WEB_INVALID_URL"),
        ("https://u:p@docs.test/", "WEB_BLOCKED_URL"),
        ("https://docs.test/?v=1", "INVALID_ARGS"),
        ("https://docs.test/#top", "INVALID_ARGS"),
    ],
)
async def test_a_base_that_is_no_folder_on_the_web_is_refused(
    root: Path, index: LocalIndex, base: str, code: str
) -> None:
    write(root, {"a.txt": "kelp"})
    with pytest.raises(WebError) as caught:
        await taken_in(root, index, base)
    assert caught.value.code == code
    assert not index.path.exists()


@pytest.mark.req("wiring:indexing:folder-bad-input")
async def test_bad_files_are_skipped_with_the_reason_and_the_rest_is_taken_in(root: Path, index: LocalIndex) -> None:
    write(
        root,
        {
            "good.txt": "kelp",
            "binary.txt": b"MZ\0\1\2\3",
            "empty.md": "\n \n",
            "blank.html": "<!doctype html><title>nothing here</title>",
            "huge.txt": b"a" * (INDEX_FILE_BYTES + 1),
            "most.txt": b"b" * INDEX_FILE_BYTES,
            "style.css": "a{}",
            "p.png": b"\x89PNG",
            "q.png": b"\x89PNG",
            "LICENSE": "free",
            ".hidden.txt": "secret",
            ".git/x.txt": "secret",
        },
    )
    os.mkfifo(root / "pipe.txt")
    (root / "gone.txt").symlink_to(root / "nowhere.txt")
    (root / "loop.txt").symlink_to(root / "loop.txt")
    report = await taken_in(root, index)
    assert set(report.indexed) == {f"{BASE}good.txt", f"{BASE}most.txt"}
    assert {one.target.rpartition("/")[2]: one.code for one in report.skipped} == {
        "binary.txt": "WEB_UNSUPPORTED_CONTENT_TYPE",
        "empty.md": "empty",
        "blank.html": "empty",
        "huge.txt": "WEB_FETCH_TOO_LARGE",
        "pipe.txt": "WEB_UNSUPPORTED_CONTENT_TYPE",
        "gone.txt": "unreadable",
        "loop.txt": "unreadable",
        "site": "other_type",
    }
    (others,) = (one.message for one in report.skipped if one.code == "other_type")
    assert others == "4 files are no HTML, Markdown or text (.png 2, no suffix 1, .css 1)."


@pytest.mark.req("wiring:indexing:folder-links")
async def test_links_out_of_the_folder_are_not_followed(root: Path, index: LocalIndex, tmp_path: Path) -> None:
    write(tmp_path, {"private/secret.txt": "secret", "site/a.txt": "kelp", "site/sub/b.txt": "crab"})
    (root / "out.txt").symlink_to(tmp_path / "private" / "secret.txt")
    (root / "outdir").symlink_to(tmp_path / "private")
    (root / "in.txt").symlink_to(root / "a.txt")
    (root / "round").symlink_to(root)
    report = await taken_in(root, index)
    assert sorted(report.indexed) == [f"{BASE}a.txt", f"{BASE}in.txt", f"{BASE}sub/b.txt"]
    assert sorted((one.target.rpartition("/")[2], one.code) for one in report.skipped) == [
        ("out.txt", "outside"),
        ("outdir", "outside"),
    ]
    assert await found(index, "secret") == []


@pytest.mark.req("wiring:indexing:folder-charset")
async def test_text_is_read_in_its_own_encoding_and_wrong_bytes_never_stop_it(root: Path, index: LocalIndex) -> None:
    write(
        root,
        {
            "bom.txt": "\u0451\u043b\u043a\u0430".encode("utf-16"),
            "meta.html": "<meta charset=windows-1251><p>\u0431\u0435\u0440\u0451\u0437\u0430".encode("windows-1251"),
            "bad.txt": b"a long line of plain text with kelp and one bad byte \xe2\x82 in it, and more text after it",
        },
    )
    report = await taken_in(root, index)
    assert len(report.indexed) == 3
    assert await found(index, "\u0435\u043b\u043a\u0430") == [f"{BASE}bom.txt"]
    assert await found(index, "\u0431\u0435\u0440\u0435\u0437\u0430") == [f"{BASE}meta.html"]
    assert await found(index, "kelp") == [f"{BASE}bad.txt"]


async def test_a_file_name_that_is_no_text_has_a_url_of_its_bytes(root: Path, index: LocalIndex) -> None:
    (root / os.fsdecode(b"caf\xe9.txt")).write_text("kelp", encoding="utf-8")
    (root / os.fsdecode(b"no\xe9.txt")).write_text("", encoding="utf-8")
    report = await taken_in(root, index)
    assert report.indexed == (f"{BASE}caf%E9.txt",)
    assert report.skipped[0].target.endswith("no\ufffd.txt")


@pytest.mark.req("wiring:indexing:folder")
async def test_an_empty_folder_gives_nothing_and_no_folder_is_a_mistake(root: Path, index: LocalIndex) -> None:
    assert await taken_in(root, index) == IndexReport()
    write(root, {"a.txt": "kelp"})
    for wrong in (root / "none", root / "a.txt"):
        with pytest.raises(WebError, match="not a folder") as caught:
            await taken_in(wrong, index)
        assert caught.value.code == "INVALID_ARGS"


@pytest.mark.req("wiring:indexing:one-line-each")
async def test_many_files_are_taken_in_and_each_is_told(root: Path, index: LocalIndex) -> None:
    write(root, {f"{n:03}.txt": "kelp" if n % 10 else "" for n in range(120)})
    lines: list[str] = []
    report = await index_folder(index, root, base_url=BASE, progress=lines.append, now=lambda: "2026-11-30T00:00:00Z")
    assert (len(report.indexed), len(report.skipped), len(lines)) == (108, 12, 120)
    assert lines[1] == f"indexed {BASE}001.txt"
    assert (await index.stats()).documents == 108
    write(root, {"001.txt": "crab"})
    await taken_in(root, index)
    assert urls(await index.search("crab", limit=9)) == [f"{BASE}001.txt"]
