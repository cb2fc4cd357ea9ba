"""Keys: literal, variable, secrets file; read at each call, never shown."""

import asyncio
import os
from pathlib import Path

import pytest

from support.wiring import Desk, answer
from webseam.core.errors import Code, WebError
from webseam.wiring.key_source import KeySource
from webseam.wiring.schema import SecretsSection
from webseam.wiring.secrets_file import read_secrets


def source(
    environ: dict[str, str] | None = None,
    *,
    literal: str = "",
    names: tuple[str, ...] = ("A_KEY", "B_KEY"),
    environment: bool = True,
    file: str = "",
) -> KeySource:
    return KeySource(
        provider="exa",
        literal=literal,
        names=names,
        environ={} if environ is None else environ,
        settings=SecretsSection(environment=environment, file=file),
    )


def secrets_file(tmp_path: Path, text: str, mode: int = 0o600) -> str:
    path = tmp_path / "keys"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return str(path)


def key_of(one: KeySource) -> str:
    return asyncio.run(one.resolve())


@pytest.mark.req("wiring:secrets:order")
def test_literal_then_variables_in_order_then_file(tmp_path: Path) -> None:
    file = secrets_file(tmp_path, "A_KEY=from-file\n")
    environ = {"A_KEY": "from-a", "B_KEY": "from-b"}
    assert key_of(source(environ, literal="literal", file=file)) == "literal"
    assert key_of(source(environ, file=file)) == "from-a"
    assert key_of(source({"A_KEY": "  ", "B_KEY": "from-b"}, file=file)) == "from-b"
    assert key_of(source({}, file=file)) == "from-file"


@pytest.mark.req("wiring:secrets:closed-environment")
def test_a_closed_environment_yields_no_key(tmp_path: Path) -> None:
    environ = {"A_KEY": "from-a"}
    assert not source(environ, environment=False).configured()
    file = secrets_file(tmp_path, "B_KEY=from-file\n")
    assert key_of(source(environ, environment=False, file=file)) == "from-file"


@pytest.mark.req("wiring:secrets:rotation")
def test_a_rotated_key_reaches_the_next_call(desk: Desk) -> None:
    desk.env(ECHO_API_KEY="first")
    built = desk.build()
    assert answer(built).content == "q first https://echo.invalid"
    desk.env(ECHO_API_KEY="second")
    assert answer(built).content == "q second https://echo.invalid"


@pytest.mark.req("wiring:secrets:rotation")
def test_the_secrets_file_is_read_at_each_call(tmp_path: Path) -> None:
    one = source(file=secrets_file(tmp_path, "A_KEY=first\n"))
    assert key_of(one) == "first"
    secrets_file(tmp_path, "A_KEY=second\n")
    assert key_of(one) == "second"
    secrets_file(tmp_path, "")
    assert not one.configured()


@pytest.mark.req("wiring:secrets:missing")
def test_a_missing_key_names_the_remedies(tmp_path: Path) -> None:
    file = secrets_file(tmp_path, "C_KEY=hidden-value\n")
    with pytest.raises(WebError) as caught:
        key_of(source(file=file))
    assert caught.value.code == Code.PROVIDER_CREDENTIAL_MISSING
    assert caught.value.provider == "exa"
    for remedy in ("Set A_KEY or B_KEY", f"A_KEY=... to {file}", "[providers.exa]"):
        assert remedy in caught.value.message
    assert "hidden-value" not in caught.value.message
    closed = source(environment=False)
    assert "Set A_KEY" not in closed.remedy()


@pytest.mark.req("wiring:secrets:named-variable")
def test_a_named_variable_replaces_the_usual_ones(desk: Desk) -> None:
    desk.user('[providers.echo]\nkey_env = "MY_KEY"\n').env(ECHO_API_KEY="usual")
    (state,) = desk.build().web.describe()[0].providers
    assert (state.id, state.available) == ("echo", False)
    desk.env(MY_KEY="mine")
    assert answer(desk.build()).content == "q mine https://echo.invalid"


@pytest.mark.req("wiring:secrets:two-accounts")
def test_two_ids_of_one_vendor_keep_their_keys_apart(desk: Desk) -> None:
    desk.user(
        '[search]\nroute = ["second", "echo"]\n'
        '[providers.second]\nkind = "echo"\nkey = "k2"\nbase_url = "https://two.invalid"\n'
    ).env(ECHO_API_KEY="k1")
    assert answer(desk.build()).content == "q k2 https://two.invalid"
    assert answer(desk.build({"search": {"provider": "echo"}})).content == "q k1 https://echo.invalid"


@pytest.mark.req("wiring:secrets:permissions")
@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o666, 0o644])
def test_a_secrets_file_open_to_others_is_refused(tmp_path: Path, mode: int) -> None:
    file = secrets_file(tmp_path, "A_KEY=k\n", mode)
    with pytest.raises(WebError, match=f"chmod 600 {file}"):
        key_of(source(file=file))
    assert not source(file=file).configured()


@pytest.mark.req("wiring:secrets:file-format")
def test_the_file_holds_names_values_comments_and_quotes(tmp_path: Path) -> None:
    file = secrets_file(tmp_path, "\n# comment\nA = one \nB=\"two\"\nC='th=ree'\nD=\nexport E=five\n")
    assert read_secrets(Path(file)) == {"A": "one", "B": "two", "C": "th=ree", "D": "", "E": "five"}


@pytest.mark.req("wiring:secrets:file-format")
@pytest.mark.parametrize("line", ["hidden-value", "=hidden-value", "export", "set A=hidden-value"])
def test_another_line_is_refused_by_number_and_not_by_content(tmp_path: Path, line: str) -> None:
    with pytest.raises(WebError) as caught:
        read_secrets(Path(secrets_file(tmp_path, f"A=1\n{line}\n")))
    assert "line 2" in caught.value.message
    assert "hidden-value" not in caught.value.message


@pytest.mark.req("wiring:secrets:file-format")
def test_an_absent_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(WebError, match="cannot be read"):
        key_of(source(file=str(tmp_path / "none")))


@pytest.mark.req("wiring:secrets:shape")
@pytest.mark.parametrize("key", ["a\nb", "a\x00b", "schlüssel", "a\x1b[31m", "a # note", "Bearer a"])
def test_a_key_that_no_header_can_carry_is_refused_unseen(key: str) -> None:
    with pytest.raises(WebError, match="holds characters") as caught:
        key_of(source(literal=key))
    assert key not in caught.value.message


@pytest.mark.req("wiring:secrets:hidden")
def test_a_source_never_shows_its_key() -> None:
    one = source({"A_KEY": "from-a"}, literal="literal-key")
    assert "literal-key" not in repr(one)
    assert one.place() == "configuration"
    assert source({"B_KEY": "from-b"}).place() == "environment B_KEY"
    assert source().place() is None


@pytest.mark.req("wiring:secrets:unusable")
@pytest.mark.parametrize("text", [None, "hidden-value\n"])
def test_with_a_secrets_file_that_cannot_be_used_nobody_else_is_asked(desk: Desk, text: str | None) -> None:
    if text is not None:
        secrets_file(desk.home, text)
    desk.user(f'[secrets]\nfile = "{desk.home / "keys"}"\n').env(ECHO_API_KEY="k")
    with pytest.raises(WebError) as caught:
        desk.build()
    assert caught.value.code == Code.CONFIG_INVALID
    assert str(desk.home / "keys") in caught.value.message
