"""Bytes to text: kind, charset, Markdown, paging, hygiene: pure functions, and the workers for the heavy ones."""
