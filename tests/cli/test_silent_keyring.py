"""A keyring that is locked or silent: every command says so, none takes the key for missing, none waits twice."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest

from support.cli import Ran, Shell, site
from support.keyrings import FileKeyring
from webseam.wiring.build import build

SAYS = "The system's keyring cannot be used ("
NEXT = "or run `webseam keys set` without --keyring, which uses the secrets file."


class Ring(FileKeyring):
    """The keyring of this process; while it is `silent` it waits for a dialog that nobody sees."""

    def __init__(self, path: Path, hurry: Callable[[], None]) -> None:
        super().__init__(path)
        self._hurry = hurry
        self.opened = threading.Event()
        self.asked: list[str] = []
        self.is_silent = False

    def is_now(self, state: str) -> None:
        self.is_silent = state == "silent"
        if self.is_silent:
            self._hurry()
        else:
            self.path.write_text(state, encoding="utf-8")

    def get_password(self, service: str, username: str) -> str | None:
        if self.is_silent:
            self.asked.append(username)
            self.opened.wait(50)
        return super().get_password(service, username)


@pytest.fixture
def ring(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ring]:
    """Exa's key in the keyring, and nothing else is set up."""
    before = keyring.get_keyring()
    found = Ring(tmp_path / "ring.json", lambda: monkeypatch.setattr("webseam.wiring.keyrings.KEYRING_SECONDS", 0.05))
    keyring.set_keyring(found)
    try:
        done = shell.run("keys", "set", "--keyring", "exa", stdin="sk-kept-in-the-ring")
        assert done.code == 0, done.err
        yield found
    finally:
        found.opened.set()
        keyring.set_keyring(before)
        for one in threading.enumerate():
            if one.name == "webseam-keyring":
                one.join(20)


@pytest.fixture(params=["locked", "silent"])
def shut(request: pytest.FixtureRequest, ring: Ring) -> Ring:
    """Neither opens."""
    ring.is_now(request.param)
    return ring


def waiting() -> int:
    """How many wait for an answer of the keyring."""
    return sum(one.name == "webseam-keyring" for one in threading.enumerate())


def tells(ran: Ran) -> bool:
    return SAYS in ran.out + ran.err and NEXT in ran.out + ran.err


@pytest.mark.req("cli:keyring:told")
def test_a_search_says_that_the_keyring_did_not_answer_and_goes_to_nobody_else(shell: Shell, shut: Ring) -> None:
    ran = shell.run("search", "q")
    assert (ran.code, ran.out) == (3, "")
    assert "WEB_PROVIDER_UNAVAILABLE: None of the search providers is available: exa. The system's" in ran.err
    assert tells(ran)
    assert "exa-mcp" not in ran.err
    assert "no key" not in ran.err
    del shut


@pytest.mark.req("cli:keyring:told")
@pytest.mark.parametrize(
    "argv",
    [
        ("search", "--provider", "exa", "q"),
        ("extract", "--provider", "exa", "https://kelp.test/"),
        ("search", "--provider", "exa", "--json", "q"),
        ("providers",),
        ("providers", "--json"),
        ("doctor",),
        ("doctor", "--json"),
        ("doctor", "--live", "exa"),
        ("keys", "list"),
        ("keys", "list", "--all"),
    ],
)
def test_every_command_that_looks_at_the_key_tells_it(shell: Shell, shut: Ring, argv: tuple[str, ...]) -> None:
    ran = shell.run(*argv)
    assert tells(ran), ran
    assert "no key is set" not in ran.out + ran.err
    assert ran.code == (0 if argv[0] == "providers" else 3)
    del shut


@pytest.mark.req("cli:keyring:told")
def test_pages_are_not_read_by_this_machine_in_a_vendors_place(shell: Shell, shut: Ring) -> None:
    ran = shell.run("extract", "https://kelp.test/")
    assert ran.code == 3
    assert tells(ran)
    del shut


@pytest.mark.req("cli:keyring:once")
@pytest.mark.parametrize(
    "argv",
    [
        ("search", "q"),
        ("search", "q", "--record", "run.jsonl"),
        ("extract", "https://kelp.test/"),
        ("compare", "q", "--provider", "exa", "--provider", "free"),
        ("providers",),
        ("doctor",),
        ("doctor", "--live", "exa", "free"),
        ("keys", "list", "--all"),
        ("serve", "--listen", "0", "--strict"),
    ],
)
def test_a_run_waits_for_it_once(shell: Shell, ring: Ring, argv: tuple[str, ...]) -> None:
    ring.is_now("silent")
    assert tells(shell.run(*argv))
    assert waiting() == 1


@pytest.mark.req("cli:keyring:told")
def test_a_vendor_that_works_without_a_key_is_not_asked_without_the_one_it_has(shell: Shell, ring: Ring) -> None:
    assert shell.run("keys", "set", "--keyring", "tavily", stdin="sk-kept-too").code == 0
    asked: list[str] = []

    def answer(path: str) -> tuple[int, dict[str, str], bytes]:
        asked.append(path)
        return 200, {"Content-Type": "application/json"}, b'{"results": []}'

    with site(answer) as url:
        shell.desk.user(f"[search]\nprovider = 'tavily'\n[providers.tavily]\nbase_url = '{url}'\n")
        assert (shell.run("search", "q").code, asked) == (0, ["/search"])
        ring.is_now("locked")
        ran = shell.run("search", "q")
    assert (ran.code, len(asked)) == (3, 1)
    assert tells(ran)


@pytest.mark.req("cli:keyring:told")
def test_another_source_that_has_the_key_asks_no_keyring(shell: Shell, ring: Ring) -> None:
    ring.is_now("silent")
    rows = b'{"results": [{"url": "https://kelp.test/"}]}'
    with site(lambda _path: (200, {"Content-Type": "application/json"}, rows)) as url:
        shell.desk.env(EXA_API_KEY="k" * 20).user(f"[providers.exa]\nbase_url = '{url}'\n")
        ran = shell.run("search", "q")
    assert (ran.code, ring.asked) == (0, []), ran.err


@pytest.mark.req("cli:keyring:once")
async def test_a_server_never_waits_again_while_the_dialog_is_open_and_has_the_key_when_it_was_answered(
    shell: Shell, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring.is_now("silent")
    built = build(shell.desk.load(), capabilities=("search",))
    monkeypatch.setattr("webseam.wiring.keyrings.KEYRING_SECONDS", 600)  # whoever waited anew would not come back
    monkeypatch.setattr("webseam.wiring.keyrings.KEYRING_REST_SECONDS", 0)
    for _ in range(20):
        assert built.web.describe()[0].selected == ()
    assert waiting() == 1
    ring.is_silent = False
    ring.opened.set()
    for one in threading.enumerate():
        if one.name == "webseam-keyring":
            one.join(20)
    assert built.web.describe()[0].selected == ("exa",)
    await built.web.aclose()


@pytest.mark.req("cli:keyring:told")
async def test_a_server_that_began_while_it_was_locked_has_the_key_once_it_is_open(shell: Shell, ring: Ring) -> None:
    kept = ring.path.read_text(encoding="utf-8")
    ring.is_now("locked")
    built = build(shell.desk.load(), capabilities=("search",))
    assert built.web.describe()[0].selected == ()
    ring.is_now(kept)
    assert built.web.describe()[0].selected == ("exa",)
    await built.web.aclose()
