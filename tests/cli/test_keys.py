"""`webseam keys`: a key is typed unseen or piped in, kept, told by its place, and never shown."""

import json
from pathlib import Path

import pytest

from support.cli import TESTS, Shell, site
from support.keyrings import BACKEND, FILE
from support.terminal import at_terminal

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def kept(shell: Shell) -> Path:
    """Where keys are kept at this desk."""
    return shell.desk.user_file.parent / "keys"


@pytest.mark.req("cli2:keys:set")
def test_a_key_that_is_piped_in_is_kept_and_used_by_the_next_call(shell: Shell, kept: Path) -> None:
    ran = shell.run("keys", "set", "echo", stdin=f"{KEY}\n")
    assert (ran.code, ran.out, ran.err) == (0, f"set: {kept} ECHO_API_KEY\n", "")
    assert kept.read_text(encoding="utf-8") == f"ECHO_API_KEY={KEY}\n"
    assert KEY in shell.run("search", "kelp").out
    assert shell.run("keys", "set", "ECHO_API_KEY", "--json", stdin="other").json == {
        "set": "ECHO_API_KEY",
        "place": f"{kept} ECHO_API_KEY",
        "stronger": [],
    }


@pytest.mark.req("cli2:keys:hidden")
def test_a_key_that_is_typed_is_asked_for_and_not_shown(shell: Shell, kept: Path) -> None:
    seen = at_terminal(shell, "keys", "set", "exa", typed=[("Key for exa (EXA_API_KEY): ", f"{KEY}\n")])
    assert seen.code == 0
    assert KEY not in seen.screen
    assert kept.read_text(encoding="utf-8") == f"EXA_API_KEY={KEY}\n"


@pytest.mark.req("cli2:keys:hidden")
def test_ctrl_c_at_the_prompt_changes_nothing(shell: Shell, kept: Path) -> None:
    seen = at_terminal(shell, "keys", "set", "exa", typed=[("Key for exa", "half\x03")])
    assert seen.code == 130
    assert "Traceback" not in seen.screen
    assert not kept.exists()


@pytest.mark.req("cli2:keys:hidden")
def test_a_key_is_never_an_argument(shell: Shell, kept: Path) -> None:
    ran = shell.run("keys", "set", "echo", KEY)
    assert (ran.code, ran.out, kept.exists()) == (2, "", False)


@pytest.mark.req("cli2:keys:refused")
@pytest.mark.parametrize("stdin", ["", "\n", "a\nb\n", "ECHO_API_KEY=k", "k" * 20_000])
def test_what_is_no_key_exits_2_and_changes_nothing(shell: Shell, kept: Path, stdin: str) -> None:
    ran = shell.run("keys", "set", "echo", stdin=stdin)
    assert (ran.code, ran.out, kept.exists()) == (2, "", False)
    assert "nothing was changed" in ran.err.lower()


@pytest.mark.req("cli2:keys:refused")
def test_a_file_that_others_may_read_is_told_before_anybody_types(shell: Shell, kept: Path) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text("A=1\n", encoding="utf-8")
    kept.chmod(0o644)
    seen = at_terminal(shell, "keys", "set", "exa")
    assert seen.code == 3
    assert "chmod 600" in seen.screen
    assert "Key for" not in seen.screen


@pytest.mark.req("cli2:keys:refused")
def test_input_that_is_not_utf8_is_refused(shell: Shell, kept: Path) -> None:
    done = shell.spawn("keys", "set", "echo", stdin=None, input=b"\xff\xfe")
    assert (done.returncode, kept.exists()) == (2, False)
    assert b"not UTF-8" in done.stderr


@pytest.mark.req("cli2:keys:refused")
def test_a_closed_standard_input_is_a_blank_key(shell: Shell, kept: Path) -> None:
    done = shell.spawn("keys", "set", "echo")
    assert (done.returncode, kept.exists()) == (2, False)
    assert b"The key is blank" in done.stderr


@pytest.mark.req("cli2:keys:names")
def test_a_name_that_stands_for_nothing_is_refused_with_the_nearest(shell: Shell) -> None:
    ran = shell.run("keys", "set", "tavilly", stdin=KEY)
    assert ran.code == 2
    assert 'Did you mean "tavily"?' in ran.err


@pytest.mark.req("cli2:keys:stronger")
def test_a_source_that_is_asked_first_is_told(shell: Shell) -> None:
    shell.desk.env(ECHO_API_KEY="from-env")
    ran = shell.run("keys", "set", "echo", stdin=KEY)
    assert ran.code == 0
    assert "environment ECHO_API_KEY is asked first" in ran.err
    shell.desk.user("[secrets]\nenvironment = false\n")
    assert shell.run("keys", "set", "echo", stdin=KEY).err == ""


@pytest.mark.req("cli2:keys:list")
def test_the_list_tells_each_source_in_order_and_no_key(shell: Shell, kept: Path) -> None:
    assert shell.run("keys", "list").out == ""
    shell.desk.env(ECHO_API_KEY="env-secret").user('[providers.exa]\nkey = "literal-secret"\n')
    shell.run("keys", "set", "echo", stdin=KEY)
    kept.write_text(kept.read_text(encoding="utf-8") + "STRANGE=file-secret\n", encoding="utf-8")
    ran = shell.run("keys", "list")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == ["echo", "exa"]
    assert "environment ECHO_API_KEY; then" in lines[0]
    assert lines[1].endswith("configuration")
    assert "asked for by no provider here: STRANGE" in ran.err
    everything = shell.run("keys", "list", "--all")
    assert "none (TAVILY_API_KEY)" in everything.out
    report = shell.run("keys", "list", "--json").json
    assert [row["provider"] for row in report["keys"]] == ["echo", "exa"]
    assert report["unused"] == {"file": ["STRANGE"], "keyring": []}
    for text in (ran.out, ran.err, everything.out, json.dumps(report)):
        assert "secret" not in text


@pytest.mark.req("cli2:keys:list")
@pytest.mark.parametrize("text", ["[search", "[secrets]\nfile = '/no/such'\n", "[search]\nmax_results = 'x'\n"])
def test_the_list_works_while_the_configuration_is_broken(shell: Shell, text: str) -> None:
    shell.desk.user(text).env(ECHO_API_KEY=KEY)
    ran = shell.run("keys", "list")
    assert (ran.code, "WEB_CONFIG_INVALID" in ran.err, KEY in ran.out + ran.err) == (3, True, False)


@pytest.mark.req("cli2:keys:remove")
def test_a_key_is_removed_and_what_is_left_is_told(shell: Shell, kept: Path) -> None:
    shell.run("keys", "set", "echo", stdin=KEY)
    shell.desk.env(ECHO_KEY="from-env")
    ran = shell.run("keys", "remove", "echo")
    assert (ran.code, ran.out) == (0, f"removed: {kept} ECHO_API_KEY\n")
    assert "a key is still found: environment ECHO_KEY" in ran.err
    again = shell.run("keys", "remove", "echo", "--json")
    assert (again.code, again.error["code"]) == (3, "WEB_PROVIDER_CREDENTIAL_MISSING")


@pytest.mark.req("cli:config:path")
def test_the_place_of_keys_is_told_with_the_others(shell: Shell, kept: Path) -> None:
    assert shell.run("config", "path", "--json").json["keys"] == str(kept)
    shell.desk.user('[secrets]\nfile = "mine"\n')
    assert f"keys: {shell.desk.user_file.parent / 'mine'}\n" in shell.run("config", "path").out


@pytest.mark.req("cli2:keys:remove")
def test_a_name_that_nobody_asks_for_can_be_removed(shell: Shell, kept: Path) -> None:
    shell.run("keys", "set", "echo", stdin=KEY)
    kept.write_text("STRANGE=x\n", encoding="utf-8")
    assert shell.run("keys", "remove", "STRANGE", "--json").json == {"removed": [f"{kept} STRANGE"], "left": []}
    assert kept.read_text(encoding="utf-8") == ""


@pytest.mark.req("cli2:keys:keyring")
def test_a_key_in_the_keyring_reaches_the_next_call_of_another_process(shell: Shell, tmp_path: Path) -> None:
    env = {FILE: str(tmp_path / "ring"), "PYTHON_KEYRING_BACKEND": BACKEND}
    done = shell.spawn("keys", "set", "--keyring", "echo", env=env, stdin=None, input=KEY.encode())
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, b"set: keyring ECHO_API_KEY"), done.stderr
    assert KEY.encode() in shell.spawn("search", "kelp", env=env).stdout
    listed = shell.spawn("keys", "list", env=env)
    assert b"keyring ECHO_API_KEY" in listed.stdout
    assert KEY.encode() not in listed.stdout + listed.stderr
    assert shell.spawn("keys", "remove", "echo", env=env).returncode == 0
    assert KEY not in (tmp_path / "ring").read_text(encoding="utf-8")


@pytest.mark.req("cli2:keys:no-keyring")
@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}, b"this machine has none"),
        ({"PYTHON_KEYRING_BACKEND": "no.such.Keyring"}, b"webseam[keyring]"),
    ],
)
def test_without_a_keyring_the_way_out_is_told(shell: Shell, kept: Path, env: dict[str, str], said: bytes) -> None:
    done = shell.spawn("keys", "set", "--keyring", "echo", env=env, stdin=None, input=b"k")
    assert (done.returncode, kept.exists()) == (3, False)
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.req("cli2:keys:no-keyring")
def test_without_the_extra_its_install_line_is_told(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "keyring.py").write_text("raise ImportError('no keyring')\n", encoding="utf-8")
    path = f"{tmp_path / 'bare'}:{tmp_path / 'toys'}:{TESTS}"
    done = shell.spawn("keys", "set", "--keyring", "echo", env={"PYTHONPATH": path}, stdin=None, input=b"k")
    assert done.returncode == 3
    assert b'pip install "webseam[keyring]"' in done.stderr


@pytest.mark.req("cli2:keys:set")
def test_a_vendor_is_asked_with_the_key_that_was_set(shell: Shell) -> None:
    rows = json.dumps({"results": [{"url": "https://kelp.test/", "title": "Kelp"}], "requestId": "r"}).encode()
    with site(lambda _path: (200, {"Content-Type": "application/json"}, rows)) as url:
        shell.desk.user(f"[providers.exa]\nbase_url = '{url}'\n")
        assert shell.run("search", "kelp").code == 3
        shell.run("keys", "set", "exa", stdin=KEY)
        ran = shell.run("search", "kelp")
    assert (ran.code, "https://kelp.test/" in ran.out) == (0, True)
    assert KEY not in ran.out + ran.err
