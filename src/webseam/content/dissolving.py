"""Taking an element away without what it says on whether its text is seen, which is judged later."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from turbohtml import Element

_TELLING: Final = ("style", "hidden", "aria-hidden", "popover")


def telling(element: "Element") -> dict[str, str]:
    """The attributes of an element that may hide what it holds."""
    return {name: value for name in _TELLING if (value := element.attr(name)) is not None}


def dissolve(element: "Element") -> None:
    """Leave what an element holds in its place, as hidden as it was."""
    if telling(element):
        element.tag = "span"
    else:
        element.unwrap()
