"""`keys`, `keys_env`, `rate` and `rate_wait`: strict, layered, and never shown."""

import json
from pathlib import Path

import pytest

from support.cli import Shell, install_toys
from support.pools import KEYS
from support.wiring import Desk, toys
from webseam.core.errors import Code, WebError
from webseam.core.limits import RATE_WAIT_SECONDS
from webseam.core.shared import Rate
from webseam.wiring.catalogue import Planned
from webseam.wiring.pools import Pool
from webseam.wiring.schema import ProviderTable

ONE, TWO, _ = KEYS


def planned(desk: Desk) -> Planned:
    return next(one for one in desk.build().plan.planned if one.id == "echo")


def refusal(desk: Desk) -> str:
    with pytest.raises(WebError) as caught:
        desk.build()
    assert caught.value.code == Code.CONFIG_INVALID
    return caught.value.message


BAD = [
    ("keys", "[]"),
    ("keys", f'"{ONE}"'),
    ("keys", f'["{ONE}", ""]'),
    ("keys", f'["{ONE}", 5]'),
    ("keys", f'["{ONE}", "{ONE}"]'),
    ("keys", f'["{ONE}", " {ONE}"]'),
    ("keys_env", "[]"),
    ("keys_env", '"A_KEY"'),
    ("keys_env", '["A KEY"]'),
    ("keys_env", '["A_KEY", "A_KEY"]'),
    ("rate", "60"),
    ("rate", '"60"'),
    ("rate", '"0/s"'),
    ("rate", '"60/month"'),
    ("rate", '"100001/day"'),
    ("rate_wait", '"5"'),
    ("rate_wait", "-1"),
    ("rate_wait", "true"),
    ("rate_wait", "nan"),
    ("rate_wait", "86401"),
    ("rate_wait", "1" + "0" * 400),
]


@pytest.mark.req("wiring:pool-config:strict")
@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_is_refused_with_its_path_and_no_key(desk: Desk, name: str, value: str) -> None:
    message = refusal(desk.user(f"[providers.echo]\n{name} = {value}\n"))
    assert message.startswith(f"{desk.user_file}: providers.echo.{name}: found ")
    assert "; allowed: " in message
    assert ONE not in message


@pytest.mark.req("wiring:pool-config:strict")
@pytest.mark.parametrize("other", [f'key = "{TWO}"', 'key_env = "A_KEY"', 'keys_env = ["A_KEY"]'])
def test_several_keys_stand_alone(desk: Desk, other: str) -> None:
    message = refusal(desk.user(f'[providers.echo]\nkeys = ["{ONE}"]\n{other}\n'))
    assert "providers.echo: found " in message
    assert "one of key, keys, key_env and keys_env" in message
    assert ONE not in message
    assert TWO not in message


@pytest.mark.req("wiring:pool-config:strict")
@pytest.mark.parametrize("table", [f'keys = ["{ONE}"]', 'keys_env = ["A_KEY"]'])
def test_a_kind_without_keys_takes_no_several_either(desk: Desk, table: str) -> None:
    message = refusal(desk.user(f"[providers.free]\n{table}\n"))
    assert "free takes no key" in message
    assert ONE not in message


@pytest.mark.req("wiring:pool-config:strict")
def test_a_wait_that_nothing_would_wait_for_is_refused(desk: Desk) -> None:
    assert "providers.echo.rate_wait" in refusal(desk.user("[providers.echo]\nrate_wait = 2\n"))


@pytest.mark.req("wiring:pool-config:values")
@pytest.mark.parametrize(
    ("table", "rate", "patience", "sources"),
    [
        (f'keys = ["{ONE}", "{TWO}"]', None, RATE_WAIT_SECONDS, 2),
        ('keys_env = ["A", "B", "C"]\nrate = "60/min"\nrate_wait = 0', Rate(60, 60.0), 0.0, 3),
        (f'key = "{ONE}"\nrate = "2/s"\nrate_wait = 7.5', Rate(2, 1.0), 7.5, 1),
    ],
)
def test_a_pool_is_what_its_table_says(
    desk: Desk, table: str, rate: Rate | None, patience: float, sources: int
) -> None:
    one = planned(desk.user(f"[providers.echo]\n{table}\n"))
    assert one.pooling is not None
    assert (one.pooling.rate, one.pooling.patience, len(one.secret.sources)) == (rate, patience, sources)
    assert isinstance(desk.build(discover=toys).web._registries.search.get("echo"), Pool)


@pytest.mark.req("wiring:pool-config:values")
def test_without_them_a_provider_is_as_it_was(desk: Desk) -> None:
    one = planned(desk.user(f'[providers.echo]\nkey = "{ONE}"\n'))
    assert one.pooling is None
    assert not isinstance(desk.build().web._registries.search.get("echo"), Pool)


@pytest.mark.req("wiring:pool-config:layers")
@pytest.mark.parametrize(
    ("below", "above", "found"),
    [
        ({"key": ONE, "key_env": "A"}, {"keys": [TWO]}, ("", "", (TWO,), ())),
        ({"keys": [ONE]}, {"key": TWO}, (TWO, "", (), ())),
        ({"keys": [ONE]}, {"keys_env": ["A"]}, ("", "", (), ("A",))),
        ({"keys_env": ["A"]}, {"key_env": "B"}, ("", "B", (), ())),
        ({"keys": [ONE]}, {"rate": "1/s"}, ("", "", (ONE,), ())),
    ],
)
def test_a_higher_layer_says_anew_where_keys_come_from(
    desk: Desk, below: dict[str, object], above: dict[str, object], found: tuple[object, ...]
) -> None:
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in below.items())
    table = desk.user(f"[providers.echo]\n{lines}\n").load({"providers": {"echo": above}}).config.providers["echo"]
    assert (table.key, table.key_env, table.keys, table.keys_env) == found


@pytest.mark.req("wiring:pool-config:project")
@pytest.mark.parametrize("line", [f'keys = ["{ONE}"]', 'keys_env = ["AWS_SECRET_ACCESS_KEY"]', 'rate = "1/day"'])
def test_a_project_file_sets_none_of_them(desk: Desk, line: str) -> None:
    message = refusal(desk.project(f"[providers.echo]\n{line}\n"))
    assert "a project file may not set" in message
    assert ONE not in message


@pytest.mark.req("wiring:pool-config:hidden")
def test_neither_table_nor_plan_shows_a_key(desk: Desk) -> None:
    table = ProviderTable(kind="echo", keys=(ONE, TWO))
    assert ONE not in repr(table) + repr(planned(desk.user(f'[providers.echo]\nkeys = ["{ONE}", "{TWO}"]\n')))


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    install_toys(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return Shell(Desk(tmp_path))


@pytest.mark.req("wiring:pool-config:shown")
def test_config_show_masks_each_key_and_shows_the_rest(shell: Shell) -> None:
    shell.desk.user(
        f'[providers.echo]\nkeys = ["{ONE}", "{TWO}"]\nrate = "60/min"\nrate_wait = 2\n'
        '[providers.mine]\nkind = "echo"\nkeys_env = ["A_KEY", "B_KEY"]\n'
    )
    ran = shell.run("config", "show")
    assert ran.code == 0
    assert 'providers.echo.keys = ["********", "********"]' in ran.out
    assert 'providers.echo.rate = "60/min"' in ran.out
    assert "providers.echo.rate_wait = 2.0" in ran.out
    assert 'providers.mine.keys_env = ["A_KEY", "B_KEY"]' in ran.out
    assert ONE not in ran.out
    assert TWO not in ran.out


@pytest.mark.req("wiring:pool-config:shown")
def test_providers_counts_the_keys_and_says_where_they_come_from(shell: Shell) -> None:
    shell.desk.env(A_KEY=ONE, B_KEY=TWO).user(
        f'[providers.echo]\nkeys = ["{ONE}", "{TWO}"]\nrate = "60/min"\n'
        '[providers.mine]\nkind = "echo"\nkeys_env = ["A_KEY", "B_KEY", "C_KEY"]\n'
        '[providers.none]\nkind = "echo"\nkeys_env = ["C_KEY", "D_KEY"]\n'
        f'[providers.slow]\nkind = "echo"\nkey = "{ONE}"\nrate = "1/s"\n'
    )
    ran = shell.run("providers")
    lines = {line.split()[1]: line for line in ran.out.splitlines() if line.startswith("  ")}
    assert "2 keys from configuration; 60/min for each key" in lines["echo"]
    assert "2 keys from environment A_KEY, environment B_KEY" in lines["mine"]
    assert "unavailable" in lines["none"]
    assert "Set C_KEY or D_KEY" in lines["none"]
    assert "key from configuration; at most 1/s" in lines["slow"]
    assert ONE not in ran.out + ran.err
    row = next(one for one in shell.run("providers", "--json").json["search"]["providers"] if one["id"] == "echo")
    assert (row["keys"], row["key"], row["rate"]) == (2, "configuration", "60/min")
