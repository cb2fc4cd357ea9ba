"""`webseam index`: fill the local index from URLs, a sitemap, or a folder."""

import asyncio
import os.path
from pathlib import Path
from typing import Any, Final

import click

from webseam.core.plain import to_plain
from webseam.core.text import one_line
from webseam.core.web import Web
from webseam.stores.index import LocalIndex
from webseam.surfaces.cli.command import Command, usage
from webseam.surfaces.cli.edge import edge_options
from webseam.surfaces.cli.session import Session
from webseam.wiring.build import REAL, build
from webseam.wiring.config import load
from webseam.wiring.index_folder import index_folder
from webseam.wiring.index_report import IndexReport
from webseam.wiring.indexing import index_sitemap, index_urls
from webseam.wiring.provider_tables import index_file

NOTHING: Final = 5
"""Exit code when pages were asked for and none was taken in."""

EXAMPLES: Final = (
    "webseam index https://example.com/ https://example.com/about",
    "webseam index --sitemap https://example.com/sitemap.xml",
    "webseam index --folder ./site --base-url https://example.com/",
    "webseam index - < urls.txt && webseam search --provider local kelp",
)


@click.command("index", cls=Command, examples=EXAMPLES, short_help="Build the local search index.")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--sitemap", metavar="URL", help="Take in the pages of this sitemap.")
@click.option("--folder", metavar="DIR", help="Take in the HTML, Markdown and text files of this folder.")
@click.option("--base-url", metavar="URL", help="With --folder: where its files are published.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@edge_options
@click.pass_obj
def command(session: Session, /, urls: tuple[str, ...], **options: Any) -> int:
    """Build the local search index. URL `-` reads one URL per line from standard input.

    The provider `local` searches it, without network or key. What was taken in goes to stdout, what was skipped and
    why to stderr. Exits 5 when nothing at all was taken in.
    """
    asked = session.entries(urls)
    _check(session, asked, options)
    report = asyncio.run(_index(session, asked, options))
    if options["as_json"]:
        session.out.json(to_plain(report))
    else:
        for url in report.indexed:
            session.out.data(url)
        session.out.note(f"indexed {len(report.indexed)}, skipped {len(report.skipped)}")
    return 0 if report.indexed else NOTHING


def _check(session: Session, urls: list[str], options: dict[str, Any]) -> None:
    """One kind of input, and a base URL for a folder.

    Raises:
        WebError: `INVALID_ARGS`.
    """
    given = [name for name, value in (("URLs", urls), *options.items()) if value and name in _INPUTS]
    if len(given) != 1:
        raise usage("Give one of: URLs, --sitemap, --folder with --base-url.")
    if bool(options["folder"]) != bool(options["base_url"]):
        raise usage("--folder and --base-url belong together: a source must have a URL.")
    folder = next((one for one in urls if os.path.isdir(session.cwd / one)), None)  # noqa: PTH112 - any text may come
    if folder is not None:
        raise usage(f"{one_line(folder, limit=80)} is a folder. Give it as --folder, with the --base-url of its files.")


_NAMED: Final = {"permission": {"unseen": "allow"}}
"""Who names a sitemap gives all the pages that it lists; the other rules of permission hold."""

_INPUTS: Final = ("URLs", "sitemap", "folder")


async def _index(session: Session, urls: list[str], options: dict[str, Any]) -> IndexReport:
    loaded = load(arguments=_NAMED, environ=session.environ, cwd=session.cwd, silence=session.silence)
    index = LocalIndex(index_file(loaded), read_only=False)
    if options["folder"]:
        folder = Path(session.cwd / options["folder"])
        return await index_folder(index, folder, base_url=options["base_url"], progress=_told(session))
    seams = session.seams or REAL
    built = build(loaded, seams=seams, capabilities=("fetch",), emit=session.emit, edge=session.edge)
    async with built.web as web:
        return await _from_web(session, web, index, urls, options["sitemap"])


async def _from_web(session: Session, web: Web, index: LocalIndex, urls: list[str], sitemap: str | None) -> IndexReport:
    if sitemap:
        return await index_sitemap(web, index, sitemap, progress=_told(session))
    return await index_urls(web, index, urls, progress=_told(session))


def _told(session: Session) -> Any:
    """Skipped inputs are always told; those taken in are on stdout at the end."""

    def tell(line: str) -> None:
        if line.startswith("skipped") or session.out.stderr.isatty():
            session.out.note(line)

    return tell
