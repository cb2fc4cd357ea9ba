"""Calls and cost of a day: never overspent; one contract over all backends."""

import asyncio
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.shared import Backend
from webseam.core.shared import Budget, Spent
from webseam.stores.cells import CellBudgets, MemoryCells

DAY = 86_400.0


@pytest.mark.req("fleet:budgets")
async def test_fifty_at_once_over_two_connections_never_spend_more_calls(backend: Backend) -> None:
    views, budget = [backend.budgets, backend.again().budgets], Budget(calls=17)
    fits = await asyncio.gather(*(views[at % 2].spend("tenant", budget) for at in range(50)))

    assert sum(fits) == 17
    assert await backend.budgets.spent("tenant") == Spent(calls=17)
    assert await backend.budgets.spent("other") == Spent()


@pytest.mark.req("fleet:budgets")
async def test_fifty_at_once_over_two_connections_never_spend_more_money(backend: Backend) -> None:
    views, budget = [backend.budgets, backend.again().budgets], Budget(cost=1.0)
    fits = await asyncio.gather(*(views[at % 2].spend("t", budget, 0.03) for at in range(50)))

    assert sum(fits) == 33
    assert await backend.budgets.spent("t") == Spent(calls=33, cost=0.99)


@pytest.mark.req("fleet:budgets")
async def test_cents_add_up_exactly_and_a_budget_may_be_used_up(backend: Backend) -> None:
    budget = Budget(cost=0.3)
    assert [await backend.budgets.spend("t", budget, 0.1) for _ in range(4)] == [True, True, True, False]
    assert not await backend.budgets.spend("t", budget)
    assert await backend.budgets.spent("t") == Spent(calls=3, cost=0.3)


@pytest.mark.req("fleet:budgets")
async def test_what_a_call_really_cost_is_settled(backend: Backend) -> None:
    await backend.budgets.spend("t", Budget(), 0.5)
    await backend.again().budgets.settle("t", 0.25)
    assert await backend.budgets.spent("t") == Spent(calls=1, cost=0.75)
    await backend.budgets.settle("t", -9)
    assert await backend.budgets.spent("t") == Spent(calls=1)


@pytest.mark.req("fleet:budgets")
@pytest.mark.parametrize("cost", [-0.1, nan, inf, -inf])
async def test_a_cost_that_is_none_is_refused(backend: Backend, cost: float) -> None:
    with pytest.raises(ValueError, match=r"cost|amount|NaN|nan"):
        await backend.budgets.spend("t", Budget(), cost)
    assert await backend.budgets.spent("t") == Spent()


@pytest.mark.req("fleet:budgets")
async def test_a_budget_of_nothing_lets_nothing_through(backend: Backend) -> None:
    assert not await backend.budgets.spend("t", Budget(calls=0))
    assert not await backend.budgets.spend("t", Budget(cost=0))


@pytest.mark.req("fleet:budgets")
async def test_a_day_begins_anew_and_one_that_comes_again_goes_on() -> None:
    wall = 20_000 * DAY + 1
    budgets = CellBudgets(MemoryCells(now=lambda: wall))
    assert await budgets.spend("t", Budget(calls=1))
    wall += DAY
    assert await budgets.spent("t") == Spent()
    assert await budgets.spend("t", Budget(calls=1))
    wall -= DAY
    assert not await budgets.spend("t", Budget(calls=1))
    wall += 3 * DAY
    assert await budgets.spend("t", Budget(calls=1))


@pytest.mark.req("fleet:budgets")
@given(
    st.lists(st.floats(0, 5, allow_nan=False), max_size=30), st.none() | st.integers(0, 9), st.none() | st.floats(0, 9)
)
@settings(max_examples=100, deadline=None)
async def test_no_order_of_spending_breaks_a_budget(costs: list[float], calls: int | None, most: float | None) -> None:
    budgets: Any = CellBudgets(MemoryCells())
    fits = [await budgets.spend("t", Budget(calls=calls, cost=most), cost) for cost in costs]
    spent = await budgets.spent("t")

    assert spent.calls == sum(fits) <= (spent.calls if calls is None else calls)
    assert most is None or spent.cost <= round(most, 6)
