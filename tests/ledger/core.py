"""Promises of the seam itself."""

from requirements import Requirement

ENTRIES: dict[str, Requirement] = {}
