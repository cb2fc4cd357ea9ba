"""Pages kept for a while in bounded memory: design 8, R168."""

from sys import getsizeof

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.core import page
from webseam.core.limits import SNAPSHOT_SECONDS
from webseam.core.snapshots import MemorySnapshots, Snapshot, snapshot_key
from webseam.core.types import Body, DocumentBody, FetchResult, HtmlBody, ImageBody, PdfBody, TextBody
from webseam.testing import ManualClock

A, B, C = "https://a.test/", "https://b.test/", "https://c.test/"


def shot(url: str = A, text: str = "text", body: Body | None = None) -> Snapshot:
    fetched = page(url)
    if body is not None:
        fetched = FetchResult(provider="x", url=url, status_code=200, body=body)
    return Snapshot(page=fetched, text=text, digest=text[:8])


@pytest.mark.req("core:snapshots:keys")
def test_a_page_is_found_under_the_url_asked_and_the_final_one_fragment_off() -> None:
    store = MemorySnapshots()
    kept = shot(B)
    store.put(A, kept)
    for url in (A, B, "HTTPS://A.test:443#part", f"{B}#x"):
        assert store.get(url) is kept
    assert store.get(C) is None
    assert store.get("https://a.test/?") is None


@pytest.mark.req("core:snapshots:keys")
def test_a_text_that_is_no_url_is_its_own_key() -> None:
    assert snapshot_key("no url") == "no url"
    assert snapshot_key("HTTPS://A.test#f") == "https://a.test/"


@pytest.mark.req("core:snapshots:fresh")
def test_a_snapshot_is_fresh_for_its_time_and_then_gone() -> None:
    clock = ManualClock()
    store = MemorySnapshots(clock=clock)
    store.put(A, shot(B))
    clock.advance(SNAPSHOT_SECONDS)
    assert store.get(A) is not None
    clock.advance(0.001)
    assert (store.get(A), store.get(B)) == (None, None)
    store.put(A, shot())
    assert store.get(A) is not None


@pytest.mark.req("core:snapshots:keys")
def test_the_newer_page_replaces_the_older_under_each_url_it_is_known_by() -> None:
    store = MemorySnapshots()
    first, second = shot(B, "one"), shot(B, "two")
    store.put(A, first)
    store.put(C, second)
    assert (store.get(A), store.get(B), store.get(C)) == (first, second, second)


@pytest.mark.req("core:snapshots:bytes")
def test_the_oldest_pages_go_first_when_memory_is_short() -> None:
    size = getsizeof("x" * 10_000) + getsizeof("Hello.")
    store = MemorySnapshots(max_bytes=2 * size)
    for url in (A, B):
        store.put(url, shot(url, "x" * 10_000))
    store.put(A, shot(A, "y" * 10_000))
    store.put(C, shot(C, "x" * 10_000))
    assert store.get(B) is None
    assert store.get(A) is not None
    assert store.get(C) is not None


@pytest.mark.req("core:snapshots:bytes")
def test_a_page_under_two_urls_is_counted_once() -> None:
    store = MemorySnapshots(max_bytes=15_000)
    kept = shot(B, "x" * 10_000)
    store.put(A, kept)
    assert (store.get(A), store.get(B)) == (kept, kept)


@pytest.mark.req("core:snapshots:bytes")
@pytest.mark.parametrize(
    "body",
    [
        HtmlBody(content="<p>" * 10_000),
        TextBody(content="é" * 30_000),
        DocumentBody(content="x" * 30_000),
        PdfBody(pages=("x" * 15_000, "y" * 15_000), page_count=2),
        ImageBody(data=b"x" * 30_000, width=1, height=1),
    ],
    ids=lambda body: body.kind,
)
def test_the_body_counts_as_it_lies_in_memory_not_as_it_came_over_the_wire(body: Body) -> None:
    store = MemorySnapshots(max_bytes=20_000)
    old = shot(A)
    store.put(A, old)
    store.put(A, shot(A, "", body))
    assert store.get(A) is None
    store.put(B, shot(B))
    assert store.get(B) is not None


@pytest.mark.req("core:snapshots:bytes")
def test_a_page_larger_than_the_store_pushes_no_other_out() -> None:
    store = MemorySnapshots(max_bytes=5_000)
    small = shot(B)
    store.put(B, small)
    store.put(A, shot(A, "x" * 10_000))
    assert (store.get(A), store.get(B)) == (None, small)


@pytest.mark.req("core:snapshots:bytes")
@given(
    puts=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 3000)), max_size=20),
    bound=st.integers(500, 6000),
)
def test_memory_never_exceeds_its_bound_and_the_last_page_that_fits_is_there(
    puts: list[tuple[str, str, int]], bound: int
) -> None:
    store = MemorySnapshots(max_bytes=bound)
    for asked, final, length in puts:
        kept = shot(f"https://{final}.test/", "x" * length)
        store.put(f"https://{asked}.test/", kept)
        fits = getsizeof(kept.text) + getsizeof("Hello.") <= bound
        assert store.get(f"https://{asked}.test/") is (kept if fits else None)
        assert store.get(f"https://{final}.test/") is (kept if fits else None)
        held = {id(one): one for letter in "abcd" if (one := store.get(f"https://{letter}.test/")) is not None}
        assert sum(getsizeof(one.text) + getsizeof("Hello.") for one in held.values()) <= bound
