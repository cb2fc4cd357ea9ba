"""Implementations of core's state protocols: the local index."""
