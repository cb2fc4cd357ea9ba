"""Keys kept in the secrets file and in the keyring: written whole, read in order, never shown."""

import asyncio
import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.keyrings import FileKeyring
from support.wiring import Desk, answer, toys
from webseam.core.errors import Code, WebError
from webseam.core.limits import CONFIG_BYTES, KEY_CHARS
from webseam.wiring.atomic import replace_file
from webseam.wiring.key_store import accounts, checked_key, drop_key, kept_names, key_name, put_key
from webseam.wiring.keyrings import SystemKeyring
from webseam.wiring.plugins import load_plugins
from webseam.wiring.secrets_file import read_secrets, secrets_path


@pytest.fixture
def held(tmp_path: Path) -> Iterator[FileKeyring]:
    """The keyring of this process, for one test."""
    before = keyring.get_keyring()
    backend = FileKeyring(tmp_path / "ring.json")
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def own(desk: Desk) -> SystemKeyring:
    return SystemKeyring(desk.load().places.keyring_file)


# The secrets file --------------------------------------------------------------------------------------


@pytest.mark.req("cli2:keys:file")
def test_a_key_goes_into_a_file_that_its_owner_alone_may_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "keys"
    put_key(path, "A_KEY", "first")
    assert read_secrets(path) == {"A_KEY": "first"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.req("cli2:keys:file")
def test_other_lines_and_comments_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("# mine\n\nA_KEY = old\n  B_KEY='b'\nA_KEY=older\n# A_KEY=no\n", encoding="utf-8")
    path.chmod(0o600)
    put_key(path, "A_KEY", "new")
    assert path.read_text(encoding="utf-8") == "# mine\n\nA_KEY=new\n  B_KEY='b'\n# A_KEY=no\n"
    put_key(path, "C_KEY", "c")
    assert path.read_text(encoding="utf-8").endswith("# A_KEY=no\nC_KEY=c\n")
    assert drop_key(path, "A_KEY")
    assert not drop_key(path, "A_KEY")
    assert read_secrets(path) == {"B_KEY": "b", "C_KEY": "c"}


@pytest.mark.req("cli2:keys:file")
def test_a_file_from_windows_keeps_its_keys(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(b"\xef\xbb\xbfA_KEY=a\r\nB_KEY=b\r\n")
    path.chmod(0o600)
    put_key(path, "B_KEY", "c")
    assert read_secrets(path) == {"A_KEY": "a", "B_KEY": "c"}


@pytest.mark.req("cli2:keys:file")
@settings(deadline=None)  # it writes files, and a disk may be slow
@given(key=st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60))
def test_any_key_reads_back_as_it_was_set(tmp_path_factory: pytest.TempPathFactory, key: str) -> None:
    path = tmp_path_factory.mktemp("any") / "keys"
    put_key(path, "A_KEY", key)
    assert read_secrets(path) == {"A_KEY": key}
    assert key[0] == key[-1] or checked_key(f" {key}\n", "B_KEY") == key


NAMES = st.sampled_from(["A_KEY", "B_KEY", "C_KEY"])
LINES = st.one_of(
    st.just(""),
    st.builds("{}={}".format, NAMES, st.sampled_from(["", "v", '"q"', "a=b", "# no comment"])),
    st.builds("export {}={}".format, NAMES, st.just("v")),
    st.builds("  {} = {} ".format, NAMES, st.just("spaced")),
    st.builds("# {}=x".format, NAMES),
)


@pytest.mark.req("cli2:keys:file")
@settings(deadline=None)  # it writes files, and a disk may be slow
@given(lines=st.lists(LINES, max_size=8), name=NAMES)
def test_whatever_a_file_holds_one_key_changes_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], name: str
) -> None:
    path = tmp_path_factory.mktemp("any") / "keys"
    path.write_text("\n".join(lines), encoding="utf-8")
    path.chmod(0o600)
    before = read_secrets(path)
    put_key(path, name, "new")
    assert read_secrets(path) == {**before, name: "new"}
    assert drop_key(path, name)
    assert read_secrets(path) == {other: value for other, value in before.items() if other != name}
    text = path.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("#")] == [one for one in lines if one.startswith("#")]


@pytest.mark.req("cli2:keys:file")
def test_a_file_that_a_link_leads_to_stays_where_it_is(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles"
    real.mkdir()
    link = tmp_path / "keys"
    link.symlink_to(real / "keys")
    put_key(link, "A_KEY", "a")
    assert link.is_symlink()
    assert read_secrets(real / "keys") == {"A_KEY": "a"}


@pytest.mark.req("cli2:keys:refused")
@pytest.mark.parametrize(("text", "mode"), [("A_KEY=a\n", 0o644), ("A_KEY=a\nnonsense\n", 0o600)])
def test_a_file_that_others_may_read_or_that_is_damaged_is_not_written_over(
    tmp_path: Path, text: str, mode: int
) -> None:
    path = tmp_path / "keys"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    for change in (lambda: put_key(path, "B_KEY", "b"), lambda: drop_key(path, "A_KEY")):
        with pytest.raises(WebError) as caught:
            change()
        assert caught.value.code == Code.CONFIG_INVALID
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.req("cli2:keys:refused")
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WebError, match=r"cannot be used \(File exists\)|cannot be used \(Not a directory\)"):
        put_key(tmp_path / "file" / "keys", "A_KEY", "a")


@pytest.mark.req("cli2:keys:refused")
def test_a_file_never_grows_beyond_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("# " + "x" * (CONFIG_BYTES - 10) + "\n", encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(WebError, match="would be larger"):
        put_key(path, "A_KEY", "a" * 20)
    assert kept_names(path) == ()


@pytest.mark.req("cli2:keys:together")
def test_keys_set_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    threads = [threading.Thread(target=put_key, args=(path, f"KEY_{n}", str(n))) for n in range(24)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert read_secrets(path) == {f"KEY_{n}": str(n) for n in range(24)}


BAD_KEYS = ["", " \n", "two\nlines", "A_KEY=value", "schlüssel", "a\x00b", "a\x1b[31m", "k" * (KEY_CHARS + 1)]
BAD_KEYS += ["export A_KEY=value", "Bearer abc", "a key", "a\tb", '"quoted"', "'quoted'"]


@pytest.mark.req("cli2:keys:shape")
@pytest.mark.parametrize("text", BAD_KEYS)
def test_what_no_key_can_be_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(WebError) as caught:
        checked_key(text, "A_KEY")
    assert caught.value.code == Code.INVALID_ARGS
    assert not text.strip() or text not in caught.value.message


@pytest.mark.req("cli2:keys:refused")
def test_a_place_that_is_no_file_is_told_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(WebError, match="not a regular file"):
        replace_file(path, b"text")
    assert path.is_fifo()


# The order ---------------------------------------------------------------------------------------------


@pytest.mark.req("cli2:keys:order")
def test_a_key_set_in_the_usual_file_reaches_the_next_call_and_the_environment_beats_it(desk: Desk) -> None:
    built = desk.build({"search": {"provider": "echo"}})
    put_key(secrets_path(desk.load()), "ECHO_API_KEY", "kept")
    assert answer(built).content == "q kept https://echo.invalid"
    desk.env(ECHO_API_KEY="from-env")
    assert answer(built).content == "q from-env https://echo.invalid"
    closed = desk.user("[secrets]\nenvironment = false\n").build({"search": {"provider": "echo"}})
    assert answer(closed).content == "q kept https://echo.invalid"


@pytest.mark.req("cli2:keys:order")
def test_a_vendor_whose_key_is_in_the_usual_file_is_registered(desk: Desk) -> None:
    put_key(secrets_path(desk.load()), "ECHO_API_KEY", "kept")
    assert answer(desk.build()).provider == "echo"


@pytest.mark.req("cli2:keys:order")
def test_a_file_that_is_named_takes_the_place_of_the_usual_one(desk: Desk, tmp_path: Path) -> None:
    put_key(secrets_path(desk.load()), "ECHO_API_KEY", "usual")
    put_key(tmp_path / "mine", "ECHO_API_KEY", "mine")
    desk.user(f'[secrets]\nfile = "{tmp_path / "mine"}"\n')
    assert answer(desk.build()).content == "q mine https://echo.invalid"


@pytest.mark.req("cli2:keys:order")
def test_the_usual_file_open_to_others_refuses_every_call(desk: Desk) -> None:
    path = secrets_path(desk.load())
    put_key(path, "ECHO_API_KEY", "kept")
    path.chmod(0o644)
    with pytest.raises(WebError, match="chmod 600"):
        desk.build()


@pytest.mark.req("cli2:keys:keyring", "cli2:keys:order")
def test_the_keyring_is_asked_last_and_only_for_what_was_put_there(desk: Desk, held: FileKeyring) -> None:
    held.set_password("webseam", "ECHO_API_KEY", "stranger")
    assert not [one for one in accounts(desk.load(), load_plugins(discover=toys)) if one.ring.places()]
    own(desk).put("ECHO_API_KEY", "ring-key")
    assert answer(desk.build()).content == "q ring-key https://echo.invalid"
    put_key(secrets_path(desk.load()), "ECHO_API_KEY", "file-key")
    assert answer(desk.build()).content == "q file-key https://echo.invalid"
    assert "ring-key" not in desk.load().places.keyring_file.read_text(encoding="utf-8")


@pytest.mark.req("cli2:keys:keyring")
def test_a_key_taken_out_of_the_keyring_is_gone(desk: Desk, held: FileKeyring) -> None:
    ring = own(desk)
    ring.put("ECHO_API_KEY", "ring-key")
    assert ring.drop("ECHO_API_KEY")
    assert not ring.drop("ECHO_API_KEY")
    assert (ring.names(), ring.get("ECHO_API_KEY")) == ((), None)
    assert held.get_password("webseam", "ECHO_API_KEY") is None


@pytest.mark.req("cli2:keys:keyring")
def test_a_key_that_somebody_else_took_out_is_forgotten_without_complaint(desk: Desk, held: FileKeyring) -> None:
    ring = own(desk)
    ring.put("ECHO_API_KEY", "ring-key")
    held.delete_password("webseam", "ECHO_API_KEY")
    assert ring.get("ECHO_API_KEY") is None
    assert ring.drop("ECHO_API_KEY")


@pytest.mark.req("cli2:keys:no-keyring")
def test_a_locked_keyring_is_told_at_the_call_with_the_way_out(desk: Desk, held: FileKeyring) -> None:
    own(desk).put("ECHO_API_KEY", "ring-key")
    built = desk.build({"search": {"provider": "echo"}})
    held.path.write_text("locked", encoding="utf-8")
    (one,) = (one for one in accounts(desk.load(), load_plugins(discover=toys)) if one.id == "echo")
    assert not one.ring.configured()
    with pytest.raises(WebError, match=r"the collection is locked\).*secrets file"):
        one.ring.place()
    with pytest.raises(WebError):
        asyncio.run(built.web.search("q"))


class Silent(FileKeyring):
    """Waits for a dialog that nobody sees."""

    over = threading.Event()
    asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        Silent.asked += 1
        self.over.wait(30)
        return super().get_password(service, username)


@pytest.mark.req("cli2:keys:silent-keyring")
def test_a_keyring_that_gives_no_answer_is_told_in_time(
    desk: Desk, held: FileKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    own(desk).put("ECHO_API_KEY", "ring-key")
    keyring.set_keyring(Silent(held.path))
    monkeypatch.setattr("webseam.wiring.keyrings.KEYRING_SECONDS", 0.01)
    try:
        with pytest.raises(WebError, match=r"gives no answer, and may be waiting.*secrets file"):
            own(desk).get("ECHO_API_KEY")
        loaded = desk.load()
        monkeypatch.setattr("webseam.wiring.keyrings.KEYRING_SECONDS", 0.2)
        for _ in range(50):  # ten seconds, if each were waited for
            with pytest.raises(WebError, match="gives no answer"):
                loaded.keyring.get("ECHO_API_KEY")
        assert Silent.asked == 2
    finally:
        Silent.over.set()


@pytest.mark.req("cli2:keys:forgetful-keyring")
def test_a_keyring_that_takes_a_key_and_keeps_nothing_is_told(desk: Desk, held: FileKeyring) -> None:
    from keyring.backends.null import Keyring as Null  # noqa: PLC0415 - what `keyring --disable` puts in place

    assert held is keyring.get_keyring()  # which is put back
    keyring.set_keyring(Null())  # type: ignore[no-untyped-call]  # the package has none
    with pytest.raises(WebError, match=r"does not keep what it is given.*without --keyring"):
        own(desk).put("ECHO_API_KEY", "k")
    assert own(desk).names() == ()


@pytest.mark.req("cli2:keys:no-keyring")
def test_a_machine_without_a_keyring_is_told_the_way_out(desk: Desk) -> None:
    from keyring.backends.fail import Keyring as NoKeyring  # noqa: PLC0415 - the backend of such a machine

    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]  # the package has none
    try:
        with pytest.raises(WebError, match=r"this machine has none\).*without --keyring"):
            own(desk).put("ECHO_API_KEY", "k")
    finally:
        keyring.set_keyring(before)
    assert own(desk).names() == ()


@pytest.mark.req("cli2:keys:no-keyring")
@pytest.mark.parametrize("text", ["{", "{}", "[1]", "[" * 5000])
def test_a_damaged_record_is_told_with_the_remedy(desk: Desk, text: str) -> None:
    record = desk.load().places.keyring_file
    record.parent.mkdir(parents=True)
    record.write_text(text, encoding="utf-8")
    with pytest.raises(WebError, match=r"record of keys .* is damaged. Delete it"):
        own(desk).names()


# Names -------------------------------------------------------------------------------------------------


@pytest.mark.req("cli2:keys:names")
def test_a_key_is_named_by_its_provider_or_its_variable(desk: Desk) -> None:
    desk.user(
        '[providers.second]\nkind = "echo"\nkey_env = "SECOND_KEY"\n'
        '[providers.many]\nkind = "echo"\nkeys_env = ["K1", "K2"]\n[providers.told]\nkind = "echo"\nkeys = ["a", "b"]\n'
    )
    known = accounts(desk.load(), load_plugins(discover=toys))
    assert key_name("echo", known) == "ECHO_API_KEY"
    assert key_name("ECHO_KEY", known) == "ECHO_KEY"
    assert key_name("second", known) == "SECOND_KEY"
    assert key_name("K2", known) == "K2"
    for wanted, said in {
        "many": "several keys. Name one of them: K1, K2",
        "told": "stand in your configuration",
        "ecko": 'Did you mean "echo"',
        "echo_api_key": 'Did you mean "ECHO_API_KEY"',
        "free": "No provider and no key",
        "": "No provider and no key",
    }.items():
        with pytest.raises(WebError, match=said) as caught:
            key_name(wanted, known)
        assert caught.value.code == Code.INVALID_ARGS
