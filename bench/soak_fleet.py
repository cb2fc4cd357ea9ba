"""The replicas of a soak: processes of `webseam serve`, how they end, and what they leave behind."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from soak_state import LOOK, START_SECONDS, State, end_with_parent

from webseam.wiring.tenants import Policy
from webseam.wiring.token_book import TokenBook
from webseam.wiring.tokens_file import TOKENS_FILE

EXECUTABLE: Final = str(Path(sys.executable).parent / "webseam")
END_SECONDS: Final = 60.0


@dataclass(slots=True)
class Replica:
    """A `webseam serve`; each start is another incarnation with a name of its own: `a1`, `a2`.

    `takes` says that clients may come, `lag` how long it took to say so, at most.
    """

    name: str
    home: Path
    starts: int = 0
    port: int = 0
    takes: bool = False
    lag: float = 0.0
    process: "subprocess.Popen[bytes] | None" = None
    groups: list[int] = field(default_factory=list)

    @property
    def incarnation(self) -> str:
        """The name of the process that runs, or ran last."""
        return f"{self.name}{self.starts}"

    @property
    def environ(self) -> dict[str, str]:
        """Of its commands: nothing of this machine but where programs and modules are."""
        named = {"HOME": self.home, "WEBSEAM_CONFIG": self.home / "webseam.toml", "WEBSEAM_DATA_DIR": self.home}
        found = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return found | {name: str(path) for name, path in named.items()}

    async def start(self, config: Mapping[str, Any]) -> None:
        """Start with this configuration, and wait until it serves.

        Raises:
            RuntimeError: it ended instead; the message has its log.
        """
        (self.home / "webseam.toml").write_text(to_toml(config), encoding="utf-8")
        self.starts += 1
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: ASYNC220, S603 - it returns at once; our own
                [EXECUTABLE, "serve", "--listen", "127.0.0.1:0"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env=self.environ,
                cwd=self.home,
                start_new_session=True,  # so that whatever it starts can be found afterwards
                preexec_fn=end_with_parent,  # noqa: PLW1509 - it takes no lock
            )
        self.groups.append(self.process.pid)
        async with asyncio.timeout(START_SECONDS):
            while not (found := _port_in(self.log)):
                if self.process.poll() is not None:
                    raise RuntimeError(f"{self.incarnation} did not start: {self.log.read_text(encoding='utf-8')}")
                await asyncio.sleep(LOOK)
        self.port, self.takes, self.lag = found, True, 0.0

    @property
    def log(self) -> Path:
        """What this incarnation wrote to stderr."""
        return self.home / f"{self.incarnation}.log"

    def kill(self) -> float:
        """End it as a crash does; returns when, in monotonic seconds, just after."""
        assert self.process is not None
        self.takes = False
        self.process.kill()
        died = time.monotonic()
        self.process.wait()
        return died

    async def drain(self) -> int:
        """SIGTERM, and wait for its end; clients go on coming until it says that it takes no more. Its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(END_SECONDS):
            while (code := self.process.poll()) is None:  # noqa: ASYNC110 - another process
                await asyncio.sleep(LOOK)
        self.takes = False
        return code

    def size(self) -> tuple[int, int] | None:
        """Bytes of memory and number of open files; None where the system does not tell."""
        if self.process is None or not (facts := Path(f"/proc/{self.process.pid}")).is_dir():
            return None
        pages = int((facts / "statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE"), len(list((facts / "fd").iterdir()))

    async def left(self) -> list[str]:
        """Processes that it started and that outlive it; they get a moment to notice that it is gone."""
        for _ in range(100):
            alive = [one for one in self.groups if _has_processes(one)]
            if not alive:
                return []
            await asyncio.sleep(0.1)
        for one in alive:
            os.killpg(one, signal.SIGKILL)
        return [f"processes of {self.name} (group {one})" for one in alive]

    def end(self) -> None:
        """Kill it where it still runs, and whatever it started."""
        self.takes = False
        for one in self.groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(one, signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def command(self, *argv: str) -> bytes:
        """What a command of webseam prints under this replica's configuration."""
        done = subprocess.run([EXECUTABLE, *argv], env=self.environ, cwd=self.home, check=True, capture_output=True)  # noqa: S603 - our own
        return done.stdout


@contextlib.asynccontextmanager
async def processes(
    folder: Path, program: str, names: Sequence[str] = ("a", "b")
) -> AsyncIterator[tuple[State, list[Replica]]]:
    """The shared server, running, and replicas that are still to be started; all of them end with the block."""
    homes = [folder / one for one in ("state", *names)]
    for home in homes:
        home.mkdir()
    state = State(program, homes[0])
    replicas = [Replica(name, home) for name, home in zip(names, homes[1:], strict=True)]
    try:
        await state.start()
        yield state, replicas
    finally:
        for one in replicas:
            one.end()
        state.kill()


def hand_out(replicas: Sequence[Replica], tenants: Mapping[str, Policy]) -> dict[str, str]:
    """A token for each tenant, known to every replica."""
    book = TokenBook(replicas[0].home / TOKENS_FILE)
    tokens = {tenant: book.create(tenant, policy)[1] for tenant, policy in tenants.items()}
    for one in replicas[1:]:
        shutil.copy2(replicas[0].home / TOKENS_FILE, one.home / TOKENS_FILE)
    return tokens


def config_of(origin: str, state: str, *, when_away: str) -> dict[str, Any]:
    """A replica's configuration: two search vendors in a route, one that extracts, pages, all kept in the fleet."""
    vendor = {"kind": "custom", "rows": "items", "rate": "1000/s", "params": {"q": "{query}"}}
    vendors = {name: {**vendor, "base_url": f"{origin}/search/{name}"} for name in ("kelp", "dulse")}
    return {
        "fleet": {"url": state, "when_away": when_away},
        "ledger": {"keep": "fleet", "text": True},
        "search": {"route": ["kelp", "dulse"], "cache": "fleet"},
        "fetch": {"cache": "fleet", "private_networks": ["127.0.0.0/8"], "robots": "off"},
        "extract": {"provider": "tavily"},
        "tools": {"extract": True},
        "providers": {**vendors, "tavily": {"base_url": f"{origin}/extract"}},
    }


def to_toml(config: Mapping[str, Any], above: str = "") -> str:
    """Tables of strings, numbers, booleans and lists: JSON's are TOML's too."""
    plain = [f"{name} = {json.dumps(value)}\n" for name, value in config.items() if not isinstance(value, Mapping)]
    tables = (to_toml(value, f"{above}{name}.") for name, value in config.items() if isinstance(value, Mapping))
    return "".join(([f"[{above[:-1]}]\n"] if above and plain else []) + plain) + "".join(tables)


def _port_in(log: Path) -> int:
    """The port that a replica says it serves on; 0 while it does not."""
    _, found, rest = log.read_text(encoding="utf-8").partition("gateway at http://127.0.0.1:")
    digits = rest.split(" ")[0].split("\n")[0]
    return int(digits) if found and digits.isdecimal() and " " in rest else 0


def _has_processes(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of processes that are gone but for their exit code
        return False
    return True
