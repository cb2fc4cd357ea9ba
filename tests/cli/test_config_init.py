"""`webseam config init`: a first file from a few questions, which loads without a complaint."""

import re
import stat
from pathlib import Path

import pytest

from support.cli import Ran, Shell
from support.terminal import at_terminal


def init(shell: Shell, *flags: str, typed: str | None = None) -> Ran:
    return shell.run("config", "init", *flags, stdin=typed or "", typed=typed is not None)


def setting(shell: Shell, name: str) -> object:
    rows = {row["setting"]: row["value"] for row in shell.run("config", "show", "--json").json["values"]}
    return rows[name]


@pytest.mark.req("cli2:init:written")
@pytest.mark.parametrize("flags", [(), ("--project",)])
def test_the_defaults_load_without_a_complaint_and_set_nothing(shell: Shell, flags: tuple[str, ...]) -> None:
    ran = init(shell, "--yes", *flags)
    file = shell.desk.project_file if flags else shell.desk.user_file
    assert (ran.code, ran.out) == (0, f"written: {file}\n")
    assert ran.err == "Next: webseam keys set ID, then webseam doctor.\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    loaded = shell.desk.load()
    assert (loaded.problems, dict(loaded.origins)) == ((), {})


@pytest.mark.req("cli2:init:written")
@pytest.mark.parametrize("flags", [(), ("--project",)])
def test_every_line_that_stands_as_a_comment_is_a_setting_as_it_stands(shell: Shell, flags: tuple[str, ...]) -> None:
    init(shell, "--yes", *flags)
    file = shell.desk.project_file if flags else shell.desk.user_file
    text = file.read_text(encoding="utf-8")
    opened = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    assert opened.count(" = ") > 5
    file.write_text(opened, encoding="utf-8")
    assert shell.desk.survey().problems == ()


@pytest.mark.req("cli2:init:asked")
def test_answers_are_set_and_are_what_the_next_command_sees(shell: Shell) -> None:
    ran = init(shell, typed="free\nno\n10.1.0.0/16, fd00::/8\ndisk\n")
    assert ran.code == 0
    assert "Which provider searches?" in ran.err
    assert setting(shell, "search.provider") == "free"
    assert setting(shell, "search.keyless") is False
    assert setting(shell, "fetch.private_networks") == ["10.1.0.0/16", "fd00::/8"]
    assert setting(shell, "fetch.cache") == "disk"
    assert len(shell.desk.load().origins) == 4


@pytest.mark.req("cli2:init:asked")
def test_blank_answers_are_the_defaults(shell: Shell) -> None:
    assert init(shell, typed="\n\n\n\n").code == 0
    assert dict(shell.desk.load().origins) == {}


@pytest.mark.req("cli2:init:asked")
def test_an_answer_that_is_none_is_asked_for_again(shell: Shell) -> None:
    ran = init(shell, typed="fre\nfree\nperhaps\nyes\n10.1.2.3/16\n10.1.0.0/16\nRAM\nmemory\n")
    assert ran.code == 0
    for said in ("No provider has the id 'fre'. Did you mean \"free\"?", "Answer yes or no.", "'10.1.2.3/16' is none."):
        assert said in ran.err
    assert (setting(shell, "search.provider"), setting(shell, "fetch.cache")) == ("free", "memory")


@pytest.mark.req("cli2:init:asked")
@pytest.mark.parametrize("typed", ["", "free\n", "a\nb\nc\nd\n"])
def test_an_end_amid_the_questions_writes_nothing(shell: Shell, typed: str) -> None:
    ran = init(shell, typed=typed)
    assert (ran.code, ran.out, shell.desk.user_file.exists()) == (2, "", False)
    assert "Nothing was changed" in ran.err


@pytest.mark.req("cli2:init:asked")
def test_without_a_terminal_nothing_is_asked(shell: Shell) -> None:
    ran = init(shell)
    assert (ran.code, shell.desk.user_file.exists()) == (2, False)
    assert "Add --yes" in ran.err


@pytest.mark.req("cli2:init:asked")
def test_the_questions_stand_on_a_real_terminal(shell: Shell) -> None:
    typed = [("Which provider", "exa-mcp\n"), ("without a key", "\n"), ("private networks", "\n"), ("Keep", "off\n")]
    seen = at_terminal(shell, "config", "init", typed=typed)
    assert seen.code == 0
    assert setting(shell, "search.provider") == "exa-mcp"


@pytest.mark.req("cli2:init:kept")
@pytest.mark.parametrize("flags", [(), ("--project",), ("-o", "mine.toml")])
def test_a_file_that_is_there_is_kept_unless_forced(shell: Shell, flags: tuple[str, ...]) -> None:
    assert init(shell, "--yes", *flags).code == 0
    file = Path(init(shell, "--yes", "--force", "--json", *flags).json["written"])
    file.write_text("# mine\n", encoding="utf-8")
    ran = init(shell, *flags, typed="\n")
    assert (ran.code, file.read_text(encoding="utf-8")) == (2, "# mine\n")
    assert "Add --force" in ran.err
    assert init(shell, "--yes", "--force", *flags).code == 0
    assert "[search]" in file.read_text(encoding="utf-8")


@pytest.mark.req("cli2:init:kept")
def test_a_broken_file_can_be_replaced(shell: Shell) -> None:
    shell.desk.user("[search")
    ran = init(shell, "--yes", "--force")
    assert (ran.code, shell.desk.survey().problems) == (0, ())


@pytest.mark.req("cli2:init:kept")
def test_the_place_that_is_named_gets_the_file(shell: Shell) -> None:
    shell.desk.env(WEBSEAM_CONFIG=str(shell.desk.home / "mine" / "w.toml"))
    assert init(shell, "--yes").out == f"written: {shell.desk.home / 'mine' / 'w.toml'}\n"
    assert init(shell, "--yes", "-o", "no/such/w.toml").code == 2


@pytest.mark.req("cli2:init:project")
def test_a_project_is_asked_only_what_it_may_set(shell: Shell) -> None:
    ran = init(shell, "--project", typed="free\nno\n")
    assert ran.code == 0
    assert "private networks" not in ran.err
    assert "private_networks" not in shell.desk.project_file.read_text(encoding="utf-8")
    loaded = shell.desk.load()
    assert set(loaded.origins) == {"search.provider", "search.keyless"}
    assert loaded.problems == ()
