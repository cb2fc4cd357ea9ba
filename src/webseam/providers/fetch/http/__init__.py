"""`http`: pages over HTTP/1.1 through the guarded client, by whoever is asked first."""

from webseam.providers.fetch.http.provider import SPEC, HttpFetch

__all__ = ["SPEC", "HttpFetch"]
