"""Promises of `make soak`."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {
    "soak:run": Requirement(
        "Under load, with a replica killed and started anew, no request is lost, no vendor asked beyond the ledger, and the ledger equals the answers.",
        "issue 7.8",
    ),
    "soak:run:shared": Requirement(
        "Under load, with the shared server killed and started anew and then standing still, the same counts agree.",
        "issue 7.8",
    ),
    "soak:sizes": Requirement(
        "A soak tells the memory of each replica at first, midway and at last, and fails above what its bounds add up to.",
        "issue 7.8",
    ),
    "soak:fails": Requirement(
        "A soak fails on a lost or untyped answer, a mix-up, a call done twice, an entry missing, foreign or twice, and on what is left.",
        "issue 7.8",
    ),
    "soak:excuses": Requirement(
        "A soak excuses what a killed replica takes with it, in the last second of its record and for requests under way, and nothing else.",
        "issue 7.8; docs/usage.md",
    ),
    "soak:answers": Requirement(
        "An answer counts only as a result about what was asked or as a failure with one of our codes, under the request's own id.",
        "issue 7.8; RFC 9457",
    ),
    "soak:ends": Requirement(
        "A soak that is told to end leaves no process; on Linux, nor does one that is killed.", "issue 7.8"
    ),
    "soak:asks": Requirement(
        "A soak refuses arguments that it cannot keep to, and says so without a server to share.", "issue 7.8"
    ),
}
