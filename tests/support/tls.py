"""The authority of `webseam.testing.web`, for tests whose servers are their own."""

from webseam.testing.web.certificates import Authority

__all__ = ["Authority"]
