"""A vendor's options, checked when its provider is built."""

from typing import TypeVar

import msgspec

from webseam.core.errors import Code, WebError
from webseam.core.plugin import Kit

S = TypeVar("S", bound=msgspec.Struct)


def checked(kit: Kit, struct: type[S]) -> S:
    """The kit's options, held to the types and bounds that `struct` declares, however they were made.

    Raises:
        WebError: `WEB_CONFIG_INVALID` naming the field and the rule it breaks.
    """
    if not isinstance(kit.options, struct):
        raise WebError(
            Code.CONFIG_INVALID,
            f"providers.{kit.id}: the options must be {struct.__name__}, not {type(kit.options).__name__}.",
            provider=kit.id,
        )
    try:
        return msgspec.convert(msgspec.structs.asdict(kit.options), struct)
    except msgspec.ValidationError as exc:
        raise WebError(Code.CONFIG_INVALID, _told(kit.id, str(exc)), provider=kit.id) from exc


def _told(provider: str, fault: str) -> str:
    """The fault with its field first, where people look; it comes as "<rule> - at `$.field`"."""
    rule, _, place = fault.partition(" - at ")
    field = place.strip("`").removeprefix("$")
    return f"providers.{provider}{field}: {rule.replace('`', '')}."
