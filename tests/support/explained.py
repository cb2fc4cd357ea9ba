"""Differences and readings that many vendors' oracles explain alike."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from support.fields import ANY, Difference
from support.oracle import Reading, Streamed
from support.vendor import fixture, replies_of, says
from webseam.testing import Reply

ACCEPT: Final = Difference(
    field="header.accept", ours="application/json", theirs="*/*", why="The SDK leaves its HTTP library's default."
)

UNGROUNDED: Final = Difference(
    field="sources.*",
    theirs=ANY,
    why="Nothing was searched: pages that are named all the same are dropped and counted.",
)


def named(code: str, theirs: str, why: str = "Each has its own name for this failure.") -> Difference:
    """The SDK's exception that stands for one of our codes."""
    return Difference(field="kind", ours=code, theirs=theirs, why=why)


def names_itself(header: str, theirs: Any) -> Difference:
    """A header with the SDK's own name or version."""
    why = "The SDK names itself here; we do so in the user agent."
    return Difference(field=f"header.{header}", theirs=theirs, why=why)


def no_url(at: int) -> Difference:
    """A row of a fixture that leads nowhere."""
    return Difference(field=f"sources.{at}.*", theirs=ANY, why="A row without a URL is dropped and counted.")


def no_object(at: int, theirs: Any) -> Difference:
    """A row of a fixture that is none."""
    return Difference(field=f"sources.{at}", theirs=theirs, why="A row that is no object is dropped and counted.")


def tidied(field: str, ours: str, theirs: Any) -> Difference:
    """A text of a fixture that holds what a snippet must not."""
    why = "Tags and entities are undone, white space is collapsed, excerpts are joined with an ellipsis."
    return Difference(field=field, ours=ours, theirs=theirs, why=why)


def odd(field: str, theirs: Any) -> Difference:
    """A value of a fixture whose type says nothing."""
    return Difference(field=field, theirs=theirs, why="A text of another type, or a blank one, is absent.")


def refused(
    name: str,
    status: int,
    body: Any,
    code: str,
    theirs: str,
    *more: Difference,
    headers: Mapping[str, str] | None = None,
) -> Reading:
    """A reply that both must take for a failure: ours under `code`, the SDK's under the name of its exception."""
    return Reading(name=name, fails=True, reply=says(body, status, headers), differences=(named(code, theirs), *more))


def usual(wrong_key: Any, too_fast: Any) -> tuple[Reading, Reading]:
    """The two failures that every vendor has, for the many SDKs that name their exceptions alike."""
    return (
        refused("wrong-key", 401, wrong_key, "WEB_PROVIDER_ERROR", "AuthenticationError"),
        refused("rate-limit", 429, too_fast, "WEB_RATE_LIMITED", "RateLimitError"),
    )


def outcomes(kind: str, *names: str, differences: tuple[Difference, ...] = ()) -> Iterator[Reading]:
    """Replies of the vendor's fixture besides the good one, by the beginning of their names."""
    for name in names:
        case = next(one for one in fixture(kind)["outcomes"] if one["name"].startswith(name))
        options = case.get("options", {})
        yield Reading(name=name, reply=replies_of(case)[-1], options=options, differences=differences)


def broken(name: str, code: str, theirs: str, *more: Difference, reply: Reply | None = None) -> Streamed:
    """A stream that both must end with an error."""
    return Streamed(name=name, reply=reply, fails=True, differences=(named(code, theirs), *more))
