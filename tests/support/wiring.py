"""Toy provider kinds with entry points of their own, and configurations in folders of their own."""

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import msgspec

from webseam.core.call import Call
from webseam.core.plugin import Kit, ProviderSpec
from webseam.core.types import FetchRequest, FetchResult, SearchRequest, SearchResult, Source, TextBody
from webseam.wiring.build import Built, build
from webseam.wiring.config import Loaded, load, survey


class EchoOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the toy kind takes."""

    base_url: str = "https://echo.invalid"
    tries: int = 1


class Echo:
    """Answers with what it was built from and asked, its key included: keys of the toy are no secrets."""

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self.kit = kit

    def available(self) -> bool:
        return self.kit.secret.configured()

    def unavailable_reason(self) -> str:
        return "no key is set"

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        call.check()
        key = await self.kit.secret.resolve()
        return SearchResult(
            provider=self.id,
            content=f"{request.query} {key} {self.kit.options.base_url}",
            sources=(Source(url="https://echo.invalid/1", title="One"),),
        )


class Open(Echo):
    """The same without a key."""

    def available(self) -> bool:
        return True

    async def search(self, request: SearchRequest, *, call: Call) -> SearchResult:
        call.check()
        return SearchResult(provider=self.id, content=request.query)


class Pages:
    """A fetch provider without a network."""

    def __init__(self, kit: Kit) -> None:
        self.id = kit.id
        self.kit = kit

    def available(self) -> bool:
        return True

    async def fetch(self, request: FetchRequest, *, call: Call) -> FetchResult:
        call.check("fetch")
        return FetchResult(provider=self.id, url=request.url, status_code=200, body=TextBody(content="text"))


class Renamed(Open):
    """Calls itself something else than it was built as."""

    def __init__(self, kit: Kit) -> None:
        super().__init__(kit)
        self.id = "somebody"


def _fails(_kit: Kit) -> Open:
    raise RuntimeError("cannot be built")


ECHO = ProviderSpec(
    kind="echo", capability="search", build=Echo, options=EchoOptions, key_env=("ECHO_API_KEY", "ECHO_KEY")
)
OTHER = ProviderSpec(kind="other", capability="search", build=Echo, options=EchoOptions, key_env=("OTHER_API_KEY",))
FREE = ProviderSpec(kind="free", capability="search", build=Open, keyless=True)
EXA_MCP = ProviderSpec(
    kind="exa-mcp", capability="search", build=Open, options=EchoOptions, key_env=("ECHO_API_KEY",), keyless=True
)
HALF_FREE = ProviderSpec(
    kind="half-free", capability="search", build=Open, key_env=("HALF_KEY",), keyless=True, key_optional=True
)
RENAMED = ProviderSpec(kind="renamed", capability="search", build=Renamed, keyless=True)
BROKEN = ProviderSpec(kind="broken", capability="search", build=_fails, keyless=True)
HTTP = ProviderSpec(kind="http", capability="fetch", build=Pages)
NO_SPEC = {"kind": "no-spec"}

_TOYS = {
    "search": {
        "echo": "ECHO",
        "other": "OTHER",
        "free": "FREE",
        "exa-mcp": "EXA_MCP",
        "half-free": "HALF_FREE",
        "renamed": "RENAMED",
        "broken": "BROKEN",
        "no-spec": "NO_SPEC",
        "misnamed": "FREE",
        "absent": "ABSENT",
    },
    "fetch": {"http": "HTTP"},
}


def toys() -> EntryPoints:
    """The entry points of the toy kinds, as an installation would hold them."""
    return EntryPoints(
        EntryPoint(name=name, value=f"support.wiring:{attribute}", group=f"webseam.{group}")
        for group, names in _TOYS.items()
        for name, attribute in names.items()
    )


class Desk:
    """A home, a project folder in a repository, and an environment; nothing of the machine."""

    def __init__(self, root: Path) -> None:
        self.home = root / "desk-home"
        self.cwd = self.home / "work" / "project"
        (self.cwd / ".git").mkdir(parents=True)
        self.user_file = self.home / ".config" / "webseam" / "webseam.toml"
        self.project_file = self.cwd / "webseam.toml"
        self.environ: dict[str, str] = {"HOME": str(self.home)}

    def user(self, text: str) -> "Desk":
        self.user_file.parent.mkdir(parents=True, exist_ok=True)
        self.user_file.write_text(text, encoding="utf-8")
        return self

    def project(self, text: str) -> "Desk":
        self.project_file.write_text(text, encoding="utf-8")
        return self

    def env(self, **variables: str) -> "Desk":
        self.environ.update(variables)
        return self

    def load(self, arguments: Mapping[str, Any] | None = None) -> Loaded:
        return load(arguments=arguments or {}, environ=self.environ, cwd=self.cwd, home=self.home)

    def survey(self, arguments: Mapping[str, Any] | None = None) -> Loaded:
        return survey(arguments=arguments or {}, environ=self.environ, cwd=self.cwd, home=self.home)

    def build(self, arguments: Mapping[str, Any] | None = None, *, discover: Callable[[], EntryPoints] = toys) -> Built:
        return build(self.load(arguments), discover=discover)


def answer(built: Built, query: str = "q") -> SearchResult:
    """What a search through the whole `Web` gives."""
    return asyncio.run(built.web.search(query))
