"""One bound over many shelves: what all tokens of a gateway read on from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webseam.core.shelf import Room, Shelf
from webseam.testing import ManualClock


def _shelves(count: int, room: Room, *, each: int = 100) -> list[Shelf[str]]:
    clock = ManualClock()
    return [Shelf(seconds=60.0, max_bytes=each, clock=clock, room=room) for _ in range(count)]


@pytest.mark.req("gateway:snapshots:bound")
def test_what_was_read_longest_ago_on_any_shelf_goes_first() -> None:
    one, two = _shelves(2, Room(100))
    one.put(["a"], "a", 40)
    two.put(["b"], "b", 40)
    assert one.get("a") == "a"
    two.put(["c"], "c", 40)
    assert (one.get("a"), two.get("b"), two.get("c")) == ("a", None, "c")


@pytest.mark.req("gateway:snapshots:bound")
def test_what_leaves_a_shelf_by_itself_makes_room() -> None:
    clock, room = ManualClock(), Room(100)
    one: Shelf[str] = Shelf(seconds=60.0, max_bytes=100, clock=clock, room=room)
    two: Shelf[str] = Shelf(seconds=60.0, max_bytes=100, clock=clock, room=room)
    two.put(["kept"], "kept", 30)
    one.put(["a", "b"], "old", 60)
    one.put(["a"], "new", 1)
    one.put(["b"], "newer", 1)  # the old one has no key left
    one.put(["c"], "more", 60)
    assert (two.get("kept"), one.get("a"), one.get("c")) == ("kept", "new", "more")
    one.clear()
    one.put(["d"], "all", 70)
    assert (two.get("kept"), one.get("a"), one.get("d")) == ("kept", None, "all")
    clock.advance(61)
    assert one.get("d") is None
    two.put(["e"], "e", 99)
    assert two.get("e") == "e"


@pytest.mark.req("gateway:snapshots:bound")
def test_a_value_larger_than_the_room_is_not_kept_and_pushes_nothing_out() -> None:
    one, two = _shelves(2, Room(50))
    one.put(["a"], "a", 50)
    two.put(["b"], "b", 60)
    assert (one.get("a"), two.get("b")) == ("a", None)
    two.put(["c"], "c", 50)
    assert (one.get("a"), two.get("c")) == (None, "c")


@pytest.mark.req("gateway:snapshots:bound")
def test_a_room_counts_what_each_value_takes_besides_its_size() -> None:
    one, two = _shelves(2, Room(100, each=20))
    for key in "abcde":
        one.put([key], key, 0)
    assert [one.get(key) for key in "abcde"] == list("abcde")
    two.put(["f"], "f", 20)
    assert [one.get(key) for key in "abcde"] == [None, None, "c", "d", "e"]
    two.put(["g"], "too large", 81)
    assert (two.get("g"), two.get("f")) == (None, "f")
    one.clear()
    two.put(["g"], "g", 40)
    assert (two.get("f"), two.get("g")) == ("f", "g")


_STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.lists(st.sampled_from("abcd"), min_size=1, max_size=2), st.integers(0, 60)),
    max_size=40,
)


@pytest.mark.req("gateway:snapshots:bound")
@given(_STEPS)
def test_all_shelves_together_never_hold_more_than_the_room(steps: list[tuple[int, list[str], int]]) -> None:
    shelves = _shelves(3, Room(120))
    sizes: dict[str, int] = {}
    for turn, (which, keys, size) in enumerate(steps):
        sizes[f"{turn}"] = size
        shelves[which].put(keys, f"{turn}", size)
        held = {value for shelf in shelves for key in "abcd" if (value := shelf.get(key)) is not None}
        assert sum(sizes[one] for one in held) <= 120
        assert f"{turn}" in held
