"""What webseam asks of every search provider, asked of this one."""

from webseam.testing import Reply, provider_contract
from webseam_toy import SPEC

HITS = {"hits": [{"link": "https://kelp.example/", "name": "Kelp"}, {"name": "a row without a link"}]}


def test_it_keeps_the_contract() -> None:
    provider_contract(SPEC, reply=Reply.json(HITS))
