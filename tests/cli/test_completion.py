"""`webseam completion`: the script that is printed completes in the shell it is for."""

import shutil
import subprocess
from pathlib import Path

import pytest

from support.cli import EXECUTABLE, Shell
from webseam.surfaces.cli.completion import PLACES

FILES = ("fetch -o", "extract -o", "search -o", "config init -o", "fetch --record", "search --replay", "cassette show")
ASK = """
set -u
COMPREPLY=()
compopt() {{ COMPREPLY=("the shell's $2"); }}
source {script}
COMP_WORDS=({words})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_webseam_completion webseam
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def in_bash(shell: Shell, words: str) -> list[str]:
    """What bash offers for the last word."""
    script = shell.desk.home / "webseam.bash"
    script.write_text(shell.run("completion", "bash").out, encoding="utf-8")
    bash = shutil.which("bash")
    assert bash is not None
    done = subprocess.run(  # noqa: S603 - the shell is the subject
        [bash, "--norc", "--noprofile", "-c", ASK.format(script=script, words=words)],
        env=shell.variables({"PATH": f"{EXECUTABLE.parent}:/usr/bin:/bin"}),
        cwd=shell.desk.cwd,
        capture_output=True,
        check=False,
        timeout=50,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.req("cli2:completion")
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("webseam se", "search"),
        ("webseam keys re", "remove"),
        ("webseam fetch --out", "--output"),
        ("webseam search --provider ta", "tavily"),
        ("webseam search --provider mi", "mine"),
        ("webseam fetch --provider h", "http"),
        ("webseam keys set ex", "exa"),
        ("webseam keys set EXA_", "EXA_API_KEY"),
        ("webseam completion z", "zsh"),
        ("webseam doctor --live ta", "tavily"),
        *((f"webseam {line} no", "the shell's default") for line in FILES),
    ],
)
def test_bash_is_offered_what_fits(shell: Shell, words: str, offered: str) -> None:
    shell.desk.user('[providers.mine]\nkind = "exa"\n')
    assert offered in in_bash(shell, words)


@pytest.mark.req("cli2:completion")
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_a_broken_configuration_is_no_reason_to_complain_amid_typing(shell: Shell) -> None:
    shell.desk.user("[search")
    assert "tavily" in in_bash(shell, "webseam search --provider ta")


@pytest.mark.req("cli2:completion")
@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_the_other_shells_take_their_script(shell: Shell, name: str, tmp_path: Path) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    script = tmp_path / "script"
    script.write_text(shell.run("completion", name).out, encoding="utf-8")
    done = subprocess.run([program, "-n", script], capture_output=True, check=False, timeout=50)  # noqa: S603 - the shell
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.req("cli2:completion")
@pytest.mark.parametrize("name", list(PLACES))
def test_each_script_says_where_it_belongs_and_calls_us(shell: Shell, name: str) -> None:
    ran = shell.run("completion", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(f"# Its place: {PLACES[name]}\n")
    assert f"_WEBSEAM_COMPLETE={name}_complete" in ran.out
    assert PLACES[name] in shell.run("completion", name, tty=True).err
    assert shell.run("completion", name, "-o", "script").code == 0
    assert (shell.desk.cwd / "script").read_text(encoding="utf-8") == ran.out


@pytest.mark.req("cli2:completion")
def test_a_shell_without_a_script_is_refused(shell: Shell) -> None:
    ran = shell.run("completion", "tcsh")
    assert (ran.code, ran.out) == (2, "")
    assert "'bash', 'zsh', 'fish'" in ran.err
