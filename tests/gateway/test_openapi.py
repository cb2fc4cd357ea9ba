"""The document tells the truth: answers satisfy it, and a fuzzer that reads it finds no fault."""

import json
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # has no stubs
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from support.cli import Shell, site
from support.gateway import CONFIG, serving, spawned
from webseam.core import types
from webseam.core.errors import Code, WebError
from webseam.core.plain import to_plain
from webseam.core.settings import ToolSettings
from webseam.surfaces.gateway.openapi import document
from webseam.surfaces.gateway.problems import KINDS, problem_of

EVERYTHING = ToolSettings(extract=True, search_controls=("country", "safe_search"), max_queries=3)
MODES = ("positive", "negative")


def checker(spec: dict[str, Any], name: str) -> Draft202012Validator:
    """A component, with nothing besides what it names."""
    strict = {**spec, "components": {"schemas": {}}}
    for key, schema in spec["components"]["schemas"].items():
        closed = "properties" in schema and key != "ToolResult"
        strict["components"]["schemas"][key] = {**schema, **({"additionalProperties": False} if closed else {})}
    registry = Registry().with_resource("urn:spec", DRAFT202012.create_resource(strict))
    return Draft202012Validator({"$ref": f"urn:spec#/components/schemas/{name}"}, registry=registry)


def whole(kind: Any) -> Any:
    """A value of a type with every field set."""
    samples = {
        types.Source: types.Source(url="u", title="t", snippet="s", published_at="d"),
        types.Attempt: types.Attempt(provider="p", outcome="failed", code="c", dispatched=True, elapsed=0.5),
        types.Usage: types.Usage(calls=1, cost=0.5, currency="USD", input_tokens=1, output_tokens=2),
        types.Note: types.Note(code="c", detail="d"),
    }
    return samples[kind]


RESULTS = {
    "SearchResult": types.SearchResult(
        provider="p",
        grounding="ungrounded",
        content="c",
        sources=(whole(types.Source),),
        truncated=True,
        dropped={"scheme": 1},
        controls={"country": "native"},
        notices=("n",),
        attempts=(whole(types.Attempt),),
        usage=whole(types.Usage),
    ),
    "FetchResult": types.FetchResult(
        provider="p",
        url="u",
        status_code=200,
        body=types.PdfBody(pages=("a",), page_count=1, metadata=types.PageMetadata(title="t", feeds=("f",))),
        media_type="application/pdf",
        charset="utf-8",
        charset_source="bom",
        redirects=(types.Redirect(status_code=301, url="u"),),
        retry_after=1.5,
        cache=types.CacheFacts(age=1.0),
        notes=(whole(types.Note),),
        attempts=(whole(types.Attempt),),
    ),
    "ExtractResult": types.ExtractResult(
        provider="p", url="u", markdown="m", title="t", author="a", published_at="d", usage=whole(types.Usage)
    ),
}
BODIES = (
    types.HtmlBody(content=""),
    types.TextBody(content=""),
    types.DocumentBody(content=""),
    types.ImageBody(data=b"\xff", width=1, height=1),
    types.PdfBody(pages=(), page_count=0),
)


@pytest.mark.req("gateway:openapi")
@pytest.mark.parametrize("name", sorted(RESULTS))
def test_the_vocabulary_as_json_satisfies_its_schema_to_the_last_field(name: str) -> None:
    checker(document(EVERYTHING), name).validate(to_plain(RESULTS[name]))


@pytest.mark.req("gateway:openapi")
def test_every_kind_of_body_is_exactly_one_of_the_schema_s() -> None:
    check = checker(document(EVERYTHING), "FetchResult")
    for body in BODIES:
        page = types.FetchResult(provider="p", url="u", status_code=200, body=body)
        plain = to_plain(page)
        check.validate(plain)
        assert not check.is_valid({**plain, "body": {**plain["body"], "kind": "other"}})
        assert not check.is_valid({name: value for name, value in plain.items() if name != "url"})


@pytest.mark.req("gateway:openapi")
def test_an_error_s_facts_are_in_its_problem() -> None:
    error = WebError(
        Code.PROVIDER_ERROR,
        "It failed.",
        provider="p",
        dispatched=True,
        retry_after=2.0,
        status=503,
        attempts=(whole(types.Attempt),),
    )
    reply = problem_of(error).reply("r")
    told = Draft202012Validator({})
    told.check_schema(document(EVERYTHING)["components"]["schemas"]["Problem"])
    plain = json.loads(reply.body)
    checker(document(EVERYTHING), "Problem").validate(plain)
    assert (plain["status"], plain["provider_status"], plain["dispatched"]) == (502, 503, True)


@pytest.mark.req("gateway:openapi")
def test_every_schema_is_one_and_every_status_is_told() -> None:
    spec = document(EVERYTHING)
    assert spec["openapi"].startswith("3.1")
    for name in spec["components"]["schemas"]:
        Draft202012Validator.check_schema(spec["components"]["schemas"][name])
    for path, operations in spec["paths"].items():
        for operation in operations.values():
            assert {str(status) for status, _ in KINDS.values()} < set(operation["responses"]), path
    assert set(map(str, Code)) <= set(KINDS)
    assert set(
        spec["paths"]["/v1/tools/web_search"]["post"]["requestBody"]["content"]["application/json"]["schema"][
            "properties"
        ]
    ) == {
        "queries",
        "country",
        "safe_search",
    }


@pytest.mark.req("gateway:openapi")
async def test_live_answers_satisfy_the_live_document(shell: Shell) -> None:
    with site(lambda _path: (200, {"Cache-Control": "no-store"}, b"<title>t</title><p>text")) as base:
        async with serving(shell, CONFIG) as served:
            spec = (await served.ask("/openapi.json")).json
            url = {"url": f"{base}/"}
            for path, body, name in (
                ("/v1/search", {"query": "hits"}, "SearchResult"),
                ("/v1/search", {"query": "claim"}, "SearchResult"),
                ("/v1/fetch", url, "FetchResult"),
                ("/v1/extract", url, "ExtractResult"),
                ("/v1/tools/web_search", {"query": "hits"}, "ToolResult"),
                ("/v1/tools/web_fetch", url, "ToolResult"),
                ("/v1/tools/web_extract", url, "ToolResult"),
                ("/v1/tools/web_fetch", {"url": "x"}, "ToolResult"),
                ("/v1/search", {"query": "other"}, "Problem"),
                ("/v1/search", [], "Problem"),
            ):
                checker(spec, name).validate((await served.ask(path, body)).json)


@pytest.mark.req("gateway:openapi")
@pytest.mark.parametrize("admin", [True, False])
async def test_live_looks_satisfy_the_live_document_and_tell_nothing_besides(shell: Shell, *, admin: bool) -> None:
    async with serving(shell, CONFIG) as served:
        token = "" if admin else served.token("one")
        spec = (await served.ask("/openapi.json")).json
        for query in ("hits", "other"):
            await served.ask("/v1/search", {"query": query}, token=token)
        for path in ("/v1/console", "/v1/activity", "/v1/providers", "/v1/policy", "/v1/tools"):
            told = (await served.ask(path, token=token)).json
            answer(spec, spec["paths"][path]["get"]).validate(told)
        told = (await served.ask("/v1/usage", {}, token=token)).json
        answer(spec, spec["paths"]["/v1/usage"]["post"]).validate(told)


def answer(spec: dict[str, Any], operation: dict[str, Any]) -> Draft202012Validator:
    """The 200 of an operation, with nothing besides what it names."""
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    components = {name: closed(one) for name, one in spec["components"]["schemas"].items()}
    return Draft202012Validator({**closed(schema), "components": {"schemas": components}})


def closed(schema: Any) -> Any:
    """The schema without room for other names, all the way down."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: closed(one) for name, one in schema.items()}
    return {"additionalProperties": False, **inner} if "properties" in schema else inner


@pytest.mark.req("gateway:openapi:fuzzed")
@pytest.mark.timeout(240)
def test_a_fuzzer_that_reads_the_document_finds_no_fault(shell: Shell) -> None:
    schemathesis = pytest.importorskip("schemathesis", reason="the group `outside` is not installed")
    checks = import_module("schemathesis.specs.openapi.checks")
    held = [
        schemathesis.checks.not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
        checks.response_headers_conformance,
    ]
    seen: dict[str, set[int]] = {}
    with spawned(shell, "--offline") as (_, served):
        base = f"http://127.0.0.1:{served.port}"
        spec = schemathesis.openapi.from_url(f"{base}/openapi.json")
        for found in spec.get_all_operations():
            operation = found.ok()
            if operation.path == "/v1/activity/stream":
                continue  # it has no end that a fuzzer would come to; tests/gateway/test_activity.py reads it
            for mode in schemathesis.GenerationMode:

                @settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
                @given(case=operation.as_strategy(generation_mode=mode))
                def holds(case: Any) -> None:
                    response = case.call_and_validate(base_url=base, checks=held)
                    seen.setdefault(case.operation.label, set()).add(response.status_code)

                if mode is schemathesis.GenerationMode.POSITIVE or operation.body or operation.headers:
                    holds()
    assert {"POST /v1/search", "POST /v1/tools/web_fetch", "GET /readyz"} <= set(seen)
    assert {"GET /", "GET /console/{name}", "GET /v1/activity", "GET /v1/providers", "POST /v1/usage"} <= set(seen)
    assert {200, 422} <= set().union(*seen.values())
