"""`webseam doctor` on what is around: keys, trust, names, folders, extras; and which flags of a run it takes."""

import json
import tomllib
from pathlib import Path

import pytest

from support.cli import Shell
from webseam.surfaces.cli import doctor_around
from webseam.surfaces.cli.doctor_around import EXTRAS, lines_of

KEY = "sk-live-0123456789"


@pytest.mark.req("cli2:doctor:around")
def test_keys_trust_names_folders_and_extras_are_told(shell: Shell) -> None:
    shell.desk.env(EXA_API_KEY=KEY).user('[fetch]\nnameservers = ["9.9.9.9"]\n')
    ran = shell.run("doctor")
    report = shell.run("doctor", "--json").json
    assert "keys: exa (environment EXA_API_KEY)" in ran.out
    assert "names: asked of 9.9.9.9\n" in ran.out
    assert f"state folder: {shell.desk.home}/.local/state/webseam\n" in ran.out
    assert "extra keyring: " in ran.out
    assert [row["provider"] for row in report["keys"]][:1] == ["exa"]
    assert report["extras"]["office"]["install"] == 'pip install "webseam[office]"'
    assert (report["warnings"], report["tls"]["roots"] > 0 or "folder" in report["tls"]) == ([], True)
    assert KEY not in ran.out + ran.err + json.dumps(report)


@pytest.mark.req("cli2:doctor:around")
def test_every_extra_of_the_package_is_known_to_the_doctor() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"])


@pytest.mark.req("cli2:doctor:around")
def test_an_extra_that_is_not_there_is_told_with_its_install_line(shell: Shell) -> None:
    lines = list(
        lines_of(
            shell.run("doctor", "--json").json | {"extras": {"x": {"installed": False, "gives": "y", "install": "z"}}}
        )
    )
    assert lines[-1] == "extra x: not installed: z; gives y"


@pytest.mark.req("cli2:doctor:around")
def test_roots_that_cannot_be_read_refuse_and_are_told_once(shell: Shell) -> None:
    (shell.desk.home / "roots.pem").write_text("nonsense", encoding="utf-8")
    shell.desk.user(f'[fetch]\nca_bundle = "{shell.desk.home / "roots.pem"}"\n')
    ran = shell.run("doctor")
    assert (ran.code, ran.err.count("fetch.ca_bundle cannot be read")) == (3, 1)
    assert "no roots" in ran.out


@pytest.mark.req("cli2:doctor:around")
def test_a_folder_that_cannot_be_written_is_told_with_the_way_out(shell: Shell) -> None:
    (shell.desk.home / "file").write_text("", encoding="utf-8")
    shell.desk.env(WEBSEAM_DATA_DIR=str(shell.desk.home / "file" / "data"))
    ran = shell.run("doctor")
    assert f"data folder: {shell.desk.home}/file/data (cannot be written)" in ran.out
    assert "name another: WEBSEAM_DATA_DIR." in ran.err
    assert ran.code == 0


@pytest.mark.req("cli2:doctor:around")
@pytest.mark.parametrize("missing", [True, False])
def test_telemetry_that_nothing_sends_is_told(shell: Shell, monkeypatch: pytest.MonkeyPatch, *, missing: bool) -> None:
    pytest.importorskip("opentelemetry.sdk", reason="the group that brings the OpenTelemetry SDK is not installed")
    monkeypatch.setattr(doctor_around, "_SDK", "opentelemetry.nothing_here" if missing else "opentelemetry.sdk")
    shell.desk.user("[telemetry]\nenabled = true\n")
    ran = shell.run("doctor")
    assert ran.code == 0
    assert ("spans and metrics go nowhere" in ran.err) is missing

    shell.desk.user("")
    assert "go nowhere" not in shell.run("doctor").err


@pytest.mark.req("cli2:doctor:around")
def test_a_keyring_that_is_damaged_is_told_and_ends_nothing(shell: Shell) -> None:
    record = shell.desk.load().places.keyring_file
    record.parent.mkdir(parents=True)
    record.write_text("{", encoding="utf-8")
    ran = shell.run("doctor")
    assert "the record of keys in the keyring is damaged. Delete it" in ran.err
    assert ran.out.endswith("ready\n")


@pytest.mark.req("cli2:doctor:flags")
@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--replay", "x"), "Add --live"),
        (("--record", "x"), "Add --live"),
        (("--live", "--offline"), "Give one of them"),
    ],
)
def test_flags_that_would_do_nothing_are_refused(shell: Shell, flags: tuple[str, ...], said: str) -> None:
    ran = shell.run("doctor", *flags)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert not (shell.desk.cwd / "x").exists()


@pytest.mark.req("cli2:doctor:flags")
def test_offline_looks_as_ever_and_a_live_trial_can_be_recorded(shell: Shell) -> None:
    assert shell.run("doctor", "--offline").code == 0
    ran = shell.run("doctor", "--live", "--record", "run.cassette", "odd")
    assert "odd" in ran.out
    shown = shell.run("cassette", "show", "--json", "run.cassette").json
    assert [one["request"]["query"] for one in shown["calls"]] == ["python programming language"]
