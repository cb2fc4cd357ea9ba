"""The Dockerfile, read as data; its health check and its pins are tried for real."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.cli import Shell
from support.deploy import ROOT, instructions, parse
from support.gateway import spawned, terminate
from webseam.wiring.config import load

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def _last(word: str) -> str:
    return [rest for name, rest in instructions() if name == word][-1]


def _variables() -> Mapping[str, str]:
    return dict(re.findall(r"([A-Z_]+)=(\S+)", _last("ENV")))


@pytest.mark.req("deployment:image:build")
def test_the_image_is_made_of_two_stages_and_takes_the_finished_environment_alone() -> None:
    stages = [rest for word, rest in instructions() if word == "FROM"]
    final = instructions()[max(at for at, (word, _) in enumerate(instructions()) if word == "FROM") :]

    assert stages == ["python:${PYTHON}-slim AS build", "python:${PYTHON}-slim"]
    assert [rest for word, rest in final if word == "COPY"] == ["--from=build /opt/webseam /opt/webseam"]
    assert not re.search(r"\b(pip|uv)\b", " ".join(rest for word, rest in final if word == "RUN"))


@pytest.mark.req("deployment:image:build")
def test_what_is_installed_is_pinned_has_the_extras_of_a_gateway_and_comes_from_no_named_index() -> None:
    runs = " ".join(rest for word, rest in instructions() if word == "RUN")
    (extras,) = re.findall(r'"webseam\[([a-z,]+)\] @ file://', runs)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert extras.split(",") == ["serve", "mcp", "fleet", "telemetry"]
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert runs.count("--constraints constraints.txt") == runs.count("--build-constraints constraints.txt") == 1
    assert not re.search(r"https?://(?!127\.0\.0\.1)|index-url|--index", TEXT)
    assert re.search(r"^uv==", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.req("deployment:image:build")
def test_the_python_of_the_image_is_one_that_the_project_is_made_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (version,) = re.findall(r"^ARG PYTHON=(\S+)$", TEXT, re.MULTILINE)
    assert f"Programming Language :: Python :: {version}" in project["classifiers"]


@pytest.mark.req("deployment:image:context")
def test_what_the_image_copies_is_let_into_the_context_by_name_and_nothing_else() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    copied = {
        name
        for word, rest in instructions()
        if word == "COPY" and not rest.startswith("--from")
        for name in rest.split()[:-1]
    }
    assert rules[0] == "*"
    assert {line.removeprefix("!") for line in rules if line.startswith("!")} == copied
    assert all((ROOT / name).exists() for name in copied)


@pytest.mark.req("deployment:image:context")
def test_the_build_system_needs_no_file_that_is_left_out() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {*project["project"]["license-files"], "hatch_build.py", "README.md", "pyproject.toml"}
    assert needed <= set(next(rest for word, rest in instructions() if word == "COPY").split())


@pytest.mark.req("deployment:image:user")
def test_the_image_runs_as_a_numbered_user_who_owns_the_data_folder_alone() -> None:
    runs = " ".join(rest for word, rest in instructions() if word == "RUN")
    user = _last("USER")
    after = [word for word, _ in instructions()][[word for word, _ in instructions()].index("USER") :]

    assert user == "10001:10001"
    assert "useradd --uid 10001" in runs
    assert re.findall(r"--owner \S+.*? (/\S+)", runs) == ["/var/lib/webseam"]
    assert _last("VOLUME") == _last("WORKDIR") == "/var/lib/webseam"
    assert "RUN" not in after
    assert "COPY" not in after


@pytest.mark.req("deployment:configuration")
def test_the_image_listens_where_it_says_and_writes_into_its_volume(tmp_path: Path) -> None:
    loaded = load(environ=_variables(), cwd=tmp_path)

    assert loaded.config.serve.listen == f"0.0.0.0:{_last('EXPOSE')}"
    assert {str(loaded.places.data), str(loaded.places.state), str(loaded.home)} == {_last("VOLUME")}


@pytest.mark.req("deployment:configuration")
def test_the_image_runs_a_command_that_exists() -> None:
    assert json.loads(_last("ENTRYPOINT")) == ["webseam"]
    parse(json.loads(_last("CMD")))


@pytest.fixture
def probe() -> list[str]:
    """The health check's words, on this Python."""
    check = _last("HEALTHCHECK")
    name, *words = json.loads(check[check.index("[") :])
    assert name == "python"
    return [sys.executable, *words]


def _on(port: int, words: list[str]) -> list[str]:
    return [word.replace("8090", str(port)) for word in words]


@pytest.mark.req("deployment:image:health")
def test_the_health_check_passes_while_the_gateway_runs_whatever_proxy_the_environment_names(
    shell: Shell, probe: list[str]
) -> None:
    with spawned(shell) as (process, served):
        ask = _on(served.port, probe)
        environ = shell.variables({"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"})
        alive = subprocess.run(ask, capture_output=True, env=environ, check=False)  # noqa: S603 - our own words
        terminate(process)
        process.wait()
        gone = subprocess.run(ask, capture_output=True, check=False)  # noqa: S603 - the same

    assert (alive.returncode, alive.stderr) == (0, b"")
    assert gone.returncode != 0


@pytest.mark.req("deployment:image:health")
def test_the_health_check_fails_on_an_answer_that_is_not_200(shell: Shell, probe: list[str]) -> None:
    with spawned(shell) as (_, served):
        ask = [word.replace("/healthz", "/nowhere") for word in _on(served.port, probe)]
        assert subprocess.run(ask, capture_output=True, check=False).returncode == 1  # noqa: S603 - our own words
