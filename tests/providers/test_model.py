"""The host's current model as a provider: its own API, base URL and credentials, call by call, and never another's."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from support.net import ScriptedResolver
from support.vendor import KEY, HeldKey, fixture, good, replies_of, says, staged
from webseam.core.call import Call, ModelRef
from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit, Seams
from webseam.core.settings import FetchSettings, SeamSettings
from webseam.core.types import SearchControls, SearchResult
from webseam.core.web import Web
from webseam.net.vendor import VendorTransport
from webseam.providers.search.model import SPEC, ModelOptions, ModelSearch
from webseam.providers.wires.model_apis import WIRES
from webseam.testing import Reply, VendorCall, VendorServer


@dataclass(slots=True)
class Auth:
    """A model's credential resolver that counts how often it is asked."""

    key: str = KEY
    asked: int = 0

    async def __call__(self) -> str:
        self.asked += 1
        return self.key


@dataclass(slots=True)
class Stage:
    """The seam over the provider `model`, and a server for its vendor."""

    web: Web
    server: VendorServer
    auth: Auth = field(default_factory=Auth)

    def call(self, **model: Any) -> Call:
        given = {"provider": "anthropic", "api": "anthropic-messages", "id": "m-1", "base_url": self.server.url}
        return Call(model=ModelRef(**{**given, "auth": self.auth, **model}))


def provided(transport: VendorTransport, **options: Any) -> ModelSearch:
    kit = Kit(
        id="model",
        options=ModelOptions(**options),
        secret=HeldKey(None),
        transport=transport,
        fetch=FetchSettings(),
        data_dir=Path("unused"),
        seams=Seams(),
        on_close=lambda _close: None,
    )
    built = SPEC.build(kit)
    assert isinstance(built, ModelSearch)
    return built


@asynccontextmanager
async def current(*replies: Reply, settings: SeamSettings | None = None, **options: Any) -> AsyncIterator[Stage]:
    transport = VendorTransport(resolver=ScriptedResolver({}))  # no name resolves, so no link of an answer is followed
    async with VendorServer(*replies) as server:
        web = Web(search="model", settings=settings)
        web.register_search(provided(transport, **options))
        try:
            yield Stage(web, server)
        finally:
            await transport.aclose()


REPLIES = {
    "anthropic-messages": "anthropic",
    "openai-responses": "openai",
    "azure-openai-responses": "openai",
    "openai-codex-responses": "openai",
    "google-generative-ai": "google",
}
PATHS = {
    "anthropic-messages": "/v1/messages",
    "openai-responses": "/responses",
    "azure-openai-responses": "/responses",
    "openai-codex-responses": "/responses",
    "google-generative-ai": "/models/m-1:generateContent",
}


def test_it_takes_no_key_of_its_own_and_so_is_registered_only_when_named() -> None:
    assert (SPEC.kind, SPEC.keyless, SPEC.key_env, SPEC.key_optional) == ("model", True, (), False)
    assert provided(VendorTransport()).available()


@pytest.mark.req("search:model:routed")
@pytest.mark.parametrize("api", WIRES)
async def test_a_known_api_is_spoken_to_in_its_own_wire_with_the_models_id(api: str) -> None:
    async with current(good(REPLIES[api])) as stage:
        result = await stage.web.search("kelp", call=stage.call(api=api))

    (request,) = stage.server.requests
    assert (request.target, stage.auth.asked) == (PATHS[api], 1)
    assert "m-1" in request.target or request.json["model"] == "m-1"
    assert (result.provider, result.grounding) == ("model", "searched")
    assert result.sources


def credentials(request: VendorCall) -> dict[str, str]:
    return {name: value for name, value in request.headers if KEY in value}


@pytest.mark.req("search:model:routed")
@pytest.mark.parametrize(
    ("provider", "api", "proof"),
    [
        ("anthropic", "anthropic-messages", {"authorization": f"Bearer {KEY}"}),
        ("deepseek", "anthropic-messages", {"x-api-key": KEY, "authorization": f"Bearer {KEY}"}),
        ("gateway", "anthropic-messages", {"x-api-key": KEY, "authorization": f"Bearer {KEY}"}),
        ("openai", "openai-responses", {"authorization": f"Bearer {KEY}"}),
        ("our-azure", "azure-openai-responses", {"api-key": KEY}),
        ("google", "google-generative-ai", {"x-goog-api-key": KEY}),
    ],
)
async def test_the_key_goes_where_the_models_vendor_wants_it(provider: str, api: str, proof: dict[str, str]) -> None:
    async with current(good(REPLIES[api])) as stage:
        await stage.web.search("kelp", call=stage.call(provider=provider, api=api))

    (request,) = stage.server.requests
    assert credentials(request) == proof
    assert KEY.encode() not in request.body
    assert ("thinking" in request.json) is (provider == "deepseek")


@pytest.mark.req("search:model:base-url")
@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/v1/messages"),
        ("/", "/v1/messages"),
        ("/v1", "/v1/messages"),
        ("/v1/", "/v1/messages"),
        ("/anthropic", "/anthropic/v1/messages"),
        ("/proxy?team=kelp", "/proxy/v1/messages?team=kelp"),
    ],
)
async def test_a_base_url_is_taken_with_or_without_the_version(base: str, path: str) -> None:
    async with current(good("anthropic")) as stage:
        await stage.web.search("kelp", call=stage.call(base_url=stage.server.url + base))

    assert stage.server.requests[0].target == path


@pytest.mark.req("search:model:options")
async def test_the_configured_limits_go_with_every_model() -> None:
    async with current(good("anthropic"), max_tokens=99, max_uses=2, answer=False) as stage:
        result = await stage.web.search("kelp", call=stage.call())

    sent = stage.server.requests[0].json
    assert (sent["max_tokens"], sent["tools"][0]["max_uses"]) == (99, 2)
    assert result.content is None


async def refused(stage: Stage, call: Call, **search: Any) -> WebError:
    with pytest.raises(WebError) as caught:
        await stage.web.search("kelp", call=call, **search)
    assert stage.server.connections == 0
    assert not caught.value.dispatched
    return caught.value


@pytest.mark.req("search:model:unknown")
@pytest.mark.parametrize("api", ["openai-completions", "", "Anthropic-Messages", "bedrock\n\x1b[31m"])
async def test_an_api_that_is_not_known_is_an_error_that_names_those_that_are(api: str) -> None:
    async with current(good("anthropic")) as stage:
        error = await refused(stage, stage.call(api=api))

    assert error.code == Code.PROVIDER_UNAVAILABLE
    assert all(known in error.message for known in WIRES)
    assert "anthropic/m-1" in error.message
    assert error.message.isprintable()
    assert stage.auth.asked == 0


@pytest.mark.req("search:model:none")
@pytest.mark.parametrize("blank_id", ["", " "])
async def test_a_model_without_an_id_is_asked_nothing(blank_id: str) -> None:
    async with current(good("anthropic")) as stage:
        error = await refused(stage, stage.call(id=blank_id))

    assert (error.code, stage.auth.asked) == (Code.PROVIDER_UNAVAILABLE, 0)
    assert "ModelRef(id=...)" in error.message


@pytest.mark.req("search:model:none")
async def test_a_call_without_a_model_says_what_is_missing() -> None:
    async with current(good("anthropic")) as stage:
        error = await refused(stage, Call())

    assert error.code == Code.PROVIDER_UNAVAILABLE
    assert "Call(model=ModelRef(...))" in error.message


@pytest.mark.req("search:model:unknown")
async def test_only_a_configured_route_goes_on_to_another_provider_and_it_is_told() -> None:
    async with current() as stage, staged("exa", good("exa")) as second:
        web = Web(search=["model", "exa"])
        web.register_search(provided(VendorTransport()))
        web.register_search(second.provider)
        result = await web.search("kelp", call=stage.call(api="openai-completions"))

    assert [(one.provider, one.outcome, one.code) for one in result.attempts] == [
        ("model", "failed", Code.PROVIDER_UNAVAILABLE),
        ("exa", "ok", None),
    ]


@pytest.mark.req("search:model:base-url")
@pytest.mark.parametrize("api", WIRES)
async def test_a_key_of_an_unknown_vendor_goes_nowhere_without_a_base_url(api: str) -> None:
    async with current() as stage:
        error = await refused(stage, stage.call(provider="stranger", api=api, base_url=None))

    assert error.code == Code.PROVIDER_UNAVAILABLE
    assert "base_url" in error.message
    assert stage.auth.asked == 0


@pytest.mark.req("search:model:base-url")
@pytest.mark.parametrize("base", ["nowhere", "ftp://api.example/", "https://user:pw-kelp@api.example/"])
async def test_a_base_url_that_is_none_is_told_and_not_repeated_with_its_secrets(base: str) -> None:
    async with current() as stage:
        error = await refused(stage, stage.call(base_url=base))

    assert error.code == Code.PROVIDER_UNAVAILABLE
    assert "pw-kelp" not in error.message


@pytest.mark.req("search:model:auth")
async def test_the_credentials_are_asked_once_for_each_call_and_a_new_key_reaches_the_next() -> None:
    async with current(good("anthropic"), good("anthropic")) as stage:
        call = stage.call()
        await stage.web.search("kelp", call=call)
        stage.auth.key = "sk-second"
        await stage.web.search("kelp", call=call)

    assert stage.auth.asked == 2
    assert [one.header("authorization") for one in stage.server.requests] == [f"Bearer {KEY}", "Bearer sk-second"]


@pytest.mark.req("search:model:auth")
async def test_a_paused_turn_goes_on_with_the_same_credentials() -> None:
    content = [{"type": "web_search_tool_result", "content": [{"url": "https://kelp.example/"}]}]
    paused = says({"content": content, "stop_reason": "pause_turn"})
    async with current(paused, good("anthropic")) as stage:
        await stage.web.search("kelp", call=stage.call())

    assert (len(stage.server.requests), stage.auth.asked) == (2, 1)


async def breaks() -> str:
    raise OSError("vault at 10.1.2.3 is sealed")


async def blank() -> str:
    return " \n"


async def nothing() -> str:
    return None  # type: ignore[return-value]  # what an untyped host may do


@pytest.mark.req("search:model:auth")
@pytest.mark.parametrize(
    ("auth", "code"),
    [
        (None, Code.PROVIDER_CREDENTIAL_MISSING),
        (blank, Code.PROVIDER_CREDENTIAL_MISSING),
        (nothing, Code.PROVIDER_CREDENTIAL_MISSING),
        (breaks, Code.PROVIDER_ERROR),
    ],
)
async def test_a_model_without_usable_credentials_ends_before_anything_leaves(
    auth: Callable[[], Awaitable[str]] | None, code: Code
) -> None:
    async with current(good("anthropic")) as stage:
        error = await refused(stage, stage.call(auth=auth))

    assert (error.code, error.provider) == (code, "model")
    assert "10.1.2.3" not in error.message
    assert ("ModelRef(auth=...)" in error.message) is (code == Code.PROVIDER_CREDENTIAL_MISSING)


@pytest.mark.req("search:model:auth")
async def test_no_repr_and_no_event_shows_the_key() -> None:
    events: list[Any] = []
    async with current(good("anthropic")) as stage:
        call = stage.call()
        await stage.web.search("kelp", call=Call(model=call.model, emit=events.append))

    assert "RequestRecorded" in [type(event).__name__ for event in events]
    assert KEY not in f"{events!r} {stage.web!r}"


@pytest.mark.req("search:model:auth")
async def test_credentials_that_never_come_do_not_hold_the_call() -> None:
    abort, asked = asyncio.Event(), asyncio.Event()

    async def hangs() -> str:
        asked.set()
        await asyncio.Event().wait()
        return "never"

    async with current(good("anthropic")) as stage:
        search = asyncio.create_task(stage.web.search("kelp", call=stage.call(auth=hangs), abort=abort))
        await asked.wait()
        abort.set()
        with pytest.raises(WebError) as caught:
            await search

    assert (caught.value.code, caught.value.dispatched) == (Code.ABORTED, False)
    assert stage.server.connections == 0


@pytest.mark.req("search:model:routed")
@pytest.mark.parametrize("api", WIRES)
async def test_every_wire_tells_its_progress(api: str) -> None:
    told: list[str] = []
    cases = [one for one in fixture(REPLIES[api])["streams"] if one.get("result", {}).get("content")]
    case = next(one for one in cases if len(one["replies"]) == 1 and one["progress"])
    async with current(*replies_of(case)) as stage:
        call = replace(stage.call(api=api), progress=told.append)
        result = await stage.web.search("kelp", call=call)

    assert told == case["progress"]
    assert result.content == case["result"]["content"]
    assert stage.server.requests[0].header("accept") == "text/event-stream"


@pytest.mark.req("search:model:apart")
async def test_calls_with_different_models_do_not_mix() -> None:
    def call(stage: Stage, number: int) -> Call:
        return stage.call(id=f"m-{number}", auth=Auth(f"sk-model-{number}"))

    async with current(*[good("anthropic")] * 6) as stage:
        await asyncio.gather(*(stage.web.search(f"kelp {n}", call=call(stage, n)) for n in range(6)))

    told = {(one.json["model"], one.header("authorization")) for one in stage.server.requests}
    assert told == {(f"m-{n}", f"Bearer sk-model-{n}") for n in range(6)}


HELD = SearchControls(include_domains=("kelp.example",))


@pytest.mark.req("search:model:controls")
@pytest.mark.parametrize(("provider", "status"), [("anthropic", "native"), ("deepseek", "enforced")])
async def test_domains_are_honoured_by_the_models_api_or_held_by_the_seam(provider: str, status: str) -> None:
    async with current(good("anthropic")) as stage:
        result = await stage.web.search("kelp", call=stage.call(provider=provider), controls=HELD)

    assert result.controls == {"include_domains": status}
    assert [one.url for one in result.sources] == ["https://kelp.example/p"]
    assert ("allowed_domains" in stage.server.requests[0].json["tools"][0]) is (status == "native")


async def from_sweden(provider: str, mode: Any) -> tuple[VendorCall | None, SearchResult | WebError]:
    async with current(good("anthropic"), settings=SeamSettings(controls=mode)) as stage:
        try:
            call = stage.call(provider=provider)
            result: Any = await stage.web.search("kelp", call=call, controls=SearchControls(country="SE"))
        except WebError as error:
            result = error
    return next(iter(stage.server.requests), None), result


@pytest.mark.req("search:model:controls")
async def test_a_control_that_only_other_models_honour_is_refused_or_reported_as_lost() -> None:
    request, honoured = await from_sweden("anthropic", "strict")
    nothing, refusal = await from_sweden("deepseek", "strict")
    _, lost = await from_sweden("deepseek", "lenient")

    assert request is not None
    assert request.json["tools"][0]["user_location"]["country"] == "SE"
    assert isinstance(honoured, SearchResult)
    assert honoured.controls == {"country": "native"}
    assert isinstance(refusal, WebError)
    assert (nothing, refusal.code) == (None, Code.UNSUPPORTED_CONTROL)
    assert isinstance(lost, SearchResult)
    assert lost.controls == {"country": "unsupported"}
