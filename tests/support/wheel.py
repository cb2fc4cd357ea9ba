"""A wheel of `make build`, installed into an environment of its own, far from the checkout."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

from mcp.client.stdio import StdioServerParameters

ROOT: Final = Path(__file__).parents[2]
ENVIRON: Final = dict(os.environ)
"""As it was before the tests' environment is scrubbed: uv finds its cache and its certificates by it."""

UV: Final = str(Path(sys.executable).parent / "uv")


def built() -> Path | None:
    """The folder that `make build` wrote to, where `make wheel` names it."""
    named = ENVIRON.get("WEBSEAM_DIST")
    return ROOT / named if named else None


def uv(*arguments: str | Path) -> None:
    """Run uv with the machine's own settings; its complaint is in the error."""
    done = subprocess.run([UV, *arguments], env=ENVIRON, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - the environment's own uv
    assert done.returncode == 0, done.stderr


@dataclass(frozen=True, slots=True)
class Installed:
    """The environment, and the home of a user who has nothing but it."""

    python: Path
    home: Path
    wheel: Path

    @property
    def command(self) -> Path:
        return self.python.parent / "webseam"

    @property
    def environ(self) -> Mapping[str, str]:
        return {"PATH": f"{self.python.parent}{os.pathsep}/usr/bin{os.pathsep}/bin", "HOME": str(self.home)}

    def run(self, *arguments: str | Path, code: str | None = None) -> str:
        """Standard output of the command, or of Python where there is code."""
        told = (self.command, *arguments) if code is None else (self.python, "-I", "-c", code)
        argv = [str(one) for one in told]
        done = self.attempt(argv)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def attempt(self, argv: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        """Run something in the user's home, whatever comes of it."""
        environ = dict(self.environ)
        return subprocess.run(  # noqa: S603 - what was installed here
            argv,
            env=environ,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    @property
    def config(self) -> Path:
        return self.home / ".config" / "webseam" / "webseam.toml"

    def configure(self, text: str) -> None:
        """Write the user's own configuration."""
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(text, encoding="utf-8")

    @contextmanager
    def gateway(self) -> Iterator[str]:
        """`webseam serve` on a free port; yields its address."""
        process = subprocess.Popen(  # noqa: S603 - what was installed here
            [str(self.command), "serve", "--listen", "127.0.0.1:0"],
            env=dict(self.environ),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            try:
                assert process.stderr is not None
                told = next((line for line in process.stderr if "gateway at http://" in line), "")
                assert told, "it did not start"
                yield told.split("gateway at ")[1].split(" ")[0]
            finally:
                process.kill()

    @property
    def server(self) -> StdioServerParameters:
        """What a host starts."""
        return StdioServerParameters(command=str(self.command), args=["mcp"], env=dict(self.environ), cwd=self.home)

    @property
    def uvx_server(self) -> StdioServerParameters:
        """What the documentation's configuration starts, the wheel standing in for the name of the package."""
        source = f"webseam[mcp] @ {self.wheel.resolve().as_uri()}"
        pinned = ["--quiet", "--constraints", str(ROOT / "constraints.txt"), "--python", sys.executable]
        environ = {**ENVIRON, "UV_SYSTEM_CERTS": "1", "WEBSEAM_CONFIG": str(self.config)}
        argv = [*pinned, "--from", source, "webseam", "mcp"]
        return StdioServerParameters(command=f"{UV}x", args=argv, env=environ, cwd=self.home)


def install(wheel: Path, folder: Path, extras: str = "") -> Installed:
    """A fresh environment with the wheel, its extras (`[mcp]`), and what they need."""
    home = folder / "home"
    home.mkdir(parents=True)
    python = folder / "env" / "bin" / "python"
    uv("venv", "--quiet", "--python", sys.executable, folder / "env")
    uv(
        *("pip", "install", "--quiet", "--system-certs", "--python", python),
        *("--constraints", ROOT / "constraints.txt", f"webseam{extras} @ {wheel.resolve().as_uri()}"),
    )
    return Installed(python, home, wheel)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the standard library
        """Say nothing."""


@contextmanager
def folder_on_loopback(folder: Path) -> Iterator[str]:
    """Serve the files of a folder; yields the address they begin with."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
