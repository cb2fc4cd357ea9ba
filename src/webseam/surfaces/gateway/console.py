"""The console's files: what this package holds, nothing else, and nothing that a page could be made to load besides."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from webseam.core.limits import CONSOLE_FILE_BYTES
from webseam.surfaces.gateway.reply import Reply

PAGE: Final = "index.html"
FOLDER: Final = "/console/"
TYPES: Final[Mapping[str, str]] = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Content Security Policy Level 3 and Trusted Types: text of the web cannot become markup or script there."""

_HEADERS: Final = (
    ("content-security-policy", POLICY),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.\-]*\.(js|css|svg)", re.ASCII)
_TAG: Final = re.compile(r'(?:W/)?("[^"]*")')
_ANY: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file, and how it is answered."""

    body: bytes
    media_type: str
    tag: str

    def reply(self, if_none_match: str) -> Reply:
        """The file, or 304 for a client that has it (RFC 9110 section 13.1.2)."""
        headers = (("etag", self.tag), *_HEADERS)
        if if_none_match.strip() == _ANY or self.tag in _TAG.findall(if_none_match):
            return Reply(status=304, body=b"", media_type="", headers=headers, cache="no-cache")
        return Reply(status=200, body=self.body, media_type=self.media_type, headers=headers, cache="no-cache")


def assets() -> Mapping[str, Asset]:
    """The files of the package by their path; empty where the package holds none."""
    return dict(_found())


def _found() -> Iterator[tuple[str, Asset]]:
    folder = files(__package__) / "console"
    if not folder.is_dir():
        return
    for one in folder.iterdir():
        form = _NAME.fullmatch(one.name)
        if not one.is_file() or not (form or one.name == PAGE):
            continue
        body = one.read_bytes()
        if len(body) > CONSOLE_FILE_BYTES:
            raise ValueError(f"{one.name} is too large for a file of the console")
        media_type = "text/html; charset=utf-8" if form is None else TYPES[form[1]]
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        yield (
            "/" if form is None else f"{FOLDER}{one.name}",
            Asset(body=body, media_type=media_type, tag=tag),
        )
