"""What vendors with several products say in all of them when an account is used up."""

from typing import Final

from webseam.providers.wires.failures import ErrorFacts

EXA: Final = ErrorFacts(quota_codes=frozenset({"no_more_credits", "api_key_budget_exceeded"}))
FIRECRAWL: Final = ErrorFacts(
    quota_codes=frozenset({"insufficient_credits"}),
    quota_words=("insufficient credits",),
)
LINKUP: Final = ErrorFacts(quota_codes=frozenset({"insufficient_funds_credits", "exceed_budget_limit"}))
TAVILY: Final = ErrorFacts(quota_statuses=frozenset({402, 432, 433}))  # 432 plan limit, 433 pay-as-you-go limit
