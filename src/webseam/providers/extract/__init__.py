"""Extract providers: one file per vendor; they never import each other."""
