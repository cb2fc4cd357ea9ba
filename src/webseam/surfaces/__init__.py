"""Ways in: parse input, call, print."""
