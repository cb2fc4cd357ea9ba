"""Compose and Kubernetes, held to each other and to what the product has."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.cli import Shell
from support.deploy import DEPLOY, KUBERNETES, ROOT, instructions, manifest, parse, unit, yaml_of
from support.gateway import serving
from support.redis import installed, program_of
from webseam.core.limits import WORKER_COUNT, WORKER_MEMORY_BYTES
from webseam.core.version import VERSION
from webseam.wiring.build import build
from webseam.wiring.config import load

TOML = DEPLOY / "webseam.toml"
PAGE = ROOT / "docs" / "deployment.md"
UNITS = {"g": 2**30, "Gi": 2**30, "Mi": 2**20}


def _compose() -> Any:
    (document,) = yaml_of(DEPLOY / "compose.yaml")
    return document


def _pod() -> Any:
    return manifest("deployment")["spec"]["template"]["spec"]


def _gateway() -> Any:
    return _pod()["containers"][0]


def _bytes(text: str) -> int:
    number, unit_of = re.fullmatch(r"(\d+)(\D+)", text).groups()  # type: ignore[union-attr]  # a size of ours
    return int(number) * UNITS[unit_of]


# The configuration ----------------------------------------------------------------------------------------


@pytest.mark.req("deployment:configuration")
async def test_the_configuration_loads_and_builds_with_the_variables_of_each_deployment(tmp_path: Path) -> None:
    container = dict(re.findall(r"([A-Z_]+)=(\S+)", next(rest for word, rest in instructions() if word == "ENV")))
    pods = {one["name"]: one.get("value", "valkey://:secret@valkey:6379/0") for one in _gateway()["env"]}
    compose = {
        name: re.sub(r"\$\{[^}]*\}", "0123abcd", value)
        for name, value in _compose()["services"]["gateway-1"]["environment"].items()
    }
    for environ in (pods, compose):
        assert environ["WEBSEAM_CONFIG"] == "/etc/webseam/webseam.toml"
        assert environ["WEBSEAM_FLEET_URL"].endswith("@valkey:6379/0")
        here = {**container, **environ, "WEBSEAM_CONFIG": str(TOML), "WEBSEAM_DATA_DIR": str(tmp_path)}
        loaded = load(environ=here, cwd=tmp_path)
        built = build(loaded)
        await built.web.aclose()
        assert loaded.config.fetch.cache == loaded.config.search.cache == "fleet"


@pytest.mark.req("deployment:configuration")
def test_the_config_map_holds_the_same_configuration() -> None:
    assert manifest("configmap")["data"] == {"webseam.toml": TOML.read_text(encoding="utf-8")}


@pytest.mark.req("deployment:configuration")
def test_no_file_of_the_deployment_holds_a_secret_or_loosens_what_may_be_read() -> None:
    told = tomllib.loads(TOML.read_text(encoding="utf-8"))

    assert set(told) == {"serve", "fleet", "fetch", "search"}
    assert "url" not in told["fleet"]
    assert not {"private_networks", "private_hosts", "proxy"} & set(told["fetch"])
    assert not [one for one in KUBERNETES.glob("*.yaml") if "kind: Secret" in one.read_text(encoding="utf-8")]


@pytest.mark.req("deployment:configuration")
def test_every_command_line_in_the_files_and_on_the_page_is_one_of_webseams() -> None:
    page, compose = PAGE.read_text(encoding="utf-8"), (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    lines = [
        *re.findall(r"(?:bin/|\. )webseam ((?!rollout)[a-z][^#\n]*)", page),
        *re.findall(r"(?:--no-deps gateway-1) ([^\n]*)", page + compose),
    ]
    assert len(lines) == 4
    for line in lines:
        parse(line.split())
    parse(_gateway()["args"])


# Compose ------------------------------------------------------------------------------------------------


@pytest.mark.req("deployment:compose")
@pytest.mark.parametrize("name", ["gateway-1", "gateway-2"])
def test_each_gateway_is_unprivileged_read_only_bounded_and_drains(name: str) -> None:
    one = _compose()["services"][name]

    assert (one["user"], one["read_only"], one["cap_drop"]) == ("10001:10001", True, ["ALL"])
    assert one["security_opt"] == ["no-new-privileges:true"]
    assert _bytes(one["mem_limit"]) > WORKER_COUNT * WORKER_MEMORY_BYTES
    assert (
        int(one["stop_grace_period"].removesuffix("s"))
        > load(environ={"WEBSEAM_CONFIG": str(TOML)}, cwd=DEPLOY).config.serve.drain_seconds
    )
    assert "data:/var/lib/webseam" in one["volumes"]


@pytest.mark.req("deployment:compose")
def test_the_gateways_are_published_to_the_host_alone_and_each_by_its_own_port() -> None:
    ports = [port for name in ("gateway-1", "gateway-2") for port in _compose()["services"][name]["ports"]]
    listens = next(rest for word, rest in instructions() if word == "EXPOSE")

    assert [port.split(":") for port in ports] == [["127.0.0.1", "8091", listens], ["127.0.0.1", "8092", listens]]


@pytest.mark.req("deployment:compose")
def test_valkey_is_on_an_internal_network_and_the_way_out_is_a_bridge_that_the_script_knows() -> None:
    services, nets = _compose()["services"], _compose()["networks"]
    bridge = nets["egress"]["driver_opts"]["com.docker.network.bridge.name"]

    assert (services["valkey"]["networks"], nets["state"]["internal"]) == (["state"], True)
    assert "ports" not in services["valkey"]
    assert services["gateway-1"]["networks"] == services["gateway-2"]["networks"] == ["egress", "state"]
    assert nets["egress"]["enable_ipv6"] is False
    for file in (DEPLOY / "compose.yaml", PAGE):
        assert f"egress.sh add {bridge}" in file.read_text(encoding="utf-8")


@pytest.mark.req("deployment:compose:valkey")
@pytest.mark.skipif(
    shutil.which("redis-cli") is None, reason="needs redis-cli, which .ci/run installs with redis-server"
)
@pytest.mark.parametrize("name", installed())
def test_valkey_starts_by_its_words_and_asks_for_the_password(tmp_path: Path, name: str) -> None:
    server, client = program_of(name), shutil.which("redis-cli")
    assert server is not None
    assert client is not None
    socket = tmp_path / "valkey.sock"
    shell, flag, words = (part.replace("$$", "$") for part in _compose()["services"]["valkey"]["command"])
    ours = words.replace("valkey-server -", f"{server} - --port 0 --unixsocket {socket} --dir {tmp_path}")
    environ = {"PATH": "/usr/bin:/bin", "VALKEY_PASSWORD": "0123abcd"}
    process = subprocess.Popen(  # noqa: S603 - the file's own words
        [f"/bin/{shell}", flag, ours], env=environ, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert any("ready to accept connections" in line.lower() for line in process.stdout)
        ask = [client, "-s", str(socket), "ping"]
        without = subprocess.run(ask, capture_output=True, text=True, check=False)  # noqa: S603 - the same
        secret = {"REDISCLI_AUTH": "0123abcd"}
        given = subprocess.run(ask, env=secret, capture_output=True, text=True, check=False)  # noqa: S603 - the same
        told = Path(f"/proc/{process.pid}/cmdline").read_bytes()
    finally:
        process.terminate()
        ended = process.wait()
        assert process.stdout is not None
        process.stdout.close()

    assert "NOAUTH" in without.stdout + without.stderr
    assert given.stdout == "PONG\n"
    assert b"0123abcd" not in told
    assert ended == 0  # it was the server itself that heard the signal


# Kubernetes ---------------------------------------------------------------------------------------------


@pytest.mark.req("deployment:kubernetes:pods")
def test_the_pods_keep_to_the_restricted_standard() -> None:
    pod = _pod()
    context = pod["securityContext"]

    assert manifest("namespace")["metadata"]["labels"] == {"pod-security.kubernetes.io/enforce": "restricted"}
    assert (context["runAsNonRoot"], context["runAsUser"], context["seccompProfile"]) == (
        True,
        10001,
        {"type": "RuntimeDefault"},
    )
    assert (pod["automountServiceAccountToken"], pod["enableServiceLinks"]) == (False, False)
    for one in (*pod["containers"], *pod["initContainers"]):
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert one["image"] == f"webseam:{VERSION}"
        assert {"memory"} <= set(one["resources"]["limits"])


@pytest.mark.req("deployment:kubernetes:pods")
def test_the_workers_fit_into_the_limit_and_the_drain_into_the_grace() -> None:
    pause = int(_gateway()["lifecycle"]["preStop"]["exec"]["command"][1])
    drain = tomllib.loads(TOML.read_text(encoding="utf-8"))["serve"]["drain_seconds"]

    assert _bytes(_gateway()["resources"]["limits"]["memory"]) > WORKER_COUNT * WORKER_MEMORY_BYTES
    assert _pod()["terminationGracePeriodSeconds"] > pause + drain
    assert manifest("deployment")["spec"]["replicas"] > manifest("disruption")["spec"]["minAvailable"]


@pytest.mark.req("deployment:kubernetes:probes")
async def test_the_probes_answer_without_a_token_under_an_address_as_host(shell: Shell) -> None:
    probes = [_gateway()[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")]
    assert [one["path"] for one in probes] == ["/healthz", "/healthz", "/readyz"]

    async with serving(shell, open_here=False) as served:
        served.token("research")
        answers = [await served.ask(one["path"], Host="10.1.2.3:8090") for one in probes]
        refused = await served.ask("/v1/tools", Host="10.1.2.3:8090")
    assert [one.status for one in answers] == [200, 200, 200]
    assert refused.status == 401


@pytest.mark.req("deployment:kubernetes:names")
async def test_the_services_names_are_hosts_that_the_gateway_answers_to(shell: Shell) -> None:
    hosts = tomllib.loads(TOML.read_text(encoding="utf-8"))["serve"]["hosts"]
    space, name = manifest("kustomization")["namespace"], manifest("service")["metadata"]["name"]
    names = [name, f"{name}.{space}", f"{name}.{space}.svc", f"{name}.{space}.svc.cluster.local"]
    assert set(names) <= set(hosts)

    async with serving(shell, open_here=False, hosts=hosts) as served:
        token = served.token("research")
        answers = [(await served.ask("/v1/tools", token=token, Host=one)).status for one in names]
        stranger = await served.ask("/v1/tools", token=token, Host="webseam.elsewhere.svc")
    assert answers == [200] * len(names)
    assert stranger.status == 403


@pytest.mark.req("deployment:kubernetes:names")
def test_every_name_in_a_manifest_is_given_by_another_or_told_on_the_page() -> None:
    pod, page = _pod(), PAGE.read_text(encoding="utf-8")
    volumes = {one["name"]: one for one in pod["volumes"]}
    secrets = {
        volumes["tokens"]["secret"]["secretName"],
        *(one["secretRef"]["name"] for one in _gateway()["envFrom"]),
        *(one["valueFrom"]["secretKeyRef"]["name"] for one in _gateway()["env"] if "valueFrom" in one),
    }
    assert [one for one in secrets if f"create secret generic {one} " not in page] == []
    assert volumes["config"]["configMap"]["name"] == manifest("configmap")["metadata"]["name"]
    assert pod["serviceAccountName"] == manifest("serviceaccount")["metadata"]["name"]
    for one in (*pod["containers"], *pod["initContainers"]):
        assert {mount["name"] for mount in one["volumeMounts"]} <= set(volumes)


@pytest.mark.req("deployment:kubernetes:names")
def test_everything_chooses_the_pods_by_the_label_that_they_have() -> None:
    label = {"app.kubernetes.io/name": "webseam"}
    spec = manifest("deployment")["spec"]

    assert spec["template"]["metadata"]["labels"] == spec["selector"]["matchLabels"] == label
    assert manifest("service")["spec"]["selector"] == label
    for name, key in (("disruption", "selector"), ("networkpolicy", "podSelector")):
        assert manifest(name)["spec"][key]["matchLabels"] == label
    assert manifest("service")["spec"]["ports"][0]["targetPort"] == _gateway()["ports"][0]["name"]
    assert manifest("networkpolicy")["spec"]["ingress"][0]["ports"][0]["port"] == _gateway()["ports"][0]["name"]


@pytest.mark.req("deployment:kubernetes:names")
def test_kustomize_is_told_of_every_manifest() -> None:
    files = {one.name for one in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(manifest("kustomization")["resources"]) == files


# The page ----------------------------------------------------------------------------------------------


@pytest.mark.req("deployment:page")
def test_the_page_names_every_file_and_says_what_was_not_run() -> None:
    page = PAGE.read_text(encoding="utf-8")

    for one in ("Dockerfile", *(f"deploy/{file.name}" for file in DEPLOY.iterdir())):
        assert f"](../{one})" in page, one
    assert "No container was run" in page


@pytest.mark.req("deployment:page")
def test_what_the_page_puts_into_etc_is_what_the_unit_reads() -> None:
    page = PAGE.read_text(encoding="utf-8")
    read = {
        *(line.partition(":")[2] for line in unit()["LoadCredential"]),
        *(line.lstrip("-") for line in unit()["EnvironmentFile"]),
        "/etc/webseam/webseam.toml",
    }
    assert [path for path in read if path not in page] == []
    assert json.dumps(sorted(read)).count("/etc/webseam/") == 4
