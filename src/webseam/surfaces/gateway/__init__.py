"""The gateway: one ASGI application over the same seam, for many agents at once."""
