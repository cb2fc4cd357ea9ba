"""The systemd unit: what systemd's own reader says of it, and the two copies that it makes, made for real."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from support.cli import EXECUTABLE, Shell
from support.deploy import UNIT, parse, unit
from support.gateway import CONFIG, spawned
from webseam.core.limits import WORKER_COUNT, WORKER_MEMORY_BYTES
from webseam.wiring.config import load
from webseam.wiring.sources import read_bounded

ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="needs systemd-analyze")


def _variables(runtime: str = "/run") -> dict[str, str]:
    words = " ".join(unit()["Environment"]).replace("%S", "/var/lib").replace("%t", runtime)
    return dict(word.split("=", 1) for word in words.split())


@needs_systemd
@pytest.mark.req("deployment:unit")
def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    copy = tmp_path / UNIT.name
    copy.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/webseam/bin/webseam", str(EXECUTABLE)))
    told = subprocess.run(  # noqa: S603 - the machine's own tool
        [str(ANALYZE), "verify", "--man=no", str(copy)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert UNIT.name not in told.stdout + told.stderr


@needs_systemd
@pytest.mark.req("deployment:unit")
def test_systemd_rates_the_exposure_of_the_unit_as_small() -> None:
    told = subprocess.run(  # noqa: S603 - the machine's own tool
        [str(ANALYZE), "security", "--offline=true", "--threshold=20", "--no-pager", str(UNIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout[-200:]


@pytest.mark.req("deployment:unit")
def test_the_unit_writes_to_its_own_folders_alone_and_has_no_powers() -> None:
    told = unit()
    assert [told[name] for name in ("DynamicUser", "ProtectSystem", "NoNewPrivileges", "CapabilityBoundingSet")] == [
        ("yes",),
        ("strict",),
        ("yes",),
        ("",),
    ]
    assert "ReadWritePaths" not in told
    assert int(told["MemoryMax"][0].removesuffix("G")) * 2**30 > WORKER_COUNT * WORKER_MEMORY_BYTES


@pytest.mark.req("deployment:configuration")
def test_the_units_command_and_variables_are_webseams_own(tmp_path: Path) -> None:
    config = tmp_path / "webseam.toml"
    config.write_text("")
    environ = {**_variables(), "WEBSEAM_CONFIG": str(config)}
    loaded = load(environ=environ, cwd=tmp_path)
    name, *words = shlex.split(unit()["ExecStart"][0])
    parse(words)

    assert Path(name).name == "webseam"
    assert (str(loaded.places.data), loaded.config.secrets.file) == ("/var/lib/webseam", "/run/webseam/keys")
    assert unit()["SocketBindAllow"][0] == f"tcp:{loaded.config.serve.listen.rpartition(':')[2]}"
    assert int(unit()["TimeoutStopSec"][0]) > loaded.config.serve.drain_seconds


@pytest.mark.req("deployment:unit:credentials")
def test_tokens_and_keys_that_a_group_seems_to_read_are_copied_into_files_that_the_gateway_takes(
    shell: Shell, tmp_path: Path
) -> None:
    credentials, state, runtime = (tmp_path / name for name in ("credentials", "state", "runtime"))
    for folder in (credentials, state, runtime):
        folder.mkdir()
    made = shell.run("tokens", "create", "research")
    assert made.code == 0
    shutil.copy(shell.desk.load().places.data / "tokens.json", credentials / "tokens.json")
    (credentials / "keys").write_text("EXA_API_KEY=an-invented-key\n")
    for name in ("tokens.json", "keys"):
        (credentials / name).chmod(0o440)
    folders = {"CREDENTIALS_DIRECTORY": credentials, "STATE_DIRECTORY": state, "RUNTIME_DIRECTORY": runtime}

    for line in unit()["ExecStartPre"]:
        words = [re.sub(r"\$\{(\w+)\}", lambda found: str(folders[found[1]]), word) for word in line.split()]
        subprocess.run([str(shutil.which("install")), *words[1:]], check=True)  # noqa: S603 - the unit's own words

    assert read_bounded(runtime / "keys", private=True) == b"EXA_API_KEY=an-invented-key\n"
    environ = {"WEBSEAM_DATA_DIR": str(state), "WEBSEAM_SECRETS_FILE": str(runtime / "keys")}
    with spawned(shell, config=CONFIG, env=environ) as (process, served):
        assert served.port
        assert process.poll() is None


@pytest.mark.req("deployment:unit:credentials")
def test_each_credential_is_loaded_from_roots_own_folder_and_copied() -> None:
    loaded = dict(line.split(":") for line in unit()["LoadCredential"])
    copied = {line.split()[3].rpartition("/")[2] for line in unit()["ExecStartPre"]}

    assert set(loaded) == copied == {"tokens.json", "keys"}
    assert {str(Path(path).parent) for path in loaded.values()} == {"/etc/webseam"}
