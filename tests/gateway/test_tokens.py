"""`webseam tokens`, and the file that they are in."""

import hashlib
import json
import os
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.cli import Shell
from support.gateway import CONFIG
from webseam.core.errors import Code, WebError
from webseam.surfaces.gateway.opening import tokens_path
from webseam.wiring import token_book
from webseam.wiring.tenants import FREE, Policy, check_policy
from webseam.wiring.token_book import TokenBook


def place(shell: Shell) -> Path:
    return tokens_path(shell.desk.user(CONFIG).load())


@pytest.mark.req("tokens:create")
def test_a_token_is_printed_once_and_kept_as_a_hash(shell: Shell) -> None:
    ran = shell.run("tokens", "create", "research")
    text = ran.out.strip()
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert text not in ran.err
    kept = place(shell).read_text(encoding="utf-8")
    assert text not in kept
    assert text.split("_", 2)[2] not in kept
    assert hashlib.sha256(text.encode()).hexdigest() in kept
    for argv in (("tokens", "list"), ("tokens", "list", "--json")):
        assert text.split("_", 2)[2] not in shell.run(*argv).out
    assert len({shell.run("tokens", "create", "research").out for _ in range(5)}) == 5


@pytest.mark.req("tokens:file")
def test_the_file_is_its_owner_s_alone(shell: Shell) -> None:
    shell.run("tokens", "create", "research")
    path = place(shell)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    ran = shell.run("tokens", "list")
    assert ran.code == 3
    assert "chmod 600" in ran.err


@pytest.mark.req("tokens:file")
def test_tokens_that_are_made_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tokens.json"
    threads = [threading.Thread(target=lambda: TokenBook(path).create("one", None)) for _ in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(TokenBook(path).tokens()) == 12


@pytest.mark.req("tokens:file")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"version": 2, "tenants": {}, "tokens": []}',
        b'{"version": 1, "tenants": {"a": {"rates": 1}}, "tokens": []}',
        b'{"tokens": [{"id": "a", "tenant": "a", "sha256": "", "created": "", "expires": "soon"}]}',
        b'{"tokens": [{"id": "a"}]}',
    ],
)
def test_a_file_that_is_damaged_is_refused_and_left_alone(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "tokens.json"
    path.write_bytes(data)
    path.chmod(0o600)
    book = TokenBook(path)
    for use in (book.is_empty, book.tokens, lambda: book.holder("wst_x"), lambda: book.create("one", None)):
        with pytest.raises(WebError) as refused:
            use()
        assert refused.value.code == Code.CONFIG_INVALID
    assert path.read_bytes() == data


@pytest.mark.req("tokens:file")
def test_a_place_that_is_no_file_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "tokens.json"
    folder.mkdir(mode=0o700)
    with pytest.raises(WebError, match="cannot be used"):
        TokenBook(folder).is_empty()
    with pytest.raises(WebError, match="cannot be used"):
        TokenBook(tmp_path / "tokens.json" / ("x" * 300) / "y").is_empty()


@pytest.mark.req("tokens:file")
def test_a_file_beyond_all_measure_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    with path.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 1)
        file.truncate(20_000_000)
    path.chmod(0o600)
    with pytest.raises(WebError, match="too large"):
        TokenBook(path).is_empty()


@pytest.mark.req("tokens:create")
def test_there_is_a_bound_on_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_book, "GATEWAY_TOKENS", 2)
    book = TokenBook(tmp_path / "tokens.json")
    book.create("one", None)
    book.create("two", None)
    with pytest.raises(WebError, match="Revoke"):
        book.create("three", None)


@pytest.mark.req("tokens:holder")
@given(st.text(max_size=80))
def test_no_text_but_the_token_itself_is_somebody(text: str) -> None:
    assert _BOOK.holder(text) is None


@pytest.mark.req("tokens:holder")
@given(st.integers(0, 71), st.characters(codec="ascii"))
def test_a_token_with_one_character_changed_is_nobody_s(at: int, other: str) -> None:
    at %= len(_TEXT)
    changed = _TEXT[:at] + other + _TEXT[at + 1 :]
    assert (_BOOK.holder(changed) is None) is (changed != _TEXT)


def _one_book(folder: Path) -> tuple[TokenBook, str]:
    book = TokenBook(folder / "tokens.json")
    return book, book.create("one", Policy(rate="1/s"))[1]


@pytest.fixture(scope="module", autouse=True)
def book(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _BOOK, _TEXT
    _BOOK, _TEXT = _one_book(tmp_path_factory.mktemp("book"))


_BOOK: TokenBook
_TEXT: str


@pytest.mark.req("tokens:policy")
def test_options_are_the_policy_of_the_tenant_and_others_stay(shell: Shell) -> None:
    first = shell.run(
        "tokens", "create", "one", "--rate", "60/min", "--provider", "exa", "--provider", "http", "--json"
    )
    assert first.json["policy"] == {"rate": "60/min", "providers": ["exa", "http"]}
    assert first.json["token"].startswith("wst_")
    again = shell.run(
        *("tokens", "create", "one", "--calls-per-day", "5", "--cost-per-day", "1.5", "--unseen", "deny", "--json"),
    )
    assert again.json["policy"] == {**first.json["policy"], "calls_per_day": 5, "cost_per_day": 1.5, "unseen": "deny"}
    plain = shell.run("tokens", "create", "one", "--json")
    assert plain.json["policy"] == again.json["policy"]
    held = TokenBook(place(shell)).holder(first.json["token"])
    assert held is not None
    assert (held.tenant, held.policy.calls_per_day) == ("one", 5)
    listed = shell.run("tokens", "list").out
    assert "rate 60/min" in listed
    assert "providers exa http" in listed


@pytest.mark.req("tokens:policy")
def test_what_an_admin_may_see_can_be_taken_back(shell: Shell) -> None:
    assert shell.run("tokens", "create", "ops", "--admin", "--json").json["policy"] == {"admin": True}
    assert shell.run("tokens", "create", "ops", "--no-admin", "--json").json["policy"] == {}
    assert all(not policy.admin for policy in TokenBook(place(shell)).policies().values())


@pytest.mark.req("tokens:policy")
@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["One"], "lower-case"),
        ([""], "lower-case"),
        (["x" * 65], "lower-case"),
        (["../one"], "lower-case"),
        (["one", "--rate", "60"], "rate"),
        (["one", "--rate", "0/min"], "rate"),
        (["one", "--provider", "Exa!"], "provider"),
        (["one", "--allow-host", "https://a.test/"], "host"),
        (["one", "--allow-host", "*", "--allow-host", "a.test"], "host"),
        (["one", "--deny-host", "a b"], "host"),
        (["one", "--calls-per-day", "-1"], "policy"),
        (["one", "--calls-per-day", "99999999"], "policy"),
        (["one", "--cost-per-day", "-0.5"], "policy"),
        (["one", "--cost-per-day", "nan"], "policy"),
        (["one", "--search", "perhaps"], "perhaps"),
        (["one", "--days", "0"], "days"),
        (["one", "--days", "nan"], "days"),
        ([], "TENANT"),
    ],
)
def test_a_policy_that_cannot_be_is_refused_and_makes_no_token(shell: Shell, argv: list[str], said: str) -> None:
    ran = shell.run("tokens", "create", *argv)
    assert (ran.code, ran.out) == (2, "")
    assert said.lower() in ran.err.lower()
    assert not place(shell).exists()


@pytest.mark.req("tokens:revoke")
def test_a_token_or_a_whole_tenant_is_revoked(shell: Shell) -> None:
    ids = [shell.run("tokens", "create", name, "--json").json["id"] for name in ("one", "one", "two")]
    ran = shell.run("tokens", "revoke", ids[0], "--json")
    assert ran.json == {"revoked": [{"id": ids[0], "tenant": "one"}]}
    left = shell.run("tokens", "list", "--json").json["tokens"]
    assert [one["id"] for one in left] == ids[1:]
    assert shell.run("tokens", "revoke", "one").out == f"revoked: {ids[1]} of one\n"
    for gone in (ids[0], "one", ""):
        wrong = shell.run("tokens", "revoke", gone)
        assert (wrong.code, "tokens list" in wrong.err) == (2, True)
    book = TokenBook(place(shell))
    assert set(book.policies()) == {"two"}


@pytest.mark.req("tokens:list")
def test_what_is_over_is_said_to_be(tmp_path: Path) -> None:
    moment = [0.0]
    book = TokenBook(tmp_path / "tokens.json", now=lambda: moment[0])
    token, text = book.create("one", None, days=0.5)
    assert (token.expires, book.is_over(token)) == ("1970-01-01T12:00:00+00:00", False)
    assert book.holder(text) is not None
    moment[0] = 43_200.0
    assert book.is_over(token)
    assert book.holder(text) is None


@pytest.mark.req("tokens:list")
def test_without_a_token_it_says_how_to_make_one(shell: Shell) -> None:
    ran = shell.run("tokens", "list")
    assert (ran.code, ran.out, "tokens create" in ran.err) == (0, "", True)
    assert shell.run("tokens", "list", "--json").json["tokens"] == []


@pytest.mark.req("tokens:file")
def test_what_another_process_writes_is_seen_at_the_next_look(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    here, there = TokenBook(path), TokenBook(path)
    assert here.is_empty()
    _, text = there.create("one", None)
    before = here.revision
    held = here.holder(text)
    assert held is not None
    assert held.policy == FREE
    assert here.revision > before
    there.revoke("one")
    assert here.holder(text) is None
    assert json.loads(path.read_text(encoding="utf-8"))["tokens"] == []


@pytest.mark.req("tokens:policy")
def test_the_defaults_of_a_policy_are_no_bound() -> None:
    check_policy(FREE)
    assert FREE.permission() == type(FREE.permission())()


GOOD = {"id": "0" * 12, "tenant": "one", "sha256": "0" * 64, "created": "2026-01-01T00:00:00+00:00"}


@pytest.mark.req("tokens:file:edited")
@pytest.mark.parametrize(
    ("tenants_there", "tokens_there", "said"),
    [
        ({"one": {"rate": "60/minutes"}}, [GOOD], "no rate"),
        ({"one": {"deny_hosts": ["https://a.test/"]}}, [GOOD], "no host"),
        ({"one": {"providers": ["Exa!"]}}, [GOOD], "provider id"),
        ({"One": {}}, [GOOD | {"tenant": "One"}], "lower-case"),
        ({"ones": {"calls_per_day": 1}}, [GOOD], "a tenant that is not there"),
        ({"one": {}, "two": {}}, [GOOD, GOOD | {"tenant": "two"}], "one id"),
        ({"one": {}}, [GOOD | {"sha256": "\xe9" * 64}], "damaged"),
        ({"one": {}}, [GOOD | {"id": "x"}], "damaged"),
        ({"one": {}}, [GOOD | {"expires": "2026-01-01"}], "damaged"),
        ({"one": {}}, [GOOD | {"expires": "soon"}], "damaged"),
    ],
)
def test_a_file_that_a_person_edited_wrongly_bounds_nobody_less(
    tmp_path: Path, tenants_there: object, tokens_there: object, said: str
) -> None:
    path = tmp_path / "tokens.json"
    path.write_text(json.dumps({"tenants": tenants_there, "tokens": tokens_there}), encoding="utf-8")
    path.chmod(0o600)
    with pytest.raises(WebError, match=said) as refused:
        TokenBook(path).holder("wst_x")
    assert refused.value.code == Code.CONFIG_INVALID


@pytest.mark.req("tokens:file:edited")
def test_a_file_that_a_person_edited_well_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "tokens.json"
    token = GOOD | {"expires": "2026-01-01T00:00:00+01:00"}
    path.write_text(json.dumps({"tenants": {"one": {"rate": "60/min"}}, "tokens": [token]}), encoding="utf-8")
    path.chmod(0o600)
    assert [one.tenant for one in TokenBook(path).tokens()] == ["one"]


@pytest.mark.req("tokens:revoke")
def test_a_tenant_whose_tokens_are_gone_is_forgotten_with_its_policy(shell: Shell) -> None:
    first = shell.run("tokens", "create", "one", "--rate", "1/s", "--json").json["id"]
    shell.run("tokens", "revoke", first)
    ran = shell.run("tokens", "revoke", "one")
    assert (ran.code, ran.out) == (0, "revoked: one, which had no token\n")
    assert shell.run("tokens", "create", "one", "--json").json["policy"] == {}


@pytest.mark.req("tokens:policy")
def test_nobody_is_called_as_those_who_need_no_token(shell: Shell) -> None:
    ran = shell.run("tokens", "create", "local")
    assert (ran.code, "Choose another name" in ran.err) == (2, True)
