"""Fetch transports, one file each."""
