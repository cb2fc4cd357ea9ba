"""A wrong file, key, type or range is `WEB_CONFIG_INVALID` that names the place; nothing crashes on any bytes."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.wiring import Desk
from webseam.core.errors import Code, WebError
from webseam.wiring.opening import open_web


def refusal(desk: Desk, arguments: dict[str, Any] | None = None) -> str:
    with pytest.raises(WebError) as caught:
        desk.load(arguments)
    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.exit_code == 3
    return caught.value.message


@pytest.mark.req("wiring:config:unknown-key")
@pytest.mark.parametrize(
    ("text", "path", "hint"),
    [
        ("[serach]\n", "serach", "search"),
        ("[search]\nprovidr = 'exa'\n", "search.providr", "provider"),
        ("[fetch]\nfanout = ['http']\n", "fetch.fanout", ""),
        ("[fetch]\nmax_byte = 3\n", "fetch.max_byte", "max_bytes"),
        ("top = 1\n", "top", ""),
    ],
)
def test_an_unknown_key_is_refused_with_its_path_and_the_nearest_known_one(
    desk: Desk, text: str, path: str, hint: str
) -> None:
    message = refusal(desk.user(text))
    assert message.startswith(f"{desk.user_file}: {path}: ")
    assert f'Did you mean "{hint}"?' in message if hint else "Did you mean" not in message


BAD_VALUES = [
    ("search", "provider", "3", "3"),
    ("search", "route", '"exa"', '"exa"'),
    ("search", "route", "[1]", "[1]"),
    ("search", "keyless", '"false"', '"false"'),
    ("search", "keyless", "0", "0"),
    ("search", "timeout", "0", "0"),
    ("search", "timeout", "-1", "-1"),
    ("search", "timeout", "inf", "inf"),
    ("search", "timeout", "nan", "nan"),
    ("search", "timeout", "86401", "86401"),
    ("search", "timeout", "true", "true"),
    ("search", "timeout", '"5"', '"5"'),
    ("search", "max_results", "0", "0"),
    ("search", "max_results", "1.0", "1.0"),
    ("search", "max_results", "101", "101"),
    ("search", "ungrounded", '"maybe"', '"maybe"'),
    ("search", "controls", '"Strict"', '"Strict"'),
    ("fetch", "timeout", "1979-05-27", "1979-05-27"),
    ("fetch", "max_bytes", "0", "0"),
    ("fetch", "max_bytes", "-5", "-5"),
    ("fetch", "max_redirects", "-1", "-1"),
    ("fetch", "max_redirects", "21", "21"),
    ("fetch", "private_networks", '["10.0.0.1/8"]', '"10.0.0.1/8"'),
    ("fetch", "private_networks", '["internal"]', '"internal"'),
    ("fetch", "private_hosts", '["https://a.test/"]', '"https://a.test/"'),
    ("fetch", "nameservers", '["dns.example"]', '"dns.example"'),
    ("fetch", "nameservers", '["9.9.9.9:0"]', '"9.9.9.9:0"'),
    ("fetch", "nameservers", '["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5"]', '"1.1.1.5"'),
    ("fetch", "images", "1", "1"),
    ("fetch", "robots", "true", "true"),
    ("fetch", "robots", '"yes"', '"yes"'),
    ("extract", "timeout", "0.0", "0.0"),
    ("tools", "max_queries", "11", "11"),
    ("tools", "search_controls", '["dates"]', "dates"),
    ("tools", "fetch_arguments", '["offset"]', "offset"),
    ("tools", "fetch_arguments", "[]", "[]"),
    ("tools", "fetch_arguments", '["url", "find", "find"]', "find"),
    ("tools", "fetch_view", '"article"', '"article"'),
    ("tools", "fetch_engine", '"readability"', '"readability"'),
    ("tools", "fetch_tokens", "-1", "-1"),
    ("tools", "search_tokens", "1000001", "1000001"),
    ("tools", "fetch_chars", "0", "0"),
    ("secrets", "environment", '"no"', '"no"'),
    ("plugins", "disabled", '["exa"]', '"exa"'),
    ("providers.exa", "key", "5", "int"),
    ("providers.exa", "key_env", '"A B"', '"A B"'),
    ("providers.exa", "kind", "[]", "[]"),
]


@pytest.mark.req("wiring:config:bad-value")
@pytest.mark.parametrize(("section", "name", "value", "found"), BAD_VALUES)
def test_a_bad_value_is_refused_with_its_path_what_was_found_and_what_is_allowed(
    desk: Desk, section: str, name: str, value: str, found: str
) -> None:
    message = refusal(desk.user(f"[{section}]\n{name} = {value}\n"))
    assert message.startswith(f"{desk.user_file}: {section}.{name}: found ")
    assert found in message
    assert "; allowed: " in message


@pytest.mark.req("wiring:config:bad-value")
@pytest.mark.parametrize("value", ["1", "86400", "0.001", "1e3"])
def test_times_inside_the_range_are_taken(desk: Desk, value: str) -> None:
    assert desk.user(f"[fetch]\ntimeout = {value}\n").load().config.fetch.timeout == float(value)


@pytest.mark.req("wiring:config:one-choice")
@pytest.mark.parametrize(
    "text", ['provider = "a"\nroute = ["b"]', 'route = ["a"]\nfanout = ["b"]', 'provider = "a"\nfanout = ["b"]']
)
def test_one_layer_names_providers_in_one_way(desk: Desk, text: str) -> None:
    assert "one of provider, route and fanout" in refusal(desk.user(f"[search]\n{text}\n"))


@pytest.mark.req("wiring:config:bad-value")
@pytest.mark.parametrize("text", ["search = 3\n", "[[search]]\n", "providers = 1\n", "[providers]\nexa = 3\n"])
def test_a_table_is_a_table(desk: Desk, text: str) -> None:
    assert "a table" in refusal(desk.user(text))


@pytest.mark.req("wiring:config:bad-value")
def test_a_provider_id_is_lower_case(desk: Desk) -> None:
    assert "lower-case" in refusal(desk.user('[providers."Exa Two"]\nkind = "exa"\n'))


@pytest.mark.req("wiring:config:all-problems")
def test_all_problems_are_told_at_once_to_whoever_surveys(desk: Desk) -> None:
    desk.user("[search]\ntimeout = 0\nmax_results = 3\n[nope]\n").project("[fetch]\nimages = true\n")
    desk.env(WEBSEAM_FETCH_TIMEOUT="soon")
    loaded = desk.survey()
    assert len(loaded.problems) == 4
    assert loaded.config.search.max_results == 3
    assert loaded.config.search.timeout == 60.0
    assert refusal(desk).endswith("One of 4 faults: `webseam config show` tells all.")


BAD_VARIABLES = [
    ("WEBSEAM_SEARCH_PROVDER", "exa", "WEBSEAM_SEARCH_PROVIDER"),
    ("WEBSEAM_FETCH_", "x", "unknown"),
    ("WEBSEAM_SERCH_KEYLESS", "false", 'Did you mean "WEBSEAM_SEARCH_KEYLESS"?'),
    ("WEBSEAM_TOOL_FETCH", "false", 'Did you mean "WEBSEAM_TOOLS_FETCH"?'),
    ("WEBSEAM_PROVIDER", "exa", "unknown"),
    ("WEBSEAM_PROVIDERS_EXA_KEY", "k-secret", "unknown"),
    ("WEBSEAM_SEARCH_TIMEOUT", "soon", "WEBSEAM_SEARCH_TIMEOUT"),
    ("WEBSEAM_SEARCH_TIMEOUT", "nan", "WEBSEAM_SEARCH_TIMEOUT"),
    ("WEBSEAM_SEARCH_KEYLESS", "yes", "true or false"),
    ("WEBSEAM_SEARCH_MAX_RESULTS", "3.5", "whole number"),
    ("WEBSEAM_FETCH_PRIVATE_NETWORKS", "10.0.0.1/8", "fetch.private_networks"),
]


@pytest.mark.req("wiring:config:environment")
@pytest.mark.parametrize(("variable", "value", "said"), BAD_VARIABLES)
def test_a_wrong_variable_is_refused_by_name(desk: Desk, variable: str, value: str, said: str) -> None:
    message = refusal(desk.env(**{variable: value}))
    assert said in message
    assert "k-secret" not in message


@pytest.mark.req("wiring:config:environment")
@pytest.mark.parametrize(
    "variable",
    [
        "WEBSEAM_DATA_DIR",
        "WEBSEAM_LOAD_PLUGINS",
        "WEBSEAM_SEARCH_SERVICE_HOST",
        "WEBSEAM_SEARCH_PORT_8080_TCP",
        "WEBSEAM_SERVICE_PORT",
        "WEBSEAM_LIVE",
        "WEBSEAM_IMAGE_TAG",
        "WEBSEAMSEARCH_X",
    ],
)
def test_variables_that_are_no_settings_pass(desk: Desk, variable: str) -> None:
    assert desk.env(**{variable: "tcp://10.0.0.1:80"}).load().origins == {}


@pytest.mark.req("wiring:config:arguments")
def test_arguments_are_checked_as_files_are(desk: Desk) -> None:
    assert refusal(desk, {"search": {"timeout": -1}}).startswith("argument: search.timeout: found -1")
    assert refusal(desk, {"search": 3}).startswith("argument: search: found 3")


@pytest.mark.req("wiring:config:arguments")
@pytest.mark.parametrize("arguments", [{"search": 3}, {"fetch": ["http", 3]}, {"config": [1]}, {"config": "x"}])
def test_an_argument_of_a_wrong_type_is_a_configuration_error(desk: Desk, arguments: dict[str, Any]) -> None:
    with pytest.raises(WebError) as caught:
        open_web(environ=desk.environ, cwd=desk.cwd, **arguments)
    assert caught.value.code == Code.CONFIG_INVALID
    assert caught.value.message.startswith(f"argument: {next(iter(arguments))}: found ")


# Files that are no configuration -----------------------------------------------------------------------


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


def _huge(path: Path) -> None:
    path.write_bytes(b"#" * 300_000)


def _binary(path: Path) -> None:
    path.write_bytes(b"\x00\xff\xfe[search]")


def _deep(path: Path) -> None:
    path.write_bytes(b"a = " + b"[" * 100_000)


def _digits(path: Path) -> None:
    path.write_bytes(b"a = " + b"9" * 100_000)


def _twice(path: Path) -> None:
    path.write_bytes(b"[search]\n[search]\n")


@pytest.mark.req("wiring:config:unreadable")
@pytest.mark.parametrize("make", [_folder, _pipe, _device, _dangling, _huge, _binary, _deep, _digits, _twice])
def test_a_file_that_is_no_configuration_is_refused_by_name_at_once(desk: Desk, make: Callable[[Path], None]) -> None:
    desk.user_file.parent.mkdir(parents=True)
    make(desk.user_file)
    assert str(desk.user_file) in refusal(desk)


@pytest.mark.req("wiring:config:unreadable")
def test_a_file_without_permission_is_refused_by_name(desk: Desk) -> None:
    desk.user("[search]\n")
    desk.user_file.chmod(0)
    try:
        desk.user_file.read_bytes()
    except PermissionError:
        assert "cannot be read (Permission denied)" in refusal(desk)
    else:
        assert desk.load().origins == {}  # a superuser reads everything


@pytest.mark.req("wiring:config:unreadable")
def test_bad_toml_tells_line_and_column(desk: Desk) -> None:
    assert "line 2" in refusal(desk.user("[search]\nprovider = \n"))


@pytest.mark.req("wiring:config:bom")
def test_a_byte_order_mark_and_windows_line_ends_pass(desk: Desk) -> None:
    desk.user_file.parent.mkdir(parents=True)
    desk.user_file.write_bytes(b"\xef\xbb\xbf[search]\r\nmax_results = 3\r\n")
    assert desk.load().config.search.max_results == 3


@pytest.mark.req("wiring:config:unreadable")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.text(max_size=80).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.text(alphabet="[]{}=\"'\\\n.,#searchfetch10 ", max_size=60).map(str.encode),
    )
)
def test_any_bytes_load_or_are_refused(desk: Desk, data: bytes) -> None:
    desk.user_file.parent.mkdir(parents=True, exist_ok=True)
    desk.user_file.write_bytes(data)
    assert all(problem.code == Code.CONFIG_INVALID for problem in desk.survey().problems)


@pytest.mark.req("wiring:config:no-secret-in-message")
def test_a_key_never_stands_in_a_message_or_repr(desk: Desk) -> None:
    key = "sk-live-0123456789"
    desk.user(f'[providers.exa]\nkey = ["{key}"]\n')
    assert key not in refusal(desk)
    desk.user(f'[providers.exa]\nkey = "{key}"\n')
    assert key not in repr(desk.load())
    desk.user_file.unlink()
    desk.project(f'[providers.exa]\nkey = "{key}"\n')
    assert key not in refusal(desk)
